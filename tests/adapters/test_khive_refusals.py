"""What khive cannot keep is refused before anything is sent; what is just short of it is kept."""

from __future__ import annotations

from typing import Any

import pytest
from tests.adapters.khive_refusals import LARGEST, REFUSED, Refused, item, nested
from tests.adapters.khive_scene import Lane, Scene, played, raised

from memory_fidelity import UnsupportedMemoryItem, item_differences, memory_query
from memory_fidelity.adapters.khive import KhiveMemoryStore, McpServer
from memory_fidelity.adapters.mcp_session import McpRefused


@pytest.mark.parametrize("refused", REFUSED.values(), ids=REFUSED)
def test_it_is_refused_before_transport(lane: Lane, refused: Refused) -> None:
    """The error names its place, and nothing reaches khive (W1)."""

    async def scenario(scene: Scene) -> tuple[Exception, list[str]]:
        return await raised(scene.store.store(item(**refused.fields))), scene.verbs()

    error, verbs = played(lane, scenario)

    assert isinstance(error, UnsupportedMemoryItem)
    assert (error.path, verbs) == (refused.path, [])


def test_the_card_declares_every_refusal() -> None:
    """Those of the table are those of the card, with none left out."""
    store = KhiveMemoryStore(McpServer(("khive",)))

    declared = {refusal.name for refusal in store.card.refusals}

    assert declared == {refused.card for refused in REFUSED.values()}


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"content": "$previous"}, id="longer-word"),
        pytest.param({"content": "cost $prev.id"}, id="later-in-the-text"),
        pytest.param({"content": "$prev x", "tags": ["\\$prev.id"]}, id="blank-or-backslash"),
        pytest.param({"metadata": {"$prev": 1, "$prev.id": {"$prev[0]": "x"}}}, id="as-a-key"),
        pytest.param({"metadata": {"n": [2**64 - 1, -(2**63)]}}, id="widest-integers"),
        pytest.param({"content": [2**64 - 1, -(2**63)]}, id="widest-integers-in-content"),
        pytest.param({"metadata": nested(59)}, id="deepest-metadata"),
        pytest.param({"content": nested(59)}, id="deepest-content"),
        pytest.param({"content": "x" * LARGEST, "created_at": 1.5}, id="largest-request"),
    ],
)
def test_what_is_just_short_of_it_is_kept(lane: Lane, fields: dict[str, Any]) -> None:
    """Exactly, as retrieval and search show."""

    async def scenario(scene: Scene) -> list[Any]:
        kept = item(**fields)
        await scene.store.store(kept)
        found = (await scene.store.retrieve(kept.id), *await scene.store.search(memory_query()))
        return [item_differences(kept, each) for each in found if each is not None]

    assert played(lane, scenario) == [(), ()]


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param({"content": "$prev.id"}, id="reference"),
        pytest.param({"content": "tea", "properties": {"p": nested(61)}}, id="depth"),
        pytest.param({"content": "x" * 1_048_576}, id="size"),
    ],
)
def test_khive_itself_refuses_the_whole_request(lane: Lane, arguments: dict[str, Any]) -> None:
    """Not by a result but by an error of the protocol, so an adapter has to look first."""

    async def scenario(scene: Scene) -> None:
        await scene.do("create", kind="memory", **arguments)

    with pytest.raises(McpRefused):
        played(lane, scenario)


def test_khive_itself_makes_floats_of_large_integers(lane: Lane) -> None:
    """Without a word: the only loss that nobody would hear of."""

    async def scenario(scene: Scene) -> Any:
        made = await scene.do("create", kind="memory", content="tea", properties={"n": 2**64})
        return (await scene.do("get", id=made["id"]))["properties"]["n"]

    assert repr(played(lane, scenario)) == "1.8446744073709552e+19"

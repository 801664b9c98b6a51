"""A khive that cannot do what the manifest says is unavailable, and the manifest stays (M8)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

import pytest
from tests.adapters.khive_scene import raised
from tests.adapters.khive_script import refused, said, served

from memory_fidelity import (
    MemoryAdapterError,
    MemoryAdapterUnavailable,
    MemoryItem,
    memory_query,
)
from memory_fidelity.adapters.khive import KhiveMemoryStore, McpServer
from memory_fidelity.fake.khive.state import KhiveSettings
from memory_fidelity.fake.khive_service import FakeKhive

Result = TypeVar("Result")

ITEM: Final = MemoryItem(content="tea", tags=["taste"])
NEEDED: Final = (
    "delete",
    "get",
    "list",
    "memory.recall",
    "memory.remember",
    "query",
    "update",
)
UNNEEDED: Final = ("brain.auto_feedback", "create")


def on_fake(
    scenario: Callable[[FakeKhive, KhiveMemoryStore], Awaitable[Result]],
    settings: KhiveSettings,
    **declared: Any,
) -> Result:
    """Play a scenario on a fake of khive with these settings and a store over it."""

    async def play() -> Result:
        with FakeKhive(settings) as khive:
            async with KhiveMemoryStore(McpServer(khive.command), **declared) as store:
                return await scenario(khive, store)

    return asyncio.run(play())


async def all_raised(store: KhiveMemoryStore) -> list[MemoryAdapterError]:
    """The errors of the three operations."""
    return [
        await raised(store.store(ITEM)),
        await raised(store.retrieve(ITEM.id)),
        await raised(store.search(memory_query(text="tea"))),
    ]


@pytest.mark.parametrize("verb", NEEDED)
def test_a_khive_without_a_verb_is_unavailable(verb: str) -> None:
    """All three operations say which one it lacks, and nothing else is asked of it."""

    async def scenario(khive: FakeKhive, store: KhiveMemoryStore) -> Any:
        return await all_raised(store), {call.operation for call in khive.calls()}

    errors, asked = on_fake(scenario, KhiveSettings(missing_verbs=(verb,)))

    assert {type(error) for error in errors} == {MemoryAdapterUnavailable}
    assert {str(error) for error in errors} == {
        f"khive: expected a khive with `{verb}`, got one without"
    }
    assert asked == {"verbs", "memory.recall"}


def test_every_verb_that_is_missing_is_named() -> None:
    """In one error, sorted."""

    async def scenario(_: FakeKhive, store: KhiveMemoryStore) -> Any:
        return await raised(store.retrieve(ITEM.id))

    error = on_fake(scenario, KhiveSettings(missing_verbs=("update", "get")))

    assert "expected a khive with `get`, `update`, got" in str(error)


def test_a_khive_without_verbs_that_are_not_used_will_do() -> None:
    """Nor does it matter that a memory can no longer be made with `create`."""

    async def scenario(_: FakeKhive, store: KhiveMemoryStore) -> Any:
        return await store.store(ITEM)

    settings = KhiveSettings(missing_verbs=UNNEEDED, refuses_create_memory=True)
    assert on_fake(scenario, settings) == ITEM.id


@pytest.mark.parametrize(
    ("verb", "signature", "missing"),
    [
        pytest.param("delete", "delete(id)", "`delete(hard)`", id="field"),
        pytest.param(
            "memory.recall",
            "memory.recall(query, limit?, namespace?, full_contents?)",
            "`memory.recall(full_content)`, `memory.recall(tag_mode)`, `memory.recall(tags)`",
            id="fields-of-like-names",
        ),
        pytest.param("query", "query()", "`query(query)`", id="none"),
    ],
)
def test_a_khive_without_a_field_is_unavailable(verb: str, signature: str, missing: str) -> None:
    """A verb of another version may take something else; each field that is used is looked for."""
    with FakeKhive() as khive:
        verbs = khive.do("verbs")["verbs"]
    others = [each for each in verbs if each["verb"] != verb]
    changed = said({"verbs": [*others, {"verb": verb, "signature": signature}]}, [])

    error = served(lambda store: raised(store.retrieve(ITEM.id)), changed)

    assert type(error) is MemoryAdapterUnavailable
    assert f"expected a khive with {missing}, got one without" in str(error)


EMBEDDING: Final = (
    "khive: expected a khive without embeddings, since search was declared to be immediate, "
    "got one that embeds"
)


def test_a_khive_that_embeds_although_not_declared_is_unavailable() -> None:
    """What it has embedded answers a search by vectors alone, so an immediate search is a lie."""

    async def scenario(khive: FakeKhive, store: KhiveMemoryStore) -> Any:
        khive.do("memory.remember", content="tea", namespace="memory-fidelity")
        return await all_raised(store), store.manifest.search_consistency

    errors, consistency = on_fake(scenario, KhiveSettings(embeddings=True))

    assert {type(error) for error in errors} == {MemoryAdapterUnavailable}
    assert {str(error) for error in errors} == {EMBEDDING}
    assert consistency == "immediate"


def test_a_khive_whose_embedder_fails_is_one_that_embeds() -> None:
    """Without vectors the question would have an empty answer."""
    with FakeKhive() as khive:
        verbs = khive.do("verbs")

    answer = said(verbs, "internal: EmbedderProvider: download failed")
    error = served(lambda store: raised(store.retrieve(ITEM.id)), answer)

    assert type(error) is MemoryAdapterUnavailable
    assert str(error) == EMBEDDING


@pytest.mark.parametrize(
    ("profile", "adapter"),
    [("envelope", "khive-embeddings"), ("plain", "khive-plain-embeddings")],
)
@pytest.mark.parametrize("embeds", [True, False])
def test_where_it_is_declared_it_may_embed_or_not(profile: str, adapter: str, embeds: bool) -> None:
    """The manifest says `eventual`, by another name; what is not embedded is found at once."""

    async def scenario(khive: FakeKhive, store: KhiveMemoryStore) -> Any:
        await store.store(ITEM)
        khive.index()
        found = await store.search(memory_query(text="tea"))
        return store.manifest, store.card.lifecycle.invalidation, [hit.id for hit in found]

    manifest, invalidation, found = on_fake(
        scenario,
        KhiveSettings(embeddings=embeds, delays_index=embeds),
        profile=profile,
        embeddings=True,
    )

    assert (manifest.adapter, manifest.search_consistency) == (adapter, "eventual")
    assert "the index is made apart from the write" in invalidation
    assert found == [ITEM.id]


def test_a_downgrade_between_two_processes_is_an_outage_until_it_ends() -> None:
    """The manifest stays as it was published, and an upgrade is used as soon as it is there."""

    async def scenario(khive: FakeKhive, store: KhiveMemoryStore) -> Any:
        declared = store.manifest
        await store.store(ITEM)
        khive.plant("lose")
        lost = await raised(store.retrieve(ITEM.id))
        khive.settings = replace(khive.settings, missing_verbs=("query",))
        downgraded = await all_raised(store)
        khive.settings = KhiveSettings()
        kept = await store.retrieve(ITEM.id)
        return lost, downgraded, kept and kept.content, store.manifest is declared

    lost, downgraded, content, is_unchanged = on_fake(scenario, KhiveSettings())

    assert {type(error) for error in (lost, *downgraded)} == {MemoryAdapterUnavailable}
    assert {str(error) for error in downgraded} == {
        "khive: expected a khive with `query`, got one without"
    }
    assert (content, is_unchanged) == ("tea", True)


def test_it_is_asked_once_in_each_process() -> None:
    """At its start, before its first use, and never again."""

    async def scenario(khive: FakeKhive, store: KhiveMemoryStore) -> Any:
        await store.store(ITEM)
        await store.retrieve(ITEM.id)
        in_the_first = len(asked(khive))
        khive.plant("lose")
        await raised(store.retrieve(ITEM.id))
        await store.retrieve(ITEM.id)
        return in_the_first, len(asked(khive))

    def asked(khive: FakeKhive) -> list[str]:
        return [call.operation for call in khive.calls() if call.operation == "verbs"]

    assert on_fake(scenario, KhiveSettings()) == (1, 2)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        pytest.param(said([], []), MemoryAdapterError, id="list"),
        pytest.param(said({}, []), MemoryAdapterError, id="no-verbs"),
        pytest.param(said({"verbs": [{"verb": "get"}]}, []), MemoryAdapterError, id="unsigned"),
        pytest.param(refused("invalid input"), MemoryAdapterError, id="one-result"),
        pytest.param(said("invalid input: verbs", []), MemoryAdapterError, id="refused"),
        pytest.param(said("storage: disk", []), MemoryAdapterUnavailable, id="storage"),
        pytest.param({"error": {"code": -32602, "message": "x"}}, MemoryAdapterError, id="error"),
    ],
)
def test_an_answer_that_says_nothing_of_the_verbs_is_an_error(
    answer: dict[str, Any], kind: type[MemoryAdapterError]
) -> None:
    """Nobody knows then what that khive can do, so it is not used."""
    error = served(lambda store: raised(store.retrieve(ITEM.id)), answer)

    assert type(error) is kind
    assert error.__cause__ is not None

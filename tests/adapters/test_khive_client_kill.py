"""A client that is killed in the middle of a store leaves nothing that shows."""

from __future__ import annotations

from typing import Final, NamedTuple
from uuid import UUID

import pytest
from tests.adapters.khive_scene import Lane
from tests.adapters.khive_wire import NAMESPACE, Wire, wired
from tests.adapters.khive_writers import writing

from memory_fidelity import MemoryItem, item_differences, memory_query

_ID: Final = UUID(int=93, version=4)


class Left(NamedTuple):
    """What was seen after the kill, and after one more store of the id."""

    requests: list[list[str]]
    """What of the store had reached khive."""
    memories: int
    """What khive has, items or not."""
    texts: list[object]
    """What is shown by a retrieval, and by searches for nothing, for words of both writers, for
    those of the killed one, and for those of a memory that is just begun."""
    records_after: int
    """Memories that have the id, once it was stored anew."""
    differences_after: object
    """Between that and what is retrieved."""


def _item(text: str) -> MemoryItem:
    return MemoryItem(id=_ID, content=text, created_at=2.5, metadata={"n": 1}, tags=["tea"])


async def _killed(wire: Wire, replies: int, rivals: bool) -> Left:
    """Kill a client when khive has answered so many of its requests, and it has heard of one less.

    A rival may store the same id after the first of them.
    """
    relay = wire.pipe.relay
    async with writing(NAMESPACE, wire.pipe.command) as writer:
        begun = len(wire.requests())
        await relay.stall_replies()
        writer.tell(_ID, "killed")
        await relay.held()
        await (wire.rival().store(_item("rival")) if rivals else wire.native_ids(_ID))
        for _ in range(replies - 1):
            await relay.resume()
            await relay.stall_replies()
            await relay.held()
        await writer.kill()
    await relay.resume()
    return await _left(wire, wire.requests()[begun:])


async def _left(wire: Wire, requests: list[list[str]]) -> Left:
    store = wire.store()
    memories = len(await wire.memories())
    retrieved = await store.retrieve(_ID)
    queries = [memory_query(text=text) for text in (None, "killed rival", "killed", "progress")]
    found = [await store.search(query) for query in queries]
    texts = [
        None if retrieved is None else retrieved.content,
        *([item.content for item in items] for items in found),
    ]
    anew = _item("anew")
    await store.store(anew)
    records = len(await wire.native_ids(_ID))
    again = await store.retrieve(_ID)
    differences = again and item_differences(anew, again)
    return Left(requests, memories, texts, records, differences)


_REQUESTS: Final = [["query"], ["memory.remember"], ["update"]]


@pytest.mark.parametrize(
    ("replies", "memories", "text"),
    [
        pytest.param(1, 0, None, id="before-it-wrote"),
        pytest.param(2, 1, None, id="when-it-had-begun-a-memory"),
        pytest.param(3, 1, "killed", id="when-it-had-written-the-item"),
    ],
)
def test_a_store_is_done_or_not(lane: Lane, replies: int, memories: int, text: str | None) -> None:
    """What was begun shows nowhere, and storing anew leaves one record (R1, W5)."""
    shown = [] if text is None else [text]

    left = wired(lane, lambda wire: _killed(wire, replies, rivals=False))

    assert (left.requests, left.memories) == (_REQUESTS[:replies], memories)
    assert left.texts == [text, shown, shown, shown, []]
    assert (left.records_after, left.differences_after) == (1, ())


@pytest.mark.parametrize(
    ("replies", "by_its_word"),
    [
        pytest.param(2, [], id="when-it-had-begun-a-memory"),
        pytest.param(3, ["killed"], id="when-it-had-written-the-item"),
    ],
)
def test_of_two_writers_the_first_one_shows(
    lane: Lane, replies: int, by_its_word: list[str]
) -> None:
    """A second record that nobody is left to delete is found by its own words alone (R1, W5)."""
    left = wired(lane, lambda wire: _killed(wire, replies, rivals=True))

    assert (left.requests, left.memories) == (_REQUESTS[:replies], 2)
    assert left.texts == ["rival", ["rival"], ["rival"], by_its_word, []]
    assert (left.records_after, left.differences_after) == (1, ())

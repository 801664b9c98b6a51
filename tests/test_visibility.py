"""Waiting until a write is found, in a time of its own that the test moves."""

from __future__ import annotations

import asyncio
import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from memory_fidelity import (
    FirstSight,
    InMemoryStore,
    MemoryAdapterUnavailable,
    MemoryItem,
    MemoryQuery,
    NotYetSearchable,
    UnsupportedMemoryQuery,
    memory_query,
    until_searchable,
)
from memory_fidelity.adapters.sqlite import SqliteMemoryStore
from memory_fidelity.fake import EVENTUAL, FakeBehaviour, FakeHarness, FakeMemoryStore
from memory_fidelity.json_codec import decode

ITEM = MemoryItem(
    id=UUID(int=7, version=4), content="Prefers green tea", tags=["taste"], created_at=0.0
)


class _Rig(FakeHarness):
    """An eventual fake whose index is flushed at a moment of logical time."""

    def __init__(self, visible_at: float, *, now: float = 0.0) -> None:
        super().__init__(EVENTUAL)
        self.pauses: list[float] = []
        self._now = now
        self._visible_at = now + visible_at

    def clock(self) -> float:
        return self._now

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self._now += seconds
        if self._now >= self._visible_at:
            self.backend.flush()

    async def wait(self, item: MemoryItem, deadline: float, **options: Any) -> FirstSight:
        return await until_searchable(
            self.connect(), item, deadline, clock=self.clock, pause=self.pause, **options
        )

    def asked(self, operation: str) -> list[dict[str, Any]]:
        return [decode(call.text) for call in self.calls() if call.operation == operation]


def _written(rig: _Rig, item: MemoryItem = ITEM) -> None:
    asyncio.run(rig.connect().store(item))


def _missed(rig: _Rig, item: MemoryItem, deadline: float) -> NotYetSearchable:
    with pytest.raises(NotYetSearchable) as caught:
        asyncio.run(rig.wait(item, deadline))
    return caught.value


def test_a_write_is_awaited_until_search_finds_it() -> None:
    """The value says how many searches it took, and how long."""
    rig = _Rig(visible_at=0.05)
    _written(rig)

    sight = asyncio.run(rig.wait(ITEM, 5))

    assert (sight.searches, round(sight.seconds, 6)) == (4, 0.07)
    assert len(rig.asked("find")) == 4


def test_what_is_visible_is_seen_at_once() -> None:
    """One search suffices, and there is no pause."""
    rig = _Rig(visible_at=0)
    _written(rig)
    rig.backend.flush()

    sight = asyncio.run(rig.wait(ITEM, 0))

    assert sight == FirstSight(1, 0.0)
    assert rig.pauses == []


def test_pauses_grow_to_a_bound_and_end_at_the_deadline() -> None:
    """A service that is slow is not asked a hundred times a second, and the last moment counts."""
    rig = _Rig(visible_at=99)
    _written(rig)

    _missed(rig, ITEM, 4)

    assert rig.pauses == pytest.approx([0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1, 1, 0.73])
    assert len(rig.asked("find")) == 11


def test_a_deadline_of_zero_is_one_search() -> None:
    """It asks whether the item can be found now."""
    rig = _Rig(visible_at=99)
    _written(rig)

    error = _missed(rig, ITEM, 0)

    assert (error.searches, error.seconds, rig.pauses) == (1, 0.0, [])


def test_an_item_seen_first_at_the_deadline_is_seen() -> None:
    """The last pause is followed by a search."""
    rig = _Rig(visible_at=0.02)
    _written(rig)

    sight = asyncio.run(rig.wait(ITEM, 0.02))

    assert sight.searches == 3


def test_a_coarse_clock_does_not_keep_it_waiting() -> None:
    """Where the rest of the time is less than the clock can tell, the search still ends."""
    rig = _Rig(visible_at=99, now=2.0**40)
    _written(rig)

    error = _missed(rig, ITEM, 0.0701)

    assert error.searches == 5


def test_the_miss_of_a_write_that_is_there_says_so() -> None:
    """A search miss is not a failed write."""
    rig = _Rig(visible_at=99)
    _written(rig)

    error = _missed(rig, ITEM, 0.05)

    assert error.retrieved
    assert (error.item_id, error.searches, round(error.seconds, 6)) == (ITEM.id, 4, 0.05)
    assert str(error) == (
        f"item {ITEM.id}: expected a search to find it, got 4 searches without it in 0.05 s; "
        "retrieve finds it: a search miss is not a failed write, and writing again is no cure; "
        "wait longer, or give a query that this store would answer with it"
    )


def test_the_miss_of_what_was_never_written_says_so() -> None:
    """Waiting longer would be no cure then."""
    error = _missed(_Rig(visible_at=99), ITEM, 0)

    assert not error.retrieved
    assert str(error) == (
        f"item {ITEM.id}: expected a search to find it, got 1 search without it in 0 s; "
        "retrieve does not find it either: it was not written here, or it has been removed since"
    )


def test_the_miss_is_a_timeout() -> None:
    """Code that knows nothing of this package can still catch it."""
    assert issubclass(NotYetSearchable, TimeoutError)


@pytest.mark.parametrize(
    "travelled",
    [
        pytest.param(lambda error: pickle.loads(pickle.dumps(error)), id="pickled"),  # noqa: S301 - our own bytes
        pytest.param(copy.copy, id="copied"),
    ],
)
def test_the_miss_keeps_its_parts(travelled: Callable[[NotYetSearchable], object]) -> None:
    """An error that crosses a process boundary arrives as it was, notes included."""
    error = NotYetSearchable(ITEM.id, 3, 0.5, True)
    error.add_note("of the second import")

    arrived = travelled(error)

    assert isinstance(arrived, NotYetSearchable)
    assert (str(arrived), vars(arrived)) == (str(error), vars(error))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"content": "words", "tags": ["t"]}, ("words", []), id="text"),
        pytest.param({"content": {"a": 1}, "tags": ["t", "u"]}, (None, ["t", "u"]), id="no-text"),
        pytest.param({"content": "", "tags": ["t"]}, (None, ["t"]), id="empty-text"),
        pytest.param({"content": 7}, (None, []), id="neither"),
    ],
)
def test_the_query_is_made_of_the_item(fields: dict[str, Any], expected: tuple[Any, Any]) -> None:
    """Its text; without one, its tags; without any, the first page."""
    rig = _Rig(visible_at=0.01)
    item = MemoryItem(**fields)
    _written(rig, item)

    asyncio.run(rig.wait(item, 1))

    (query, _) = rig.asked("find")
    assert (query["text"], query["tags"]) == expected
    assert (query["filters"], query["limit"]) == ({}, 100)


def test_a_query_of_ones_own_is_the_one_that_is_asked() -> None:
    """A ranked service may need other words than the item's."""
    rig = _Rig(visible_at=0.01)
    _written(rig)

    asyncio.run(rig.wait(ITEM, 1, query=memory_query(tags=["taste"], limit=3)))

    (query, _) = rig.asked("find")
    assert (query["text"], query["tags"], query["limit"]) == (None, ["taste"], 3)


def test_another_item_of_the_same_words_is_not_it() -> None:
    """The id decides."""
    rig = _Rig(visible_at=99)
    _written(rig, ITEM.model_copy(update={"id": UUID(int=8, version=4)}))
    rig.backend.flush()
    _written(rig)

    error = _missed(rig, ITEM, 0.02)

    assert error.retrieved


def test_it_is_found_behind_other_hits() -> None:
    """It need not be the first."""
    rig = _Rig(visible_at=99)
    _written(rig)
    _written(rig, ITEM.model_copy(update={"id": UUID(int=8, version=4)}))
    rig.backend.flush()

    assert asyncio.run(rig.wait(ITEM, 0)).searches == 1


def test_nothing_is_written() -> None:
    """It only reads: a second write would be a second chance to overwrite what is newer (W5)."""
    rig = _Rig(visible_at=99)

    _missed(rig, ITEM, 0.1)

    assert rig.asked("put") == []
    assert len(rig.asked("get")) == 1


def test_an_outage_passes_through() -> None:
    """An outage is not a miss (Q5)."""
    rig = _Rig(visible_at=99)
    _written(rig)
    rig.transport.disconnect()

    with pytest.raises(MemoryAdapterUnavailable):
        asyncio.run(rig.wait(ITEM, 1))

    assert len(rig.asked("find")) == 1


def test_an_outage_at_the_deadline_passes_through() -> None:
    """Where it cannot be told whether the write is there, nothing is claimed about it."""
    rig = _Rig(visible_at=99)
    _written(rig)

    async def cut(seconds: float) -> None:
        await rig.pause(seconds)
        rig.transport.plant("miss")
        rig.transport.plant("break")

    with pytest.raises(MemoryAdapterUnavailable, match="retrieve"):
        asyncio.run(until_searchable(rig.connect(), ITEM, 0.01, clock=rig.clock, pause=cut))


def test_a_query_that_the_store_refuses_passes_through() -> None:
    """The store says which part it does not offer (C10)."""
    query = MemoryQuery(filters={"colour": "green"})

    with pytest.raises(UnsupportedMemoryQuery) as caught:
        asyncio.run(_Rig(visible_at=99).wait(ITEM, 1, query=query))

    assert caught.value.rejected_keys == ("colour",)


def test_it_can_be_cancelled() -> None:
    """Cancellation passes through the pause, and no search follows (E6)."""
    rig = _Rig(visible_at=99)
    _written(rig)

    async def scenario() -> None:
        paused = asyncio.Event()

        async def pause(_: float) -> None:
            paused.set()
            await asyncio.Event().wait()

        task = asyncio.create_task(
            until_searchable(rig.connect(), ITEM, 1, clock=rig.clock, pause=pause)
        )
        await paused.wait()
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(scenario())

    assert len(rig.asked("find")) == 1


@pytest.mark.parametrize(
    ("deadline", "said"),
    [
        pytest.param(-1, "deadline: expected 0 seconds or more, and an end, got -1", id="negative"),
        pytest.param(float("nan"), "deadline: .*, got nan", id="nan"),
        pytest.param(float("inf"), "deadline: .*, got inf", id="endless"),
    ],
)
def test_a_deadline_that_is_none_is_refused(deadline: float, said: str) -> None:
    """Before anything is asked."""
    rig = _Rig(visible_at=0)

    with pytest.raises(ValueError, match=said):
        asyncio.run(rig.wait(ITEM, deadline))

    assert rig.calls() == ()


@pytest.mark.parametrize(
    ("item", "deadline", "said"),
    [
        pytest.param(ITEM.id, 1, "item: expected MemoryItem, got UUID", id="an-id-as-item"),
        pytest.param(ITEM, "1", "deadline: expected seconds, got str", id="a-text-as-deadline"),
    ],
)
def test_another_type_is_refused(item: Any, deadline: Any, said: str) -> None:
    """Before anything is asked."""
    rig = _Rig(visible_at=0)

    with pytest.raises(TypeError, match=said):
        asyncio.run(rig.wait(item, deadline))

    assert rig.calls() == ()


def test_a_store_without_a_manifest_will_do() -> None:
    """lionagi's own store finds at once what it was given."""

    async def scenario() -> FirstSight:
        store = InMemoryStore()
        await store.store(ITEM)
        return await until_searchable(store, ITEM, 0)

    assert asyncio.run(scenario()).searches == 1


def test_real_time_and_a_real_index(tmp_path: Path) -> None:
    """With the clock and the pauses that an application gets, beside the task that refreshes."""

    async def scenario() -> FirstSight:
        async with SqliteMemoryStore(tmp_path / "m.db", index="deferred") as store:
            await store.store(ITEM)
            waiting = asyncio.create_task(until_searchable(store, ITEM, 60))
            with pytest.raises(NotYetSearchable):
                await until_searchable(store, ITEM, 0)
            await store.refresh()
            return await waiting

    sight = asyncio.run(scenario())

    assert sight.searches >= 1
    assert 0 <= sight.seconds < 60


def test_an_immediate_store_needs_no_second_search() -> None:
    """What the manifest promises holds here, too (C14)."""

    async def scenario() -> FirstSight:
        store: FakeMemoryStore = FakeHarness(FakeBehaviour()).connect()
        await store.store(ITEM)
        return await until_searchable(store, ITEM, 0)

    assert asyncio.run(scenario()).searches == 1

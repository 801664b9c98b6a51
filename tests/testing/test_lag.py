"""Measuring lag, in a time of its own that the store moves."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import cycle, repeat
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

from memory_fidelity import InMemoryStore, MemoryAdapterUnavailable
from memory_fidelity.adapters.sqlite import SqliteMemoryStore
from memory_fidelity.fake import EVENTUAL
from memory_fidelity.fake.harness import EventualFake
from memory_fidelity.json_codec import decode
from memory_fidelity.testing.lag import Counts, Lag, Sighting, Times, measure_lag

from .lags import LaggingStore, lag

NEVER = 10**9


def _measured(store: LaggingStore, **options: Any) -> Lag:
    return asyncio.run(measure_lag(store, clock=store.clock, **options))


def _asked(store: LaggingStore, operation: str) -> list[dict[str, Any]]:
    return [decode(call.text) for call in store.wire.calls if call.operation == operation]


@pytest.mark.parametrize(
    ("misses", "expected"),
    [
        pytest.param(0, Sighting(searches=1, after=0, by=0.25, last=0.25), id="at once"),
        pytest.param(1, Sighting(searches=2, after=0, by=0.5, last=0.25), id="second search"),
        pytest.param(3, Sighting(searches=4, after=0.5, by=1, last=0.25), id="fourth search"),
    ],
)
def test_a_lag_lies_between_a_miss_and_a_hit(misses: int, expected: Sighting) -> None:
    """From the start of the last search that missed to the end of the first that found."""
    found = _measured(LaggingStore(repeat(misses)), writes=1)

    assert found.sightings == (expected,)


def test_time_counts_from_the_acknowledgement() -> None:
    """How long the write itself took is no part of the lag."""
    (sighting,) = _measured(LaggingStore(repeat(0)), writes=1).sightings

    assert sighting.by == 0.25


def test_each_write_is_measured() -> None:
    """One at a time, in their order; the one before the measurement is not among them."""
    found = _measured(LaggingStore([9, 0, 2, 1]), writes=3)

    assert [sighting.searches for sighting in found.sightings] == [1, 3, 2]
    assert (found.planned, found.writes, found.seen, found.searches) == (3, 3, 3, 6)
    assert found.missed_at_first == 2


def test_what_is_not_seen_is_counted() -> None:
    """A write that no search found until the deadline is a sighting without an end."""
    found = _measured(LaggingStore([0, 0, NEVER, 0]), writes=3, deadline=1)

    assert found.sightings[1] == Sighting(searches=5, after=1, by=None, last=0.25)
    assert (found.writes, found.seen, found.missed_at_first) == (3, 2, 1)


def test_the_last_search_starts_at_the_deadline() -> None:
    """So a write that is first seen by that search is seen."""
    (sighting,) = _measured(LaggingStore(repeat(4)), writes=1, deadline=1).sightings

    assert (sighting.searches, sighting.after, sighting.by) == (5, 0.75, 1.25)


def test_a_deadline_of_zero_is_one_search() -> None:
    """It asks for the share that is found at once."""
    found = _measured(LaggingStore(cycle([0, 1])), writes=4, deadline=0)

    assert [sighting.by for sighting in found.sightings] == [None, 0.25, None, 0.25]


def test_three_unseen_in_a_row_end_it() -> None:
    """Where nothing is ever seen, nobody waits for a hundred deadlines."""
    found = _measured(LaggingStore([0, NEVER, NEVER, 0, *repeat(NEVER, 9)]), writes=9, deadline=0)

    assert [sighting.by is None for sighting in found.sightings] == [
        *[True] * 2,
        False,
        *[True] * 3,
    ]
    assert found.planned == 9


def test_each_search_is_for_the_one_item() -> None:
    """The words are in no other item, so that no page can be too short for it."""
    store = LaggingStore(repeat(0))

    _measured(store, writes=2)

    written = [put["record"]["content"] for put in _asked(store, "put")]
    assert len(set(written)) == 3
    assert [find["text"] for find in _asked(store, "find")] == written


def test_a_store_that_takes_no_text_is_searched_by_tag() -> None:
    """Its items hold the word as JSON."""
    store = LaggingStore(repeat(0), replace(EVENTUAL, content=frozenset({"json"})))

    _measured(store, writes=1)

    words = [put["record"]["content"]["text"] for put in _asked(store, "put")]
    assert [(find["text"], find["tags"]) for find in _asked(store, "find")] == [
        (None, [word]) for word in words
    ]


def test_progress_is_told_of_each_write() -> None:
    """Of those that were not seen, too."""
    told: list[int] = []

    _measured(LaggingStore([0, 0, NEVER, 0]), writes=3, deadline=0, progress=lambda: told.append(1))

    assert len(told) == 3


def test_a_task_beside_it_is_not_kept_from_running() -> None:
    """A store in this process may answer without waiting, and have its index kept by a task."""
    rig = EventualFake()

    async def scenario() -> Lag:
        async def index() -> None:
            while True:
                rig.backend.flush()
                await asyncio.sleep(0)  # noqa: TID251 - gives way to the measurement

        indexing = asyncio.create_task(index())
        try:
            return await measure_lag(rig.connect(), writes=5, deadline=5)
        finally:
            indexing.cancel()

    assert asyncio.run(scenario()).seen == 5


def test_an_outage_passes_through() -> None:
    """A service that is gone is not slow (Q5)."""
    store = LaggingStore(repeat(NEVER))

    def cut() -> float:
        if _asked(store, "find"):
            store.wire.disconnect()
        return store.clock()

    with pytest.raises(MemoryAdapterUnavailable):
        asyncio.run(measure_lag(store, clock=cut))


def test_it_can_be_cancelled() -> None:
    """Between two searches, where nothing else waits (E6)."""

    async def scenario() -> None:
        store = EventualFake().connect()
        async with asyncio.timeout(0):
            await measure_lag(store, deadline=5)

    with pytest.raises(TimeoutError):
        asyncio.run(scenario())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param({"writes": 0}, "writes: expected 1 or more, got 0", id="no writes"),
        pytest.param({"deadline": -1}, "deadline: expected 0 seconds or more", id="negative"),
        pytest.param({"deadline": inf}, "and an end, got inf", id="endless"),
        pytest.param({"deadline": nan}, "got nan", id="not a number"),
    ],
)
def test_a_plan_that_is_none_is_refused(options: dict[str, Any], said: str) -> None:
    """Before anything is written."""
    store = LaggingStore(repeat(0))

    with pytest.raises(ValueError, match=said):
        _measured(store, **options)

    assert store.wire.calls == ()


def test_a_store_without_declarations_will_do() -> None:
    """lionagi's own store finds at once what it was given."""
    assert asyncio.run(measure_lag(InMemoryStore(), writes=3)).missed_at_first == 0


def test_real_time_and_a_real_index(tmp_path: Path) -> None:
    """The bounds of each lag are in order, and an immediate index needs one search for each."""

    async def scenario() -> Lag:
        async with SqliteMemoryStore(tmp_path / "m.db") as store:
            return await measure_lag(store, writes=20)

    found = asyncio.run(scenario())

    assert (found.seen, found.searches) == (20, 20)
    assert 0 < found.search_median <= found.search_longest < 5


SEEN = lag((0, 1), (2, 3), (4, 9), (5, 6))
PARTLY = lag((0, 1), (5, None))


@pytest.mark.parametrize(
    ("measured", "share", "expected"),
    [
        pytest.param(SEEN, 0, Times(0, 1), id="least"),
        pytest.param(SEEN, 0.5, Times(2, 3), id="half"),
        pytest.param(SEEN, 0.51, Times(4, 6), id="more than half"),
        pytest.param(SEEN, 1, Times(5, 9), id="greatest, whose bounds are of two writes"),
        pytest.param(PARTLY, 0.5, Times(0, 1), id="seen, though another was not"),
        pytest.param(PARTLY, 1, Times(5, inf), id="not seen"),
        pytest.param(lag(*[(n, n + 1) for n in range(100)]), 0.07, Times(6, 7), id="no rounding"),
    ],
)
def test_quantiles_are_bounds(measured: Lag, share: float, expected: Times) -> None:
    """The nearest rank of either bound; what was not seen lags longest."""
    assert measured.quantile(share) == expected


@pytest.mark.parametrize("share", [-0.1, 1.1, nan])
def test_a_share_is_between_none_and_all(share: float) -> None:
    """Another number is no share."""
    with pytest.raises(ValueError, match="share: expected 0 to 1"):
        SEEN.quantile(share)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        pytest.param(0, Counts(0, 1), id="at the acknowledgement"),
        pytest.param(1, Counts(1, 1), id="at the end of a search that found"),
        pytest.param(2, Counts(1, 1), id="at the start of a search that missed"),
        pytest.param(2.5, Counts(1, 2), id="between the two"),
        pytest.param(9, Counts(4, 4), id="when all were seen"),
    ],
)
def test_the_distribution_is_bounds(seconds: float, expected: Counts) -> None:
    """Those that were seen by then, and those that might have been."""
    assert SEEN.found_by(seconds) == expected


def test_what_was_not_seen_was_not_found_by_the_deadline() -> None:
    """It stays in the number of which the share is taken."""
    assert PARTLY.found_by(PARTLY.deadline) == Counts(1, 1)


def test_the_duration_of_a_search_is_told() -> None:
    """The median and the longest of the searches that ended each sighting."""
    sightings = tuple(Sighting(searches=1, after=0, by=last, last=last) for last in (0.1, 0.2, 0.6))
    measured = Lag(planned=3, deadline=5, sightings=sightings)

    assert (measured.search_median, measured.search_longest) == (0.2, 0.6)

"""How long a write takes to be found: from its acknowledgement to its first sight in search.

What is measured is a pair of bounds, not a point. A search that missed shows
that the item was not to be found when that search started; one that found it,
that it was when it ended. The lag lies in between, and everything here is
computed from both ends.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from math import ceil, inf
from statistics import median
from typing import Final, NamedTuple
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field

from memory_fidelity.store import MemoryItem, MemoryQuery, MemoryStore, memory_query
from memory_fidelity.testing.published import card_of

__all__ = ["DEADLINE", "WRITES", "Counts", "Lag", "Sighting", "Times", "measure_lag"]

WRITES: Final = 100
DEADLINE: Final = 5.0
"""Seconds."""

_HOPELESS: Final = 3
"""Writes in succession that are not seen, after which no more are made."""


class Sighting(BaseModel):
    """What the searches for one write showed; seconds count from its acknowledgement."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    searches: int = Field(ge=1, description="How many searches were made.")
    after: float = Field(
        ge=0, description="When the last search that missed started; 0 if the first one found it."
    )
    by: float | None = Field(
        ge=0, description="When the search that found it ended; null if none did."
    )
    last: float = Field(ge=0, description="How long the last search took, in seconds.")

    @property
    def missed(self) -> int:
        """How many of the searches missed."""
        return self.searches - (self.by is not None)


class Times(NamedTuple):
    """Two moments, in seconds, between which the true one lies."""

    least: float
    most: float
    """Infinite, if it lies behind the deadline."""


class Counts(NamedTuple):
    """Two numbers of writes, between which the true one lies."""

    least: int
    most: int


class Lag(BaseModel):
    """The lags of a number of writes, those that were never seen included."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    planned: int = Field(
        ge=1,
        description="Writes that were to be made; fewer were if several in succession "
        "were not seen.",
    )
    deadline: float = Field(
        ge=0, description="Seconds from the acknowledgement for which a write was searched for."
    )
    sightings: tuple[Sighting, ...] = Field(
        min_length=1, description="One for each write that was made, in their order."
    )

    @property
    def writes(self) -> int:
        """How many writes were made and searched for."""
        return len(self.sightings)

    @property
    def seen(self) -> int:
        """How many of them a search found."""
        return sum(sighting.by is not None for sighting in self.sightings)

    @property
    def missed_at_first(self) -> int:
        """How many of them the first search missed."""
        return sum(sighting.missed > 0 for sighting in self.sightings)

    @property
    def searches(self) -> int:
        """How many searches were made for them all."""
        return sum(sighting.searches for sighting in self.sightings)

    @property
    def search_median(self) -> float:
        """How long one search took, in seconds: the median of the last one for each write."""
        return median(sighting.last for sighting in self.sightings)

    @property
    def search_longest(self) -> float:
        """The longest of them, in seconds."""
        return max(sighting.last for sighting in self.sightings)

    def quantile(self, share: float) -> Times:
        """Return between which times the lag lies that this share of the writes did not exceed.

        It is the lag of one write, the nearest by rank: 0 is the least, 1 the greatest.

        Raises:
            ValueError: the share is not between 0 and 1.
        """
        if not 0 <= share <= 1:
            raise ValueError(f"share: expected 0 to 1, got {share!r}")
        # Rounding must not lift a whole rank to the next one, as in 0.07 * 100.
        place = max(ceil(round(share * self.writes, 9)), 1) - 1
        return Times(self.missed_until()[place], self.seen_by()[place])

    def found_by(self, seconds: float) -> Counts:
        """Return between which numbers of writes could be found that long after they were made."""
        return Counts(
            sum(by <= seconds for by in self.seen_by()),
            sum(not sight.missed or sight.after < seconds for sight in self.sightings),
        )

    def missed_until(self) -> list[float]:
        """The moment of each write's last miss, least first."""
        return sorted(sighting.after for sighting in self.sightings)

    def seen_by(self) -> list[float]:
        """The moment by which each write was seen, least first, infinite where it was not."""
        return sorted(inf if sight.by is None else sight.by for sight in self.sightings)


async def measure_lag(
    store: MemoryStore,
    *,
    writes: int = WRITES,
    deadline: float = DEADLINE,
    clock: Callable[[], float] = time.perf_counter,
    progress: Callable[[], object] | None = None,
) -> Lag:
    """Write items one after the other, and search for each until it is seen.

    There is no pause between searches, and none is cut short. The last one
    starts at the deadline or after it, so that a write that is not seen was not
    to be found until then; it is counted as such. When three in succession are
    not seen, no more are made: nothing would be learnt.

    One more item is written and searched for first, and not counted, so that
    connections are there when the measurement begins. Nothing is removed: give
    it a namespace that can be thrown away. Errors of the store and cancellation
    pass through as they are.

    Args:
        store: any store; without a card that says otherwise, it is taken to keep text.
        writes: how many.
        deadline: seconds from the acknowledgement of a write until it is given up.
        clock: seconds that never go back.
        progress: is called after each write that was counted.

    Raises:
        ValueError: `writes` is less than 1, or `deadline` negative or without an end.
    """
    if writes < 1:
        raise ValueError(f"writes: expected 1 or more, got {writes!r}")
    if not 0 <= deadline < inf:
        raise ValueError(f"deadline: expected 0 seconds or more, and an end, got {deadline!r}")
    needles = _needles(store)
    await _sighting(store, *next(needles), 0, clock)
    sightings: list[Sighting] = []
    while len(sightings) < writes and not _is_hopeless(sightings):
        sightings.append(await _sighting(store, *next(needles), deadline, clock))
        if progress is not None:
            progress()
    return Lag(planned=writes, deadline=deadline, sightings=tuple(sightings))


def _needles(store: MemoryStore) -> Iterator[tuple[MemoryItem, MemoryQuery]]:
    """Items that nothing else in the store is like, each with the query for it alone."""
    card = card_of(store)
    takes_text = card is None or "text" in card.content
    while True:
        word = f"lag{uuid4().hex}"
        content = word if takes_text else {"text": word}
        query = memory_query(text=word) if takes_text else memory_query(tags=[word])
        yield MemoryItem(content=content, tags=[word]), query


async def _sighting(
    store: MemoryStore,
    item: MemoryItem,
    query: MemoryQuery,
    deadline: float,
    clock: Callable[[], float],
) -> Sighting:
    await store.store(item)
    acknowledged = clock()
    searches, after = 0, 0.0
    while True:
        started = clock() - acknowledged
        hits = await store.search(query)
        ended = clock() - acknowledged
        searches += 1
        found = any(hit.id == item.id for hit in hits)
        after = after if found else started
        if found or started >= deadline:
            by = ended if found else None
            return Sighting(searches=searches, after=after, by=by, last=ended - started)
        # A store in this process may answer without waiting, and its index has a task here, too.
        await asyncio.sleep(0)  # noqa: TID251 - gives way, and takes no time


def _is_hopeless(sightings: list[Sighting]) -> bool:
    latest = sightings[-_HOPELESS:]
    return len(latest) == _HOPELESS and all(sighting.by is None for sighting in latest)

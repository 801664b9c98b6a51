"""Waiting for a write to reach the search index, in place of a sleep or a second write.

A store that declares `search_consistency="eventual"` may answer a search
without an item that it has acknowledged (C14, Q5). Nothing is wrong then, and
only searching again tells when it is over.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from math import inf
from typing import Any, Final
from uuid import UUID

from memory_fidelity.store import MemoryItem, MemoryQuery, MemoryStore, memory_query

__all__ = ["FirstSight", "NotYetSearchable", "until_searchable"]

_FIRST_PAUSE: Final = 0.01
_LONGEST_PAUSE: Final = 1.0
"""Seconds; each pause is twice as long as the one before, up to this."""

_LIMIT: Final = 100
"""Hits that a query made from the item asks for; services commonly give so many at once."""

_THERE: Final = (
    "retrieve finds it: a search miss is not a failed write, and writing again is no cure; "
    "wait longer, or give a query that this store would answer with it"
)
_NOT_THERE: Final = (
    "retrieve does not find it either: it was not written here, or it has been removed since"
)


@dataclass(frozen=True, slots=True)
class FirstSight:
    """How a write came to be found."""

    searches: int
    """How many searches were made; the last one found it."""
    seconds: float
    """From the first search to the answer that held the item."""


class NotYetSearchable(TimeoutError):
    """The deadline passed, and no search had found the item.

    A search miss is not a failed write: `retrieved` says whether the item
    could be retrieved when the searching ended. `searches` and `seconds` say
    how often and for how long was searched.
    """

    def __init__(self, item_id: UUID, searches: int, seconds: float, retrieved: bool) -> None:
        self.item_id = item_id
        self.searches = searches
        self.seconds = seconds
        self.retrieved = retrieved
        times = "1 search" if searches == 1 else f"{searches} searches"
        super().__init__(
            f"item {item_id}: expected a search to find it, got {times} without it "
            f"in {seconds:.3g} s; {_THERE if retrieved else _NOT_THERE}"
        )

    def __reduce__(self) -> tuple[type, tuple[UUID, int, float, bool], dict[str, Any]]:
        # Without this, unpickling would take the message for the id.
        parts = (self.item_id, self.searches, self.seconds, self.retrieved)
        return type(self), parts, self.__dict__


async def until_searchable(
    store: MemoryStore,
    item: MemoryItem,
    deadline: float,
    *,
    query: MemoryQuery | None = None,
    clock: Callable[[], float] = time.monotonic,
    pause: Callable[[float], Awaitable[object]] = asyncio.sleep,  # noqa: TID251 - polls, to a deadline
) -> FirstSight:
    """Search until the item is among the hits, and return what that took.

    `deadline` is in seconds, and is looked at between searches: with 0 there is
    one search, and a search under way is never cut short. The pauses between
    searches grow, to a second at most.

    An item is known by its id alone, so an earlier version of it counts, where
    a store shows one. The query asks for the item's text; without one, for its
    tags; without any, for the first page. A ranked service, or one that matches
    otherwise, may need another `query`.

    Nothing is ever written. Errors of the store and cancellation pass through
    as they are (E6). `clock` and `pause` can be replaced by a time of one's own.

    Raises:
        NotYetSearchable: the deadline passed; it says whether the item can be retrieved.
        TypeError: `item` is no item, or `deadline` no number.
        ValueError: `deadline` is negative, infinite or not a number.
    """
    _check(item, deadline)
    sought = _query_for(item) if query is None else query
    began = clock()
    searches, wait, last = 0, _FIRST_PAUSE, False
    while True:
        hits = await store.search(sought)
        searches += 1
        seconds = clock() - began
        if any(hit.id == item.id for hit in hits):
            return FirstSight(searches, seconds)
        left = deadline - seconds
        if last or left <= 0:
            break
        # Counted, not measured: rounding may leave a clock short of its deadline for ever.
        last = left <= wait
        await pause(min(wait, left))
        wait = min(2 * wait, _LONGEST_PAUSE)
    found = await store.retrieve(item.id)
    raise NotYetSearchable(item.id, searches, seconds, found is not None)


def _check(item: object, deadline: object) -> None:
    if not isinstance(item, MemoryItem):
        raise TypeError(f"item: expected MemoryItem, got {type(item).__name__}")
    if not isinstance(deadline, int | float):
        raise TypeError(f"deadline: expected seconds, got {type(deadline).__name__}")
    if not 0 <= deadline < inf:
        raise ValueError(f"deadline: expected 0 seconds or more, and an end, got {deadline!r}")


def _query_for(item: MemoryItem) -> MemoryQuery:
    if isinstance(item.content, str) and item.content:
        return memory_query(text=item.content, limit=_LIMIT)
    return memory_query(tags=item.tags or None, limit=_LIMIT)

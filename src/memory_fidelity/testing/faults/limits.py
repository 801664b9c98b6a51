"""Faults in limits and listings (C8, C9, Q3, Q4)."""

from __future__ import annotations

from typing import Any, Final

from memory_fidelity.query import MAX_LIMIT
from memory_fidelity.store import MemoryQuery
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, fault
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS"]


async def limits(bench: Bench) -> None:
    """Search with every sort of limit, with and without predicates."""
    await bench.stored(bench.item(n, tags=["t"]) for n in range(30))
    for limit in (0, 1, 3, 29, 30, 31, -1, -5):
        for parts in ({}, {"text": "probe"}, {"tags": ["t"]}, {"text": "probe", "tags": ["t"]}):
            query = MemoryQuery(limit=limit, **parts)
            got = await bench.saw(f"{limit} {parts}", bench.store.search(query))
            bench.note("in all", len(got) if isinstance(got, list) else None)


def _asks(query: MemoryQuery) -> bool:
    return type(query.limit) is int and query.limit > 0


def _with_limit(query: MemoryQuery, limit: int) -> MemoryQuery:
    return query.model_copy(update={"limit": limit})


class _Ignored(FaultyStore):
    """A positive limit is taken, and every hit is returned."""

    async def search(self, query: MemoryQuery) -> Any:
        return await self.inner.search(_with_limit(query, MAX_LIMIT) if _asks(query) else query)


class _PageOfTen(FaultyStore):
    """The service's own page of ten hits is taken for the whole answer."""

    async def search(self, query: MemoryQuery) -> Any:
        return (await self.inner.search(query))[:10]


FAULTS: Final[tuple[Fault, ...]] = (
    fault("limit.ignored", _Ignored, case="search.limit", names="C8", probe=limits),
    fault("limit.page-of-ten", _PageOfTen, case="search.limit", names="C8", probe=limits),
)

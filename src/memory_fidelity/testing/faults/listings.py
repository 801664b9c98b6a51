"""Faults in queries that are empty, or that no query should be (C9, Q4, E2)."""

from __future__ import annotations

from typing import Any, Final

from memory_fidelity.store import MemoryQuery
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, fault
from memory_fidelity.testing.faults.probe import Bench
from memory_fidelity.testing.faults.rewriting import Rewriting

__all__ = ["FAULTS", "empties", "malformed"]


async def empties(bench: Bench) -> None:
    """List by queries that have no predicate."""
    await bench.stored(bench.item(n, tags=["t"] * (n % 2)) for n in range(4))
    queries: tuple[dict[str, Any], ...] = ({}, {"text": ""}, {"tags": []}, {"filters": {}})
    for parts in queries:
        await bench.saw(f"search {parts}", bench.store.search(MemoryQuery(**parts)))


async def malformed(bench: Bench) -> None:
    """Search with parts that are of another type."""
    await bench.stored([bench.item(1, tags=["t"])])
    for field, value in (("text", 7), ("text", b"t"), ("tags", "t"), ("limit", None)):
        query = MemoryQuery()
        setattr(query, field, value)
        await bench.saw(f"{field}={value!r}", bench.store.search(query))


class _EmptyIsNothing(Rewriting):
    """A query without a predicate finds nothing."""

    async def found(self, query: MemoryQuery) -> Any:
        found = await self.inner.search(query)
        return found if query.text or query.tags or query.filters else []


class _EmptyIsStar(Rewriting):
    """A query without a predicate is sent as a search for `*`, which is a literal there."""

    def rewritten(self, query: MemoryQuery) -> dict[str, Any]:
        return {} if query.text or query.tags or query.filters else {"text": "*"}


class _EmptyText(Rewriting):
    """An empty text is a predicate that nothing matches."""

    async def found(self, query: MemoryQuery) -> Any:
        return [] if query.text == "" else await self.inner.search(query)


class _EmptyTags(Rewriting):
    """An empty list of tags finds what has no tags."""

    async def found(self, query: MemoryQuery) -> Any:
        found = await self.inner.search(query)
        return [hit for hit in found if query.tags != [] or not hit.tags]


class _EmptyFilters(Rewriting):
    """An empty mapping of filters finds nothing."""

    async def found(self, query: MemoryQuery) -> Any:
        return [] if query.filters == {} else await self.inner.search(query)


class _MalformedIsEmpty(FaultyStore):
    """A text that is none is taken for no text."""

    async def search(self, query: MemoryQuery) -> Any:
        text: Any = query.text
        if text is not None and type(text) is not str:
            query = query.model_copy(update={"text": None})
        return await self.inner.search(query)


class _MalformedTags(FaultyStore):
    """A text in place of a list of tags is taken for its characters."""

    async def search(self, query: MemoryQuery) -> Any:
        tags: Any = query.tags
        if isinstance(tags, str):
            query = query.model_copy(update={"tags": [*tags]})
        return await self.inner.search(query)


class _MalformedLimit(FaultyStore):
    """A limit that is no number is taken for the default."""

    async def search(self, query: MemoryQuery) -> Any:
        limit: Any = query.limit
        if not isinstance(limit, int):
            query = query.model_copy(update={"limit": 10})
        return await self.inner.search(query)


_EMPTY: Final = {
    "is-nothing": _EmptyIsNothing,
    "is-star": _EmptyIsStar,
    "text-is-predicate": _EmptyText,
    "tags-is-predicate": _EmptyTags,
    "filters-is-predicate": _EmptyFilters,
}
_MALFORMED: Final = {
    "text-is-none": _MalformedIsEmpty,
    "tags-are-characters": _MalformedTags,
    "limit-is-default": _MalformedLimit,
}

FAULTS: Final[tuple[Fault, ...]] = (
    *[
        fault(f"empty.{name}", make, case="search.empty", names="C9", probe=empties)
        for name, make in _EMPTY.items()
    ],
    *[
        fault(f"malformed.{name}", make, case="search.malformed", names="E2", probe=malformed)
        for name, make in _MALFORMED.items()
    ],
)

"""Faults in what a search gives back, and in what it does besides (C7, R4, Q6, Q7)."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.declared import no_metadata, no_times
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, fault
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "hits"]


async def hits(bench: Bench) -> None:
    """Search in several ways, look at the queries afterwards, and change what came back."""
    items = [bench.item(n, tags=["t", f"t{n}"], metadata={"k": {"n": n}}) for n in range(4)]
    await bench.stored(items)
    for parts in ({}, {"text": "Probe 1"}, {"tags": ["t1", "t"]}, {"text": "probe", "tags": ["t"]}):
        query, before = MemoryQuery(**parts), len(bench.harness.calls())
        got = await bench.saw(f"search {parts}", bench.store.search(query))
        bench.note("calls", len(bench.harness.calls()) - before)
        bench.note("query", query.model_dump())
        for hit in got if isinstance(got, list) else ():
            getattr(hit, "tags", []).append("mine")
        await bench.saw("again", bench.store.search(MemoryQuery(limit=2)))
        for item in items:
            await bench.saw("retrieve", bench.store.retrieve(item.id))


class _ScoredItem(MemoryItem):
    score: float = 1.0


class _Twice(FaultyStore):
    """Every hit is returned twice."""

    async def search(self, query: MemoryQuery) -> Any:
        found = await self.inner.search(query)
        return [hit for hit in found for _ in range(2)][: query.limit]


class _Tuple(FaultyStore):
    """Hits come as a tuple."""

    async def search(self, query: MemoryQuery) -> Any:
        return tuple(await self.inner.search(query))


class _Generator(FaultyStore):
    """Hits come as a generator, which can be read once."""

    async def search(self, query: MemoryQuery) -> Any:
        found = await self.inner.search(query)
        return (hit for hit in found)


class _Native(FaultyStore):
    """Hits are the client's own mappings."""

    async def search(self, query: MemoryQuery) -> Any:
        return [vars(hit) for hit in await self.inner.search(query)]


class _Scored(FaultyStore):
    """Hits are of a class with a score."""

    async def search(self, query: MemoryQuery) -> Any:
        return [_ScoredItem(**vars(hit)) for hit in await self.inner.search(query)]


class _Nothings(FaultyStore):
    """Where a hit was removed, there is `None` among the hits."""

    async def search(self, query: MemoryQuery) -> Any:
        return [*await self.inner.search(query), None][: max(query.limit, 0)]


class _Pairs(FaultyStore):
    """Hits come as pairs of an item and its score."""

    async def search(self, query: MemoryQuery) -> Any:
        return [(hit, 1.0) for hit in await self.inner.search(query)]


class _Rehydrated(FaultyStore):
    """Each hit is read again by its id."""

    async def search(self, query: MemoryQuery) -> Any:
        found = await self.inner.search(query)
        for hit in found:
            await self.inner.retrieve(hit.id)
        return found


class _Counted(FaultyStore):
    """Searching counts the hits in their metadata."""

    async def search(self, query: MemoryQuery) -> Any:
        found = await self.inner.search(query)
        for hit in found:
            seen = hit.metadata.get("seen", 0) + 1
            await self.inner.store(
                hit.model_copy(update={"metadata": hit.metadata | {"seen": seen}})
            )
        return found


class _Touched(FaultyStore):
    """Searching moves the time of every hit."""

    async def search(self, query: MemoryQuery) -> Any:
        found = await self.inner.search(query)
        for hit in found:
            await self.inner.store(hit.model_copy(update={"created_at": hit.created_at + 1}))
        return found


class _SpentQuery(FaultyStore):
    """The caller's query loses its text."""

    async def search(self, query: MemoryQuery) -> Any:
        found = await self.inner.search(query)
        query.text = None
        return found


class _SortedTags(FaultyStore):
    """A tag is added to the caller's query."""

    async def search(self, query: MemoryQuery) -> Any:
        found = await self.inner.search(query)
        if query.tags:
            query.tags.append(query.tags[0])
        return found


class _ClearedLimit(FaultyStore):
    """The limit of the caller's query is lowered by what was found."""

    async def search(self, query: MemoryQuery) -> Any:
        found = await self.inner.search(query)
        query.limit -= len(found)
        return found


class _Live(FaultyStore):
    """Hits are the objects that retrieval gives out."""

    async def search(self, query: MemoryQuery) -> Any:
        found = await self.inner.search(query)
        return [self.shared.memory.setdefault(hit.id, hit) for hit in found]

    async def retrieve(self, item_id: UUID) -> Any:
        """Give the hit out, if there was one."""
        found = await self.inner.retrieve(item_id)
        return found and self.shared.memory.get(item_id, found)

    async def store(self, item: MemoryItem) -> Any:
        """Forget the hit."""
        self.shared.memory.pop(item.id, None)
        return await self.inner.store(item)


_TYPED: Final = {
    "twice": _Twice,
    "tuple": _Tuple,
    "generator": _Generator,
    "native": _Native,
    "scored": _Scored,
    "nothings": _Nothings,
    "pairs": _Pairs,
}
_IMPURE: Final = {
    "query-spent": _SpentQuery,
    "query-tags-grow": _SortedTags,
    "query-limit-falls": _ClearedLimit,
}
FAULTS: Final[tuple[Fault, ...]] = (
    *[
        fault(f"hits.{name}", make, case="search.typed", names="C7", probe=hits)
        for name, make in _TYPED.items()
    ],
    fault("hits.rehydrated", _Rehydrated, case="search.calls", names="Q7", probe=hits),
    fault("hits.live", _Live, case="retrieve.detached", names="R4", probe=hits),
    *[
        fault(f"hits.{name}", make, case="search.pure", names="R4", probe=hits, unless=unless)
        for name, make, unless in (
            ("counted", _Counted, no_metadata),
            ("touched", _Touched, no_times),
        )
    ],
    *[
        fault(f"hits.{name}", make, case="search.pure", names="R4", probe=hits)
        for name, make in _IMPURE.items()
    ],
)

"""Faults in what a search gives back, and in what it does besides (C7, R4, Q6, Q7)."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from memory_fidelity.card import AdapterCard
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, fault
from memory_fidelity.testing.faults.probe import Bench
from memory_fidelity.testing.faults.rewriting import Rewriting

__all__ = ["FAULTS"]


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


async def empties(bench: Bench) -> None:
    """List by queries that have no predicate."""
    await bench.stored(bench.item(n, tags=["t"] * (n % 2)) for n in range(4))
    for parts in ({}, {"text": ""}, {"tags": []}, {"filters": {}}):
        await bench.saw(f"search {parts}", bench.store.search(MemoryQuery(**parts)))


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


class _MalformedIsEmpty(Rewriting):
    """A text that is none is taken for no text."""

    async def search(self, query: MemoryQuery) -> Any:
        if query.text is not None and type(query.text) is not str:
            query = query.model_copy(update={"text": None})
        return await self.inner.search(query)


class _MalformedTags(Rewriting):
    """A text in place of a list of tags is taken for its characters."""

    async def search(self, query: MemoryQuery) -> Any:
        if isinstance(query.tags, str):
            query = query.model_copy(update={"tags": [*query.tags]})
        return await self.inner.search(query)


class _MalformedLimit(Rewriting):
    """A limit that is no number is taken for the default."""

    async def search(self, query: MemoryQuery) -> Any:
        if not isinstance(query.limit, int):
            query = query.model_copy(update={"limit": 10})
        return await self.inner.search(query)


async def malformed(bench: Bench) -> None:
    """Search with parts that are of another type."""
    await bench.stored([bench.item(1, tags=["t"])])
    for field, value in (("text", 7), ("text", b"t"), ("tags", "t"), ("limit", None)):
        query = MemoryQuery()
        setattr(query, field, value)
        await bench.saw(f"{field}={value!r}", bench.store.search(query))


def _no_metadata(manifest: MemoryAdapterManifest, _card: AdapterCard) -> str | None:
    lost = not manifest.preserves_metadata
    return "manifest says that metadata is not preserved" if lost else None


def _no_times(manifest: MemoryAdapterManifest, _card: AdapterCard) -> str | None:
    dropped = "created_at" in manifest.dropped_item_fields
    return "manifest says that created_at is dropped" if dropped else None


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
        fault(f"hits.{name}", make, case="search.typed", names="C7", probe=hits)
        for name, make in _TYPED.items()
    ],
    fault("hits.rehydrated", _Rehydrated, case="search.calls", names="Q7", probe=hits),
    fault("hits.live", _Live, case="retrieve.detached", names="R4", probe=hits),
    *[
        fault(f"hits.{name}", make, case="search.pure", names="R4", probe=hits, unless=unless)
        for name, make, unless in (
            ("counted", _Counted, _no_metadata),
            ("touched", _Touched, _no_times),
        )
    ],
    *[
        fault(f"hits.{name}", make, case="search.pure", names="R4", probe=hits)
        for name, make in _IMPURE.items()
    ],
    *[
        fault(f"empty.{name}", make, case="search.empty", names="C9", probe=empties)
        for name, make in _EMPTY.items()
    ],
    *[
        fault(f"malformed.{name}", make, case="search.malformed", names="E2", probe=malformed)
        for name, make in _MALFORMED.items()
    ],
)

"""Faults in when a write can be found (C14, R3, Q5)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Final
from uuid import UUID

from memory_fidelity.card import AdapterCard
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, Shared, fault
from memory_fidelity.testing.faults.instead import (
    Called,
    Concern,
    listing,
    searching,
    searching_by_tag,
)
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "searching_by_text", "sightings"]

_FOR_EVER: Final = 10**9


async def sightings(bench: Bench) -> None:
    """Search in every way after each write, and again once the index is visible."""
    await bench.harness.delay_index()
    other = await bench.new_store()
    for version in ("first", "second"):
        item = bench.item(1, tags=["t", version])
        await bench.saw("store", bench.store.store(item))
        await _look(bench, version, bench.store)
        await bench.saw("retrieve", bench.store.retrieve(item.id))
        await bench.harness.make_search_index_visible()
        await _look(bench, version, bench.store)
        await _look(bench, version, other)


async def _look(bench: Bench, tag: str, store: Any) -> None:
    for query in (MemoryQuery(text="probe"), MemoryQuery(tags=[tag]), MemoryQuery()):
        await bench.saw(f"{tag} {query.text} {query.tags}", store.search(query))


def searching_by_text(call: Called) -> bool:
    """Concern searches with a text."""
    return searching(call) and bool(call.argument.text)


class _Late(FaultyStore):
    """A write is missed by the first search that should find it."""

    misses: ClassVar[int] = 1

    def __init__(self, inner: Any, shared: Shared, concern: Concern = searching) -> None:
        super().__init__(inner, shared)
        self._concern = concern
        self.pending: dict[UUID, int] = shared.memory.setdefault("pending", {})

    async def store(self, item: MemoryItem) -> Any:
        """Store, and leave the index for later."""
        stored = await self.inner.store(item)
        self.written(item)
        return stored

    def written(self, item: MemoryItem) -> None:
        """Note how often a write is missed."""
        self.pending[item.id] = self.misses

    async def search(self, query: MemoryQuery) -> Any:
        """What is in the index."""
        hits = await self.inner.search(query)
        if not self._concern(Called("search", query)):
            return hits
        return [hit for hit in hits if self.shows(hit)]

    def shows(self, hit: MemoryItem) -> bool:
        """Whether a hit is in the index by now."""
        left = self.pending.get(hit.id, 0)
        self.pending[hit.id] = left - 1
        return left <= 0


class _Never(_Late):
    """A write is never found."""

    misses = _FOR_EVER


class _LateReplacement(_Late):
    """A second write of an item is missed by the first search that should find it."""

    def written(self, item: MemoryItem) -> None:
        self.pending[item.id] = 1 if item.id in self.pending else 0


class _IndexedByReading(_Late):
    """A write is found only after it was retrieved once."""

    misses = _FOR_EVER

    async def retrieve(self, item_id: UUID) -> Any:
        """Retrieve, and index what was found."""
        self.pending.pop(item_id, None)
        return await self.inner.retrieve(item_id)


class _IndexedInBatches(_Late):
    """A write is found only after another one was made."""

    def written(self, item: MemoryItem) -> None:
        self.pending.clear()
        self.pending[item.id] = _FOR_EVER


class _LostOnceFound(_Late):
    """A write that was found once is not found again."""

    def written(self, item: MemoryItem) -> None:
        self.pending[item.id] = 0

    def shows(self, hit: MemoryItem) -> bool:
        left = self.pending.get(hit.id, 0)
        self.pending[hit.id] = _FOR_EVER
        return left == 0


class _OwnIndex(_Late):
    """A search finds what this store wrote itself, and nothing of another store."""

    def __init__(self, inner: Any, shared: Shared) -> None:
        super().__init__(inner, shared)
        self.pending = {}

    def written(self, item: MemoryItem) -> None:
        self.pending[item.id] = 0

    def shows(self, hit: MemoryItem) -> bool:
        return hit.id in self.pending


class _ThroughIndex(FaultyStore):
    """An item is retrieved only if the index has it."""

    async def retrieve(self, item_id: UUID) -> Any:
        """Look among the hits."""
        found = await self.inner.retrieve(item_id)
        hits = await self.inner.search(MemoryQuery(limit=1_000))
        return found if item_id in {hit.id for hit in hits} else None


class _Early(FaultyStore):
    """What this store wrote is put among the hits before the index has it."""

    def __init__(self, inner: Any, shared: Shared) -> None:
        super().__init__(inner, shared)
        self._own: dict[UUID, MemoryItem] = {}

    async def store(self, item: MemoryItem) -> Any:
        """Store, and keep a copy."""
        stored = await self.inner.store(item)
        self._own[item.id] = item.model_copy(deep=True)
        return stored

    async def search(self, query: MemoryQuery) -> Any:
        """Put the copies that match before the hits."""
        hits = await self.inner.search(query)
        if query.filters:
            return hits
        own = {each.id: each for each in self._own.values() if _matches(each, query)}
        return [*own.values(), *(hit for hit in hits if hit.id not in own)][: query.limit]


def _matches(item: MemoryItem, query: MemoryQuery) -> bool:
    tagged = not query.tags or bool({*query.tags} & {*item.tags})
    return tagged and (not query.text or query.text in str(item.content))


def _is_eventual(manifest: MemoryAdapterManifest, _card: AdapterCard) -> str | None:
    eventual = manifest.search_consistency == "eventual"
    return "manifest says search_consistency='eventual'" if eventual else None


def _is_immediate(manifest: MemoryAdapterManifest, _card: AdapterCard) -> str | None:
    immediate = manifest.search_consistency == "immediate"
    return "manifest says search_consistency='immediate'" if immediate else None


_SORTS: Final[dict[str, tuple[Concern, str]]] = {
    "by-text": (searching_by_text, "by text"),
    "by-tag": (searching_by_tag, "by tag"),
    "listing": (listing, "without a predicate"),
}


def _now(name: str, make: Callable[..., Any], story: str | None = None) -> Fault:
    return fault(
        f"immediate.{name}", make, case="consistency.immediate",
        names="manifest.search_consistency", probe=sightings, unless=_is_eventual, story=story,
    )  # fmt: skip


def _later(
    name: str,
    make: Callable[..., Any],
    case: str = "consistency.converges",
    names: str = "C14",
    story: str | None = None,
) -> Fault:
    return fault(
        f"eventual.{name}", make, case=case, names=names, probe=sightings,
        unless=_is_immediate, story=story,
    )  # fmt: skip


def _sorted(sort: str) -> tuple[Fault, ...]:
    concern, how = _SORTS[sort]
    late, never = (partial(make, concern=concern) for make in (_Late, _Never))
    missed = f"A write is missed by the first search {how} that should find it."
    unfound = f"A write is never found by a search {how}."
    return (
        _now(f"late-{sort}", late, missed),
        _now(f"never-{sort}", never, unfound),
        _later(f"late-{sort}", late, story=missed),
        _later(f"never-{sort}", never, story=unfound),
    )


_LAGGING: Final = {
    "late": _Late,
    "never": _Never,
    "lost-once-found": _LostOnceFound,
    "in-batches": _IndexedInBatches,
}

FAULTS: Final = (
    *(_now(name, make) for name, make in _LAGGING.items()),
    *(_later(name, make) for name, make in _LAGGING.items()),
    _now("late-replacement", _LateReplacement),
    _now("indexed-by-reading", _IndexedByReading),
    _now("own-index", _OwnIndex),
    _later("own-index", _OwnIndex),
    _later("retrieve-through-index", _ThroughIndex, "consistency.eventual", "R3"),
    _later("early", _Early, "consistency.eventual", "manifest.search_consistency"),
    *(each for sort in _SORTS for each in _sorted(sort)),
)

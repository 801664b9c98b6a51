"""False manifests: each of the nine fields says too much, and too little (C17)."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from memory_fidelity.card import AdapterCard
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.cases.filters import TEMPTING
from memory_fidelity.testing.faults.altering import in_leaves
from memory_fidelity.testing.faults.claims import Claims, Telling, Weaken, claims
from memory_fidelity.testing.faults.fault import FaultyStore, Shared, fault
from memory_fidelity.testing.faults.lies import (
    claimed,
    claims_dropped,
    claims_native,
    flipped,
    gains,
    lie_about,
    loses,
    overstated,
    says,
    told,
    understated,
)
from memory_fidelity.testing.faults.probe import Bench
from memory_fidelity.testing.flips import INVENTED_FILTER

__all__ = ["FAULTS", "unindexed"]


async def unindexed(bench: Bench) -> None:
    """Search for a write while the index is held back."""
    bench.note("claim", bench.store.manifest.search_consistency)
    await bench.harness.delay_index()
    await bench.saw("store", bench.store.store(bench.item(1, tags=["t"])))
    await bench.saw("search", bench.store.search(MemoryQuery(tags=["t"])))


def _without(field: str, value: Any) -> Weaken:
    return lambda item: item.model_copy(update={field: value})


def _folded(item: MemoryItem) -> MemoryItem:
    return item.model_copy(update={"content": in_leaves(str, str.casefold)(item.content)})


def _as_text(item: MemoryItem) -> MemoryItem:
    return item.model_copy(update={"metadata": in_leaves(int, str)(item.metadata)})


class _Behind(Telling):
    """The manifest says `immediate`, and the first search after a write misses it."""

    def __init__(self, inner: Any, shared: Shared) -> None:
        super().__init__(
            inner, shared, lie_about("search_consistency", says("search_consistency", "immediate"))
        )
        self._new: set[Any] = set()

    async def store(self, item: MemoryItem) -> Any:
        stored = await self.inner.store(item)
        self._new.add(item.id)
        return stored

    async def search(self, query: MemoryQuery) -> Any:
        hits = await self.inner.search(query)
        missed, self._new = self._new, set()
        return [hit for hit in hits if hit.id not in missed]


class _Prompt(Telling):
    """The manifest says `eventual`, and every write can be found at once."""

    def __init__(self, inner: Any, shared: Shared) -> None:
        super().__init__(
            inner, shared, lie_about("search_consistency", says("search_consistency", "eventual"))
        )

    async def store(self, item: MemoryItem) -> Any:
        stored = await self.inner.store(item)
        await self.shared.harness.make_search_index_visible()
        return stored


class _LabelPerStore(FaultyStore):
    """The manifest's `adapter` is a label that is chosen for each store."""

    def __init__(self, inner: Any, shared: Shared) -> None:
        super().__init__(inner, shared)
        self._number = shared.memory["made"] = shared.memory.get("made", 0) + 1

    @property
    def manifest(self) -> Any:
        return self.inner.manifest.model_copy(update={"adapter": self.card.adapter})

    @property
    def card(self) -> Any:
        true = self.inner.card
        return true.model_copy(update={"adapter": f"{true.adapter}-{self._number}"})


def _another_name(true: MemoryAdapterManifest, card: AdapterCard) -> Claims:
    return true.model_copy(update={"adapter": f"{true.adapter}-by-another-name"}), card


def _unguessable(true: MemoryAdapterManifest, _card: AdapterCard) -> str | None:
    guessed = true.supported_filters & {*TEMPTING}
    return None if guessed else "manifest supports no filter by a usual name"


def _filter_hidden(true: MemoryAdapterManifest, card: AdapterCard) -> Claims:
    hidden = min(true.supported_filters & {*TEMPTING})
    fewer = true.supported_filters - {hidden}
    mappings = tuple(each for each in card.filters if each.key != hidden)
    return (
        true.model_copy(update={"supported_filters": fewer}),
        card.model_copy(update={"filters": mappings}),
    )


def _filter_forgotten(true: MemoryAdapterManifest, card: AdapterCard) -> Claims:
    return true.model_copy(update={"supported_filters": frozenset()}), card


def _no_filters(true: MemoryAdapterManifest, _card: AdapterCard) -> str | None:
    return None if true.supported_filters else "manifest says supported_filters=[]"


def _other_default(true: MemoryAdapterManifest, card: AdapterCard) -> Claims:
    return told(true, card, flipped(true, "dropped_item_fields", partial(_dropping_times, true)))


_dropping_times: Final = claims_dropped("created_at")


FAULTS: Final = (
    claimed(
        "another-adapter", _another_name, "The manifest names another adapter than the card.",
        case="card.coherent", field="adapter",
    ),
    fault(
        "manifest.label-per-store", _LabelPerStore, case="manifest.stable",
        names="manifest.adapter", probe=claims,
    ),
    overstated(
        "native-overstated", "native_item_fields", claims_native("created_at"),
        "The manifest says that created_at is native, and it is the same in every item.",
        case="fidelity.created_at",
        retrieved=_without("created_at", 5.0), found=_without("created_at", 5.0),
    ),
    understated(
        "native-understated", "dropped_item_fields", claims_dropped("created_at"),
        "The manifest says that created_at is dropped, and it comes back as it was stored.",
        case="fidelity.created_at",
    ),
    understated(
        "dropped-overstated", "dropped_item_fields", claims_dropped("metadata"),
        "The manifest says that metadata is dropped, and it comes back as it was stored.",
        case="fidelity.metadata",
    ),
    overstated(
        "dropped-understated", "native_item_fields", claims_native("metadata"),
        "The manifest says that nothing is dropped, and every metadata comes back empty.",
        case="fidelity.metadata",
        retrieved=_without("metadata", {}), found=_without("metadata", {}),
    ),
    claimed(
        "other-default", _other_default,
        "The manifest says that created_at is dropped; it reads back as no documented default.",
        case="fidelity.created_at", field="dropped_item_fields",
        weaken=_without("created_at", 5.0),
    ),
    overstated(
        "filters-overstated", "supported_filters",
        lambda true, false: INVENTED_FILTER in false.supported_filters,
        "The manifest lists a filter that every search refuses.", case="filters.supported",
    ),
    claimed(
        "filters-understated", _filter_hidden,
        "The manifest leaves a filter out that a search applies.",
        case="filters.unsupported", field="supported_filters", unless=_unguessable,
    ),
    claimed(
        "filters-forgotten", _filter_forgotten,
        "The manifest lists no filter, and the card says what each of them means.",
        case="card.coherent", field="supported_filters", unless=_no_filters,
    ),
    fault(
        "manifest.consistency-overstated", _Behind, case="consistency.immediate",
        names="manifest.search_consistency", probe=claims,
    ),
    fault(
        "manifest.consistency-understated", _Prompt, case="consistency.eventual",
        names="manifest.search_consistency", probe=unindexed,
    ),
    overstated(
        "retrieve-overstated", "retrieve_fidelity", gains("retrieve_fidelity"),
        "The manifest says more of retrieval than it keeps, as capital letters in content.",
        case="fidelity.claim", retrieved=_folded,
    ),
    understated(
        "retrieve-understated", "retrieve_fidelity", loses("retrieve_fidelity"),
        "The manifest says less of retrieval than it keeps.", case="fidelity.claim",
    ),
    overstated(
        "search-overstated", "search_fidelity", gains("search_fidelity"),
        "The manifest says more of hits than they show, as capital letters in content.",
        case="fidelity.claim", found=_folded,
    ),
    understated(
        "search-understated", "search_fidelity", loses("search_fidelity"),
        "The manifest says less of hits than they show.", case="fidelity.claim",
    ),
    overstated(
        "tags-overstated", "search_returns_tags", says("search_returns_tags", True),
        "The manifest says that hits hold the stored tags, and they hold none.",
        case="fidelity.tags", found=_without("tags", []),
    ),
    understated(
        "tags-understated", "search_returns_tags", says("search_returns_tags", False),
        "The manifest says that hits do not hold the stored tags, and they do.",
        case="fidelity.tags",
    ),
    overstated(
        "metadata-overstated", "preserves_metadata", says("preserves_metadata", True),
        "The manifest says that metadata is preserved, and its numbers come back as text.",
        case="fidelity.metadata", retrieved=_as_text, found=_as_text,
    ),
    understated(
        "metadata-understated", "preserves_metadata", says("preserves_metadata", False),
        "The manifest says that metadata is not preserved, and every mapping comes back.",
        case="fidelity.metadata",
    ),
)  # fmt: skip

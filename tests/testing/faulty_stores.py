"""Harnesses of faulty stores, and the case that must find each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.testing.faulty.failures import (
    EmptyByTag,
    InventsIdentity,
    NativeOutage,
    NeverRecovers,
    SkipsMalformed,
    SwallowsCancellation,
    Unchained,
)
from tests.testing.faulty.fields import (
    CoercesTimes,
    ComposesMetadata,
    FoldsKeys,
    ReservesScore,
    RoundsTrees,
    TemplateTags,
    TrimsTrees,
    TruthsInMetadata,
    WideMetadata,
)
from tests.testing.faulty.identities import (
    AcknowledgesConflict,
    CachesMisses,
    CachesReads,
    CutIdentity,
    IndexesOneByOne,
    KeepsTime,
    LateUpdates,
    MixesReads,
    OldTagsFind,
    OwnWritesOnly,
    RandomIdentity,
    SortsInPlace,
    SpendsQuery,
    StaleHits,
)
from tests.testing.faulty.matching import (
    AbsentKeys,
    AsciiText,
    CountsTags,
    EscapesTwice,
    FalsyFilters,
    FiltersAfterLimit,
    FirstFilter,
    FoldedKeys,
    InjectableTags,
    OncePerTag,
    TagPrefix,
    TextOrFilters,
    TextOrTags,
    Wildcard,
)
from tests.testing.faulty.queries import (
    CountingAccess,
    DefaultLimit,
    EmptyIsNothing,
    FirstKeyOnly,
    LimitFirst,
    LimitsTagsOnly,
    NativeFilterError,
    NegativeSlices,
    NegativeTags,
    ObeysSyntax,
    Rehydrating,
    ZeroIsAll,
    ZeroTags,
)
from tests.testing.faulty.surface import (
    Assignable,
    Downgrading,
    ForgetsTimes,
    Incoherent,
    NativeHits,
    NativeItem,
    NoCard,
    NoManifest,
    OtherDefault,
    Scored,
    SyncStore,
    TextIdentity,
    TupleOfHits,
)
from tests.testing.faulty.writes import (
    AcknowledgesAndLoses,
    ContentIdentity,
    FirstWriteWins,
    KeepsBoth,
    LosesSome,
    Merging,
    NativeConflict,
    NativeRefusal,
    NotFoundRaises,
    NotIndexed,
    RankedRecall,
    RefusesMany,
    RefusesOrdinary,
    RefusingLate,
    RetrieveThroughIndex,
    Serialising,
    Sharing,
    SharingResults,
    StaleRetrieve,
)

from memory_fidelity.card import LossFixture
from memory_fidelity.fake.behaviour import EVENTUAL, FULL, LOSSY, NATIVE_FIELDS, FakeBehaviour
from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.testing.harness import HarnessFactory
from memory_fidelity.testing.relabelled import RelabelledStore

__all__ = ["FAULTS"]

Wrapper = Callable[[Any, MemoryAdapterManifest, Any], Any]


def over(
    wrapper: Wrapper = RelabelledStore,
    behaviour: FakeBehaviour = FULL,
    **card: Any,
) -> HarnessFactory:
    """A harness that makes wrapped stores, with these changes to the card."""

    class Faulty(FakeHarness):
        def __init__(self) -> None:
            super().__init__(behaviour)

        async def make_store(self) -> Any:
            stated = self.behaviour.card().model_copy(update=card)
            return wrapper(self.connect(), self.behaviour.manifest(), stated)

    return Faulty


OTHER_LOSS = LossFixture(name="other", field="content", why="-", sent="abc", expected="ab")
TEXT_TAGS = replace(FULL, tag_case="insensitive")
ALL_TAGS = replace(FULL, tag_match="all")

FAULTS: dict[str, tuple[HarnessFactory, str, str]] = {
    "search is no coroutine": (over(SyncStore), "surface.protocols", "C1"),
    "no manifest": (over(NoManifest), "surface.manifest", "C1"),
    "incoherent manifest": (over(Incoherent), "surface.manifest", "C1"),
    "no card": (over(NoCard), "card.coherent", "L2"),
    "card of another adapter": (over(adapter="acme"), "card.coherent", "manifest.adapter"),
    "no card, tags": (over(NoCard), "search.tags", "Q1"),
    "no card, accuracy": (over(NoCard), "manifest.accuracy", "C17"),
    "no card, filters": (over(NoCard), "filters.supported", "manifest.supported_filters"),
    "manifest shrinks": (over(Downgrading), "manifest.stable", "M8"),
    "manifest is assignable": (over(Assignable), "manifest.stable", "M8"),
    "scores on items": (over(Scored), "surface.attributes", "M10"),
    "subclass as a hit": (over(Scored), "search.typed", "C7"),
    "native hits": (over(NativeHits), "search.typed", "C7"),
    "a tuple of hits": (over(TupleOfHits), "search.typed", "C7"),
    "native item": (over(NativeItem), "store.identifier", "C3"),
    "id as text": (over(TextIdentity), "store.identifier", "C2"),
    "unknown id raises": (over(NotFoundRaises), "retrieve.unknown", "C4"),
    "ranked recall": (over(RankedRecall), "retrieve.direct", "R1"),
    "identity of the content": (over(ContentIdentity), "store.distinct", "C3"),
    "second write ignored": (over(FirstWriteWins), "store.replace", "W5"),
    "second write merged": (over(Merging), "store.replace", "W5"),
    "second write raises natively": (over(NativeConflict), "store.replace", "W5"),
    "second write is a second record": (over(KeepsBoth), "store.replace", "W5"),
    "hits twice": (over(KeepsBoth), "search.typed", "C7"),
    "serialised without a word": (over(Serialising), "store.hostile", "C6"),
    "native refusal": (over(NativeRefusal), "store.hostile", "E2"),
    "refused after a call": (over(RefusingLate), "store.hostile", "W1"),
    "item is kept itself": (over(Sharing), "retrieve.detached", "R4"),
    "results are shared": (over(SharingResults), "retrieve.detached", "R4"),
    "loses one of twenty": (over(LosesSome), "store.concurrent", "R3"),
    "refuses concurrency": (over(RefusesMany), "store.concurrent", "E2"),
    "refuses nested metadata": (
        over(RefusesOrdinary),
        "fidelity.metadata",
        "manifest.preserves_metadata",
    ),
    "acknowledged and lost": (over(AcknowledgesAndLoses), "fidelity.content", "R3"),
    "not indexed": (over(NotIndexed), "fidelity.content", "C14"),
    "native refusal of ordinary data": (
        over(NativeRefusal, replace(FULL, refuses_nul=True)),
        "fidelity.content",
        "E2",
    ),
    "times forgotten": (
        over(ForgetsTimes),
        "fidelity.created_at",
        "manifest.native_item_fields",
    ),
    "another default": (
        over(OtherDefault, NATIVE_FIELDS),
        "fidelity.metadata",
        "manifest.dropped_item_fields",
    ),
    "loss that does not happen": (
        over(behaviour=LOSSY, losses=(OTHER_LOSS,)),
        "card.losses",
        "card.losses",
    ),
    "lossy and no loss named": (over(behaviour=LOSSY, losses=()), "card.losses", "card.losses"),
    "loss without its fixture": (
        over(behaviour=LOSSY, losses=()),
        "fidelity.created_at",
        "manifest.retrieve_fidelity",
    ),
    "page of ten": (over(DefaultLimit), "search.limit", "C8"),
    "zero is all": (over(ZeroIsAll), "search.limit.zero", "C8"),
    "negative slices": (over(NegativeSlices), "search.limit.negative", "C8"),
    "empty is nothing": (over(EmptyIsNothing), "search.empty", "C9"),
    "tags fold case": (over(behaviour=TEXT_TAGS, tag_case="sensitive"), "search.tags", "Q1"),
    "limit before predicates": (over(LimitFirst), "search.predicates", "Q1"),
    "syntax is an error": (over(ObeysSyntax), "search.literal", "E2"),
    "syntax is obeyed": (
        over(ObeysSyntax, text_match="case-insensitive substring"),
        "search.literal",
        "Q2",
    ),
    "hits are read again": (over(Rehydrating), "search.calls", "Q7"),
    "search writes": (over(CountingAccess), "search.pure", "R4"),
    "first key only": (over(FirstKeyOnly), "filters.unsupported", "C10"),
    "native filter error": (over(NativeFilterError), "filters.literal", "E2"),
    "stale retrieve": (over(StaleRetrieve), "consistency.retrieve", "R3"),
    "retrieve through the index": (
        over(RetrieveThroughIndex, EVENTUAL),
        "consistency.eventual",
        "R3",
    ),
    "native outage": (over(NativeOutage), "outage.connected", "E2"),
    "outage without a cause": (over(Unchained), "outage.connected", "E2"),
    "refusal without a cause": (over(Unchained), "write.rejected", "E2"),
    "identity invented": (over(InventsIdentity), "write.identity", "C16"),
    "malformed is left out": (over(SkipsMalformed), "payload.malformed", "E4"),
    "cancellation is swallowed": (over(SwallowsCancellation), "cancel.store", "E6"),
    "dead connection is kept": (over(NeverRecovers), "outage.midway", "E3"),
    "similar ids are one": (over(CutIdentity), "store.distinct", "C3"),
    "ids are made random": (over(RandomIdentity), "store.distinct", "C3"),
    "second write keeps the time": (over(KeepsTime), "store.replace", "W5"),
    "search gives the old version": (over(StaleHits), "store.replace", "W5"),
    "old tags find": (over(OldTagsFind), "store.replace", "W5"),
    "second write is indexed late": (
        over(LateUpdates),
        "consistency.immediate",
        "manifest.search_consistency",
    ),
    "conflict is acknowledged": (over(AcknowledgesConflict), "retrieve.foreign", "C5"),
    "reads are cached": (over(CachesReads), "consistency.retrieve", "R3"),
    "misses are cached": (over(CachesMisses), "consistency.retrieve", "R3"),
    "writes are its own": (over(OwnWritesOnly), "consistency.retrieve", "R3"),
    "reads are mixed up": (over(MixesReads), "store.concurrent", "R3"),
    "concurrent writes are not indexed": (over(IndexesOneByOne), "store.concurrent", "C14"),
    "item is changed": (over(SortsInPlace), "fidelity.tags", "R4"),
    "query is changed": (over(SpendsQuery), "search.pure", "R4"),
    "metadata is normalised": (
        over(ComposesMetadata),
        "fidelity.metadata",
        "manifest.preserves_metadata",
    ),
    "metadata text becomes a truth": (
        over(TruthsInMetadata),
        "fidelity.metadata",
        "manifest.preserves_metadata",
    ),
    "keys are folded": (over(FoldsKeys), "fidelity.metadata", "manifest.preserves_metadata"),
    "mappings are cut": (over(WideMetadata), "fidelity.metadata", "manifest.preserves_metadata"),
    "a key is reserved": (over(ReservesScore), "fidelity.metadata", "manifest.preserves_metadata"),
    "texts in a tree are trimmed": (
        over(TrimsTrees),
        "fidelity.content",
        "manifest.retrieve_fidelity",
    ),
    "numbers in a tree are rounded": (
        over(RoundsTrees),
        "fidelity.content",
        "manifest.retrieve_fidelity",
    ),
    "tags are templates": (over(TemplateTags), "fidelity.tags", "manifest.retrieve_fidelity"),
    "times are coerced": (over(CoercesTimes), "store.hostile", "C6"),
    "limit with tags only": (over(LimitsTagsOnly), "search.limit", "C8"),
    "zero is all by tag": (over(ZeroTags), "search.limit.zero", "C8"),
    "negative is all by tag": (over(NegativeTags), "search.limit.negative", "C8"),
    "star is everything": (over(Wildcard), "search.literal", "Q2"),
    "tag ends the predicate": (over(InjectableTags), "search.literal", "Q2"),
    "text is made ASCII": (over(AsciiText), "search.found", "Q1"),
    "text is escaped twice": (over(EscapesTwice), "search.found", "Q1"),
    "text is ignored beside tags": (over(TextOrTags), "search.predicates", "Q1"),
    "once per tag": (over(OncePerTag), "search.tags", "Q1"),
    "repeated tags are counted": (over(CountsTags, ALL_TAGS), "search.tags", "Q1"),
    "tags match by their start": (over(TagPrefix), "search.tags", "Q1"),
    "filters are ignored beside a text": (
        over(TextOrFilters),
        "filters.supported",
        "manifest.supported_filters",
    ),
    "filters after the limit": (
        over(FiltersAfterLimit),
        "filters.supported",
        "manifest.supported_filters",
    ),
    "first filter only": (over(FirstFilter), "filters.together", "manifest.supported_filters"),
    "absent keys match": (over(AbsentKeys), "filters.together", "manifest.supported_filters"),
    "falsy filters are none": (over(FalsyFilters), "filters.literal", "manifest.supported_filters"),
    "filter keys are folded": (
        over(FoldedKeys),
        "filters.unsupported",
        "manifest.supported_filters",
    ),
    "outage by tag is empty": (over(EmptyByTag), "outage.connected", "C15"),
}
"""Name of the fault: the harness that has it, the case that finds it, what the case names."""

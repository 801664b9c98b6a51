"""Harnesses of faulty stores, and the case that must find each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.testing.faulty.failures import (
    SwallowsCancellation,
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
from tests.testing.faulty.matching import CountsTags
from tests.testing.faulty.surface import (
    Assignable,
    Downgrading,
    ForgetsTimes,
    Incoherent,
    NativeItem,
    NoCard,
    NoManifest,
    OtherDefault,
    Scored,
    SyncStore,
)
from tests.testing.faulty.writes import (
    AcknowledgesAndLoses,
    NativeRefusal,
    NotIndexed,
    RefusesOrdinary,
)

from memory_fidelity.card import LossFixture
from memory_fidelity.fake.behaviour import FULL, LOSSY, NATIVE_FIELDS, FakeBehaviour
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
    "native item": (over(NativeItem), "store.identifier", "C3"),
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
    "tags fold case": (over(behaviour=TEXT_TAGS, tag_case="sensitive"), "search.tags", "Q1"),
    "cancellation is swallowed": (over(SwallowsCancellation), "cancel.store", "E6"),
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
    "repeated tags are counted": (over(CountsTags, ALL_TAGS), "search.tags", "Q1"),
}
"""Name of the fault: the harness that has it, the case that finds it, what the case names."""

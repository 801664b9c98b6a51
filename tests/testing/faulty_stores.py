"""Harnesses of faulty stores, and the case that must find each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.testing.faulty.matching import CountsTags

from memory_fidelity.fake.behaviour import FULL, LOSSY, FakeBehaviour
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


TEXT_TAGS = replace(FULL, tag_case="insensitive")
FOLDED_TAGS = replace(FULL, folded_tags=frozenset({"search"}))
NO_TAGS = replace(FULL, absent_in_hits=frozenset({"tags"}))
ALL_TAGS = replace(FULL, tag_match="all")

FAULTS: dict[str, tuple[HarnessFactory, str, str]] = {
    "loss without its fixture": (
        over(behaviour=LOSSY, losses=()),
        "fidelity.created_at",
        "manifest.retrieve_fidelity",
    ),
    "tags of hits fold case, and no loss is named": (
        over(behaviour=FOLDED_TAGS, losses=()),
        "fidelity.tags",
        "manifest.search_fidelity",
    ),
    "hits lack tags, and read as another default": (
        over(behaviour=NO_TAGS, absent_in_hits={"tags": ["none"]}),
        "fidelity.tags",
        "card.absent_in_hits",
    ),
    "tags fold case": (over(behaviour=TEXT_TAGS, tag_case="sensitive"), "search.tags", "Q1"),
    "repeated tags are counted": (over(CountsTags, ALL_TAGS), "search.tags", "Q1"),
}
"""Name of the fault: the harness that has it, the case that finds it, what the case names."""

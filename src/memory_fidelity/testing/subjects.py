"""Broken adapters, each with one thing wrong: what the suite must find.

Every subject is the fake with one fault. Each fault was seen in real adapters,
and looks like success to a caller who does not check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, Final
from uuid import UUID

from memory_fidelity.card import AdapterCard
from memory_fidelity.errors import MemoryAdapterUnavailable
from memory_fidelity.fake.behaviour import FULL, FakeBehaviour
from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.fake.store import FakeMemoryStore
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.query import MAX_LIMIT
from memory_fidelity.store import ExternalMemoryStore, InMemoryStore, MemoryItem, MemoryQuery
from memory_fidelity.testing.harness import HarnessFactory
from memory_fidelity.testing.relabelled import RelabelledStore

__all__ = [
    "SUBJECTS",
    "DroppedMetadataKept",
    "EmptyOnOutage",
    "FiltersIgnored",
    "LateIndex",
    "LimitIgnored",
    "MemoryFallback",
    "MetadataStringified",
    "OwnIdReturned",
    "Subject",
    "TagsLostInHits",
    "WrongKindCoerced",
]


@dataclass(frozen=True, slots=True)
class Subject:
    """One broken adapter."""

    name: str
    """Its key in `SUBJECTS`."""
    harness: HarnessFactory
    """Makes its harness, with every control of the fake lane."""
    false_claim: str
    """What is false, as the suite names it: `manifest.<field>`, or the clause broken."""
    story: str
    """How such an adapter comes about, in one sentence."""


class _BrokenFake(FakeHarness):
    """A fake that does one thing and says another, or does it wrongly."""

    actual: ClassVar[FakeBehaviour] = FULL
    claimed: ClassVar[FakeBehaviour] = FULL
    wrapper: ClassVar[type[RelabelledStore]] = RelabelledStore

    def __init__(self) -> None:
        super().__init__(self.actual)

    async def make_store(self) -> ExternalMemoryStore:
        return self.wrapper(self.connect(), self.claimed.manifest(), self.claimed.card())


class TagsLostInHits(_BrokenFake):
    """Search hits have no tags, and the manifest says that they do."""

    actual = replace(FULL, absent_in_hits=frozenset({"tags"}))


class MetadataStringified(_BrokenFake):
    """Metadata comes back as text, and the manifest says that it is preserved."""

    # Numbers that became text also match other filters; one key that is text keeps to one fault.
    claimed = replace(FULL, filters=("user",))
    actual = replace(claimed, metadata_as_text=True)


class LateIndex(_BrokenFake):
    """Search finds a write later, and the manifest says at once."""

    actual = replace(FULL, consistency="eventual")


class DroppedMetadataKept(_BrokenFake):
    """Metadata is kept, and the manifest says that it is dropped."""

    actual = replace(FULL, filters=())
    claimed = replace(actual, dropped=frozenset({"metadata"}))


class _FilterIgnoringStore(RelabelledStore):
    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        # A malformed query is still refused: that would be another fault.
        if isinstance(query.filters, dict):
            query = query.model_copy(update={"filters": None})
        return await self.inner.search(query)


class FiltersIgnored(_BrokenFake):
    """Filters of any key are taken, and none is applied."""

    wrapper = _FilterIgnoringStore


class _LimitIgnoringStore(RelabelledStore):
    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        # Only a positive limit is ignored: zero and malformed ones would be other faults.
        if type(query.limit) is int and query.limit > 0:
            query = query.model_copy(update={"limit": MAX_LIMIT})
        return await self.inner.search(query)


class LimitIgnored(_BrokenFake):
    """A positive limit is taken, and every hit is returned."""

    wrapper = _LimitIgnoringStore


class _EmptyOnOutageStore(RelabelledStore):
    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        try:
            return await self.inner.search(query)
        except MemoryAdapterUnavailable:
            return []


class EmptyOnOutage(_BrokenFake):
    """Search finds nothing while the service cannot be reached."""

    wrapper = _EmptyOnOutageStore


class _OwnIdStore(RelabelledStore):
    async def store(self, item: MemoryItem) -> UUID:
        identity = await self.inner.store(item)
        return UUID(int=identity.int ^ 1)


class OwnIdReturned(_BrokenFake):
    """A write is answered with an id of the service's own."""

    wrapper = _OwnIdStore


class _CoercingStore(FakeMemoryStore):
    def is_ours(self, found: dict[str, Any]) -> bool:
        return True


class WrongKindCoerced(_BrokenFake):
    """A note is retrieved as if it were a memory item."""

    store_class = _CoercingStore


class _FallbackStore(RelabelledStore):
    def __init__(
        self, inner: ExternalMemoryStore, manifest: MemoryAdapterManifest, card: AdapterCard
    ) -> None:
        super().__init__(inner, manifest, card)
        self._memory = InMemoryStore()

    async def store(self, item: MemoryItem) -> UUID:
        try:
            return await self.inner.store(item)
        except MemoryAdapterUnavailable:
            return await self._memory.store(item)

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        try:
            return await self.inner.retrieve(item_id)
        except MemoryAdapterUnavailable:
            return await self._memory.retrieve(item_id)

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        try:
            return await self.inner.search(query)
        except MemoryAdapterUnavailable:
            return await self._memory.search(query)


class MemoryFallback(_BrokenFake):
    """While the service cannot be reached, this process's memory stands in."""

    wrapper = _FallbackStore


_ALL: Final = (
    Subject(
        "tags_lost_in_hits",
        TagsLostInHits,
        "manifest.search_returns_tags",
        "The service takes tags on write and leaves them out of ranked hits.",
    ),
    Subject(
        "metadata_stringified",
        MetadataStringified,
        "manifest.preserves_metadata",
        "The service keeps metadata in text columns, so 3 comes back as '3'.",
    ),
    Subject(
        "filters_ignored",
        FiltersIgnored,
        "manifest.supported_filters",
        "The adapter never hands the filters on, so search is wider than was asked.",
    ),
    Subject(
        "limit_ignored",
        LimitIgnored,
        "C8",
        "The adapter leaves the limit to the service, which pages in its own way.",
    ),
    Subject(
        "empty_on_outage",
        EmptyOnOutage,
        "C15",
        "The adapter catches connection errors, so an outage looks like having no memories.",
    ),
    Subject(
        "own_id_returned",
        OwnIdReturned,
        "C2",
        "The service makes ids of its own, and the adapter returns those.",
    ),
    Subject(
        "wrong_kind_coerced",
        WrongKindCoerced,
        "C5",
        "The adapter builds an item from whatever record has the id.",
    ),
    Subject(
        "late_index",
        LateIndex,
        "manifest.search_consistency",
        "The service refreshes its index later, and the adapter's tests waited for it.",
    ),
    Subject(
        "dropped_metadata_kept",
        DroppedMetadataKept,
        "manifest.dropped_item_fields",
        "The service learnt to keep metadata, and the manifest was not changed.",
    ),
    Subject(
        "memory_fallback",
        MemoryFallback,
        "E5",
        "The adapter keeps what it cannot send in memory, where it is lost on exit.",
    ),
)

SUBJECTS: Final[Mapping[str, Subject]] = MappingProxyType({each.name: each for each in _ALL})
"""Every broken adapter, by name."""

"""An adapter whose native operations answer what a test lays out for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from memory_fidelity import (
    AdapterCard,
    Lifecycle,
    MemoryAdapter,
    MemoryAdapterManifest,
    Record,
    Search,
)

__all__ = ["Shelf", "card_of", "manifest_of"]

_LIFECYCLE = Lifecycle(
    connections="none",
    concurrency="one loop",
    closing="nothing to close",
    timeouts="none",
    retries="none",
    scope="the instance",
    duplicates="replaced whole",
    invalidation="a failing suite",
)


def manifest_of(**changes: Any) -> MemoryAdapterManifest:
    """A manifest that keeps everything and offers the filters `n` and `user`, but for `changes`."""
    stated: dict[str, Any] = {
        "adapter": "shelf",
        "native_item_fields": {"id", "created_at", "metadata", "content", "tags"},
        "dropped_item_fields": set(),
        "supported_filters": {"user", "n"},
        "search_consistency": "immediate",
        "retrieve_fidelity": "full",
        "search_fidelity": "full",
        "search_returns_tags": True,
        "preserves_metadata": True,
    }
    return MemoryAdapterManifest(**stated | changes)


def card_of(**changes: Any) -> AdapterCard:
    """The card that goes with `manifest_of()`, but for `changes`."""
    mapping = {"meaning": "equal", "value": 1, "matching": (1,), "other": (2,), "wire": "1"}
    stated: dict[str, Any] = {
        "adapter": "shelf",
        "summary": "A dictionary.",
        "content": {"text", "json"},
        "filters": [mapping | {"key": key, "path": f"metadata.{key}"} for key in ("n", "user")],
        "ordering": "as stored",
        "first_page": "the oldest",
        "text_match": "never",
        "tag_match": "any",
        "tag_case": "sensitive",
        "key_order": True,
        "lifecycle": _LIFECYCLE,
        "verified_on": {"python": "3.11"},
    }
    return AdapterCard(**stated | changes)


class Shelf(MemoryAdapter):
    """Keeps records in a dictionary, and notes each argument that a native operation got.

    `on_store`, `on_retrieve` and `on_search`, where set, answer in its place.
    """

    def __init__(
        self, manifest: MemoryAdapterManifest | None = None, card: AdapterCard | None = None
    ) -> None:
        super().__init__(manifest or manifest_of(), card or card_of())
        self.sent: list[Record | UUID | Search] = []
        self.records: dict[UUID, Record] = {}
        self.on_store: Callable[[Record], Any] = self._put
        self.on_retrieve: Callable[[UUID], Any] = self.records.get
        self.on_search: Callable[[Search], Any] = lambda search: self.records.values()

    async def native_store(self, record: Record) -> UUID | str | None:
        """Keep the record, and acknowledge its id."""
        self.sent.append(record)
        identity: UUID | str | None = self.on_store(record)
        return identity

    async def native_retrieve(self, item_id: UUID) -> Record | None:
        """Look the id up."""
        self.sent.append(item_id)
        record: Record | None = self.on_retrieve(item_id)
        return record

    async def native_search(self, search: Search) -> Iterable[Record]:
        """Return everything, whatever was asked."""
        self.sent.append(search)
        records: Iterable[Record] = self.on_search(search)
        return records

    def _put(self, record: Record) -> UUID:
        self.records[record.id] = record
        return record.id

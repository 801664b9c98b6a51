"""A memory store in a dozen lines of plain Python: what the embedded adapters are compared with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from tests.properties.embedded import Embedded
from tests.properties.endings import undeclared

from memory_fidelity import MemoryAdapter, MemoryItem, MemoryQuery

__all__ = ["Model"]


class Model:
    """Every acknowledged item, and which of them search may still miss."""

    def __init__(self, adapter: Embedded, store: MemoryAdapter) -> None:
        self._adapter = adapter
        self._store = store
        self._eventual = store.manifest.search_consistency == "eventual"
        self._items: dict[UUID, MemoryItem] = {}
        self._pending: set[UUID] = set()

    def write(self, item: MemoryItem) -> None:
        """The item replaces any other of its id, and is the newest."""
        self._items.pop(item.id, None)
        self._items[item.id] = item.model_copy(deep=True)
        if self._eventual:
            self._pending.add(item.id)

    def settle(self) -> None:
        """Everything can be found from now on."""
        self._pending.clear()

    def said(self, item: MemoryItem) -> str:
        """The text in which the text of a query is looked for, before case is folded."""
        return self._adapter.said(item.content)

    def retrieve_faults(self, identity: UUID, got: MemoryItem | None) -> list[str]:
        """What is wrong with what a retrieval gave: never late, never an earlier version."""
        item = self._items.get(identity)
        if item is None or got is None:
            return [] if item is got else [f"retrieve: expected {item!a}, got {got!a}"]
        return list(undeclared(self._store, item, got, "retrieve"))

    def search_faults(self, query: MemoryQuery, hits: list[MemoryItem]) -> list[str]:
        """What is wrong with the hits: the newest that match, up to the limit, in order."""
        return list(self._search_faults(query, hits))

    def _search_faults(self, query: MemoryQuery, hits: list[MemoryItem]) -> Iterator[str]:
        newest_first = [item.id for item in reversed(self._items.values())]
        matching = [known for known in newest_first if self._matches(self._items[known], query)]
        found = [hit.id for hit in hits]
        if found != [known for known in matching if known in found] or len(found) > query.limit:
            yield f"search: expected some of {matching}, in this order, got {found}"
            return
        settled = [known for known in matching if known not in self._pending]
        shown = [known for known in found if known not in self._pending]
        # An index that is late may show what is new already, which then takes a place.
        if shown != settled[: query.limit - len(found) + len(shown)]:
            yield f"search: expected to find {settled[: query.limit]}, got {found}"
        for hit in hits:
            yield from undeclared(self._store, self._items[hit.id], hit, "search")

    def _matches(self, item: MemoryItem, query: MemoryQuery) -> bool:
        said = self.said(item).casefold()
        return (
            (not query.text or query.text.casefold() in said)
            and (not query.tags or self._tags_match(item.tags, query.tags))
            and all(self._filter_matches(item.metadata, *pair) for pair in _pairs(query))
        )

    def _tags_match(self, stored: list[str], wanted: list[str]) -> bool:
        card = self._store.card
        if card.tag_case == "insensitive":
            stored, wanted = [[tag.casefold() for tag in some] for some in (stored, wanted)]
        enough = any if card.tag_match == "any" else all
        return enough(tag in stored for tag in wanted)

    def _filter_matches(self, metadata: dict[str, Any], key: str, value: Any) -> bool:
        return key in metadata and self._adapter.equal(value, metadata[key])


def _pairs(query: MemoryQuery) -> list[tuple[str, Any]]:
    return list((query.filters or {}).items())

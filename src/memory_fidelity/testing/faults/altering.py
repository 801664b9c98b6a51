"""Stores that alter one field of items, on the way in or on the way out, and how they do it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal
from uuid import UUID

from memory_fidelity.card import AdapterCard
from memory_fidelity.errors import UnsupportedMemoryItem
from memory_fidelity.json_tree import detached_json
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.declared import no_metadata, no_times
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, Shared, Unless, always, fault
from memory_fidelity.testing.faults.probe import Probe

__all__ = [
    "Change",
    "Field",
    "Place",
    "altered",
    "in_keys",
    "in_leaves",
    "in_lists",
    "in_mappings",
    "in_texts",
    "no_order",
    "no_text",
    "no_trees",
]

Change = Callable[[Any], Any]
"""From a value as it is right to what a broken adapter makes of it."""

Field = Literal["content", "metadata", "tags", "created_at"]

Place = Literal["write", "reads", "retrieve", "hits"]
"""Where a value is altered: before it is stored, in every answer, or in one operation's."""


class _Altering(FaultyStore):
    """Alters one field; what an honest store refuses is handed on as it is, to be refused."""

    def __init__(
        self, inner: Any, shared: Shared, field: Field, change: Change, place: Place
    ) -> None:
        super().__init__(inner, shared)
        self._field = field
        self._change = change
        self._place = place

    async def store(self, item: MemoryItem) -> Any:
        return await self.inner.store(self._altered(item) if self._place == "write" else item)

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        alters = found is not None and self._place in ("reads", "retrieve")
        return self._altered(found) if alters else found

    async def search(self, query: MemoryQuery) -> Any:
        found = await self.inner.search(query)
        return [self._altered(hit) for hit in found] if self._place in ("reads", "hits") else found

    def _altered(self, item: MemoryItem) -> MemoryItem:
        try:
            value = detached_json(getattr(item, self._field), self._field)
        except UnsupportedMemoryItem:
            return item
        kinds = _TYPES.get(self._field)
        if kinds is not None and type(value) is not kinds:
            return item
        return item.model_copy(update={self._field: self._change(value)})


_TYPES: Final[dict[Field, type]] = {"metadata": dict, "tags": list, "created_at": float}
_NAMED: Final[dict[Field, str]] = {
    "content": "manifest.retrieve_fidelity",
    "metadata": "manifest.preserves_metadata",
    "tags": "manifest.retrieve_fidelity",
    "created_at": "manifest.retrieve_fidelity",
}
_IN_HITS: Final[dict[Field, str]] = {"tags": "manifest.search_returns_tags"}
_UNLESS: Final[dict[Field, Unless]] = {"metadata": no_metadata, "created_at": no_times}


def altered(
    field: Field,
    name: str,
    change: Change,
    story: str,
    *,
    probe: Probe,
    place: Place = "write",
    case: str | None = None,
    names: str | None = None,
    unless: Unless | None = None,
) -> Fault:
    """Return the fault that a field is altered; a change in hits only is one of the search."""
    by_search = _IN_HITS.get(field, "manifest.search_fidelity")
    named = by_search if place == "hits" and field != "metadata" else _NAMED[field]
    return fault(
        f"{field}.{name}",
        lambda inner, shared: _Altering(inner, shared, field, change, place),
        case=case or f"fidelity.{field}",
        names=names or named,
        probe=probe,
        unless=unless or _UNLESS.get(field, always),
        story=story,
    )


def no_text(_manifest: MemoryAdapterManifest, card: AdapterCard) -> str | None:
    """Return the reason, if content is never text."""
    return None if "text" in card.content else "card says that content is never text"


def no_trees(_manifest: MemoryAdapterManifest, card: AdapterCard) -> str | None:
    """Return the reason, if content is text only."""
    return None if "json" in card.content else "card says that content is text only"


def no_order(_manifest: MemoryAdapterManifest, card: AdapterCard) -> str | None:
    """Return the reason, if the order of keys may change."""
    return None if card.key_order else "card says that the order of keys is not kept"


def in_texts(change: Callable[[str], Any]) -> Change:
    """Every text, at any depth; keys stay as they are."""
    return in_leaves(str, change)


def in_leaves(kind: type, change: Change) -> Change:
    """Every leaf of exactly this type."""

    def walk(value: Any) -> Any:
        if type(value) is dict:
            return {key: walk(member) for key, member in value.items()}
        if type(value) is list:
            return [walk(member) for member in value]
        return change(value) if type(value) is kind else value

    return walk


def in_mappings(change: Callable[[dict[str, Any]], Any]) -> Change:
    """Every mapping, the inner ones first."""
    return _in_containers(dict, change)


def in_lists(change: Callable[[list[Any]], Any]) -> Change:
    """Every list, the inner ones first."""
    return _in_containers(list, change)


def in_keys(change: Callable[[str], str]) -> Change:
    """Every key of every mapping; of keys that become one, the last stays."""
    return in_mappings(lambda tree: {change(key): member for key, member in tree.items()})


def _in_containers(kind: type, change: Change) -> Change:
    def walk(value: Any) -> Any:
        if type(value) is dict:
            value = {key: walk(member) for key, member in value.items()}
        elif type(value) is list:
            value = [walk(member) for member in value]
        return change(value) if type(value) is kind else value

    return walk

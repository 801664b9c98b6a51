"""The store protocol that carries a manifest, and lionagi's own memory types (M7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from lionagi.protocols.memory import InMemoryStore, MemoryItem, MemoryQuery, MemoryStore

from memory_fidelity.manifest import MemoryAdapterManifest

__all__ = [
    "ExternalMemoryStore",
    "InMemoryStore",
    "MemoryItem",
    "MemoryQuery",
    "MemoryStore",
    "memory_query",
]


@runtime_checkable
class ExternalMemoryStore(MemoryStore, Protocol):
    """A `MemoryStore` that declares what it keeps.

    lionagi's base protocol gains nothing: a store with no manifest stays a
    valid `MemoryStore` (M7).
    """

    @property
    def manifest(self) -> MemoryAdapterManifest:
        """The same manifest for as long as the instance lives (M8)."""
        ...


def memory_query(
    *,
    text: str | None = None,
    tags: Sequence[str] | None = None,
    filters: dict[str, Any] | None = None,
    limit: int = 20,
) -> MemoryQuery:
    """Build a `MemoryQuery` whose keywords are checked.

    `MemoryQuery(filter={...})` is accepted by lionagi, which ignores the
    misspelt name and searches everything. Here it is a `TypeError`.

    Raises:
        TypeError: an unknown keyword.
        pydantic.ValidationError: a value of the wrong type (E2).
    """
    parts = {"text": text, "tags": tags, "filters": filters, "limit": limit}
    return MemoryQuery.model_validate(parts)

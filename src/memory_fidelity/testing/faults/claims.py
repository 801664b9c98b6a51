"""Stores that declare something else than they did, and do what they did or a little less."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final
from uuid import UUID

from pydantic import BaseModel

from memory_fidelity.card import AdapterCard
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.fault import FaultyStore, Shared
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["Claims", "Lie", "Telling", "Weaken", "claims"]

Claims = tuple[MemoryAdapterManifest, AdapterCard]
"""What a store declares."""

Lie = Callable[[MemoryAdapterManifest, AdapterCard], Claims]
"""From what is true to what is claimed."""

Weaken = Callable[[MemoryItem], MemoryItem]
"""From an item as it came back to what a weaker adapter gives."""

_STATED: Final = ("manifest", "card")


async def claims(bench: Bench) -> None:
    """Read everything that two stores declare, and an item that comes back."""
    kinds = getattr(getattr(bench.store, "card", None), "content", ("text",))
    content = "Ada" if "text" in kinds else {"text": "Ada"}
    item = bench.item(1, content, tags=["t", "U"], metadata={"user": "ada", "n": [1, None]})
    await bench.stored([item])
    for store in (bench.store, await bench.new_store()):
        for name in _STATED:
            declared = getattr(store, name, None)
            bench.note(name, type(declared).__name__)
            # A model is a mapping's worth of pairs, extra ones included.
            fields: Iterable[tuple[Any, Any]] = (
                declared if isinstance(declared, BaseModel) else [("", declared)]
            )
            for field, value in fields:
                stated = sorted(value) if isinstance(value, frozenset) else value
                bench.note(f"{name}.{field}", (type(value).__name__, stated))
    await bench.saw("retrieve", bench.store.retrieve(item.id))
    await bench.saw("search", bench.store.search(MemoryQuery(tags=["t"])))


class Telling(FaultyStore):
    """Declares a lie, and may weaken what it retrieves or finds."""

    def __init__(
        self,
        inner: Any,
        shared: Shared,
        lie: Lie,
        retrieved: Weaken | None = None,
        found: Weaken | None = None,
    ) -> None:
        super().__init__(inner, shared)
        self._claims = lie(inner.manifest, inner.card)
        self._retrieved = retrieved
        self._found = found

    @property
    def manifest(self) -> Any:
        """The manifest of the lie."""
        return self._claims[0]

    @property
    def card(self) -> Any:
        """The card of the lie."""
        return self._claims[1]

    async def retrieve(self, item_id: UUID) -> Any:
        """The item, weakened."""
        found = await self.inner.retrieve(item_id)
        return self._retrieved(found) if self._retrieved and found is not None else found

    async def search(self, query: MemoryQuery) -> Any:
        """The hits, weakened."""
        hits = await self.inner.search(query)
        return [self._found(hit) for hit in hits] if self._found else hits

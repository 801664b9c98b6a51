"""Stores with one thing wrong each: items that are written again."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.relabelled import RelabelledStore


class Remembering(RelabelledStore):
    """Knows the first version of each item that it took."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.first: dict[UUID, MemoryItem] = {}

    async def store(self, item: MemoryItem) -> UUID:
        """Store, and remember."""
        identity = await self.inner.store(self.mixed(item, self.first.get(item.id, item)))
        self.first.setdefault(identity, item.model_copy(deep=True))
        return identity

    def mixed(self, item: MemoryItem, first: MemoryItem) -> MemoryItem:
        """What is written."""
        return item


class LateUpdates(Remembering):
    """A second write takes the item out of the index for a while."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.hidden: set[UUID] = set()

    def mixed(self, item: MemoryItem, first: MemoryItem) -> MemoryItem:
        """Hide what is written anew."""
        self.hidden |= {item.id} & self.first.keys()
        return item

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """What is not hidden."""
        return [hit for hit in await self.inner.search(query) if hit.id not in self.hidden]

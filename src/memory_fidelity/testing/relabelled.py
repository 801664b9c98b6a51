"""A store under another declaration: for stores that have none, and for false ones."""

from __future__ import annotations

from uuid import UUID

from memory_fidelity.card import AdapterCard
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery, MemoryStore

__all__ = ["RelabelledStore"]


class RelabelledStore:
    """A store that does what another one does, and declares what it is told to.

    It gives a manifest to a store that publishes none. `MemoryAdapter` acts on
    its own manifest, so a false one has to be put around it; the same goes for
    a fault that the base class makes impossible, for which a subclass replaces
    one operation.
    """

    def __init__(
        self, inner: MemoryStore, manifest: MemoryAdapterManifest, card: AdapterCard
    ) -> None:
        """Take the store that does the work, and what is to be said of it."""
        self.inner = inner
        self._manifest = manifest
        self._card = card

    @property
    def manifest(self) -> MemoryAdapterManifest:
        """What is claimed, true or not."""
        return self._manifest

    @property
    def card(self) -> AdapterCard:
        """What is stated beside it, true or not."""
        return self._card

    async def store(self, item: MemoryItem) -> UUID:
        """Store into the inner store."""
        return await self.inner.store(item)

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Retrieve from the inner store."""
        return await self.inner.retrieve(item_id)

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Search the inner store."""
        return await self.inner.search(query)

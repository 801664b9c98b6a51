"""Stores with one thing wrong each: failures and cancellation."""

from __future__ import annotations

from uuid import UUID

from memory_fidelity.errors import MemoryAdapterError
from memory_fidelity.store import MemoryItem
from memory_fidelity.testing.relabelled import RelabelledStore


class TellsIds(RelabelledStore):
    """Its own messages hold what differs in every run."""

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Raise where there is nothing."""
        found = await self.inner.retrieve(item_id)
        if found is None:
            raise MemoryAdapterError(f"no {item_id} in <Client at {id(found):#018x}>")
        return found

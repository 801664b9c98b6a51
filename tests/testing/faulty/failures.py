"""Stores with one thing wrong each: failures and cancellation."""

from __future__ import annotations

from uuid import UUID, uuid4

from memory_fidelity.errors import MemoryAdapterError, MemoryAdapterUnavailable
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.relabelled import RelabelledStore


class Unchained(RelabelledStore):
    """Typed errors have no cause."""

    async def store(self, item: MemoryItem) -> UUID:
        """Raise without a cause."""
        try:
            return await self.inner.store(item)
        except MemoryAdapterError as error:
            raise type(error)(*error.args) from None

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Raise without a cause."""
        try:
            return await self.inner.retrieve(item_id)
        except MemoryAdapterError as error:
            raise type(error)(*error.args) from None


class InventsIdentity(RelabelledStore):
    """A failed write is acknowledged with a new id."""

    async def store(self, item: MemoryItem) -> UUID:
        """Some id."""
        try:
            return await self.inner.store(item)
        except MemoryAdapterError:
            return uuid4()


class SkipsMalformed(RelabelledStore):
    """What cannot be read is left out."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Fewer hits."""
        try:
            return await self.inner.search(query)
        except MemoryAdapterUnavailable:
            raise
        except MemoryAdapterError:
            return []


class SwallowsCancellation(RelabelledStore):
    """Cancellation becomes an ordinary error."""

    async def store(self, item: MemoryItem) -> UUID:
        """Translate what is no error."""
        try:
            return await self.inner.store(item)
        except BaseException as error:
            raise MemoryAdapterUnavailable("interrupted") from error


class TellsIds(RelabelledStore):
    """Its own messages hold what differs in every run."""

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Raise where there is nothing."""
        found = await self.inner.retrieve(item_id)
        if found is None:
            raise MemoryAdapterError(f"no {item_id} in <Client at {id(found):#018x}>")
        return found

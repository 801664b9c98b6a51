"""Stores with one thing wrong each: values that are refused, lost, or not shown."""

from __future__ import annotations

from uuid import UUID

from memory_fidelity.errors import MemoryAdapterError, MemoryAdapterUnavailable
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.relabelled import RelabelledStore


class NativeRefusal(RelabelledStore):
    """What cannot be kept ends in a native error."""

    async def store(self, item: MemoryItem) -> UUID:
        """Raise what a serialiser raises."""
        try:
            return await self.inner.store(item)
        except MemoryAdapterUnavailable:
            raise
        except MemoryAdapterError as error:
            raise TypeError("not serialisable") from error


class RefusesOrdinary(RelabelledStore):
    """Ordinary metadata is refused."""

    async def store(self, item: MemoryItem) -> UUID:
        """Take flat metadata only."""
        if any(isinstance(value, dict) for value in item.metadata.values()):
            raise MemoryAdapterError("flat metadata only")
        return await self.inner.store(item)


class AcknowledgesAndLoses(RelabelledStore):
    """A value is acknowledged and cannot be retrieved."""

    async def store(self, item: MemoryItem) -> UUID:
        """Write all but one."""
        return item.id if item.content == "" else await self.inner.store(item)


class NotIndexed(RelabelledStore):
    """A value is not found by its tag."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Every hit but one."""
        return [hit for hit in await self.inner.search(query) if hit.content != ""]

"""Stores with one thing wrong each: identities, writes and retrieval."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from memory_fidelity.errors import MemoryAdapterError, MemoryAdapterUnavailable
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.relabelled import RelabelledStore


class NotFoundRaises(RelabelledStore):
    """An unknown id is an error."""

    async def retrieve(self, item_id: UUID) -> MemoryItem:
        """Raise where there is nothing."""
        found = await self.inner.retrieve(item_id)
        if found is None:
            raise KeyError(item_id)
        return found


class RankedRecall(RelabelledStore):
    """Retrieve is a search for the id as text."""

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """The best hit for the id, if the item itself is not there."""
        hits = await self.inner.search(MemoryQuery(text=str(item_id)))
        return hits[0] if hits else await self.inner.retrieve(item_id)


class ContentIdentity(RelabelledStore):
    """Items with equal content are one item."""

    def __init__(self, inner: Any, manifest: MemoryAdapterManifest, card: Any) -> None:
        super().__init__(inner, manifest, card)
        self.known: dict[str, UUID] = {}

    async def store(self, item: MemoryItem) -> UUID:
        """Write only the first of equal texts."""
        if self.known.setdefault(repr(item.content), item.id) == item.id:
            await self.inner.store(item)
        return item.id


class FirstWriteWins(RelabelledStore):
    """The second write of an id is ignored without a word."""

    async def store(self, item: MemoryItem) -> UUID:
        """Write new ids only."""
        if await self.inner.retrieve(item.id) is None:
            await self.inner.store(item)
        return item.id


class Merging(RelabelledStore):
    """A second write merges metadata."""

    async def store(self, item: MemoryItem) -> UUID:
        """Keep what the old metadata had."""
        old = await self.inner.retrieve(item.id)
        kept = old.metadata if old else {}
        return await self.inner.store(item.model_copy(update={"metadata": kept | item.metadata}))


class NativeConflict(RelabelledStore):
    """A second write ends in a native error."""

    async def store(self, item: MemoryItem) -> UUID:
        """Raise what the service raises."""
        if await self.inner.retrieve(item.id) is not None:
            raise KeyError("duplicate")
        return await self.inner.store(item)


class KeepsBoth(RelabelledStore):
    """A second write is a second record."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Every hit, twice."""
        return [hit for hit in await self.inner.search(query) for _ in range(2)]


class Serialising(RelabelledStore):
    """What is no JSON is made JSON, without a word."""

    async def store(self, item: MemoryItem) -> UUID:
        """Store what can be stored of it."""
        try:
            return await self.inner.store(item)
        except MemoryAdapterUnavailable:
            raise
        except MemoryAdapterError:
            return await self.inner.store(MemoryItem(id=item.id, content=str(item.content)[:9]))


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


class RefusingLate(RelabelledStore):
    """The item is validated after a first call."""

    async def store(self, item: MemoryItem) -> UUID:
        """Look the item up first."""
        await self.inner.retrieve(item.id)
        return await self.inner.store(item)


class Sharing(RelabelledStore):
    """Results are the store's own objects."""

    def __init__(self, inner: Any, manifest: MemoryAdapterManifest, card: Any) -> None:
        super().__init__(inner, manifest, card)
        self.cache: dict[UUID, MemoryItem] = {}

    async def store(self, item: MemoryItem) -> UUID:
        """Keep the item itself."""
        identity = await self.inner.store(item)
        self.cache[item.id] = item
        return identity

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """The very object."""
        await self.inner.retrieve(item_id)
        return self.cache.get(item_id)


class SharingResults(Sharing):
    """Results are shared with one another, though not with what was stored."""

    async def store(self, item: MemoryItem) -> UUID:
        """Forget what was handed out."""
        self.cache.pop(item.id, None)
        return await self.inner.store(item)

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """The object that was handed out first."""
        found = await self.inner.retrieve(item_id)
        return found and self.cache.setdefault(item_id, found)


class LosesSome(RelabelledStore):
    """Of many writes, some are acknowledged and gone."""

    async def store(self, item: MemoryItem) -> UUID:
        """Write all but one."""
        return item.id if item.content == "concurrent 7" else await self.inner.store(item)


class RefusesMany(RelabelledStore):
    """Concurrent writes end in native errors."""

    async def store(self, item: MemoryItem) -> UUID:
        """Raise what the client raises."""
        if str(item.content).startswith("concurrent"):
            raise RuntimeError("another operation is in progress")
        return await self.inner.store(item)


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


class StaleRetrieve(RelabelledStore):
    """Retrieve goes through a cache of the first version."""

    def __init__(self, inner: Any, manifest: MemoryAdapterManifest, card: Any) -> None:
        super().__init__(inner, manifest, card)
        self.first: dict[UUID, MemoryItem] = {}

    async def store(self, item: MemoryItem) -> UUID:
        """Write, and cache the first version."""
        self.first.setdefault(item.id, item)
        return await self.inner.store(item)

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """The first version."""
        found = await self.inner.retrieve(item_id)
        return found and self.first.get(item_id, found)


class RetrieveThroughIndex(RelabelledStore):
    """Retrieve sees only what the index shows."""

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Look the id up among the hits, except for the control."""
        found = await self.inner.retrieve(item_id)
        hits = await self.inner.search(MemoryQuery(limit=1_000))
        visible = found is None or found.content == "control" or item_id in {h.id for h in hits}
        return found if visible else None

"""Stores with one thing wrong each: similar ids, replaced items, caches, and what is shared."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import Any, ClassVar
from uuid import UUID

from memory_fidelity.errors import MemoryAdapterError, MemoryAdapterUnavailable
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


class KeepsTime(Remembering):
    """A second write leaves `created_at` as it was."""

    def mixed(self, item: MemoryItem, first: MemoryItem) -> MemoryItem:
        """The old time."""
        return item if item is first else item.model_copy(update={"created_at": first.created_at})


class StaleHits(Remembering):
    """Search gives the first version."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """What the index was given first."""
        hits = await self.inner.search(query)
        return [self.first.get(hit.id, hit).model_copy(deep=True) for hit in hits]


class OldTagsFind(Remembering):
    """The tags of the first version still find the item."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Look among the old tags, too."""
        hits = await self.inner.search(query)
        if not isinstance(query.tags, list) or query.text or query.filters or hits:
            return hits
        old = [item for item in self.first.values() if {*item.tags} & {*query.tags}]
        found = [await self.inner.retrieve(item.id) for item in old[: max(0, query.limit)]]
        return [item for item in found if item is not None]


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


class CutIdentity(RelabelledStore):
    """The native identity is half of the item's."""

    mask: ClassVar[int] = 2**64 - 1

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.whole: dict[UUID, UUID] = {}

    def native(self, identity: UUID) -> UUID:
        """The identity under which the item is written."""
        return UUID(int=identity.int & self.mask)

    async def store(self, item: MemoryItem) -> UUID:
        """Write under the native identity."""
        self.whole[self.native(item.id)] = item.id
        await self.inner.store(item.model_copy(update={"id": self.native(item.id)}))
        return item.id

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Read under the native identity."""
        found = await self.inner.retrieve(self.native(item_id))
        return found and found.model_copy(update={"id": item_id})

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Hits under the identity that was written last."""
        hits = await self.inner.search(query)
        return [hit.model_copy(update={"id": self.whole.get(hit.id, hit.id)}) for hit in hits]


class RandomIdentity(CutIdentity):
    """Every identity is forced into the form of a random UUID."""

    def native(self, identity: UUID) -> UUID:
        """Version 4."""
        return UUID(int=identity.int, version=4)


class AcknowledgesConflict(RelabelledStore):
    """A write under a foreign identity is acknowledged, and not made."""

    async def store(self, item: MemoryItem) -> UUID:
        """Take a refusal for a duplicate."""
        try:
            return await self.inner.store(item)
        except MemoryAdapterUnavailable:
            raise
        except MemoryAdapterError as error:
            if "foreign" in str(item.content) or "namesake" in str(item.content):
                return item.id
            raise error


class CachesReads(RelabelledStore):
    """What was read is read again from a cache, which only its own writes empty."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.cache: dict[UUID, MemoryItem] = {}

    async def store(self, item: MemoryItem) -> UUID:
        """Write, and forget what was read."""
        self.cache.pop(item.id, None)
        return await self.inner.store(item)

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """What was read first."""
        found = await self.inner.retrieve(item_id)
        return found and self.cache.setdefault(item_id, found).model_copy(deep=True)


class CachesMisses(RelabelledStore):
    """An id that was unknown once stays so."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.unknown: set[UUID] = set()

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Nothing, once it was nothing."""
        found = await self.inner.retrieve(item_id)
        self.unknown |= set() if found else {item_id}
        return None if item_id in self.unknown else found


class OwnWritesOnly(Remembering):
    """What was written is kept by the store itself, and other stores do not see it."""

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Its own writes."""
        found = await self.inner.retrieve(item_id)
        return found if item_id in self.first else None


class MixesReads(RelabelledStore):
    """Reads at once get the answer of the last one."""

    asked: UUID | None = None

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Ask, give way, and read what was asked last."""
        self.asked = item_id
        await asyncio.sleep(0)  # noqa: TID251 - gives way, as a client does that waits for a reply
        return await self.inner.retrieve(self.asked)


class IndexesOneByOne(RelabelledStore):
    """Of writes at once only one is indexed."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.writing: defaultdict[str, int] = defaultdict(int)
        self.lost: set[UUID] = set()

    async def store(self, item: MemoryItem) -> UUID:
        """Lose the others."""
        self.writing["now"] += 1
        await asyncio.sleep(0)  # noqa: TID251 - gives way, as a client does that waits for a reply
        self.lost |= {item.id} if self.writing["now"] > 1 else set()
        self.writing["now"] -= 1
        return await self.inner.store(item)

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """What is not lost."""
        return [hit for hit in await self.inner.search(query) if hit.id not in self.lost]


class SortsInPlace(RelabelledStore):
    """The tags of the caller's item are sorted."""

    async def store(self, item: MemoryItem) -> UUID:
        """Sort, and store."""
        if type(item.tags) is list and {*map(type, item.tags)} <= {str}:
            item.tags.sort()
        return await self.inner.store(item)


class SpendsQuery(RelabelledStore):
    """The caller's query is used up."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Search, and empty the query."""
        hits = await self.inner.search(query)
        query.text = None
        return hits

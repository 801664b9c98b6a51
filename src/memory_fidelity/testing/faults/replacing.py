"""Faults in writing an id again, and in reading what others wrote (W5, R3)."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.declared import no_metadata, no_times
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, fault
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "versions"]


async def versions(bench: Bench) -> None:
    """Write an id twice, by two stores, and read and find it by both after each write."""
    other = await bench.new_store()
    first = bench.item(1, tags=["old", "t"], metadata={"a": 1, "b": 1})
    second = bench.item(2, tags=["new", "t"], metadata={"b": 2}).model_copy(
        update={"id": first.id, "created_at": first.created_at + 60}
    )
    for name, store in (("its own", bench.store), ("another's", other)):
        await bench.saw(f"{name} miss", store.retrieve(first.id))
    for version in (first, second, first):
        await bench.saw("store", bench.store.store(version))
        await bench.harness.make_search_index_visible()
        for name, store in (("its own", bench.store), ("another's", other)):
            await bench.saw(f"{name} retrieve", store.retrieve(first.id))
            for tag in ("old", "new", "t"):
                await bench.saw(f"{name} {tag}", store.search(MemoryQuery(tags=[tag])))


class _Again(FaultyStore):
    """Does something else with the second write of an id."""

    async def store(self, item: MemoryItem) -> Any:
        old = await self.inner.retrieve(item.id)
        return await self.inner.store(item) if old is None else await self.again(item, old)

    async def again(self, item: MemoryItem, old: MemoryItem) -> Any:
        """Ignore it."""
        return item.id

    async def mixed(self, item: MemoryItem, **fields: Any) -> Any:
        """Write the item with some of its fields replaced."""
        return await self.inner.store(item.model_copy(update=fields))


class _Ignored(_Again):
    """The second write of an id is ignored, and acknowledged."""


class _Native(_Again):
    """The second write of an id ends in a native error."""

    async def again(self, item: MemoryItem, old: MemoryItem) -> Any:
        raise KeyError("duplicate key")


class _MetadataMerged(_Again):
    """The second write of an id merges the metadata."""

    async def again(self, item: MemoryItem, old: MemoryItem) -> Any:
        return await self.mixed(item, metadata=old.metadata | item.metadata)


class _TagsMerged(_Again):
    """The second write of an id adds its tags to the old ones."""

    async def again(self, item: MemoryItem, old: MemoryItem) -> Any:
        return await self.mixed(item, tags=[*dict.fromkeys([*old.tags, *item.tags])])


class _TimeKept(_Again):
    """The second write of an id leaves the time as it was."""

    async def again(self, item: MemoryItem, old: MemoryItem) -> Any:
        return await self.mixed(item, created_at=old.created_at)


class _ContentKept(_Again):
    """The second write of an id updates all but the content."""

    async def again(self, item: MemoryItem, old: MemoryItem) -> Any:
        return await self.mixed(item, content=old.content)


class _Remembering(FaultyStore):
    """Knows the first version of each item."""

    async def store(self, item: MemoryItem) -> Any:
        identity = await self.inner.store(item)
        self.shared.memory.setdefault(item.id, item.model_copy(deep=True))
        return identity


class _Doubled(_Remembering):
    """The second write of an id makes a second record, and both are found."""

    async def store(self, item: MemoryItem) -> Any:
        if item.id in self.shared.memory:
            self.shared.memory["twice"] = {*self.shared.memory.get("twice", ()), item.id}
        return await super().store(item)

    async def search(self, query: MemoryQuery) -> Any:
        """Both."""
        twice = self.shared.memory.get("twice", ())
        hits = await self.inner.search(query)
        doubled = [hit for hit in hits for _ in range(1 + (hit.id in twice))]
        return doubled[: max(query.limit, 0)]


class _StaleHits(_Remembering):
    """Search gives the first version of an item."""

    async def search(self, query: MemoryQuery) -> Any:
        memory = self.shared.memory
        hits = await self.inner.search(query)
        return [memory.get(hit.id, hit).model_copy(deep=True) for hit in hits]


class _OldTags(_Remembering):
    """The tags of the first version still find an item."""

    async def search(self, query: MemoryQuery) -> Any:
        hits = await self.inner.search(query)
        if hits or not query.tags or query.text or query.filters or query.limit < 1:
            return hits
        items = self.shared.memory.values()
        found = [await self.inner.retrieve(i.id) for i in items if {*i.tags} & {*query.tags}]
        return [item for item in found if item is not None][: query.limit]


class _StaleReplica(_Remembering):
    """Retrieval asks a replica that has the first version only."""

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        return found and self.shared.memory.get(item_id, found).model_copy(deep=True)


class _CachedReads(FaultyStore):
    """What a store read once it reads from a cache, which only its own writes empty."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.cache: dict[UUID, MemoryItem] = {}

    async def store(self, item: MemoryItem) -> Any:
        self.cache.pop(item.id, None)
        return await self.inner.store(item)

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        return found and self.cache.setdefault(item_id, found).model_copy(deep=True)


class _CachedMisses(FaultyStore):
    """An id that a store did not find once stays unknown to it."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.unknown: set[UUID] = set()

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        self.unknown |= set() if found else {item_id}
        return None if item_id in self.unknown else found


class _OwnWrites(FaultyStore):
    """A store retrieves what it wrote itself, and nothing of another store."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.written: set[UUID] = set()

    async def store(self, item: MemoryItem) -> Any:
        self.written.add(item.id)
        return await self.inner.store(item)

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        return found if item_id in self.written else None


_REPLACED: Final = {
    "ignored": _Ignored,
    "native": _Native,
    "tags-merged": _TagsMerged,
    "content-kept": _ContentKept,
    "doubled": _Doubled,
    "hits-stale": _StaleHits,
    "old-tags-find": _OldTags,
}
_READ: Final = {
    "replica-stale": _StaleReplica,
    "reads-cached": _CachedReads,
    "misses-cached": _CachedMisses,
    "own-writes-only": _OwnWrites,
}

FAULTS: Final[tuple[Fault, ...]] = (
    *[
        fault(f"replace.{name}", make, case="store.replace", names="W5", probe=versions)
        for name, make in _REPLACED.items()
    ],
    *[
        fault(
            f"replace.{name}", make, case="store.replace", names="W5", probe=versions, unless=unless
        )
        for name, make, unless in (
            ("metadata-merged", _MetadataMerged, no_metadata),
            ("time-kept", _TimeKept, no_times),
        )
    ],
    *[
        fault(f"read.{name}", make, case="consistency.retrieve", names="R3", probe=versions)
        for name, make in _READ.items()
    ],
)

"""The stores that are measured, by name, and how each is called."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from uuid import UUID

from benchmarks.corpus import FILTER_KEYS
from benchmarks.langgraph_peers import open_langgraph, open_langgraph_async
from benchmarks.peer import READS, Facts, Opener, Peer
from benchmarks.raw_sqlite import Document, RawSqlite
from memory_fidelity import InMemoryStore, MemoryItem, MemoryQuery, MemoryStore
from memory_fidelity.adapters.sqlite import SqliteMemoryStore

__all__ = ["IN_MEMORY", "LANGGRAPH_ASYNC", "OURS", "PEERS", "RAW", "RAW_DIRECT", "Entry", "chosen"]

OURS: Final = "memory-fidelity sqlite"
RAW: Final = "raw sqlite3, one hop"
RAW_DIRECT: Final = "raw sqlite3, no hop"
IN_MEMORY: Final = "lionagi InMemoryStore"
LANGGRAPH: Final = "LangGraph SqliteStore"
LANGGRAPH_ASYNC: Final = "LangGraph AsyncSqliteStore"

_DATABASE: Final = "store.db"


@dataclass(frozen=True, slots=True)
class Entry:
    """How a store is opened, and up to which size measuring it makes sense."""

    open: Opener
    needs: str | None = None
    """A module that has to be installed."""
    largest: int | None = None
    """Beyond this size it would take hours, or all of the memory."""

    @property
    def installed(self) -> bool:
        """Whether it can be opened."""
        return self.needs is None or find_spec(self.needs.partition(".")[0]) is not None

    def prepare(self) -> None:
        """Import what opening needs, so that it is not counted as opening."""
        if self.needs is not None:
            import_module(self.needs)


class OfLionagi:
    """Any store of lionagi's protocol, called as an application calls it."""

    reads = READS

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    async def store_many(self, items: Sequence[MemoryItem]) -> None:
        for item in items:
            await self._store.store(item)

    async def store(self, item: MemoryItem) -> UUID:
        return await self._store.store(item)

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        return await self._store.retrieve(item_id)

    async def page(self, limit: int) -> list[MemoryItem]:
        return await self._store.search(MemoryQuery(limit=limit))

    async def text(self, needle: str, limit: int) -> list[MemoryItem]:
        return await self._store.search(MemoryQuery(text=needle, limit=limit))

    async def tags(self, tag: str, limit: int) -> list[MemoryItem]:
        return await self._store.search(MemoryQuery(tags=[tag], limit=limit))

    async def filter(self, key: str, value: str, limit: int) -> list[MemoryItem]:
        return await self._store.search(MemoryQuery(filters={key: value}, limit=limit))

    def facts(self, answer: MemoryItem) -> Facts:
        return Facts(answer.id, answer.content, answer.tags, answer.metadata)

    async def close(self) -> None:
        pass


class Ours(OfLionagi):
    """`SqliteMemoryStore` with its defaults: WAL, and a flush before each acknowledgement."""

    def __init__(self, store: SqliteMemoryStore) -> None:
        super().__init__(store)
        self._sqlite = store

    async def store_many(self, items: Sequence[MemoryItem]) -> None:
        await self._sqlite.store_many(items)

    async def close(self) -> None:
        await self._sqlite.close()


class Raw:
    """Hand-written SQL, called in place."""

    reads = READS

    def __init__(self, raw: RawSqlite) -> None:
        self._raw = raw

    async def store_many(self, items: Sequence[MemoryItem]) -> None:
        self._raw.store_many(items)

    async def store(self, item: MemoryItem) -> None:
        self._raw.store(item)

    async def retrieve(self, item_id: UUID) -> Document | None:
        return self._raw.retrieve(item_id)

    async def page(self, limit: int) -> list[Document]:
        return self._raw.page(limit)

    async def text(self, needle: str, limit: int) -> list[Document]:
        return self._raw.text(needle, limit)

    async def tags(self, tag: str, limit: int) -> list[Document]:
        return self._raw.tags(tag, limit)

    async def filter(self, key: str, value: str, limit: int) -> list[Document]:
        return self._raw.filter(key, value, limit)

    def facts(self, answer: Document) -> Facts:
        return Facts(UUID(answer["id"]), answer["content"], answer["tags"], answer["metadata"])

    async def close(self) -> None:
        self._raw.close()


class RawHop(Raw):
    """The same, each call on the one thread of an executor, so that the event loop never waits."""

    def __init__(self, raw: RawSqlite) -> None:
        super().__init__(raw)
        self._thread = ThreadPoolExecutor(1)
        self._loop = asyncio.get_running_loop()

    async def store_many(self, items: Sequence[MemoryItem]) -> None:
        await self._loop.run_in_executor(self._thread, self._raw.store_many, items)

    async def store(self, item: MemoryItem) -> None:
        await self._loop.run_in_executor(self._thread, self._raw.store, item)

    async def retrieve(self, item_id: UUID) -> Document | None:
        return await self._loop.run_in_executor(self._thread, self._raw.retrieve, item_id)

    async def page(self, limit: int) -> list[Document]:
        return await self._loop.run_in_executor(self._thread, self._raw.page, limit)

    async def text(self, needle: str, limit: int) -> list[Document]:
        return await self._loop.run_in_executor(self._thread, self._raw.text, needle, limit)

    async def tags(self, tag: str, limit: int) -> list[Document]:
        return await self._loop.run_in_executor(self._thread, self._raw.tags, tag, limit)

    async def filter(self, key: str, value: str, limit: int) -> list[Document]:
        return await self._loop.run_in_executor(self._thread, self._raw.filter, key, value, limit)

    async def close(self) -> None:
        self._thread.shutdown()
        await super().close()


async def open_ours(directory: Path) -> Peer:
    """Open the store of this project."""
    return Ours(SqliteMemoryStore(directory / _DATABASE, filters=FILTER_KEYS))


async def open_raw_hop(directory: Path) -> Peer:
    """Open the floor of every asynchronous store."""
    return RawHop(RawSqlite(directory / _DATABASE, FILTER_KEYS))


async def open_raw(directory: Path) -> Peer:
    """Open the floor of every store."""
    return Raw(RawSqlite(directory / _DATABASE, FILTER_KEYS))


async def open_in_memory(_directory: Path) -> Peer:
    """Open lionagi's own default, which keeps nothing on disk."""
    return OfLionagi(InMemoryStore())


_SCANNED: Final = 100_000
_LANGGRAPH_MODULE: Final = "langgraph.store.sqlite.aio"

PEERS: Final[dict[str, Entry]] = {
    OURS: Entry(open_ours),
    RAW: Entry(open_raw_hop),
    RAW_DIRECT: Entry(open_raw),
    IN_MEMORY: Entry(open_in_memory, largest=_SCANNED),
    LANGGRAPH: Entry(open_langgraph, needs=_LANGGRAPH_MODULE, largest=_SCANNED),
    LANGGRAPH_ASYNC: Entry(open_langgraph_async, needs=_LANGGRAPH_MODULE, largest=_SCANNED),
}
"""Every store, in the order of the tables."""


def chosen(size: int) -> dict[str, Entry]:
    """Return the stores that are installed and can be measured with so many items."""
    return {
        name: entry
        for name, entry in PEERS.items()
        if entry.installed and (entry.largest is None or size <= entry.largest)
    }

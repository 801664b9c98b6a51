"""LangGraph's stores, which are imported only when they are opened.

They have no search for text without an embedding model, and no filter for one
of several tags, so those are not measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from benchmarks.peer import Facts, Peer
from memory_fidelity import MemoryItem

__all__ = ["LanggraphAsync", "open_langgraph", "open_langgraph_async"]

_NAMESPACE: Final = ("memory",)
_READS: Final = frozenset({"retrieve", "page", "filter"})
_DATABASE: Final = "store.db"


class Langgraph:
    """`SqliteStore`, called in place."""

    reads = _READS

    def __init__(self, store: Any, opened: AsyncExitStack) -> None:
        # LangGraph need not be installed where this is type-checked, so `store` has no type.
        self._store = store
        self._opened = opened
        self._put = import_module("langgraph.store.base").PutOp

    async def store_many(self, items: Sequence[MemoryItem]) -> None:
        self._store.batch(self._puts(items))

    async def store(self, item: MemoryItem) -> None:
        self._store.put(_NAMESPACE, item.id.hex, _value(item))

    async def retrieve(self, item_id: UUID) -> Any:
        return self._store.get(_NAMESPACE, item_id.hex)

    async def page(self, limit: int) -> Sequence[Any]:
        found: Sequence[Any] = self._store.search(_NAMESPACE, limit=limit)
        return found

    async def text(self, needle: str, limit: int) -> Sequence[Any]:
        raise NotImplementedError("LangGraph searches text by embedding only")

    async def tags(self, tag: str, limit: int) -> Sequence[Any]:
        raise NotImplementedError("LangGraph has no filter for one of several tags")

    async def filter(self, key: str, value: str, limit: int) -> Sequence[Any]:
        found: Sequence[Any] = self._store.search(_NAMESPACE, filter={key: value}, limit=limit)
        return found

    def facts(self, answer: Any) -> Facts:
        kept = dict(answer.value)
        return Facts(UUID(answer.key), kept.pop("content"), kept.pop("tags"), kept)

    async def close(self) -> None:
        await self._opened.aclose()

    def _puts(self, items: Sequence[MemoryItem]) -> list[Any]:
        return [self._put(_NAMESPACE, item.id.hex, _value(item)) for item in items]


class LanggraphAsync(Langgraph):
    """An asynchronous store: `AsyncSqliteStore`, say, which hops to a thread for each statement."""

    async def store_many(self, items: Sequence[MemoryItem]) -> None:
        await self._store.abatch(self._puts(items))

    async def store(self, item: MemoryItem) -> None:
        await self._store.aput(_NAMESPACE, item.id.hex, _value(item))

    async def retrieve(self, item_id: UUID) -> Any:
        return await self._store.aget(_NAMESPACE, item_id.hex)

    async def page(self, limit: int) -> Sequence[Any]:
        found: Sequence[Any] = await self._store.asearch(_NAMESPACE, limit=limit)
        return found

    async def filter(self, key: str, value: str, limit: int) -> Sequence[Any]:
        found: Sequence[Any] = await self._store.asearch(
            _NAMESPACE, filter={key: value}, limit=limit
        )
        return found


async def open_langgraph(directory: Path) -> Peer:
    """Open LangGraph's synchronous store as its documentation shows."""
    made = import_module("langgraph.store.sqlite").SqliteStore
    opened = AsyncExitStack()
    store = opened.enter_context(made.from_conn_string(str(directory / _DATABASE)))
    store.setup()
    return Langgraph(store, opened)


async def open_langgraph_async(directory: Path) -> Peer:
    """Open LangGraph's asynchronous store as its documentation shows."""
    made = import_module("langgraph.store.sqlite.aio").AsyncSqliteStore
    opened = AsyncExitStack()
    store = await opened.enter_async_context(made.from_conn_string(str(directory / _DATABASE)))
    await store.setup()
    return LanggraphAsync(store, opened)


def _value(item: MemoryItem) -> dict[str, Any]:
    # Filters look at the top of the value only.
    return {"content": item.content, "tags": item.tags, **item.metadata}

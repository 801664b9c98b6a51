"""The floor: what one writes by hand with psycopg, for the same table.

The same row, the same indexes and the same `MemoryItem`s in and out. It trusts
its input, its server and its answers: no deadline, no check of the server's
role or of what it acknowledged, no error translated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, Final, LiteralString
from uuid import UUID

from psycopg import AsyncConnection

from benchmarks.peer import READS, Facts
from memory_fidelity import MemoryItem

__all__ = ["Lend", "RawPostgres"]

Lend = Callable[[], AbstractAsyncContextManager[AsyncConnection[Any]]]
"""Lends a connection that commits each statement by itself."""

_NAMESPACE: Final = "raw"

_STORE: Final = """
INSERT INTO memory_fidelity.item (namespace, id, kind, created_at, body, folded, terms)
VALUES (%s, %s, 'memory', %s, %s, %s, %s)
ON CONFLICT (namespace, id) DO UPDATE SET
    seq = excluded.seq, created_at = excluded.created_at, body = excluded.body,
    folded = excluded.folded, terms = excluded.terms
"""
_RETRIEVE: Final = """
SELECT id, created_at, body FROM memory_fidelity.item
WHERE namespace = %s AND id = %s AND kind = 'memory'
"""
_PAGE: Final = """
SELECT id, created_at, body FROM memory_fidelity.item
WHERE namespace = %s AND kind = 'memory' ORDER BY seq DESC LIMIT %s
"""
_TEXT: Final = """
SELECT id, created_at, body FROM memory_fidelity.item
WHERE namespace = %s AND kind = 'memory' AND folded LIKE %s ORDER BY seq DESC LIMIT %s
"""
_TAGS: Final = """
SELECT id, created_at, body FROM memory_fidelity.item
WHERE namespace = %s AND kind = 'memory' AND terms && %s::text[] ORDER BY seq DESC LIMIT %s
"""
_FILTER: Final = """
SELECT id, created_at, body FROM memory_fidelity.item
WHERE namespace = %s AND kind = 'memory' AND terms @> %s::text[] ORDER BY seq DESC LIMIT %s
"""


class RawPostgres:
    """Hand-written SQL over connections that are lent by whatever keeps them."""

    reads = READS

    def __init__(self, lend: Lend, opened: AsyncExitStack) -> None:
        """Take what lends connections, and what to undo at the end; the table must exist."""
        self._lend = lend
        self._opened = opened

    async def store_many(self, items: Sequence[MemoryItem]) -> None:
        async with self._lend() as connection, connection.transaction():
            await connection.cursor().executemany(_STORE, [_values(item) for item in items])

    async def store(self, item: MemoryItem) -> None:
        async with self._lend() as connection:
            await connection.execute(_STORE, _values(item))

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        found = await self._items(_RETRIEVE, _NAMESPACE, item_id)
        return found[0] if found else None

    async def page(self, limit: int) -> list[MemoryItem]:
        return await self._items(_PAGE, _NAMESPACE, limit)

    async def text(self, needle: str, limit: int) -> list[MemoryItem]:
        return await self._items(_TEXT, _NAMESPACE, _pattern(needle.casefold()), limit)

    async def tags(self, tag: str, limit: int) -> list[MemoryItem]:
        return await self._items(_TAGS, _NAMESPACE, [_term(tag)], limit)

    async def filter(self, key: str, value: str, limit: int) -> list[MemoryItem]:
        return await self._items(_FILTER, _NAMESPACE, [_entry(key, value)], limit)

    def facts(self, answer: MemoryItem) -> Facts:
        return Facts(answer.id, answer.content, answer.tags, answer.metadata)

    async def close(self) -> None:
        await self._opened.aclose()

    async def _items(self, statement: LiteralString, *values: object) -> list[MemoryItem]:
        async with self._lend() as connection:
            cursor = await connection.execute(statement, values)
            rows = await cursor.fetchall()
        return [_item(*row) for row in rows]


def _values(item: MemoryItem) -> tuple[Any, ...]:
    return (
        _NAMESPACE,
        item.id,
        item.created_at,
        json.dumps(
            [item.content, item.metadata, item.tags], ensure_ascii=False, separators=(",", ":")
        ),
        item.content.casefold(),
        [
            *{_term(tag) for tag in item.tags},
            *(_entry(key, value) for key, value in item.metadata.items()),
        ],
    )


def _item(identity: UUID, created_at: float, body: str) -> MemoryItem:
    content, metadata, tags = json.loads(body)
    return MemoryItem(
        id=identity, content=content, tags=tags, created_at=created_at, metadata=metadata
    )


def _term(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _entry(key: str, value: object) -> str:
    return f"{_term(key)}:{_term(value)}"


def _pattern(text: str) -> str:
    return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"

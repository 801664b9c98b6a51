"""What the tests of the SQLite store ask of a store, and of its file behind its back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from memory_fidelity import MemoryItem, memory_query
from memory_fidelity.adapters._folded_text import searchable
from memory_fidelity.adapters._sqlite_rows import record_of
from memory_fidelity.adapters._terms import terms
from memory_fidelity.adapters.sqlite import SqliteMemoryStore

__all__ = ["contents", "index_faults", "stored"]


async def stored(store: SqliteMemoryStore, *contents: Any, **fields: Any) -> list[MemoryItem]:
    """Write one item for each content, in their order."""
    items = [MemoryItem(content=content, **fields) for content in contents]
    for item in items:
        await store.store(item)
    return items


async def contents(store: SqliteMemoryStore, **query: Any) -> list[Any]:
    """The contents of the hits, in their order."""
    return [item.content for item in await store.search(memory_query(**query))]


def index_faults(path: Path, keys: Iterable[str] = ()) -> list[str]:
    """Every way in which the index of a file with an immediate index is not that of its rows."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT seq, id, body, folded FROM memory").fetchall()
        records = {seq: record_of(identity, body) for seq, identity, body, _ in rows}
        tags = {(tag, seq) for seq, record in records.items() for tag in record.tags or []}
        filters = {
            (key, value, seq)
            for seq, record in records.items()
            for key, value in terms(record.metadata or {}, keys)
        }
        pairs: dict[str, tuple[set[Any], set[Any]]] = {
            "folded": (
                {(seq, folded) for seq, _, _, folded in rows},
                {(seq, searchable(record.content)) for seq, record in records.items()},
            ),
            "tag": (tags, set(connection.execute("SELECT tag, seq FROM tag"))),
            "filter": (filters, set(connection.execute("SELECT key, value, seq FROM filter"))),
            "text": (_grams(rows), _indexed_grams(connection)),
            "integrity": (
                {("ok",)},
                set(connection.execute("PRAGMA integrity_check")),
            ),
        }
    return [
        f"{name}: {expected ^ got}" for name, (expected, got) in pairs.items() if expected != got
    ]


def _grams(rows: Iterable[tuple[int, bytes, str, str]]) -> set[tuple[str, int]]:
    return {
        (folded[start : start + 3], seq)
        for seq, _, _, folded in rows
        for start in range(len(folded) - 2)
    }


def _indexed_grams(connection: sqlite3.Connection) -> set[tuple[str, int]]:
    connection.execute(
        "CREATE VIRTUAL TABLE temp.grams USING fts5vocab('main', 'text_index', 'instance')"
    )
    return set(connection.execute("SELECT term, doc FROM temp.grams"))

"""The index entries of rows: texts, tags and filters, written and taken back together."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple

from memory_fidelity.adapters._sqlite_rows import record_of
from memory_fidelity.adapters._terms import terms
from memory_fidelity.errors import MemoryAdapterError

__all__ = ["Entry", "Written", "backfill", "filter_keys", "index_rows", "refresh", "unindex_rows"]

_PORTION: Final = 500
"""Rows that are read at a time, so that a large file is not read into memory whole."""


class Entry(NamedTuple):
    """What a row is found by."""

    seq: int
    folded: str
    tags: list[str]
    metadata: dict[str, Any]


class Written(NamedTuple):
    """A row as it stands in the file."""

    seq: int
    id: bytes
    body: str
    folded: str


def filter_keys(connection: sqlite3.Connection) -> list[str]:
    """Return the keys that every writer of the file indexes.

    To be read in the transaction that writes: another process may declare more at any time.
    """
    return [key for (key,) in connection.execute("SELECT key FROM filter_key")]


def index_rows(
    connection: sqlite3.Connection, entries: Collection[Entry], keys: Sequence[str]
) -> None:
    """Make these rows visible to search, by filters on these keys among others."""
    connection.executemany(
        "INSERT INTO text_index (rowid, folded) VALUES (?, ?)",
        [(entry.seq, entry.folded) for entry in entries],
    )
    connection.executemany("INSERT INTO tag VALUES (?, ?)", _tags(entries))
    connection.executemany("INSERT INTO filter VALUES (?, ?, ?)", _filters(entries, keys))


def unindex_rows(
    connection: sqlite3.Connection, rows: Collection[Written], keys: Sequence[str]
) -> None:
    """Undo `index_rows`, as the rows stood when they were indexed."""
    connection.executemany(
        "INSERT INTO text_index (text_index, rowid, folded) VALUES ('delete', ?, ?)",
        [(row.seq, row.folded) for row in rows],
    )
    entries = []
    for row in rows:
        try:
            entries.append(_entry(row))
        except MemoryAdapterError:
            # Which entries a damaged row has is no longer known, and replacing it mends it.
            connection.execute("DELETE FROM tag WHERE seq = ?", (row.seq,))
            connection.execute("DELETE FROM filter WHERE seq = ?", (row.seq,))
    connection.executemany("DELETE FROM tag WHERE tag = ? AND seq = ?", _tags(entries))
    connection.executemany(
        "DELETE FROM filter WHERE key = ? AND value = ? AND seq = ?", _filters(entries, keys)
    )


def refresh(connection: sqlite3.Connection) -> None:
    """Bring every row that was written since into a deferred index; part of a transaction."""
    keys = filter_keys(connection)
    waiting = connection.execute(
        "SELECT seq, id, body, folded FROM memory "
        "WHERE seq > (SELECT visible FROM state) AND kind = 'memory'"
    )
    while rows := waiting.fetchmany(_PORTION):
        index_rows(connection, [_entry(Written(*row)) for row in rows], keys)
    connection.execute(
        "UPDATE state SET visible = max(visible, (SELECT coalesce(max(seq), 0) FROM memory))"
    )


def backfill(connection: sqlite3.Connection, keys: Sequence[str]) -> None:
    """Index newly declared keys for the rows that search shows; part of a transaction."""
    shown = connection.execute(
        "SELECT seq, id, body, folded FROM memory WHERE kind = 'memory' AND "
        "((SELECT index_mode FROM state) = 'immediate' OR seq <= (SELECT visible FROM state))"
    )
    while rows := shown.fetchmany(_PORTION):
        entries = [_entry(Written(*row)) for row in rows]
        connection.executemany("INSERT INTO filter VALUES (?, ?, ?)", _filters(entries, keys))


def _entry(row: Written) -> Entry:
    record = record_of(row.id, row.body)
    return Entry(row.seq, row.folded, record.tags or [], record.metadata or {})


def _tags(entries: Collection[Entry]) -> Iterator[tuple[str, int]]:
    return ((tag, entry.seq) for entry in entries for tag in dict.fromkeys(entry.tags))


def _filters(entries: Collection[Entry], keys: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    return (
        (key, value, entry.seq) for entry in entries for key, value in terms(entry.metadata, keys)
    )

"""Writing rows: whole replacement, and an index that never shows an older version."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from memory_fidelity.adapters._sqlite_index import (
    Entry,
    Written,
    filter_keys,
    index_rows,
    unindex_rows,
)
from memory_fidelity.adapters._sqlite_index import refresh as refresh_index
from memory_fidelity.adapters._sqlite_rows import Row
from memory_fidelity.adapters._sqlite_schema import IndexMode, transaction
from memory_fidelity.errors import MemoryAdapterError

__all__ = ["refresh", "write", "write_all"]

_INSERT: Final = (
    "INSERT INTO memory (id, kind, body, folded) VALUES (?, 'memory', ?, ?) "
    "ON CONFLICT (id) DO NOTHING RETURNING seq, id"
)
# The newest `seq` of all, so that a deferred index cannot take the new version for the old one.
_REPLACE: Final = (
    "UPDATE memory SET seq = (SELECT max(seq) + 1 FROM memory), body = ?, folded = ? "
    "WHERE id = ? AND kind = 'memory' RETURNING seq, id"
)


def write(connection: sqlite3.Connection, row: Row, index: IndexMode) -> UUID | None:
    """Write one row, replacing the whole older version of it, if there is one.

    Returns the identity that SQLite gave back, or `None` if it gave none.

    Raises:
        MemoryAdapterError: the id belongs to a record of another kind.
    """
    with transaction(connection):
        return _written(connection, [row], index)[0]


def write_all(connection: sqlite3.Connection, rows: Sequence[Row], index: IndexMode) -> None:
    """Write all rows or none, in their order; of several with one id, the last.

    Raises:
        MemoryAdapterError: an id belongs to a record of another kind, or
            SQLite did not say that it wrote a row.
    """
    last: dict[bytes, Row] = {}
    for row in rows:
        last.pop(row.id, None)
        last[row.id] = row
    with transaction(connection):
        acknowledged = _written(connection, list(last.values()), index)
        if None in acknowledged:
            raise MemoryAdapterError(
                f"sqlite: store_many: expected the identity of each of {len(last)} rows in the "
                f"replies, got {acknowledged.count(None)} without; nothing was written"
            )


def refresh(connection: sqlite3.Connection) -> None:
    """Bring everything that was written into a deferred index."""
    with transaction(connection):
        refresh_index(connection)


def _written(
    connection: sqlite3.Connection, rows: Sequence[Row], index: IndexMode
) -> list[UUID | None]:
    acknowledged: list[UUID | None] = []
    fresh: list[Entry] = []
    stale: list[Written] = []
    # All rows come before all index entries: SQLite flushes the text index at each
    # statement that could be undone by itself, which makes a mixed order very slow.
    for row in rows:
        reply = connection.execute(_INSERT, (row.id, row.body, row.folded)).fetchall()
        if not reply and (old := _older(connection, row.id)):
            if index == "immediate" or old.seq <= _visible(connection):
                stale.append(old)
            reply = connection.execute(_REPLACE, (row.body, row.folded, row.id)).fetchall()
        if not reply:
            acknowledged.append(None)
            continue
        ((seq, identity),) = reply
        acknowledged.append(UUID(bytes=identity))
        fresh.append(Entry(seq, row.folded, row.tags, row.metadata))
    keys = filter_keys(connection)
    if stale:
        unindex_rows(connection, stale, keys)
    if index == "immediate":
        index_rows(connection, fresh, keys)
    return acknowledged


def _older(connection: sqlite3.Connection, identity: bytes) -> Written | None:
    """Return the row that has this identity already."""
    old = connection.execute(
        "SELECT kind, seq, id, body, folded FROM memory WHERE id = ?", (identity,)
    ).fetchone()
    if old is None:
        return None
    kind, *row = old
    if kind != "memory":
        raise MemoryAdapterError(
            f"sqlite: store: expected {UUID(bytes=identity)} to be new or a memory item, "
            f"got a record of kind {kind!r}; nothing was written"
        )
    return Written(*row)


def _visible(connection: sqlite3.Connection) -> int:
    (visible,) = connection.execute("SELECT visible FROM state").fetchone()
    return int(visible)

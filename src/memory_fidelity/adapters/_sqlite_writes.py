"""Writing rows: whole replacement, and an index that never shows an older version."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from uuid import UUID

from memory_fidelity.adapters._sqlite_filters import index_metadata, unindex_metadata
from memory_fidelity.adapters._sqlite_rows import Row, body_of
from memory_fidelity.adapters._sqlite_schema import IndexMode, transaction
from memory_fidelity.errors import MemoryAdapterError

__all__ = ["refresh", "write", "write_all"]

_INSERT = (
    "INSERT INTO memory (id, kind, body, folded) VALUES (?, 'memory', ?, ?) "
    "ON CONFLICT (id) DO NOTHING RETURNING seq, id"
)
# The newest `seq` of all, so that a deferred index cannot take the new version for the old one.
_REPLACE = (
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
        return _written(connection, row, index, _filter_keys(connection))


def write_all(connection: sqlite3.Connection, rows: Iterable[Row], index: IndexMode) -> None:
    """Write all rows or none, in their order.

    Raises:
        MemoryAdapterError: an id belongs to a record of another kind, or
            SQLite did not say that it wrote a row.
    """
    with transaction(connection):
        keys = _filter_keys(connection)
        for row in rows:
            if _written(connection, row, index, keys) is None:
                raise MemoryAdapterError(
                    f"sqlite: store_many: expected the identity {UUID(bytes=row.id)} in the "
                    "reply, got none; nothing was written"
                )


def refresh(connection: sqlite3.Connection) -> None:
    """Bring everything that was written into a deferred index."""
    with transaction(connection):
        keys = _filter_keys(connection)
        waiting = connection.execute(
            "SELECT seq, body, folded FROM memory "
            "WHERE seq > (SELECT visible FROM state) AND kind = 'memory'"
        )
        for seq, text, folded in waiting:
            body = body_of(text)
            _index(connection, seq, folded, body.tags)
            index_metadata(connection, seq, body.metadata, keys)
        connection.execute(
            "UPDATE state SET visible = max(visible, (SELECT coalesce(max(seq), 0) FROM memory))"
        )


def _filter_keys(connection: sqlite3.Connection) -> list[str]:
    # Read in the same transaction: another process may have declared more since.
    return [key for (key,) in connection.execute("SELECT key FROM filter_key")]


def _written(
    connection: sqlite3.Connection, row: Row, index: IndexMode, keys: list[str]
) -> UUID | None:
    reply = connection.execute(_INSERT, (row.id, row.body, row.folded)).fetchall()
    if not reply and _forget(connection, row.id, index, keys):
        reply = connection.execute(_REPLACE, (row.body, row.folded, row.id)).fetchall()
    if not reply:
        return None
    ((seq, identity),) = reply
    if index == "immediate":
        _index(connection, seq, row.folded, row.tags)
        index_metadata(connection, seq, row.metadata, keys)
    return UUID(bytes=identity)


def _forget(
    connection: sqlite3.Connection, identity: bytes, index: IndexMode, keys: list[str]
) -> bool:
    """Take the older version out of the index; false if there is none."""
    old = connection.execute(
        "SELECT seq, kind, body, folded, seq > (SELECT visible FROM state) "
        "FROM memory WHERE id = ?",
        (identity,),
    ).fetchone()
    if old is None:
        return False
    seq, kind, text, folded, unseen = old
    if kind != "memory":
        raise MemoryAdapterError(
            f"sqlite: store: expected {UUID(bytes=identity)} to be new or a memory item, "
            f"got a record of kind {kind!r}; nothing was written"
        )
    if index == "immediate" or not unseen:
        _unindex(connection, seq, text, folded, keys)
    return True


def _index(connection: sqlite3.Connection, seq: int, folded: str, tags: list[str]) -> None:
    connection.execute("INSERT INTO text_index (rowid, folded) VALUES (?, ?)", (seq, folded))
    for tag in dict.fromkeys(tags):
        connection.execute("INSERT INTO tag VALUES (?, ?)", (tag, seq))


def _unindex(
    connection: sqlite3.Connection, seq: int, text: str, folded: str, keys: list[str]
) -> None:
    connection.execute(
        "INSERT INTO text_index (text_index, rowid, folded) VALUES ('delete', ?, ?)", (seq, folded)
    )
    try:
        body = body_of(text)
    except MemoryAdapterError:
        # Which entries a damaged row has is no longer known, and replacing it mends it.
        connection.execute("DELETE FROM tag WHERE seq = ?", (seq,))
        connection.execute("DELETE FROM filter WHERE seq = ?", (seq,))
        return
    for tag in dict.fromkeys(body.tags):
        connection.execute("DELETE FROM tag WHERE tag = ? AND seq = ?", (tag, seq))
    unindex_metadata(connection, seq, body.metadata, keys)

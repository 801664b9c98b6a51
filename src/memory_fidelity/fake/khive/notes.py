"""The records of one folder, in a database that the processes of the service share."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

__all__ = ["DATABASE", "Notes"]

DATABASE: Final = "khive.db"

Note = dict[str, Any]

_TABLES: Final = """
    CREATE TABLE IF NOT EXISTS note (
        number INTEGER PRIMARY KEY, id TEXT UNIQUE, namespace TEXT, kind TEXT, note TEXT,
        indexed INTEGER DEFAULT 1
    )
"""


class Notes:
    """Reads and writes notes; each step is one transaction."""

    def __init__(self, folder: Path) -> None:
        """Use the database of the folder, which the first step makes."""
        self._database = folder / DATABASE

    def add(self, kind: str, namespace: str, indexed: bool = True, **fields: Any) -> Note:
        """Make a note, with an id of its own and the time of now."""
        with closing(self._connection()) as database, database:
            note = _note(kind, namespace, _later(database), fields)
            database.execute(
                "INSERT INTO note (id, namespace, kind, note, indexed) VALUES (?, ?, ?, ?, ?)",
                (note["id"], namespace, kind, _text(note), indexed),
            )
        return note

    def replace(self, note: Note, indexed: bool = True) -> Note:
        """Write a note over the one of its id; the time of the change is now."""
        note = {**note, "updated_at": _shown(datetime.now(UTC))}
        with closing(self._connection()) as database, database:
            database.execute(
                "UPDATE note SET note = ?, indexed = ? WHERE id = ?",
                (_text(note), indexed, note["id"]),
            )
        return note

    def remove(self, native_id: str) -> bool:
        """Remove the note of an id; tell whether there was one."""
        with closing(self._connection()) as database, database:
            return database.execute("DELETE FROM note WHERE id = ?", (native_id,)).rowcount > 0

    def get(self, native_id: str) -> Note | None:
        """Return the note of an id, or of the id that begins with these eight letters."""
        beginning = native_id if len(native_id) == 8 else ""
        with closing(self._connection()) as database:
            rows = database.execute(
                "SELECT note FROM note WHERE id = ? OR (? <> '' AND substr(id, 1, 8) = ?)",
                (native_id, beginning, beginning),
            ).fetchall()
        return json.loads(rows[0][0]) if len(rows) == 1 else None

    def all(self, kind: str | None, namespace: str, *, indexed: bool = False) -> Iterator[Note]:
        """Return the notes of a kind, or of all kinds, in a namespace, first written first."""
        chosen = "SELECT note FROM note WHERE namespace = ? AND (? IS NULL OR kind = ?)"
        order = " AND indexed ORDER BY number" if indexed else " ORDER BY number"
        with closing(self._connection()) as database:
            rows = database.execute(chosen + order, (namespace, kind, kind)).fetchall()
        return (json.loads(text) for (text,) in rows)

    def everything(self) -> list[Note]:
        """Return every note of every namespace, first written first."""
        with closing(self._connection()) as database:
            rows = database.execute("SELECT note FROM note ORDER BY number").fetchall()
        return [json.loads(text) for (text,) in rows]

    def index(self) -> None:
        """Index every note."""
        with closing(self._connection()) as database, database:
            database.execute("UPDATE note SET indexed = 1")

    def clear(self) -> None:
        """Remove every note."""
        with closing(self._connection()) as database, database:
            database.execute("DELETE FROM note")

    def _connection(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._database, timeout=30)
        # What a power failure would take is nobody's.
        database.execute("PRAGMA synchronous = OFF")
        database.execute(_TABLES)
        return database


def _note(kind: str, namespace: str, created: str, fields: dict[str, Any]) -> Note:
    return {
        "content": None,
        "created_at": created,
        "decay_factor": None,
        "deleted_at": None,
        "expires_at": None,
        "id": str(uuid4()),
        "kind": kind,
        "name": None,
        "namespace": namespace,
        "properties": None,
        "salience": None,
        "status": "active",
        "updated_at": created,
        **fields,
    }


def _later(database: sqlite3.Connection) -> str:
    """The time of now, or just after that of the last note: no two share one."""
    now = _shown(datetime.now(UTC))
    ((last,),) = database.execute("SELECT max(json_extract(note, '$.created_at')) FROM note")
    if last is None or last < now:
        return now
    return _shown(datetime.fromisoformat(last) + timedelta(microseconds=1))


def _shown(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _text(note: Note) -> str:
    # khive, too, gives mappings back with their keys sorted.
    return json.dumps(note, sort_keys=True)

"""The records of one folder, in a database that the processes of the service share."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

__all__ = ["DATABASE", "Notes"]

DATABASE: Final = "khive.db"

Note = dict[str, Any]

_TABLES: Final = """
    CREATE TABLE IF NOT EXISTS note (
        number INTEGER PRIMARY KEY, id TEXT UNIQUE, namespace TEXT, kind TEXT, created TEXT,
        note TEXT, indexed INTEGER DEFAULT 1
    )
"""

# SQLite's `lower` knows the letters of ASCII alone, as khive's queries do.
_MATCHING: Final = """
    SELECT note FROM note
    WHERE namespace = ? AND (? IS NULL OR kind = ?)
        AND json_type(note, ?) = 'text' AND lower(json_extract(note, ?)) = lower(?)
    ORDER BY id
"""


class Notes:
    """Reads and writes notes; each step is one transaction."""

    def __init__(self, folder: Path) -> None:
        """Use the database of the folder, which the first step makes."""
        self._place = folder / DATABASE

    def add(self, kind: str, namespace: str, indexed: bool = True, **fields: Any) -> Note:
        """Make a note, with an id of its own and the time of now."""
        with self._database as database:
            note = _note(kind, namespace, _later(database), fields)
            database.execute(
                "INSERT INTO note (id, namespace, kind, created, note, indexed)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (note["id"], namespace, kind, note["created_at"], _text(note), indexed),
            )
        return note

    def replace(self, note: Note, indexed: bool = True) -> Note:
        """Write a note over the one of its id; the time of the change is now."""
        note = {**note, "updated_at": _shown(datetime.now(UTC))}
        with self._database as database:
            database.execute(
                "UPDATE note SET note = ?, indexed = ? WHERE id = ?",
                (_text(note), indexed, note["id"]),
            )
        return note

    def remove(self, native_id: str) -> bool:
        """Remove the note of an id; tell whether there was one."""
        with self._database as database:
            return database.execute("DELETE FROM note WHERE id = ?", (native_id,)).rowcount > 0

    def get(self, native_id: str) -> Note | None:
        """Return the note of an id, or of the id that begins with these eight letters."""
        chosen = "SELECT note FROM note WHERE id = ?"
        if len(native_id) == 8:
            chosen = "SELECT note FROM note WHERE substr(id, 1, 8) = ?"
        rows = self._database.execute(chosen, (native_id,)).fetchall()
        return json.loads(rows[0][0]) if len(rows) == 1 else None

    def all(self, kind: str, namespace: str, *, indexed: bool = False) -> Iterator[Note]:
        """Return the notes of a kind in a namespace, first written first."""
        chosen = "SELECT note FROM note WHERE namespace = ? AND kind = ?"
        order = " AND indexed ORDER BY number" if indexed else " ORDER BY number"
        rows = self._database.execute(chosen + order, (namespace, kind)).fetchall()
        return (json.loads(text) for (text,) in rows)

    def matching(
        self, kind: str | None, namespace: str, group: str, name: str, value: str
    ) -> Iterator[Note]:
        """Return the notes in one of whose properties a name has a text, ASCII in any case.

        `group` and `name` are made of letters, digits and `_`.
        """
        path = f"$.properties.{group}.{name}"
        given = (namespace, kind, kind, path, path, value)
        rows = self._database.execute(_MATCHING, given).fetchall()
        return (json.loads(text) for (text,) in rows)

    def everything(self) -> list[Note]:
        """Return every note of every namespace, first written first."""
        rows = self._database.execute("SELECT note FROM note ORDER BY number").fetchall()
        return [json.loads(text) for (text,) in rows]

    def index(self) -> None:
        """Index every note."""
        with self._database as database:
            database.execute("UPDATE note SET indexed = 1")

    def clear(self) -> None:
        """Remove every note."""
        with self._database as database:
            database.execute("DELETE FROM note")

    def close(self) -> None:
        """Close the database, if it was opened; the next step would open it again."""
        opened = self.__dict__.pop("_database", None)
        if opened is not None:
            opened.close()

    @cached_property
    def _database(self) -> sqlite3.Connection:
        # One step at a time; the steps of one case may come from several threads.
        database = sqlite3.connect(self._place, timeout=30, check_same_thread=False)
        database.execute("PRAGMA journal_mode = WAL")
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
    ((last,),) = database.execute("SELECT max(created) FROM note")
    if last is None or last < now:
        return now
    return _shown(datetime.fromisoformat(last) + timedelta(microseconds=1))


def _shown(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _text(note: Note) -> str:
    # khive, too, gives mappings back with their keys sorted.
    return json.dumps(note, sort_keys=True)

"""The records of one folder, in a database that the processes of the service share."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

__all__ = ["DATABASE", "Note", "Notes"]

DATABASE: Final = "khive.db"

Note = dict[str, Any]
"""A record as khive shows it; most are notes."""

_TABLES: Final = """
    CREATE TABLE IF NOT EXISTS note (
        number INTEGER PRIMARY KEY, id TEXT UNIQUE, namespace TEXT, kind TEXT, created TEXT,
        note TEXT, indexed INTEGER DEFAULT 1, removed INTEGER DEFAULT 0
    )
"""

_MATCHING: Final = """
    SELECT note FROM note WHERE NOT removed AND namespace = ? AND (? IS NULL OR kind = ?)
"""
# SQLite's `lower` knows the letters of ASCII alone, as khive's queries do.
_CONDITIONS: Final = {
    str: " AND json_type(note, ?) = 'text' AND lower(json_extract(note, ?)) = lower(?)",
    float: " AND json_type(note, ?) IN ('integer', 'real') AND json_extract(note, ?) = ?",
}
"""By the type of the value that a property is to have."""


class Notes:
    """Reads and writes records; each step is one transaction.

    What was removed softly is there for those who ask for it, and for nobody else.
    """

    def __init__(self, folder: Path) -> None:
        """Use the database of the folder, which the first step makes."""
        self._place = folder / DATABASE

    def add(self, note: Note, indexed: bool = True) -> Note:
        """Keep a new record, with an id of its own and the time of now."""
        with self._database as database:
            made = _later(database)
            note = {**note, "id": str(uuid4()), "created_at": made, "updated_at": made}
            database.execute(
                "INSERT INTO note (id, namespace, kind, created, note, indexed)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (note["id"], note["namespace"], note["kind"], made, _text(note), indexed),
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

    def hide(self, note: Note) -> None:
        """Remove a record softly."""
        hidden = {**note, "deleted_at": _shown(datetime.now(UTC))}
        if "status" in note:
            hidden["status"] = "deleted"
        with self._database as database:
            database.execute(
                "UPDATE note SET note = ?, removed = 1 WHERE id = ?", (_text(hidden), note["id"])
            )

    def remove(self, native_id: str) -> None:
        """Remove a record for good."""
        with self._database as database:
            database.execute("DELETE FROM note WHERE id = ?", (native_id,))

    def get(self, native_id: str, *, removed: bool = False) -> Note | None:
        """Return the record of an id, or of the id that begins with these eight letters."""
        chosen = "SELECT note FROM note WHERE id = ? AND removed <= ?"
        if len(native_id) == 8:
            chosen = "SELECT note FROM note WHERE substr(id, 1, 8) = ? AND removed <= ?"
        rows = self._database.execute(chosen, (native_id, removed)).fetchall()
        return json.loads(rows[0][0]) if len(rows) == 1 else None

    def all(self, kinds: Iterable[str], namespace: str, *, indexed: bool = False) -> Iterator[Note]:
        """Return the records of these kinds in a namespace, first written first."""
        wanted = tuple(kinds)
        chosen = "SELECT note FROM note WHERE NOT removed AND namespace = ?"
        of_kinds = f" AND kind IN ({', '.join('?' * len(wanted))})"
        order = " AND indexed ORDER BY number" if indexed else " ORDER BY number"
        rows = self._database.execute(chosen + of_kinds + order, (namespace, *wanted)).fetchall()
        return (json.loads(text) for (text,) in rows)

    def matching(
        self, kind: str | None, namespace: str, path: str, value: str | float
    ) -> Iterator[Note]:
        """Return the records that have a value at a path, texts with ASCII in any case.

        The path consists of words of letters, digits and `_`, with dots between.
        """
        chosen = _MATCHING + _CONDITIONS[type(value)] + " ORDER BY id"
        given = (namespace, kind, kind, f"$.{path}", f"$.{path}", value)
        rows = self._database.execute(chosen, given).fetchall()
        return (json.loads(text) for (text,) in rows)

    def everything(self) -> list[Note]:
        """Return every record of every namespace, first written first."""
        chosen = "SELECT note FROM note WHERE NOT removed ORDER BY number"
        rows = self._database.execute(chosen).fetchall()
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

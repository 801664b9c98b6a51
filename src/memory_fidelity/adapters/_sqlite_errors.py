"""What SQLite's own errors mean in the terms of the contract (E2 to E4)."""

from __future__ import annotations

import sqlite3
from typing import Final

from memory_fidelity.errors import MemoryAdapterError, MemoryAdapterUnavailable

__all__ = ["typed"]

_PRIMARY: Final = 0xFF
"""The low byte of an extended result code names the kind of error."""

_OUTAGES: Final[dict[int, str]] = {
    sqlite3.SQLITE_BUSY: "one that another connection has locked",
    sqlite3.SQLITE_CANTOPEN: "one that cannot be opened",
    sqlite3.SQLITE_CORRUPT: "one that is damaged",
    sqlite3.SQLITE_FULL: "a full disk or database",
    sqlite3.SQLITE_INTERRUPT: "an interruption",
    sqlite3.SQLITE_IOERR: "an input or output error",
    sqlite3.SQLITE_LOCKED: "a locked table",
    sqlite3.SQLITE_NOMEM: "no memory",
    sqlite3.SQLITE_NOTADB: "one that is no SQLite database",
    sqlite3.SQLITE_PERM: "one that may not be opened",
    sqlite3.SQLITE_PROTOCOL: "a failure of file locking",
    sqlite3.SQLITE_READONLY: "one that is read-only",
}

_WROTE_NOTHING: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)
"""After these the transaction was rolled back, or never began."""


def typed(error: sqlite3.Error, subject: str, *, writes: bool) -> MemoryAdapterError:
    """Return the error of the contract for an error of SQLite; chaining is the caller's.

    SQLite's own message is left to the cause. `subject` says who did what to which file.
    """
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    if code in _OUTAGES:
        text = f"{subject}: expected a usable database, got {_OUTAGES[code]} ({name})"
        return MemoryAdapterUnavailable(text + (_outcome(code) if writes else ""))
    text = f"{subject}: expected SQLite to carry it out, got {name}"
    return MemoryAdapterError(text + ("; the write did not happen" if writes else ""))


def _outcome(code: int) -> str:
    if code in _WROTE_NOTHING:
        return "; the write did not happen"
    return "; whether the write happened is unknown"

"""The file of a SQLite store: its stamp, its tables, how it is opened and refused."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from memory_fidelity.adapters._sqlite_errors import typed
from memory_fidelity.adapters._sqlite_index import backfill, filter_keys
from memory_fidelity.errors import MemoryAdapterUnavailable

__all__ = ["IN_MEMORY", "IndexMode", "Settings", "Synchronous", "opened", "transaction"]

IndexMode = Literal["immediate", "deferred"]
"""When a write reaches the search index: with it, or at the next refresh."""

Synchronous = Literal["NORMAL", "FULL", "EXTRA"]
"""SQLite's setting of the same name: what is flushed before a write is acknowledged."""

IN_MEMORY: Final = ":memory:"

_APPLICATION: Final = int.from_bytes(b"mfid")
_FORMAT: Final = 1
_OLDEST_SQLITE: Final = (3, 35)

_TABLES: Final = (
    # `body` stands before `folded`, so that reading it never walks past a long text.
    """CREATE TABLE memory (
        seq INTEGER PRIMARY KEY,
        id BLOB NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        folded TEXT NOT NULL
    )""",
    # Positions would make the index three times as large; hits are verified anyway.
    """CREATE VIRTUAL TABLE text_index USING fts5 (
        folded, content='memory', content_rowid='seq',
        tokenize='trigram case_sensitive 1', detail=none, columnsize=0
    )""",
    """CREATE TABLE tag (
        tag TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (tag, seq)
    ) WITHOUT ROWID""",
    """CREATE TABLE filter (
        key TEXT NOT NULL, value TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (key, value, seq)
    ) WITHOUT ROWID""",
    "CREATE TABLE filter_key (key TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE state (index_mode TEXT NOT NULL, visible INTEGER NOT NULL)",
)
"""`state` is one row: the index mode, and the last `seq` that a deferred index shows."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Where a store keeps its items, and how."""

    name: str
    """The manifest's `adapter`, for messages."""
    path: str
    """An absolute path, or `:memory:`."""
    filters: frozenset[str]
    index: IndexMode
    synchronous: Synchronous
    lock_timeout: float
    """Seconds to wait for another connection's write."""
    create: bool

    @property
    def in_memory(self) -> bool:
        return self.path == IN_MEMORY


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do what is inside whole or not at all; waits for other writers at its start."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # SQLite has already rolled back after some errors, such as a full disk.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def opened(settings: Settings) -> sqlite3.Connection:
    """Return a connection to a file that is this store's, made if it may be.

    A file that is not, or that is of a later format, is left as it is.

    Raises:
        MemoryAdapterUnavailable: there is no such file to be had.
    """
    subject = f"{settings.name}: open {settings.path}"
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise MemoryAdapterUnavailable(
            f"{subject}: expected SQLite 3.35 or later, got {sqlite3.sqlite_version}"
        )
    try:
        connection = _connected(settings)
        try:
            _prepare(connection, settings, subject)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        failure = typed(error, subject, writes=False)
        raise MemoryAdapterUnavailable(str(failure)) from error
    return connection


def _connected(settings: Settings) -> sqlite3.Connection:
    mode = "rwc" if settings.create else "rw"
    target = IN_MEMORY if settings.in_memory else f"{Path(settings.path).as_uri()}?mode={mode}"
    return sqlite3.connect(
        target,
        timeout=settings.lock_timeout,
        isolation_level=None,
        uri=not settings.in_memory,
    )


def _prepare(connection: sqlite3.Connection, settings: Settings, subject: str) -> None:
    # The names are a closed set, so this is no way in for other SQL.
    connection.execute(f"PRAGMA synchronous = {settings.synchronous}")
    connection.execute("PRAGMA temp_store = MEMORY")
    # One view of the file: another process may be making it at this moment.
    connection.execute("BEGIN")
    new = _is_new(connection, subject)
    connection.execute("COMMIT")
    if new:
        if not settings.create:
            raise MemoryAdapterUnavailable(f"{subject}: expected a store, got an empty file")
        _use_write_ahead_log(connection, settings)
        _make(connection, settings, subject)
    else:
        _use_write_ahead_log(connection, settings)
    _check_index_mode(connection, settings, subject)
    _register(connection, settings)


def _is_new(connection: sqlite3.Connection, subject: str) -> bool:
    """Whether the file is still empty; refuses one that is someone else's."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application == _APPLICATION and version == _FORMAT:
        return False
    if application == _APPLICATION:
        raise MemoryAdapterUnavailable(f"{subject}: expected format {_FORMAT}, got {version}")
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application or version or tables:
        raise MemoryAdapterUnavailable(
            f"{subject}: expected a store made by this adapter (application_id {_APPLICATION}), "
            f"got another database (application_id {application}, user_version {version}, "
            f"{tables} tables and indexes)"
        )
    return True


def _use_write_ahead_log(connection: sqlite3.Connection, settings: Settings) -> None:
    """Readers and the writer of the file do not wait for each other from here on."""
    deadline = time.monotonic() + settings.lock_timeout
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > deadline:
                raise
        # SQLite does not wait for another process that is doing the same; for its write it does.
        with transaction(connection):
            pass


def _make(connection: sqlite3.Connection, settings: Settings, subject: str) -> None:
    with transaction(connection):
        if not _is_new(connection, subject):
            return
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute("INSERT INTO state VALUES (?, 0)", (settings.index,))
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {_FORMAT}")


def _check_index_mode(connection: sqlite3.Connection, settings: Settings, subject: str) -> None:
    (mode,) = connection.execute("SELECT index_mode FROM state").fetchone()
    if mode != settings.index:
        raise MemoryAdapterUnavailable(
            f"{subject}: expected a file with index={settings.index!r}, as this store is set to, "
            f"got one made with index={mode!r}"
        )


def _register(connection: sqlite3.Connection, settings: Settings) -> None:
    """Have every writer of the file index this store's filters, and index what is there."""
    if settings.filters.issubset(filter_keys(connection)):
        return
    with transaction(connection):
        added = sorted(settings.filters.difference(filter_keys(connection)))
        connection.executemany("INSERT INTO filter_key VALUES (?)", [(key,) for key in added])
        backfill(connection, added)

"""Harnesses for `SqliteMemoryStore`: the real library on a real file, in both lanes.

On the fake lane, faults are planted by what SQLite itself offers: triggers,
locks, a second connection, the progress handler. Nothing imitates it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import ClassVar, Final
from uuid import UUID

from memory_fidelity.adapter import Record, Search
from memory_fidelity.adapters._sqlite_index import Entry, filter_keys, index_rows
from memory_fidelity.adapters._sqlite_rows import row_of
from memory_fidelity.adapters._sqlite_schema import IndexMode, Settings, opened, transaction
from memory_fidelity.adapters.sqlite import SqliteMemoryStore
from memory_fidelity.store import ExternalMemoryStore
from memory_fidelity.testing.harness import Call

__all__ = ["RiggedSqlite", "RiggedSqliteDeferred", "SqliteFile", "SqliteFileDeferred"]

_FILTERS: Final = frozenset({"n", "user"})


def _settings(path: Path, index: IndexMode) -> Settings:
    return Settings(
        name="sqlite-harness",
        path=str(path),
        filters=_FILTERS,
        index=index,
        synchronous="NORMAL",
        lock_timeout=5.0,
        create=True,
    )


@cache
def _new_file(index: IndexMode) -> bytes:
    """The bytes of a file that was just made; making it waits for the disk several times."""
    with TemporaryDirectory(prefix="memory-fidelity-") as directory:
        path = Path(directory, "memory.db")
        opened(_settings(path, index)).close()
        return path.read_bytes()


class SqliteFile:
    """A file in a directory of its own, made with the first store; the live lane."""

    index: ClassVar[IndexMode] = "immediate"
    service: ClassVar[dict[str, str]] = {"SQLite": sqlite3.sqlite_version}

    def __init__(self) -> None:
        """Make nothing yet."""
        self._root: TemporaryDirectory[str] | None = None
        self._stores: list[SqliteMemoryStore] = []

    async def make_store(self) -> ExternalMemoryStore:
        """Return a new store on the file, with the defaults of the store."""
        return self._kept(
            SqliteMemoryStore(self._directory() / "memory.db", filters=_FILTERS, index=self.index)
        )

    async def reset(self) -> None:
        """Delete every row and every index entry of every file."""
        for path in self._directory().glob("*.db"):
            with self._outside(path.stem) as connection, transaction(connection):
                connection.execute("INSERT INTO text_index (text_index) VALUES ('delete-all')")
                connection.execute("DELETE FROM tag")
                connection.execute("DELETE FROM filter")
                connection.execute("DELETE FROM memory")
                connection.execute("UPDATE state SET visible = 0")

    async def make_search_index_visible(self) -> None:
        """Refresh each file's index through a store of its own: the others may be closed."""
        if self.index == "immediate":
            return
        for path in self._directory().glob("*.db"):
            async with SqliteMemoryStore(path, filters=_FILTERS, index=self.index) as store:
                await store.refresh()

    async def make_transport_unavailable(self) -> None:
        """Move the directory away, so that no file is there and none can be made."""
        directory = self._directory()
        directory.rename(directory.with_name("away"))

    async def close(self) -> None:
        """Close the stores and remove the directory; twice is safe."""
        while self._stores:
            await self._stores.pop().close()
        if self._root is not None:
            self._root.cleanup()

    def _kept(self, store: SqliteMemoryStore) -> SqliteMemoryStore:
        self._stores.append(store)
        return store

    def _directory(self) -> Path:
        if self._root is None:
            self._root = TemporaryDirectory(prefix="memory-fidelity-")
            Path(self._root.name, "service").mkdir()
        return Path(self._root.name, "service")

    @contextmanager
    def _outside(self, name: str = "memory") -> Iterator[sqlite3.Connection]:
        """A connection past the stores, to a file as they would open or make it."""
        settings = _settings(self._directory() / f"{name}.db", self.index)
        with closing(opened(settings)) as connection:
            yield connection


class SqliteFileDeferred(SqliteFile):
    """The same with an index that only a refresh brings up to date."""

    index: ClassVar[IndexMode] = "deferred"


class RiggedSqlite(SqliteFile):
    """The fake lane: a real file, with faults planted in it and calls watched."""

    def __init__(self) -> None:
        """Make nothing yet."""
        super().__init__()
        self._calls: list[Call] = []
        self._foreign = 0
        self._rigged = False
        self._breaks = False
        self._holder: sqlite3.Connection | None = None
        self._watched: list[_WatchedStore] = []
        self._hangs = False
        self._answers = Event()

    async def make_store(self) -> ExternalMemoryStore:
        """Return a new store whose statements are recorded."""
        return await self.open_scope("memory")

    async def open_scope(self, name: str) -> ExternalMemoryStore:
        """Return such a store on the file of this name."""
        path = self._directory() / f"{name}.db"
        if path.parent.exists() and not path.exists():
            path.write_bytes(_new_file(self.index))
        store = _WatchedStore(self, path, self.index)
        self._watched.append(store)
        return self._kept(store)

    async def close(self) -> None:
        """Let go of everything that is held, and close the stores."""
        await self.resume()
        await super().close()

    def calls(self) -> tuple[Call, ...]:
        """Every statement of the stores so far, with its values."""
        return tuple(self._calls)

    async def plant_foreign_record(self) -> UUID:
        """Write a row of another kind, indexed as an item is, and older than all items."""
        self._foreign += 1
        identity = UUID(int=self._foreign, version=4)
        row = row_of(Record(identity, "A note", ["note"], 1767236400.0, {"user": "ada", "n": 1}))
        with self._outside() as connection, transaction(connection):
            # The first of all rows is 1, as it is for an item: SQLite counts on from the largest.
            (seq,) = connection.execute("SELECT coalesce(min(seq), 2) - 1 FROM memory").fetchone()
            connection.execute(
                "INSERT INTO memory VALUES (?, ?, 'note', ?, ?)",
                (seq, row.id, row.body, row.folded),
            )
            entry = Entry(seq, row.folded, row.tags, row.metadata)
            index_rows(connection, [entry], filter_keys(connection))
        return identity

    async def holds(self, identity: UUID) -> bool:
        """Whether the file has a row of this identity, of any kind."""
        with self._outside() as connection:
            found = connection.execute("SELECT 1 FROM memory WHERE id = ?", (identity.bytes,))
            return found.fetchone() is not None

    async def reject_next_write(self) -> None:
        """A trigger refuses the next insert."""
        self._rig("RAISE(ABORT, 'refused')")

    async def withhold_next_identity(self) -> None:
        """A trigger passes over the next insert, so that no identity is returned."""
        self._rig("RAISE(IGNORE)")

    async def corrupt_next_response(self) -> None:
        """Every row that is there becomes half a JSON text."""
        with self._outside() as connection:
            connection.execute("UPDATE memory SET body = substr(body, 1, length(body) / 2)")

    async def break_next_call(self) -> None:
        """The next statement of any store is interrupted while it runs."""
        self._breaks = True
        for store in self._watched:
            await store.let_interrupt()

    async def hang_next_write(self) -> None:
        """A second connection holds the write lock, for which the next write waits."""
        with self._outside() as connection:
            (_, _, path) = connection.execute("PRAGMA database_list").fetchone()
        self._holder = sqlite3.connect(path, isolation_level=None)
        self._holder.execute("BEGIN IMMEDIATE")

    async def hang_next_read(self) -> None:
        """The next read stops at its first step, on the thread of its connection."""
        self._hangs = True

    async def resume(self) -> None:
        """The second connection lets the lock go, and the read goes on."""
        self._hangs = False
        self._answers.set()
        self._answers = Event()
        holder, self._holder = self._holder, None
        if holder is not None:
            holder.close()

    async def delay_index(self) -> None:
        """Nothing to arrange: only `refresh` indexes a file whose index is deferred.

        An immediate index is part of the write and cannot be held back; a store
        that calls it `eventual` is found out by that.
        """

    def record(self, statement: str) -> None:
        """Add a statement to the journal, unless SQLite ran it inside another one."""
        if not statement.startswith("--"):
            self._calls.append(Call(statement.split(maxsplit=1)[0], statement))

    def interrupts(self) -> bool:
        """Whether to interrupt now: once for each time that it was asked for."""
        breaks, self._breaks = self._breaks, False
        return breaks

    def hangs(self) -> Event | None:
        """What the next read waits for, once for each time that it was asked for."""
        hangs, self._hangs = self._hangs, False
        return self._answers if hangs else None

    def disarm(self) -> None:
        """Take the trigger away, if there is one."""
        if self._rigged:
            self._rigged = False
            with self._outside() as connection:
                connection.execute("DROP TRIGGER rig")

    def _rig(self, fault: str) -> None:
        self.disarm()
        self._rigged = True
        with self._outside() as connection:
            connection.execute(
                f"CREATE TRIGGER rig BEFORE INSERT ON memory BEGIN SELECT {fault}; END"
            )


class RiggedSqliteDeferred(RiggedSqlite):
    """The same with an index that only a refresh brings up to date."""

    index: ClassVar[IndexMode] = "deferred"


class _WatchedStore(SqliteMemoryStore):
    """The store itself, with a recorder on its connection."""

    def __init__(self, rig: RiggedSqlite, path: Path, index: IndexMode) -> None:
        super().__init__(path, filters=_FILTERS, index=index, synchronous="NORMAL")
        self._rig = rig

    def on_open(self, connection: sqlite3.Connection) -> None:
        # No case cuts the power, and flushing each write is most of the time of a run.
        connection.execute("PRAGMA synchronous = OFF")
        connection.set_trace_callback(self._rig.record)

    async def native_store(self, record: Record) -> UUID | None:
        try:
            return await super().native_store(record)
        finally:
            self._rig.disarm()

    async def native_retrieve(self, item_id: UUID) -> Record | None:
        await self._let_hang()
        return await super().native_retrieve(item_id)

    async def native_search(self, search: Search) -> list[Record]:
        await self._let_hang()
        return await super().native_search(search)

    async def _let_hang(self) -> None:
        if (answers := self._rig.hangs()) is not None:
            await self._at_each_step(lambda: not answers.wait())

    async def let_interrupt(self) -> None:
        """Ask the rig, at every step of every statement from now on, whether to stop."""
        await self._at_each_step(self._rig.interrupts)

    async def _at_each_step(self, interrupts: Callable[[], bool]) -> None:
        await self._thread.run(
            "rig", lambda connection: connection.set_progress_handler(interrupts, 1)
        )

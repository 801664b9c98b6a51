"""`SqliteMemoryStore`: every item kept exactly, in one SQLite file, with no server."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import ClassVar, Final, TypeVar, get_args
from uuid import UUID

from memory_fidelity.adapter import MemoryAdapter, Record, Search
from memory_fidelity.adapters._settings import filter_keys
from memory_fidelity.adapters._sqlite_card import card_of, manifest_of
from memory_fidelity.adapters._sqlite_query import find, read
from memory_fidelity.adapters._sqlite_rows import row_of
from memory_fidelity.adapters._sqlite_schema import IN_MEMORY, IndexMode, Settings, Synchronous
from memory_fidelity.adapters._sqlite_thread import ConnectionThread
from memory_fidelity.adapters._sqlite_writes import refresh, write, write_all
from memory_fidelity.store import MemoryItem

__all__ = ["SqliteMemoryStore"]

Choice = TypeVar("Choice")

_LONGEST_WAIT: Final = (2**31 - 1) // 1000
"""SQLite counts milliseconds in 32 bits, and does not wait at all for more than fit."""


class SqliteMemoryStore(MemoryAdapter):
    """Keeps items in one SQLite file, or in memory, whole and exactly.

    Several tasks, loops and threads may use one store, and several processes
    one file. Searches give the newest write first. With `index="deferred"`,
    writes can be retrieved at once and are found after `refresh()`.
    """

    fresh_records: ClassVar[bool] = True

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        filters: Iterable[str] = (),
        index: IndexMode = "immediate",
        synchronous: Synchronous = "FULL",
        lock_timeout: float = 5.0,
        create: bool = True,
    ) -> None:
        """Say where and how; the first call opens the file.

        `path` is a file, or `:memory:` for a database of this instance alone.
        `filters` are the metadata keys that can be filtered on. `synchronous`
        is SQLite's: with `NORMAL`, the last writes before a power failure may
        be lost. `lock_timeout` is how many seconds to wait for another
        connection's write. Unless `create`, the file must exist.

        Raises:
            TypeError: `path` or `filters` is of another type.
            ValueError: a setting has another value than those offered.
        """
        settings = Settings(
            name="sqlite" if index == "immediate" else "sqlite-deferred",
            path=_absolute(path),
            filters=filter_keys(filters),
            index=_one_of("index", index, get_args(IndexMode)),
            synchronous=_one_of("synchronous", synchronous, get_args(Synchronous)),
            lock_timeout=_seconds(lock_timeout),
            create=create,
        )
        super().__init__(manifest_of(settings), card_of(settings))
        self._index = settings.index
        self._thread = ConnectionThread(settings, self.on_open)

    def on_open(self, connection: Connection) -> None:
        """Called with the connection once it is open, on its thread; does nothing.

        For a subclass that traces statements or sets further pragmas.
        """

    async def native_store(self, record: Record) -> UUID | None:
        """Write one row and its index entries, in one transaction."""
        row = row_of(record)
        return await self._thread.run(
            "store", partial(write, row=row, index=self._index), writes=True
        )

    async def native_retrieve(self, item_id: UUID) -> Record | None:
        """Read one row by its primary identity."""
        return await self._thread.run("retrieve", partial(read, identity=item_id.bytes))

    async def native_search(self, search: Search) -> list[Record]:
        """Read the newest rows that match."""
        return await self._thread.run("search", partial(find, search=search, index=self._index))

    async def store_many(self, items: Iterable[MemoryItem]) -> list[UUID]:
        """Write all items or none, in one transaction, and return their ids in order.

        Of several items with one id, the last one stays.

        Raises:
            UnsupportedMemoryItem: one of them cannot be kept; nothing was sent.
            MemoryAdapterUnavailable: the file could not be used.
            MemoryAdapterError: a write was refused; nothing was written.
        """
        records = [self.admit(item) for item in items]
        try:
            rows = [row_of(record) for record in records]
            await self._thread.run(
                "store_many", partial(write_all, rows=rows, index=self._index), writes=True
            )
        except self.native_errors as error:
            self._translate("store_many", error)
        return [record.id for record in records]

    async def refresh(self) -> None:
        """Return once everything that was acknowledged before can be found by search.

        An immediate index has nothing to do.

        Raises:
            MemoryAdapterUnavailable: the file could not be used.
            MemoryAdapterError: the file does not hold what it should.
        """
        if self._index == "deferred":
            try:
                await self._thread.run("refresh", refresh, writes=True)
            except self.native_errors as error:
                self._translate("refresh", error)

    async def close(self) -> None:
        """Close the connection after the calls under way; closing twice is safe (L4)."""
        await self._thread.close()


def _absolute(path: str | os.PathLike[str]) -> str:
    """The place that a relative path means now, whatever directory is current later."""
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"path: expected str or a path of str, got {type(text).__name__}")
    if not text or "\x00" in text:
        raise ValueError(f"path: expected a path or {IN_MEMORY!r}, got {text!r}")
    try:
        os.fsencode(text)
    except UnicodeEncodeError as error:
        raise ValueError(f"path: expected whole characters, got {text!r}") from error
    # Unlike `os.path.abspath`, this leaves `..` to the system, which follows links first.
    return text if text == IN_MEMORY else str(Path(text).absolute())


def _one_of(setting: str, value: Choice, offered: tuple[Choice, ...]) -> Choice:
    if value not in offered:
        raise ValueError(f"{setting}: expected one of {offered}, got {value!r}")
    return value


def _seconds(value: float) -> float:
    if not 0 <= value <= _LONGEST_WAIT:
        raise ValueError(f"lock_timeout: expected 0 to {_LONGEST_WAIT} seconds, got {value!r}")
    return value

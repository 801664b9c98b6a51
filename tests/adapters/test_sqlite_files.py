"""SQLite files that cannot be used: each is refused with a typed error, and left as it is."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.sqlite_probe import contents, stored

from memory_fidelity import MemoryAdapterError, MemoryAdapterUnavailable, MemoryItem
from memory_fidelity.adapters.sqlite import SqliteMemoryStore


def _attempt(path: Path, **settings: Any) -> MemoryAdapterUnavailable:
    async def scenario() -> None:
        async with SqliteMemoryStore(path, **settings) as store:
            await contents(store)

    with pytest.raises(MemoryAdapterUnavailable) as caught:
        asyncio.run(scenario())
    return caught.value


def _sql(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def _store_file(path: Path) -> None:
    async def scenario() -> None:
        async with SqliteMemoryStore(path) as store:
            await stored(store, "kept")

    asyncio.run(scenario())


def _newer(path: Path) -> None:
    _store_file(path)
    _sql(path, "PRAGMA user_version = 2")


def _damaged(path: Path) -> None:
    _store_file(path)
    data = bytearray(path.read_bytes())
    data[100:] = b"\xff" * (len(data) - 100)
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        pytest.param(
            lambda path: _sql(path, "CREATE TABLE notes (a)"), "got another database", id="foreign"
        ),
        pytest.param(
            lambda path: _sql(path, "PRAGMA application_id = 7"),
            "application_id 7",
            id="foreign-stamp",
        ),
        pytest.param(
            lambda path: _sql(path, "PRAGMA user_version = 3"), "user_version 3", id="versioned"
        ),
        pytest.param(_newer, "expected format 1, got 2", id="newer"),
        pytest.param(_damaged, "SQLITE_", id="damaged"),
        pytest.param(
            lambda path: path.write_bytes(b"text " * 500), "SQLITE_NOTADB", id="no-database"
        ),
    ],
)
def test_a_file_that_is_no_store_is_refused(
    tmp_path: Path, make: Callable[[Path], object], says: str
) -> None:
    """The error says what was expected and found, and not one byte changes."""
    path = tmp_path / "m.db"
    make(path)
    before = path.read_bytes()

    error = _attempt(path)

    assert says in str(error)
    assert "expected" in str(error)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.db"]


@pytest.mark.parametrize(
    ("place", "settings"),
    [
        pytest.param("missing/m.db", {}, id="missing-directory"),
        pytest.param("m.db", {"create": False}, id="missing-file"),
        pytest.param(".", {}, id="a-directory"),
    ],
)
def test_a_file_that_is_not_there_is_unavailable(
    tmp_path: Path, place: str, settings: dict[str, Any]
) -> None:
    """The first call says so (E3), with SQLite's error as its cause (E2)."""
    error = _attempt(tmp_path / place, **settings)

    assert "SQLITE_CANTOPEN" in str(error)
    assert isinstance(error.__cause__, sqlite3.Error)


def test_an_empty_file_is_no_store_unless_one_may_be_made(tmp_path: Path) -> None:
    """With `create=False` nothing is written into it."""
    path = tmp_path / "m.db"
    path.touch()

    error = _attempt(path, create=False)

    assert "got an empty file" in str(error)
    assert path.read_bytes() == b""


def test_a_path_is_no_url(tmp_path: Path) -> None:
    """Characters that mean something in a URI are part of the name."""
    path = tmp_path / "a?mode=memory#b%41.db"

    _store_file(path)

    assert path.exists()


def test_a_path_is_followed_as_the_system_does(tmp_path: Path) -> None:
    """What lies above a linked directory is above its target, not above the link."""
    (tmp_path / "there" / "below").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "there" / "below")

    _store_file(tmp_path / "link" / ".." / "m.db")

    assert (tmp_path / "there" / "m.db").exists()
    assert not (tmp_path / "m.db").exists()


def test_the_first_call_after_a_failure_tries_again(tmp_path: Path) -> None:
    """An outage at connect does not outlive itself."""
    directory = tmp_path / "later"

    async def scenario() -> list[Any]:
        async with SqliteMemoryStore(directory / "m.db") as store:
            with pytest.raises(MemoryAdapterUnavailable):
                await stored(store, "too early")
            directory.mkdir()
            await stored(store, "in time")
            return await contents(store)

    assert asyncio.run(scenario()) == ["in time"]


def _remove(path: Path) -> None:
    path.unlink()


def _replace(path: Path) -> None:
    path.with_name("new").write_bytes(path.read_bytes())
    path.with_name("new").replace(path)


@pytest.mark.parametrize("change", [_remove, _replace])
@pytest.mark.parametrize("operation", ["store", "retrieve", "search"])
def test_a_file_that_went_from_under_a_store_is_unavailable(
    tmp_path: Path, change: Callable[[Path], None], operation: str
) -> None:
    """No write is acknowledged into a file that nobody can open again, and no read is stale."""
    path = tmp_path / "m.db"

    async def scenario() -> None:
        async with SqliteMemoryStore(path) as store:
            (item,) = await stored(store, "m")
            change(path)
            calls: dict[str, Callable[[], Awaitable[object]]] = {
                "store": lambda: store.store(item),
                "retrieve": lambda: store.retrieve(item.id),
                "search": lambda: contents(store),
            }
            await calls[operation]()

    with pytest.raises(MemoryAdapterUnavailable, match="in its place; nothing was done"):
        asyncio.run(scenario())


class _Lost(SqliteMemoryStore):
    """Loses its file while it is being opened."""

    victim: Path

    def on_open(self, connection: sqlite3.Connection) -> None:
        """Take the file away, once."""
        self.victim.unlink(missing_ok=True)


def test_a_file_that_goes_while_it_is_opened_is_unavailable(tmp_path: Path) -> None:
    """No batch goes where nobody can find it."""

    async def scenario() -> None:
        async with _Lost(tmp_path / "m.db") as store:
            store.victim = tmp_path / "m.db"
            await store.store_many([MemoryItem(content="m")])

    with pytest.raises(MemoryAdapterUnavailable, match="got none in its place; nothing was done"):
        asyncio.run(scenario())


class _Vanishing(SqliteMemoryStore):
    """Loses its file in the middle of a write, when SQLite is about to commit."""

    victim: Path

    def on_open(self, connection: sqlite3.Connection) -> None:
        """Watch for the commit."""
        connection.set_trace_callback(self._lose)

    def _lose(self, statement: str) -> None:
        if statement == "COMMIT":
            self.victim.unlink()


def test_a_write_into_a_file_that_goes_meanwhile_is_not_acknowledged(tmp_path: Path) -> None:
    """The check comes after the commit, too."""

    async def scenario() -> None:
        async with _Vanishing(tmp_path / "m.db") as store:
            store.victim = tmp_path / "m.db"
            await stored(store, "m")

    with pytest.raises(MemoryAdapterUnavailable, match="the write went to that file and is lost"):
        asyncio.run(scenario())


def test_a_locked_file_is_unavailable_and_nothing_is_written(tmp_path: Path) -> None:
    """The wait ends with the timeout; reading goes on meanwhile."""
    path = tmp_path / "m.db"

    async def scenario() -> list[Any]:
        async with SqliteMemoryStore(path, lock_timeout=0.05) as store:
            await stored(store, "before")
            with closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                with pytest.raises(
                    MemoryAdapterUnavailable, match=r"SQLITE_BUSY.*the write did not happen"
                ):
                    await stored(store, "meanwhile")
                assert await contents(store) == ["before"]
            await stored(store, "after")
            return await contents(store)

    assert asyncio.run(scenario()) == ["after", "before"]


def test_a_new_file_that_another_process_is_making_is_waited_for(tmp_path: Path) -> None:
    """SQLite itself would give up at once."""
    path = tmp_path / "m.db"

    async def scenario() -> list[Any]:
        async with SqliteMemoryStore(path) as store:
            with closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                write = asyncio.ensure_future(stored(store, "m"))
                await asyncio.wait([write], timeout=0.05)
                assert not write.done()
                other.execute("COMMIT")
                await write
            return await contents(store)

    assert asyncio.run(scenario()) == ["m"]


def test_a_new_file_that_stays_locked_is_unavailable(tmp_path: Path) -> None:
    """The wait ends with the timeout here, too."""
    path = tmp_path / "m.db"

    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        error = _attempt(path, lock_timeout=0.05)

    assert "SQLITE_BUSY" in str(error)


def test_a_sqlite_that_is_too_old_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store needs RETURNING."""
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))

    error = _attempt(tmp_path / "m.db")

    assert "expected SQLite 3.35 or later" in str(error)


class _Small(SqliteMemoryStore):
    """Has room for hardly more than its tables."""

    def on_open(self, connection: sqlite3.Connection) -> None:
        """Let SQLite take the file for full at a few pages."""
        connection.execute("PRAGMA max_page_count = 40")


@pytest.mark.parametrize("batch", [False, True], ids=["alone", "in-a-batch"])
def test_a_full_file_is_unavailable_and_nothing_is_written(tmp_path: Path, batch: bool) -> None:
    """What was acknowledged before stays, and the store can be used again."""
    big = [MemoryItem(content=f"{number} " + "x" * 50_000) for number in range(8)]

    async def scenario() -> list[Any]:
        async with _Small(tmp_path / "m.db") as store:
            await stored(store, "before")
            with pytest.raises(
                MemoryAdapterUnavailable, match=r"SQLITE_FULL.*the write did not happen"
            ):
                await (
                    store.store_many(big)
                    if batch
                    else store.store(MemoryItem(content="x" * 400_000))
                )
            await stored(store, "after")
            return await contents(store)

    assert asyncio.run(scenario()) == ["after", "before"]


class _Frozen(SqliteMemoryStore):
    """Reads only, as on a read-only medium."""

    def on_open(self, connection: sqlite3.Connection) -> None:
        """SQLite refuses every write from here on."""
        connection.execute("PRAGMA query_only = ON")


def test_a_store_that_may_only_read_is_unavailable_for_writing(tmp_path: Path) -> None:
    """Reading goes on."""
    path = tmp_path / "m.db"
    _store_file(path)

    async def scenario() -> list[Any]:
        async with _Frozen(path) as store:
            with pytest.raises(
                MemoryAdapterUnavailable, match=r"SQLITE_READONLY.*the write did not happen"
            ):
                await stored(store, "m")
            return await contents(store)

    assert asyncio.run(scenario()) == ["kept"]


def test_damaged_tables_are_an_error_with_its_cause(tmp_path: Path) -> None:
    """Something else than an outage is not called one."""
    path = tmp_path / "m.db"

    async def scenario() -> None:
        async with SqliteMemoryStore(path) as store:
            await stored(store, "m")
            _sql(path, "DROP TABLE tag")
            await stored(store, "n", tags=["t"])

    with pytest.raises(MemoryAdapterError, match="the write did not happen") as caught:
        asyncio.run(scenario())

    assert type(caught.value) is MemoryAdapterError
    assert isinstance(caught.value.__cause__, sqlite3.OperationalError)

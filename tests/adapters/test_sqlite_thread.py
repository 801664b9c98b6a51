"""What goes wrong around the connection of a SQLite store: no thread, no state."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.sqlite_probe import contents, stored

from memory_fidelity import MemoryAdapterError, MemoryAdapterUnavailable, MemoryItem
from memory_fidelity.adapters.sqlite import SqliteMemoryStore

_CALLS: dict[str, Callable[[SqliteMemoryStore], Awaitable[object]]] = {
    "store": lambda store: store.store(MemoryItem(content="m")),
    "retrieve": lambda store: store.retrieve(MemoryItem().id),
    "search": lambda store: contents(store),
    "store_many": lambda store: store.store_many([MemoryItem(content="m")]),
    "refresh": lambda store: store.refresh(),
}


@contextmanager
def _no_more_threads() -> Iterator[None]:
    """No thread can be started: each would need more stack than there are addresses."""
    before = threading.stack_size(2**47)
    try:
        yield
    finally:
        threading.stack_size(before)


@pytest.mark.parametrize("call", _CALLS.values(), ids=_CALLS)
def test_a_thread_that_cannot_be_started_is_an_outage(
    call: Callable[[SqliteMemoryStore], Awaitable[object]],
) -> None:
    """The next call tries again (E3), and closing does not wait for a thread that is not there."""

    async def scenario() -> tuple[BaseException | None, list[Any]]:
        async with SqliteMemoryStore(":memory:", index="deferred") as store:
            with (
                _no_more_threads(),
                pytest.raises(MemoryAdapterUnavailable, match="expected a thread") as caught,
            ):
                await call(store)
            await asyncio.wait_for(stored(store, "later"), timeout=30)
            await store.refresh()
            return caught.value.__cause__, await contents(store)

    cause, found = asyncio.run(scenario())

    assert isinstance(cause, RuntimeError)
    assert found == ["later"]


@pytest.mark.parametrize("call", _CALLS.values(), ids=_CALLS)
def test_no_native_error_escapes_from_a_file_without_its_state(
    tmp_path: Path, call: Callable[[SqliteMemoryStore], Awaitable[object]]
) -> None:
    """What every operation promises, those beyond the protocol promise, too (E2)."""
    path = tmp_path / "m.db"

    async def scenario() -> None:
        async with SqliteMemoryStore(path, index="deferred") as store:
            await stored(store, "m")
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("DELETE FROM state")
        async with SqliteMemoryStore(path, index="deferred") as store:
            await call(store)

    with pytest.raises(MemoryAdapterError) as caught:
        asyncio.run(scenario())

    assert caught.value.__cause__ is not None

"""Many tasks, loops, threads and processes on one file: every acknowledged write is there."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.sqlite_probe import contents, index_faults, stored

from memory_fidelity import MemoryItem, item_differences
from memory_fidelity.adapters.sqlite import SqliteMemoryStore

_KEYS = ("n",)


def _items(name: str, count: int) -> list[MemoryItem]:
    return [
        MemoryItem(content=f"{name} {number}", tags=[name], metadata={"n": number})
        for number in range(count)
    ]


async def _missing(path: Path, items: list[MemoryItem]) -> list[MemoryItem]:
    """The items that a new store does not give back exactly."""
    async with SqliteMemoryStore(path, filters=_KEYS, create=False) as store:
        got = [await store.retrieve(item.id) for item in items]
    return [
        item
        for item, back in zip(items, got, strict=True)
        if back is None or item_differences(item, back)
    ]


def test_two_hundred_tasks(tmp_path: Path) -> None:
    """One loop, one store, all writes at once."""
    path, items = tmp_path / "m.db", _items("task", 200)

    async def scenario() -> list[MemoryItem]:
        async with SqliteMemoryStore(path, filters=_KEYS) as store:
            await asyncio.gather(*(store.store(item) for item in items))
        return await _missing(path, items)

    assert asyncio.run(scenario()) == []
    assert index_faults(path, _KEYS) == []


def test_eight_threads_with_loops_of_their_own(tmp_path: Path) -> None:
    """One store serves them all, and outlives each loop."""
    path, store = tmp_path / "m.db", SqliteMemoryStore(tmp_path / "m.db", filters=_KEYS)
    shares = [_items(f"thread {number}", 25) for number in range(8)]

    async def write(items: list[MemoryItem]) -> None:
        await asyncio.gather(*(store.store(item) for item in items))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda items: asyncio.run(write(items)), shares))
    asyncio.run(store.close())

    assert asyncio.run(_missing(path, [item for items in shares for item in items])) == []
    assert index_faults(path, _KEYS) == []


_WRITER = """
import asyncio, sys
from memory_fidelity import MemoryItem
from memory_fidelity.adapters.sqlite import SqliteMemoryStore
path, name = sys.argv[1:]
async def main():
    async with SqliteMemoryStore(path, filters=[name, "n"], lock_timeout=60) as store:
        items = [
            MemoryItem(content=f"{name} {n}", tags=[name], metadata={"n": n}) for n in range(50)
        ]
        await asyncio.gather(*(store.store(item) for item in items[:25]))
        await store.store_many(items[25:])
        for item in items:
            print(item.model_dump_json())
asyncio.run(main())
"""


def test_four_processes_make_and_fill_one_file(tmp_path: Path) -> None:
    """They race to make it, each declares a key of its own, and each writes."""
    path = tmp_path / "m.db"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), f"process {number}"],
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    printed = [writer.communicate(timeout=120)[0] for writer in writers]

    items = [MemoryItem.model_validate_json(line) for text in printed for line in text.splitlines()]

    assert [writer.returncode for writer in writers] == [0] * 4
    assert len(items) == 200
    assert asyncio.run(_missing(path, items)) == []
    assert index_faults(path, ["n", *(f"process {number}" for number in range(4))]) == []


@pytest.mark.parametrize("waits", [False, True], ids=["under-way", "waiting-its-turn"])
def test_a_cancelled_write_leaves_the_store_usable(tmp_path: Path, waits: bool) -> None:
    """It happens whole or not at all, and the next call gets its own answer (E6)."""
    path = tmp_path / "m.db"
    first, cancelled, after = _items("m", 3)

    async def scenario() -> MemoryItem | None:
        async with SqliteMemoryStore(path, filters=_KEYS) as store:
            await stored(store, "opens the file")
            with closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                ahead = [asyncio.ensure_future(store.store(first))] if waits else []
                task = asyncio.ensure_future(store.store(cancelled))
                await asyncio.wait([task], timeout=0.05)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            await asyncio.gather(*ahead)
            await store.store(after)
            return await store.retrieve(after.id)

    got = asyncio.run(scenario())

    assert got is not None
    assert item_differences(after, got) == ()
    assert index_faults(path, _KEYS) == []


def test_a_cancelled_close_still_closes(tmp_path: Path) -> None:
    """Closing again waits for the same end."""
    path = tmp_path / "m.db"

    async def scenario() -> None:
        store = SqliteMemoryStore(path)
        await stored(store, "m")
        closing_ = asyncio.ensure_future(store.close())
        closing_.cancel()
        await asyncio.gather(closing_, return_exceptions=True)
        await store.close()

    asyncio.run(scenario())

    assert [entry.name for entry in tmp_path.iterdir()] == ["m.db"]


def _ends_once_collected(thread: threading.Thread) -> bool:
    # The thread lets go of its last turn a moment after the answer.
    deadline = time.monotonic() + 30
    while thread.is_alive() and time.monotonic() < deadline:
        gc.collect()
        thread.join(timeout=0.01)
    return not thread.is_alive()


def test_a_store_that_nobody_closed_ends_its_thread(tmp_path: Path) -> None:
    """Neither keeps the other alive, and the thread closes the connection, whose log then goes."""
    others = set(threading.enumerate())
    store = SqliteMemoryStore(tmp_path / "m.db")
    asyncio.run(stored(store, "m"))
    (thread,) = set(threading.enumerate()) - others
    forgotten = weakref.ref(store)

    del store

    assert _ends_once_collected(thread)
    assert forgotten() is None
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.db"]


def test_a_loop_that_closed_before_the_answer_harms_nobody(tmp_path: Path) -> None:
    """The next loop gets its own answers from the same store."""
    path = tmp_path / "m.db"
    store = SqliteMemoryStore(path)
    asyncio.run(stored(store, "before"))
    gone = asyncio.new_event_loop()

    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        task = gone.create_task(store.store(MemoryItem(content="unheard")))
        gone.run_until_complete(asyncio.wait([task], timeout=0.05))
        task.cancel()
        gone.run_until_complete(asyncio.wait([task]))
        gone.close()

    async def scenario() -> list[Any]:
        async with store:
            return await contents(store)

    assert asyncio.run(scenario()) == ["unheard", "before"]

"""Closing a SQLite store, and using one in a process that was forked from its own."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

from tests.adapters.sqlite_probe import contents, stored

from memory_fidelity import MemoryAdapterUnavailable, MemoryItem
from memory_fidelity.adapters.sqlite import SqliteMemoryStore


def test_closing_twice_is_safe_and_a_closed_store_is_unavailable() -> None:
    """No call after that answers with nothing."""

    async def scenario() -> list[object]:
        store = SqliteMemoryStore(":memory:")
        await stored(store, "m")
        await asyncio.gather(store.close(), store.close())
        await store.close()
        calls = (
            store.store(MemoryItem(content="n")),
            store.retrieve(uuid4()),
            contents(store),
            store.store_many([]),
        )
        return list(await asyncio.gather(*calls, return_exceptions=True))

    outcomes = asyncio.run(scenario())

    assert [type(outcome) for outcome in outcomes] == [MemoryAdapterUnavailable] * 4


def test_closing_an_unused_store_makes_no_file(tmp_path: Path) -> None:
    """There is nothing to close."""

    async def scenario() -> None:
        async with SqliteMemoryStore(tmp_path / "m.db"):
            pass

    asyncio.run(scenario())

    assert list(tmp_path.iterdir()) == []


def test_a_forked_process_is_told_to_make_its_own_store(tmp_path: Path) -> None:
    """It has neither the thread nor the right to the connection, and does not hang."""
    script = f"""
import asyncio, os, sys
from memory_fidelity import MemoryAdapterUnavailable, MemoryItem
from memory_fidelity.adapters.sqlite import SqliteMemoryStore
store = SqliteMemoryStore({str(tmp_path / "m.db")!r})
asyncio.run(store.store(MemoryItem(content="parent")))
child = os.fork()
if not child:
    try:
        asyncio.run(store.store(MemoryItem(content="child")))
    except MemoryAdapterUnavailable as error:
        os._exit("forked" in str(error) and 7)
    os._exit(1)
asyncio.run(store.close())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""

    done = subprocess.run([sys.executable, "-c", script], timeout=60, check=False)

    assert done.returncode == 7


def test_a_forked_process_can_close_what_is_not_its_own_twice(tmp_path: Path) -> None:
    """It is refused each time, and does not wait for an end that never comes."""
    script = f"""
import asyncio, os, sys
from memory_fidelity import MemoryAdapterUnavailable, MemoryItem
from memory_fidelity.adapters.sqlite import SqliteMemoryStore
store = SqliteMemoryStore({str(tmp_path / "m.db")!r})
asyncio.run(store.store(MemoryItem(content="parent")))
child = os.fork()
if not child:
    refused = 0
    for _ in range(2):
        try:
            asyncio.run(asyncio.wait_for(store.close(), timeout=30))
        except MemoryAdapterUnavailable:
            refused += 1
    os._exit(refused)
asyncio.run(store.close())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""

    done = subprocess.run([sys.executable, "-c", script], timeout=60, check=False)

    assert done.returncode == 2


def test_a_store_can_be_used_and_closed_while_the_process_exits(tmp_path: Path) -> None:
    """An exit handler that was registered before the first use comes last of all."""
    script = f"""
import asyncio, atexit
from memory_fidelity import MemoryItem
from memory_fidelity.adapters.sqlite import SqliteMemoryStore
store = SqliteMemoryStore({str(tmp_path / "m.db")!r})
async def finish():
    await asyncio.wait_for(store.store(MemoryItem(content="last")), timeout=20)
    await asyncio.wait_for(store.close(), timeout=20)
    print("closed")
atexit.register(lambda: asyncio.run(finish()))
asyncio.run(store.store(MemoryItem(content="first")))
"""

    done = subprocess.run(
        [sys.executable, "-c", script], timeout=90, check=False, capture_output=True, text=True
    )

    assert (done.stdout, done.stderr) == ("closed\n", "")
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.db"]

"""A process killed at any moment of a write load loses no acknowledged write."""

from __future__ import annotations

import asyncio
import os
import random
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from uuid import UUID

from tests.adapters.sqlite_probe import index_faults

from memory_fidelity import MemoryItem, item_differences
from memory_fidelity.adapters.sqlite import SqliteMemoryStore

_ROUNDS = 50
_LONGEST = 0.02
"""Seconds from the first acknowledgement to the kill, at most."""

# One process imports everything once, and forks a fresh writer for each round.
_NURSERY = """
import asyncio, os, sys
from uuid import UUID
from memory_fidelity import MemoryItem
from memory_fidelity.adapters.sqlite import SqliteMemoryStore

def item(round, key, n):
    return MemoryItem(
        id=UUID(int=(round << 64) + key, version=4), created_at=float(n),
        content=f"round {round} write {n}", tags=[f"w{n}", "all"], metadata={"n": n},
    )

async def load(path, round):
    store = SqliteMemoryStore(path, filters=["n"])
    for n in range(1, 100_000):
        if n % 5:
            await store.store(item(round, n, n))
        else:
            await store.store_many([item(round, n, n), item(round, 0, n)])
        os.write(1, f"{n}\\n".encode())

for line in sys.stdin:
    child = os.fork()
    if not child:
        os.write(1, f"pid {os.getpid()}\\n".encode())
        asyncio.run(load(sys.argv[1], int(line)))
    os.waitpid(child, 0)
    os.write(1, b"dead\\n")
"""


def _item(number: int, key: int, n: int) -> MemoryItem:
    return MemoryItem(
        id=UUID(int=(number << 64) + key, version=4),
        created_at=float(n),
        content=f"round {number} write {n}",
        tags=[f"w{n}", "all"],
        metadata={"n": n},
    )


@contextmanager
def _nursery(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", _NURSERY, str(path)]
    with subprocess.Popen(
        command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def _lines_to(stream: IO[bytes], last: bytes) -> list[bytes]:
    lines = []
    while not (line := stream.readline()).startswith(last):
        assert line, "the writers ended before they were killed"
        lines.append(line)
    return [*lines, line]


def _acknowledged(nursery: subprocess.Popen[bytes], number: int, moment: float) -> list[int]:
    """Start a writer, kill it, and return the writes that were acknowledged to it."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write(f"{number}\n".encode())
    pid = int(_lines_to(nursery.stdout, b"pid")[-1].split()[1])
    first = nursery.stdout.readline()
    # Not a wait for anything: the moment of the kill is what is varied.
    select.select([], [], [], moment)
    os.kill(pid, signal.SIGKILL)
    return [int(line) for line in [first, *_lines_to(nursery.stdout, b"dead")[:-1]]]


async def _lost(path: Path, number: int, acknowledged: list[int]) -> list[str]:
    """What of a round cannot be read back exactly, from a file that is opened anew."""
    async with SqliteMemoryStore(path, filters=["n"], create=False) as store:
        items = [_item(number, n, n) for n in acknowledged]
        got = [await store.retrieve(item.id) for item in items]
        rewritten = await store.retrieve(_item(number, 0, 0).id)
    lost = [
        f"round {number}: {item.content}"
        for item, back in zip(items, got, strict=True)
        if back is None or item_differences(item, back)
    ]
    newest = max((n for n in acknowledged if n % 5 == 0), default=0)
    version = 0 if rewritten is None else int(rewritten.created_at)
    if version < newest:
        lost.append(f"round {number}: version {newest} of the item that is written again")
    if rewritten is not None and item_differences(_item(number, 0, version), rewritten):
        lost.append(f"round {number}: the item that is written again is of several versions")
    return lost


def _killed(path: Path) -> tuple[int, list[str]]:
    """How many writes were acknowledged in all rounds, and what of them was lost."""
    moments = random.Random(_ROUNDS)
    writes, lost = 0, list[str]()
    with _nursery(path) as nursery:
        for number in range(1, _ROUNDS + 1):
            acknowledged = _acknowledged(nursery, number, moments.uniform(0, _LONGEST))
            lost += asyncio.run(_lost(path, number, acknowledged))
            writes += len(acknowledged)
    return writes, lost


def test_fifty_kills_lose_nothing(tmp_path: Path) -> None:
    """Every acknowledged write is read back exactly, and no record is half there."""
    path = tmp_path / "m.db"

    writes, lost = _killed(path)

    assert lost == []
    assert index_faults(path, ["n"]) == []
    assert writes > 2 * _ROUNDS

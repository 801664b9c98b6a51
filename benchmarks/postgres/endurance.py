"""What a store has more of after very many calls: connections, tasks, objects, memory."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import dataclass
from itertools import islice
from typing import Final

import psutil  # type: ignore[import-untyped]  # psutil ships no types
from psycopg import AsyncConnection

from benchmarks.corpus import FILTER_KEYS, Corpus
from memory_fidelity import MemoryQuery
from memory_fidelity.adapters.postgres import PostgresMemoryStore

__all__ = ["Endurance", "endurance"]

_TASKS: Final = 16
_WARM_UP: Final = 5
"""One part of so many comes before counting: it fills the pool and every cache."""

_CONNECTED: Final = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


@dataclass(frozen=True, slots=True)
class Endurance:
    """What `operations` calls left behind, and what of it is left after closing."""

    operations: int
    connections: int
    """More than before, as the server counts them."""
    after_closing: int
    """Connections that are left when the store was closed, as the server counts them."""
    tasks: int
    objects: int
    """That Python's garbage collector knows of."""
    memory: float
    """MiB."""


@dataclass(frozen=True, slots=True)
class _Held:
    connections: int
    tasks: int
    objects: int
    memory: int


async def endurance(conninfo: str, seed: int, operations: int) -> Endurance:
    """Store, retrieve and search in an empty database, `_TASKS` at a time; say what that left."""
    corpus = Corpus(seed)
    items = list(islice(corpus.items(), 500))
    watching = await AsyncConnection.connect(conninfo, autocommit=True)
    async with watching:
        async with PostgresMemoryStore(conninfo, namespace="n", filters=FILTER_KEYS) as store:

            async def work(calls: int) -> None:
                left = iter(range(calls))

                async def task() -> None:
                    for number in left:
                        item = items[number // 3 % len(items)]
                        match number % 3:
                            case 0:
                                await store.store(item)
                            case 1:
                                await store.retrieve(item.id)
                            case _:
                                await store.search(MemoryQuery(text=item.content, limit=3))

                async with asyncio.TaskGroup() as tasks:
                    for _ in range(_TASKS):
                        tasks.create_task(task())

            await work(operations // _WARM_UP)
            before = await _held(watching)
            await work(operations)
            after = await _held(watching)
        return Endurance(
            operations=operations,
            connections=after.connections - before.connections,
            after_closing=await _none_left(watching),
            tasks=after.tasks - before.tasks,
            objects=after.objects - before.objects,
            memory=(after.memory - before.memory) / 2**20,
        )


async def _held(watching: AsyncConnection[tuple[int]]) -> _Held:
    connections = await _connected(watching)
    gc.collect()
    return _Held(
        connections=connections,
        tasks=len(asyncio.all_tasks()),
        objects=len(gc.get_objects()),
        memory=psutil.Process().memory_info().rss,
    )


async def _connected(watching: AsyncConnection[tuple[int]]) -> int:
    cursor = await watching.execute(_CONNECTED)
    row = await cursor.fetchone()
    return row[0] if row else 0


async def _none_left(watching: AsyncConnection[tuple[int]], seconds: float = 5.0) -> int:
    """Wait until the server has noticed that connections were closed; return how many are not."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while (left := await _connected(watching)) and loop.time() < deadline:
        pass  # each question is a round trip, so that the loop is not busy
    return left

"""A PostgreSQL store under load: nothing lost, nothing leaked, and a server that is killed."""

from __future__ import annotations

import asyncio
import gc
import os
import random

import psycopg
import pytest

from memory_fidelity import MemoryAdapterUnavailable, MemoryItem, MemoryQuery, item_differences
from memory_fidelity.adapters.postgres import PostgresMemoryStore
from memory_fidelity.adapters.postgres_cluster import shared

pytestmark = pytest.mark.usefixtures("servers")

_KILLS = int(os.environ.get("MEMORY_FIDELITY_KILLS", "20"))
_WRITERS = 8


def _item(writer: int, n: int) -> MemoryItem:
    return MemoryItem(content=f"{writer}/{n}", tags=[f"writer-{writer}"], metadata={"n": n})


def _connections(application: str) -> int:
    with psycopg.connect(shared().primary.conninfo(), autocommit=True) as connection:
        (count,) = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", (application,)
        ).fetchone() or (0,)
    return int(count)


def _store(application: str, **settings: int) -> PostgresMemoryStore:
    place = psycopg.conninfo.make_conninfo(
        shared().primary.conninfo(), application_name=application
    )
    return PostgresMemoryStore(place, namespace=application, **settings)  # type: ignore[arg-type]


def _forget(namespace: str) -> None:
    with psycopg.connect(shared().primary.conninfo(), autocommit=True) as connection:
        connection.execute("DELETE FROM memory_fidelity.item WHERE namespace = %s", (namespace,))


def test_64_concurrent_writers_lose_nothing() -> None:
    """1,280 items by 64 tasks over ten connections: every one is there, exactly."""

    async def writer(store: PostgresMemoryStore, number: int) -> list[MemoryItem]:
        items = [_item(number, n) for n in range(20)]
        for item in items:
            await store.store(item)
        return items

    async def run() -> None:
        async with _store("writers") as store:
            written = await asyncio.gather(*(writer(store, number) for number in range(64)))
            hits = {hit.id: hit for hit in await store.search(MemoryQuery(limit=2_000))}

        items = [item for each in written for item in each]
        assert len(hits) == 1_280
        assert all(item_differences(item, hits[item.id]) == () for item in items)
        assert {tag for hit in hits.values() for tag in hit.tags} == {
            f"writer-{number}" for number in range(64)
        }

    try:
        asyncio.run(run())
    finally:
        _forget("writers")


def test_10_000_operations_leak_nothing() -> None:
    """No connection, task or object is left over, however many operations there were."""

    async def some(store: PostgresMemoryStore, operations: int) -> None:
        for n in range(operations // 4):
            item = _item(0, n % 10)
            await store.store(item)
            await store.retrieve(item.id)
            await store.search(MemoryQuery(tags=["writer-0"], limit=1))
            await store.search(MemoryQuery(text="0/", limit=1))

    async def run() -> None:
        async with _store("leaks", pool_size=3) as store:
            await some(store, 1_000)
            tasks, objects = len(asyncio.all_tasks()), len(gc.get_objects())
            await some(store, 9_000)
            gc.collect()

            assert len(asyncio.all_tasks()) == tasks
            assert len(gc.get_objects()) - objects < 500
            assert _connections("leaks") == 1
        assert _connections("leaks") == 0

    try:
        asyncio.run(run())
    finally:
        _forget("leaks")


class _Load:
    """Writers that write without end, and again whatever was not acknowledged."""

    def __init__(self, store: PostgresMemoryStore) -> None:
        self.store = store
        self.acknowledged: list[MemoryItem] = []
        self.failures = 0
        self.up = asyncio.Event()
        self.up.set()
        self.progress = asyncio.Condition()

    async def write(self, writer: int) -> None:
        """Store one item after the other."""
        n = 0
        while True:
            item = _item(writer, n)
            while not await self._took(item):
                await self.up.wait()
            n += 1

    async def more(self, count: int) -> None:
        """Return once so many more writes were acknowledged."""
        target = len(self.acknowledged) + count
        async with self.progress:
            await self.progress.wait_for(lambda: len(self.acknowledged) >= target)

    async def _took(self, item: MemoryItem) -> bool:
        try:
            await self.store.store(item)
        except MemoryAdapterUnavailable:
            self.failures += 1
            return False
        async with self.progress:
            self.acknowledged.append(item)
            self.progress.notify_all()
        return True


async def _kill_often(load: _Load, seed: int) -> None:
    chance = random.Random(seed)
    primary = shared().primary
    for _ in range(_KILLS):
        await load.more(chance.randrange(1, 60))
        load.up.clear()
        await asyncio.to_thread(primary.kill)
        await asyncio.to_thread(primary.start)
        load.up.set()
    await load.more(_WRITERS)


def test_a_killed_server_loses_no_acknowledged_write() -> None:
    """SIGKILL under load: each acknowledged write is there once, and the store goes on unaided."""

    async def run() -> None:
        async with _store("killed") as store:
            load = _Load(store)
            writers = [asyncio.ensure_future(load.write(number)) for number in range(_WRITERS)]
            try:
                await _kill_often(load, seed=5)
            finally:
                for task in writers:
                    task.cancel()
                await asyncio.gather(*writers, return_exceptions=True)
            hits = await store.search(MemoryQuery(limit=1_000_000))

        contents = [hit.content for hit in hits]
        kept = {hit.id: hit for hit in hits}
        assert load.failures >= _KILLS
        assert len(contents) == len(set(contents))
        assert all(item_differences(item, kept[item.id]) == () for item in load.acknowledged)
        # Beyond the acknowledged ones, each writer may have one more whose answer was lost.
        assert len(hits) - len(load.acknowledged) <= _WRITERS

    try:
        asyncio.run(run())
    finally:
        _forget("killed")

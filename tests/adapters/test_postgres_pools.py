"""A PostgreSQL store over pools of the application's own: used, and never closed (L4)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
import pytest
from psycopg_pool import AsyncConnectionPool

from memory_fidelity import MemoryAdapterUnavailable, MemoryItem, MemoryQuery, item_differences
from memory_fidelity.adapters.postgres import PostgresMemoryStore
from memory_fidelity.adapters.postgres_cluster import shared

pytestmark = pytest.mark.usefixtures("servers")

_EACH_KIND = pytest.mark.parametrize(
    "autocommit", [False, True], ids=["in-transactions", "autocommit"]
)


def _with_pool(
    autocommit: bool, scenario: Callable[[AsyncConnectionPool[Any]], Awaitable[None]]
) -> None:
    async def run() -> None:
        pool = AsyncConnectionPool(
            shared().primary.conninfo(),
            kwargs={"autocommit": autocommit},
            min_size=1,
            max_size=3,
            open=False,
        )
        async with pool:
            await scenario(pool)

    try:
        asyncio.run(run())
    finally:
        with psycopg.connect(shared().primary.conninfo(), autocommit=True) as connection:
            connection.execute("DELETE FROM memory_fidelity.item WHERE namespace = 'pools'")


@_EACH_KIND
def test_a_write_is_committed_before_it_is_acknowledged(autocommit: bool) -> None:
    """Another connection sees it at once, whatever the pool's transactions are like."""

    async def scenario(pool: AsyncConnectionPool[Any]) -> None:
        item = MemoryItem(content="tea", tags=["drink"], metadata={"n": 1})
        store = PostgresMemoryStore(pool, namespace="pools", filters=["n"])
        await store.store(item)

        async with PostgresMemoryStore(shared().primary.conninfo(), namespace="pools") as other:
            kept = await other.retrieve(item.id)

        assert kept is not None
        assert item_differences(item, kept) == ()
        assert len(await store.search(MemoryQuery(filters={"n": 1}))) == 1

    _with_pool(autocommit, scenario)


@_EACH_KIND
def test_closing_the_store_leaves_the_pool_open(autocommit: bool) -> None:
    """The pool is its owner's; a store made over it anew goes on."""

    async def scenario(pool: AsyncConnectionPool[Any]) -> None:
        async with PostgresMemoryStore(pool, namespace="pools") as store:
            await store.search(MemoryQuery())

        assert not pool.closed
        assert await PostgresMemoryStore(pool, namespace="pools").search(MemoryQuery()) == []

    _with_pool(autocommit, scenario)


@_EACH_KIND
def test_connections_come_back_as_they_were(autocommit: bool) -> None:
    """No setting of a session is changed, and no transaction left open."""

    async def scenario(pool: AsyncConnectionPool[Any]) -> None:
        store = PostgresMemoryStore(
            pool, namespace="pools", replica=shared().standby.conninfo(), remote_apply=True
        )
        with pytest.raises(MemoryAdapterUnavailable, match="empty synchronous_standby_names"):
            await store.store(MemoryItem(content="tea"))
        await store.close()

        async with pool.connection() as connection:
            status = connection.info.transaction_status
            cursor = await connection.execute("SHOW synchronous_commit")
            assert await cursor.fetchone() == ("on",)
            assert status == psycopg.pq.TransactionStatus.IDLE

    _with_pool(autocommit, scenario)


def test_a_closed_pool_is_an_outage() -> None:
    """The pool's own refusal is the cause of the typed error."""

    async def run() -> None:
        pool = AsyncConnectionPool(shared().primary.conninfo(), open=False)
        store = PostgresMemoryStore(pool, namespace="pools")

        with pytest.raises(MemoryAdapterUnavailable, match="got PoolClosed; nothing was written"):
            await store.search(MemoryQuery())

    asyncio.run(run())


def test_the_card_says_whose_the_pool_is() -> None:
    """An application that owns the pool is not told of a size that is not ours."""
    place = shared().primary.conninfo()
    store = PostgresMemoryStore(AsyncConnectionPool(place, open=False), namespace="pools")

    assert "application's own pool" in store.card.lifecycle.connections
    assert "its owner's" in store.card.lifecycle.closing

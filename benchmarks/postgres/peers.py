"""The stores that are measured on PostgreSQL, by name, and how each is opened."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, nullcontext
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from benchmarks.corpus import FILTER_KEYS
from benchmarks.langgraph_peers import LanggraphAsync
from benchmarks.peer import Peer
from benchmarks.peers import OfLionagi
from benchmarks.postgres.raw import RawPostgres
from memory_fidelity import MemoryQuery
from memory_fidelity.adapters.postgres import PostgresMemoryStore

__all__ = ["LANGGRAPH", "OPENERS", "OURS", "RAW", "RAW_POOL", "installed"]

OURS: Final = "memory-fidelity postgres"
RAW: Final = "raw psycopg, one connection"
RAW_POOL: Final = "raw psycopg, psycopg_pool"
LANGGRAPH: Final = "LangGraph AsyncPostgresStore"

_CONNECTIONS: Final = 10
"""At most, for each store; the default of `PostgresMemoryStore`."""


class Ours(OfLionagi):
    """`PostgresMemoryStore` with its defaults; it has no way of its own to write many."""

    def __init__(self, store: PostgresMemoryStore) -> None:
        super().__init__(store)
        self._postgres = store

    async def close(self) -> None:
        await self._postgres.close()


async def open_ours(conninfo: str) -> Peer:
    """Open the store of this project."""
    store = PostgresMemoryStore(
        conninfo, namespace="ours", filters=FILTER_KEYS, pool_size=_CONNECTIONS
    )
    return Ours(store)


async def open_raw(conninfo: str) -> Peer:
    """Open the floor: one connection, kept, with nobody to ask for it."""
    await _make_table(conninfo)
    opened = AsyncExitStack()
    connecting = await AsyncConnection.connect(conninfo, autocommit=True)
    connection = await opened.enter_async_context(connecting)
    return RawPostgres(lambda: nullcontext(connection), opened)


async def open_raw_pool(conninfo: str) -> Peer:
    """Open the floor of every store that many tasks may use at once."""
    await _make_table(conninfo)
    opened = AsyncExitStack()
    pool = AsyncConnectionPool(
        conninfo, min_size=1, max_size=_CONNECTIONS, kwargs={"autocommit": True}, open=False
    )
    await opened.enter_async_context(pool)
    return RawPostgres(pool.connection, opened)


async def open_langgraph(conninfo: str) -> Peer:
    """Open LangGraph's store as its documentation shows, with a pool."""
    made = import_module("langgraph.store.postgres.aio").AsyncPostgresStore
    opened = AsyncExitStack()
    pool = {"min_size": 1, "max_size": _CONNECTIONS}
    store = await opened.enter_async_context(made.from_conn_string(conninfo, pool_config=pool))
    await store.setup()
    return LanggraphAsync(store, opened)


async def _make_table(conninfo: str) -> None:
    async with PostgresMemoryStore(conninfo, namespace="none") as store:
        await store.search(MemoryQuery(limit=1))


OPENERS: Final[dict[str, Callable[[str], Awaitable[Peer]]]] = {
    OURS: open_ours,
    RAW: open_raw,
    RAW_POOL: open_raw_pool,
    LANGGRAPH: open_langgraph,
}
"""Every store, in the order of the tables; each opens an empty database."""


def installed(name: str) -> bool:
    """Whether a store can be opened."""
    return name != LANGGRAPH or find_spec("langgraph") is not None

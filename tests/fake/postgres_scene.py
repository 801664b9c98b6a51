"""A connection to the stand-in for PostgreSQL, for a test to play on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar
from uuid import UUID

from psycopg import AsyncConnection

from memory_fidelity.adapter import Record
from memory_fidelity.adapters._postgres_sql import (
    FIND,
    RETRIEVE,
    STORE,
    retrieved,
    stored,
)
from memory_fidelity.fake.postgres_server import FakePostgresCluster
from memory_fidelity.fake.postgres_tables import OBJECTS, Created

ID = UUID(int=1, version=4)
LIMIT = FIND[1].replace("%s", "$2")
NUMBERED = RETRIEVE.replace("%s", "$1", 1).replace("%s", "$2")
PATIENCE = 5.0
"""Seconds in which a session must have begun to wait; it takes milliseconds."""
Result = TypeVar("Result")
Scene = Callable[[FakePostgresCluster, AsyncConnection[Any]], Awaitable[Result]]


def play(scene: Scene[Result], *, has_standby: bool = False) -> Result:
    """Play a scene on servers with tables and a connection to the primary, and end them."""

    async def play() -> Result:
        cluster = FakePostgresCluster(has_standby=has_standby)
        cluster.change(*map(Created, OBJECTS))
        await cluster.start()
        try:
            async with await connected(cluster.primary.conninfo) as connection:
                return await scene(cluster, connection)
        finally:
            await cluster.close()

    return asyncio.run(play())


async def connected(conninfo: str) -> AsyncConnection[Any]:
    """Return a connection that commits each statement."""
    return await AsyncConnection.connect(conninfo, autocommit=True)


def values_of(content: str = "tea", committing: str | None = None) -> tuple[Any, ...]:
    """Return the values of an ordinary write."""
    return stored("n", Record(ID, content, ["t"], 1.5, {}), committing)


def kinds_of(answer: bytes) -> Iterator[str]:
    """The kind of each message in some bytes of a server."""
    while answer:
        yield answer[:1].decode()
        answer = answer[1 + int.from_bytes(answer[1:5]) :]


async def store_item(connection: AsyncConnection[Any], *values: Any) -> list[Any]:
    """Write an item, and return the rows of the answer."""
    return await (await connection.execute(STORE, values or values_of())).fetchall()


async def kept_body(connection: AsyncConnection[Any]) -> Any:
    """Return what the row of the item holds; `None` if there is none."""
    rows = await (await connection.execute(RETRIEVE, retrieved("n", ID))).fetchall()
    return next((row[3] for row in rows), None)


async def until_waiting(cluster: FakePostgresCluster) -> None:
    """Return once a session waits."""
    async with asyncio.timeout(PATIENCE):
        while not cluster.primary.waiting:  # noqa: ASYNC110 - waits for a fact
            await asyncio.sleep(0)  # noqa: TID251 - gives way to the server

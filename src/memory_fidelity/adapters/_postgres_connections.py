"""Connections to one PostgreSQL server, made by the call that needs one and kept for the next.

psycopg_pool connects in the background and tries again by itself, so that a
call on an unreachable server waits for the pool's whole timeout and does not
learn why. Here it is told at once (E3). An `AsyncConnectionPool` of the
application's own can be used in this one's place; see decision 0007.
"""

from __future__ import annotations

import asyncio
import select
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any, Protocol

from psycopg import AsyncConnection, OperationalError, pq

__all__ = ["Connections", "OwnConnections"]


class Connections(Protocol):
    """What lends connections; `psycopg_pool.AsyncConnectionPool` is one."""

    def connection(
        self, timeout: float | None = None
    ) -> AbstractAsyncContextManager[AsyncConnection[Any]]:
        """Lend a connection, once one is free; raise after `timeout` seconds."""
        ...


class OwnConnections:
    """At most `size` connections, all of one event loop; idle ones that were lost are replaced."""

    def __init__(self, settings: dict[str, Any], *, size: int) -> None:
        """Take the connection parameters; the first call connects."""
        self._settings = settings
        self._free = asyncio.Semaphore(size)
        self._idle: list[AsyncConnection[Any]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closed = False

    @asynccontextmanager
    async def connection(
        self,
        timeout: float | None = None,  # noqa: ASYNC109 - the name that psycopg_pool gives it
    ) -> AsyncIterator[AsyncConnection[Any]]:
        """Lend a connection that works, as far as can be told without asking the server.

        Raises:
            RuntimeError: another event loop was the first to use these.
            OSError, psycopg.Error: they were closed, or none can be made in time.
        """
        self._require_own_loop()
        await self._have_one_free(timeout)
        try:
            connection = await self._kept() or await self._made(timeout)
            try:
                yield connection
            finally:
                await self._take_back(connection)
        finally:
            self._free.release()

    async def close(self) -> None:
        """Close the connections, those that are lent once they come back. Twice is safe."""
        self._is_closed = True
        while self._idle:
            await self._idle.pop().close()

    def _require_own_loop(self) -> None:
        if self._is_closed:
            raise ConnectionError("the store was closed")
        loop = asyncio.get_running_loop()
        if self._loop is None:
            self._loop = loop
        elif self._loop is not loop:
            raise RuntimeError("expected the event loop of the first call, got another")

    async def _have_one_free(self, seconds: float | None) -> None:
        # A deadline costs as much as the rest of lending, so it is there only where one waits.
        async with asyncio.timeout(seconds) if self._free.locked() else nullcontext():
            await self._free.acquire()

    async def _kept(self) -> AsyncConnection[Any] | None:
        # The last one used is the likeliest to work.
        while self._idle:
            connection = self._idle.pop()
            if _is_usable(connection):
                return connection
            await connection.close()
        return None

    async def _made(self, seconds: float | None) -> AsyncConnection[Any]:
        async with asyncio.timeout(seconds):
            return await AsyncConnection.connect(autocommit=True, **self._settings)

    async def _take_back(self, connection: AsyncConnection[Any]) -> None:
        idle = connection.pgconn.transaction_status == pq.TransactionStatus.IDLE
        if self._is_closed or not idle:
            await connection.close()
        else:
            self._idle.append(connection)


def _is_usable(connection: AsyncConnection[Any]) -> bool:
    """Whether an idle connection is open at both ends, told by what has already arrived."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    if not poll.poll(0):
        return True
    # It may be a notice, such as that of a changed setting; the end of the connection raises.
    try:
        connection.pgconn.consume_input()
    except OperationalError:
        return False
    # A server that says why it ends the connection has sent more than the reason.
    return not poll.poll(0)

"""One PostgreSQL server as a store uses it: found fit once, asked with a deadline."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, Final, Literal, LiteralString

import psycopg
from psycopg import AsyncConnection
from psycopg.errors import ReadOnlySqlTransaction

from memory_fidelity.adapters._postgres_connections import Connections
from memory_fidelity.adapters._postgres_sql import (
    CREATE,
    FORMAT,
    INSPECT,
    LOCK,
    SYNCHRONOUS,
)
from memory_fidelity.errors import MemoryAdapterUnavailable

__all__ = ["Role", "Server"]

Role = Literal["primary", "standby"]
"""What a server must be: one that takes writes, or one that replays those of another."""

_LOCK_KEY: Final = int.from_bytes(b"mfid")
"""Key of the advisory lock under which the tables are made."""


class Server:
    """Asks one server, which must be of the given role and hold this store's tables.

    Whatever goes wrong before a statement is sent is told apart: then nothing
    was written.
    """

    def __init__(
        self,
        subject: str,
        role: Role,
        connections: Connections,
        *,
        timeout: float,
        create: bool,
        synchronous_commit: str | None = None,
    ) -> None:
        """Take where to ask; `timeout` is in seconds, for a connection and for each answer.

        With `create`, missing tables are made. `synchronous_commit` is what
        making them waits for; the server's own setting, if it is `None`.
        """
        self._subject = f"{subject}: {role}"
        self._role = role
        self._connections = connections
        self._timeout = timeout
        self._create = create
        self._synchronous_commit = synchronous_commit
        self._is_fit = False

    async def write(self, statement: LiteralString, values: tuple[Any, ...]) -> Any:
        """Carry out a statement that writes, and return its first row, if it gives one.

        Raises:
            MemoryAdapterUnavailable: nothing was written.
            OSError, psycopg.Error: any other failure; the outcome may be unknown.
        """
        async with self._fit_connection() as connection:
            try:
                rows = await self._answer(connection, statement, values)
            except ReadOnlySqlTransaction as error:
                raise self._unfit("one that takes writes", "a read-only one") from error
        return next(iter(rows), None)

    async def read(self, statement: LiteralString, values: tuple[Any, ...]) -> list[Any]:
        """Return the rows that a statement finds, without the column that tells the role.

        Raises:
            MemoryAdapterUnavailable: the server is not, or no longer, of this role.
            OSError, psycopg.Error: any other failure.
        """
        async with self._fit_connection() as connection:
            rows = await self._answer(connection, statement, values)
            # A server that found nothing has told it beside its answer, though a pooler may keep
            # that back; to have a row in any case would cost a sixth of a search.
            self._require_role(rows[0][0] if rows else _told_role(connection) == "on")
        return [row[1:] for row in rows]

    @asynccontextmanager
    async def _fit_connection(self) -> AsyncIterator[AsyncConnection[Any]]:
        is_lent = False
        try:
            async with self._connections.connection(self._timeout) as connection:
                if not self._is_fit:
                    await self._inspect(connection)
                    self._is_fit = True
                is_lent = True
                yield connection
                if not connection.autocommit:
                    # A pool would do it, and wait for ever.
                    with _deadline(connection, self._timeout):
                        await connection.commit()
        except (psycopg.Error, OSError) as error:
            if is_lent:
                raise
            raise self._unfit("a usable server", type(error).__name__) from error

    async def _inspect(self, connection: AsyncConnection[Any]) -> None:
        ((in_recovery, encoding, exists, stamp),) = await self._answer(connection, INSPECT)
        self._require_role(in_recovery)
        if _told_role(connection) is None:
            raise self._unfit("PostgreSQL 14 or later, which tells its role", "none that does")
        if encoding != "UTF8":
            raise self._unfit("a database in UTF8", f"one in {encoding}")
        if not exists and self._create:
            await self._make_tables(connection)
        elif stamp != FORMAT:
            got = f"a schema stamped {stamp!r}" if exists else "no such schema"
            raise self._unfit(f"the schema memory_fidelity, stamped {FORMAT!r}", got)

    async def _make_tables(self, connection: AsyncConnection[Any]) -> None:
        async with connection.transaction():
            await self._answer(connection, LOCK, (_LOCK_KEY,))
            ((_, _, exists, _),) = await self._answer(connection, INSPECT)
            if exists:
                return  # another store was quicker
            if self._synchronous_commit is not None:
                await self._answer(connection, SYNCHRONOUS, (self._synchronous_commit,))
            for statement in CREATE:
                await self._answer(connection, statement)

    async def _answer(
        self,
        connection: AsyncConnection[Any],
        statement: LiteralString,
        values: tuple[Any, ...] | None = None,
    ) -> list[Any]:
        with _deadline(connection, self._timeout):
            cursor = await connection.execute(statement, values)
            # As `description`, which is slow, would say: whether it is a statement that gives rows.
            return [] if cursor.rownumber is None else await cursor.fetchall()

    def _require_role(self, in_recovery: bool) -> None:
        role: Role = "standby" if in_recovery else "primary"
        if role != self._role:
            raise self._unfit(f"a {self._role}", f"a {role}")

    def _unfit(self, expected: str, got: str) -> MemoryAdapterUnavailable:
        return MemoryAdapterUnavailable(
            f"{self._subject}: expected {expected}, got {got}; nothing was written"
        )


def _told_role(connection: AsyncConnection[Any]) -> str | None:
    """`on` if the server is a standby, as it said by the end of its last answer."""
    return connection.info.parameter_status("in_hot_standby")


@contextmanager
def _deadline(connection: AsyncConnection[Any], seconds: float) -> Iterator[None]:
    """End the connection, and so the call that waits for it, after this many seconds.

    Cancelling the call would not do: psycopg then asks the server to cancel,
    and waits for a server that does not answer anyway.
    """
    is_late = False

    def end() -> None:
        nonlocal is_late
        is_late = True
        # It may have ended by itself at this moment.
        with suppress(OSError, psycopg.Error):
            _shut_down(connection.fileno())

    timer = asyncio.get_running_loop().call_later(seconds, end)
    try:
        yield
    except psycopg.OperationalError as error:
        if is_late:
            raise TimeoutError(f"no answer within {seconds:g} s") from error
        raise
    finally:
        timer.cancel()


def _shut_down(descriptor: int) -> None:
    with socket.socket(fileno=os.dup(descriptor)) as end:
        end.shutdown(socket.SHUT_RDWR)

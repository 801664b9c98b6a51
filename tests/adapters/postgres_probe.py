"""One script of everything that the PostgreSQL store can send, played to any pair of servers.

It is sent with the real driver, and each answer is kept as it came: columns and
their types, the text of every value, command tag, SQLSTATE, and the state that
the session is in afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import product, starmap
from typing import Any, Final, LiteralString, Protocol
from uuid import UUID

import psycopg
from tests.adapters.postgres_values import (
    CONTENTS,
    FILTER_VALUES,
    FILTERS,
    METADATA,
    NEEDLES,
    PATTERNS,
    TAG_SETS,
    TAGS,
    TEXTS,
    TIMES,
)

from memory_fidelity.adapter import Record, Search
from memory_fidelity.adapters._postgres_sql import (
    CREATE,
    FIND,
    INSPECT,
    LOCK,
    RETRIEVE,
    STORE,
    SYNCHRONOUS,
    TEXT,
    found_first,
    retrieved,
    stored,
)

__all__ = ["FOREIGN", "NAMESPACE", "Heard", "Servers", "play"]

NAMESPACE: Final = "probe"
FOREIGN: Final = stored(
    NAMESPACE, Record(UUID(int=99, version=4), "A note", ["t"], 1.0, {"n": 1}), None
)[:6]
"""The columns of a row of another kind, but for the kind."""

_TOLD: Final = (
    "client_encoding",
    "default_transaction_read_only",
    "in_hot_standby",
    "integer_datetimes",
    "search_path",
    "server_encoding",
    "standard_conforming_strings",
)
_PATIENCE: Final = 20.0
"""Seconds that any answer may take; it takes milliseconds."""


class Servers(Protocol):
    """A primary and a standby under the control of the probe."""

    @property
    def primary(self) -> str:
        """The connection string of the primary."""
        ...

    @property
    def standby(self) -> str:
        """The connection string of the standby."""
        ...

    async def plant(self) -> None:
        """Write the foreign row."""
        ...

    async def caught_up(self) -> None:
        """Return once the standby shows what the primary has."""
        ...

    async def pause_replay(self) -> None:
        """Show nothing new on the standby."""
        ...

    async def resume_replay(self) -> None:
        """Let the standby replay again."""
        ...

    async def synchronous(self, on: bool) -> None:
        """Have commits under `remote_apply` wait for the standby, or not."""
        ...

    async def waiting(self) -> None:
        """Return once a session of the primary waits for a lock or for the standby."""
        ...


@dataclass(frozen=True)
class Heard:
    """An answer as it came."""

    rows: list[list[bytes | None]]
    columns: list[tuple[str, int, int | None]]
    tag: str | None
    sqlstate: str | None
    transaction: str
    settings: list[str | None]
    notices: list[tuple[str | None, str | None]]


class Client:
    """A connection, and what is heard on it."""

    def __init__(self, connection: psycopg.AsyncConnection[Any]) -> None:
        self.connection = connection
        self._notices: list[tuple[str | None, str | None]] = []
        connection.add_notice_handler(
            lambda notice: self._notices.append((notice.severity_nonlocalized, notice.sqlstate))
        )

    async def hear(self, statement: LiteralString, values: tuple[Any, ...] | None = None) -> Heard:
        """Send a statement, and return the answer or the error."""
        sqlstate = None
        cursor = self.connection.cursor()
        try:
            async with asyncio.timeout(_PATIENCE):
                await cursor.execute(statement, values)
        except psycopg.Error as error:
            sqlstate = error.sqlstate or type(error).__name__
        result, info = cursor.pgresult, self.connection.info
        notices, self._notices[:] = list(self._notices), []
        return Heard(
            rows=[
                [result.get_value(row, column) for column in range(result.nfields)]
                for row in range(result.ntuples)
            ]
            if result is not None
            else [],
            columns=[
                (column.name, column.type_code, column.internal_size)
                for column in cursor.description or ()
            ],
            tag=cursor.statusmessage,
            sqlstate=sqlstate,
            transaction=info.transaction_status.name,
            settings=[info.parameter_status(name) for name in _TOLD],
            notices=notices,
        )


@asynccontextmanager
async def _client(conninfo: str) -> AsyncIterator[Client]:
    connection = await psycopg.AsyncConnection.connect(
        conninfo, autocommit=True, prepare_threshold=1
    )
    async with connection:
        yield Client(connection)


async def play(servers: Servers) -> dict[str, Heard]:
    """Play the whole script, on tables that are not there yet, and return each answer."""
    heard: dict[str, Heard] = {}
    async with AsyncExitStack() as clients:
        primary = await clients.enter_async_context(_client(servers.primary))
        for name, statement, values in (*_before(), *_creating()):
            heard[f"{name}"] = await primary.hear(statement, values)
        await servers.plant()
        for name, statement, values in (*_writing(), *_reading(), *_blocks()):
            heard[name] = await primary.hear(statement, values)
        await servers.caught_up()
        standby = await clients.enter_async_context(_client(servers.standby))
        for name, statement, values in (*_before(), *_reading(), *_writing()):
            heard[f"standby: {name}"] = await standby.hear(statement, values)
        second = await clients.enter_async_context(_client(servers.primary))
        heard.update(await _cancelling_a_lock(servers, primary, second))
        heard.update(await _waiting_for_the_standby(servers, primary, second, standby))
    return heard


_Step = tuple[str, LiteralString, tuple[Any, ...] | None]


def _before() -> Iterator[_Step]:
    yield "inspect", INSPECT, None
    yield "no statement", "SELEC 1", None
    yield "retrieve", RETRIEVE, retrieved(NAMESPACE, _id(1))
    yield "search", *found_first(NAMESPACE, Search(None, (), {}, 10))


def _creating() -> Iterator[_Step]:
    yield "store without a table", STORE, _values("")
    yield "index without a table", CREATE[-1], None
    yield "text index without a table", CREATE[6], None
    yield "search path without an extension", CREATE[3], None
    yield "table without a schema", CREATE[4], None
    yield "undone: begin", "BEGIN", None
    yield "undone: create", CREATE[0], None
    yield "undone: inspect", INSPECT, None
    yield "undone: create again", CREATE[0], None
    yield "undone: after an error", INSPECT, None
    yield "undone: commit", "COMMIT", None
    yield "undone", INSPECT, None
    yield "create: begin", "BEGIN", None
    yield "create: lock", LOCK, (int.from_bytes(b"mfid"),)
    yield "create: wait for the standby", SYNCHRONOUS, ("remote_apply",)
    for number, statement in enumerate(CREATE):
        yield f"create: {number}", statement, None
    yield "create: inspect", INSPECT, None
    yield "create: commit", "COMMIT", None
    yield "created", INSPECT, None
    for number in (0, 4, 5, 6):
        yield f"created: {number} again", CREATE[number], None


def _writing() -> Iterator[_Step]:
    for number, content in enumerate(CONTENTS):
        yield f"store content {number}", STORE, _values(content, number)
    for number, created_at in enumerate(TIMES, start=30):
        yield f"store time {created_at!r}", STORE, _values("time", number, created_at=created_at)
    yield "store tags", STORE, _values("tags", 60, tags=list(TAGS))
    yield "store again", STORE, _values("tea, replaced", 0, tags=["t"], metadata={"n": 1})
    yield "store over another kind", STORE, _values("mine", 99)
    yield "store in another namespace", STORE, ("other", *_values("elsewhere", 0)[1:])
    yield "store and wait", STORE, (*_values("tea", 61)[:6], "remote_apply")
    yield "store and wait for the unknown", STORE, (*_values("tea", 62)[:6], "twice")
    yield "store nothing", STORE, (NAMESPACE, _id(63), None, "", "", [], None)
    yield "store a NUL", STORE, (NAMESPACE, _id(64), 1.0, "", "", ["a\x00b"], None)


def _reading() -> Iterator[_Step]:
    for number in (0, 3, 29, 60, 99):
        yield f"retrieve {number}", RETRIEVE, retrieved(NAMESPACE, _id(number))
    yield "retrieve from another namespace", RETRIEVE, retrieved("nowhere", _id(0))
    yield "retrieve without an id", RETRIEVE, (NAMESPACE, None)
    for search in starmap(Search, product(TEXTS, TAG_SETS, FILTERS, (1, 2, 2**31 - 1))):
        yield f"search {search}", *found_first(NAMESPACE, search)
    for text in NEEDLES:
        yield f"search {text!r}", *found_first(NAMESPACE, Search(text, (), {}, 100))
    for tag in TAGS:
        yield f"search tag {tag!r}", *found_first(NAMESPACE, Search(None, (tag,), {}, 100))
    for value in FILTER_VALUES:
        search = Search(None, (), {"n": value}, 100)
        yield f"search n={value!r}", *found_first(NAMESPACE, search)
    for pattern in PATTERNS:
        yield f"search like {pattern!r}", FIND[0] + TEXT + FIND[1], (NAMESPACE, pattern, 100)
    for count in (0, -1, 2**62, None):
        yield f"search with limit {count}", FIND[0] + FIND[1], (NAMESPACE, count)


def _blocks() -> Iterator[_Step]:
    yield "savepoint outside", 'SAVEPOINT "s"', None
    yield "block: begin", "BEGIN", None
    yield "block: store", STORE, _values("in a block", 80)
    yield "block: savepoint", 'SAVEPOINT "s"', None
    yield "block: store another", STORE, _values("to be undone", 81)
    yield "block: an error", "SELEC 1", None
    yield "block: after an error", RETRIEVE, retrieved(NAMESPACE, _id(80))
    yield "block: back", 'ROLLBACK TO "s"', None
    yield "block: no way back", 'ROLLBACK TO "t"', None
    yield "block: back again", 'ROLLBACK TO "s"', None
    yield "block: release", 'RELEASE "s"', None
    yield "block: kept", RETRIEVE, retrieved(NAMESPACE, _id(80))
    yield "block: undone", RETRIEVE, retrieved(NAMESPACE, _id(81))
    yield "block: forget", "DEALLOCATE ALL", None
    yield "block: commit", "COMMIT", None
    yield "rolled back: begin", "BEGIN", None
    yield "rolled back: store", STORE, _values("not kept", 82)
    yield "rolled back", "ROLLBACK", None
    yield "after a rollback", RETRIEVE, retrieved(NAMESPACE, _id(82))


async def _cancelling_a_lock(servers: Servers, one: Client, two: Client) -> dict[str, Heard]:
    heard = {}
    await one.hear("BEGIN")
    await one.hear(LOCK, (1,))
    heard["lock: held already"] = await one.hear(LOCK, (1,))
    await two.hear("BEGIN")
    heard["lock: another"] = await two.hear(LOCK, (2,))
    heard["lock: cancelled"] = await _cancelled(servers, two, two.hear(LOCK, (1,)))
    heard["lock: rolled back"] = await two.hear("ROLLBACK")
    await two.hear("BEGIN")
    heard["lock: handed on"] = await _after(
        servers, two.hear(LOCK, (1,)), lambda: one.hear("COMMIT")
    )
    heard["lock: committed"] = await two.hear("COMMIT")
    return heard


async def _waiting_for_the_standby(
    servers: Servers, one: Client, two: Client, standby: Client
) -> dict[str, Heard]:
    heard = {}
    look = RETRIEVE, retrieved(NAMESPACE, _id(90))
    await servers.synchronous(True)
    try:
        write = STORE, (*_values("waits", 90)[:6], "remote_apply")
        heard["synchronous: both replay"] = await one.hear(*write)
        heard["synchronous: shown"] = await standby.hear(*look)
        await servers.pause_replay()
        heard["paused: without waiting"] = await one.hear(STORE, _values("does not wait", 91))
        heard["paused: not shown"] = await standby.hear(RETRIEVE, retrieved(NAMESPACE, _id(91)))
        write = STORE, (*_values("waits again", 90)[:6], "remote_apply")
        waits = asyncio.ensure_future(one.hear(*write))
        await servers.waiting()
        heard["paused: not shown on the primary"] = await two.hear(*look)
        await servers.resume_replay()
        heard["resumed: acknowledged"] = await waits
        heard["resumed: shown on the primary"] = await two.hear(*look)
        heard["resumed: shown"] = await standby.hear(*look)
        await servers.pause_replay()
        write = STORE, (*_values("is cancelled", 90)[:6], "remote_apply")
        heard["paused: cancelled"] = await _cancelled(servers, one, one.hear(*write))
        heard["paused: committed"] = await two.hear(*look)
        heard["paused: still not shown"] = await standby.hear(*look)
    finally:
        await servers.resume_replay()
        await servers.synchronous(False)
    return heard


async def _cancelled(servers: Servers, client: Client, call: Awaitable[Heard]) -> Heard:
    return await _after(servers, call, client.connection.cancel_safe)


async def _after(
    servers: Servers, call: Awaitable[Heard], act: Callable[[], Awaitable[object]]
) -> Heard:
    """Start a call that waits, do something about it, and return what it then gives."""
    waits = asyncio.ensure_future(call)
    await servers.waiting()
    await act()
    return await waits


def _id(number: int) -> UUID:
    return UUID(int=number, version=4)


def _values(
    content: Any,
    number: int = 0,
    *,
    created_at: float = 1767323045.25,
    tags: list[str] | None = None,
    metadata: dict[str, Any] | None = None,
) -> tuple[Any, ...]:
    kept = METADATA[number % len(METADATA)] if metadata is None else metadata
    record = Record(_id(number), content, ["t"] if tags is None else tags, created_at, kept)
    return stored(NAMESPACE, record, None)

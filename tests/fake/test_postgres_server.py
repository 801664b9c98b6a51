"""The stand-in for PostgreSQL: it understands what the store sends, and fails as it is told.

What it answers otherwise is compared with a real server in `tests/adapters/test_postgres_drift.py`.
"""

from __future__ import annotations

import asyncio
from typing import Any, LiteralString

import psycopg
import pytest
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict
from tests.fake.postgres_messages import EXECUTE, STARTUP, SYNC, bind, message, parse
from tests.fake.postgres_scene import (
    ID,
    LIMIT,
    NUMBERED,
    connected,
    kept_body,
    kinds_of,
    play,
    store_item,
    until_waiting,
    values_of,
)

from memory_fidelity.adapters._postgres_sql import (
    FIND,
    INSPECT,
    RETRIEVE,
    STORE,
    retrieved,
)
from memory_fidelity.fake.postgres_server import FakePostgresCluster, Fault
from memory_fidelity.fake.postgres_statements import PostgresError, understood


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("SELECT 1", id="another"),
        pytest.param("", id="none"),
        pytest.param(INSPECT + " ", id="longer"),
        pytest.param(f"{INSPECT}; {INSPECT}", id="two"),
        pytest.param(RETRIEVE, id="a-mark-that-is-no-value"),
        pytest.param(RETRIEVE.replace("%s", "$2", 1).replace("%s", "$1"), id="another-order"),
        pytest.param(FIND[0].replace("%s", "$1") + " OR true" + LIMIT, id="another-condition"),
    ],
)
def test_other_statements_are_not_guessed_at(statement: str) -> None:
    """A statement is known whole, or refused as an error of syntax."""
    with pytest.raises(PostgresError, match="42601"):
        understood(statement)


def test_a_refused_statement_leaves_the_session_usable() -> None:
    """The next statement is answered."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        with pytest.raises(psycopg.errors.SyntaxError):
            await connection.execute("SELECT 1 WHERE 1 = %s", (1,))
        return await (await connection.execute(INSPECT)).fetchall()

    assert play(scene) == [(False, "UTF8", True, "memory-fidelity 1")]


def test_results_in_binary_are_refused() -> None:
    """The store asks for text; a codec of the stand-in's own would prove nothing."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> None:
        with pytest.raises(psycopg.errors.FeatureNotSupported):
            await connection.execute(RETRIEVE, retrieved("n", ID), binary=True)

    play(scene)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        pytest.param((1, ID), psycopg.errors.DatatypeMismatch, id="a-number-for-a-text"),
        pytest.param(("n", "no uuid"), psycopg.errors.InvalidTextRepresentation, id="no-uuid"),
    ],
)
def test_values_of_another_type_are_refused(
    values: tuple[Any, ...], error: type[Exception]
) -> None:
    """They are never cast to what the store should have sent."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> None:
        with pytest.raises(error):
            await connection.execute(RETRIEVE, values)

    play(scene)


@pytest.mark.parametrize(
    ("sent", "kinds", "sqlstate"),
    [
        pytest.param(message("E", b"p\0\0\0\0\0") + SYNC, "EZ", b"34000", id="no-portal"),
        pytest.param(bind("s", []) + SYNC, "EZ", b"26000", id="no-statement"),
        pytest.param(
            parse("", NUMBERED) + message("D", b"S\0") + SYNC, "1EZ", b"0A000", id="describe"
        ),
        pytest.param(
            parse("", NUMBERED) + bind("", [], b"n") + EXECUTE + SYNC,
            "12EZ",
            b"08P01",
            id="a-value-too-few",
        ),
        pytest.param(
            parse("", NUMBERED) + bind("", [], b"\xff", None) + EXECUTE + SYNC,
            "12EZ",
            b"22021",
            id="no-text",
        ),
        pytest.param(
            parse("", NUMBERED) + bind("", [], b"a\0b", None) + EXECUTE + SYNC,
            "12EZ",
            b"22021",
            id="a-NUL",
        ),
        pytest.param(
            parse("", "SELECT 1") + bind("", []) + EXECUTE + SYNC, "EZ", b"42601", id="skipped"
        ),
        pytest.param(message("p", b"secret\0"), "E", b"08P01", id="a-password"),
        pytest.param(message("D", b"P"), "E", b"08P01", id="half-a-message"),
    ],
)
def test_messages_that_mean_nothing_are_errors(sent: bytes, kinds: str, sqlstate: bytes) -> None:
    """What follows in the same request is passed over; those out of place end the session."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> bytes:
        port = int(str(conninfo_to_dict(cluster.primary.conninfo)["port"]))
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(STARTUP)
        greeting = await reader.readuntil(b"Z\0\0\0\x05I")
        assert greeting.startswith(b"R\0\0\0\x08\0\0\0\0")
        writer.write(sent + message("X"))
        answer = await reader.read()
        writer.close()
        return answer

    answer = play(scene)

    assert "".join(kinds_of(answer)) == kinds
    assert b"C" + sqlstate + b"\0" in answer


def test_a_statement_that_is_closed_can_be_prepared_again() -> None:
    """The driver closes those that it has not used for long."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        connection.prepare_threshold = 0
        connection.prepared_max = 1
        await store_item(connection)
        return [
            await kept_body(connection),
            await store_item(connection),
            await kept_body(connection),
        ]

    body = '["tea",{},["t"]]'
    assert play(scene) == [body, [(ID, "on", "")], body]


def test_a_refused_write_violates_a_constraint_once() -> None:
    """Nothing is written; the next write is."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        cluster.plant("refuse")
        with pytest.raises(psycopg.errors.CheckViolation):
            await store_item(connection)
        return [await kept_body(connection), await store_item(connection)]

    assert play(scene) == [None, [(ID, "on", "")]]


def test_a_withheld_identity_is_a_write_without_a_row() -> None:
    """It does nothing, and its tag says so."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        cluster.plant("withhold")
        cursor = await connection.execute(STORE, values_of())
        return [await cursor.fetchall(), cursor.statusmessage, await kept_body(connection)]

    assert play(scene) == [[], "INSERT 0 0", None]


def test_a_corrupted_read_holds_half_of_the_body() -> None:
    """It waits for a read that finds something, and the row itself stays whole."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        cluster.plant("corrupt")
        missing = await kept_body(connection)
        await store_item(connection)
        return [missing, await kept_body(connection), await kept_body(connection)]

    assert play(scene) == [None, '["tea",{', '["tea",{},["t"]]']


@pytest.mark.parametrize(
    ("statement", "values", "kept"),
    [
        pytest.param(STORE, values_of("coffee"), '["coffee",{},["t"]]', id="write"),
        pytest.param(RETRIEVE, ("n", ID), '["tea",{},["t"]]', id="read"),
        pytest.param(FIND[0] + FIND[1], ("n", 1), '["tea",{},["t"]]', id="search"),
    ],
)
def test_a_lost_reply_is_one_to_a_statement_that_was_carried_out(
    statement: LiteralString, values: tuple[Any, ...], kept: str
) -> None:
    """The connection is reset, and the next one finds what was written."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> Any:
        await store_item(connection)
        cluster.plant("lose")
        with pytest.raises(psycopg.OperationalError):
            await connection.execute(statement, values)
        async with await connected(cluster.primary.conninfo) as another:
            return await kept_body(another)

    assert play(scene) == kept


def test_a_hanging_write_is_carried_out_when_it_is_resumed() -> None:
    """Until then nothing of it can be seen."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        cluster.plant("hang")
        write = asyncio.ensure_future(store_item(connection))
        await until_waiting(cluster)
        async with await connected(cluster.primary.conninfo) as another:
            before = await kept_body(another)
        cluster.resume()
        await write
        return [before, await kept_body(connection)]

    assert play(scene) == [None, '["tea",{},["t"]]']


def test_a_hanging_write_that_is_cancelled_writes_nothing() -> None:
    """The server is asked to cancel, as the driver does for a cancelled task."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> Any:
        cluster.plant("hang")
        write = asyncio.ensure_future(store_item(connection))
        await until_waiting(cluster)
        await connection.cancel_safe()
        with pytest.raises(psycopg.errors.QueryCanceled):
            await write
        cluster.resume()
        return await kept_body(connection)

    assert play(scene) is None


def test_resuming_takes_back_what_was_planted() -> None:
    """A write that comes after it does not hang."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        cluster.plant("hang")
        cluster.resume()
        return await store_item(connection)

    assert play(scene) == [(ID, "on", "")]


@pytest.mark.parametrize("fault", ["refuse", "withhold", "hang"])
def test_a_fault_of_writes_does_not_happen_to_reads(fault: Fault) -> None:
    """It waits for the next write."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> Any:
        await store_item(connection)
        cluster.plant(fault)
        return await kept_body(connection)

    assert play(scene) == '["tea",{},["t"]]'


def test_a_cancellation_with_another_key_is_ignored() -> None:
    """As by a client that guesses."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> bool:
        cluster.plant("hang")
        write = asyncio.ensure_future(store_item(connection))
        await until_waiting(cluster)
        port = int(str(conninfo_to_dict(cluster.primary.conninfo)["port"]))
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        process = connection.info.backend_pid.to_bytes(4)
        writer.write(b"\0\0\0\x10\x04\xd2\x16\x2e" + process + b"none")
        await reader.read()
        writer.close()
        waits = bool(cluster.primary.waiting)
        cluster.resume()
        await write
        return waits

    assert play(scene)

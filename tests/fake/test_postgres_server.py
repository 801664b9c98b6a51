"""The stand-in for PostgreSQL: it understands what the store sends, and fails as it is told.

What it answers otherwise is compared with a real server in `tests/adapters/test_postgres_drift.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, LiteralString, TypeVar
from uuid import UUID

import psycopg
import pytest
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict
from tests.fake.postgres_messages import EXECUTE, STARTUP, SYNC, bind, message, parse

from memory_fidelity.adapter import Record
from memory_fidelity.adapters._postgres_sql import (
    FIND,
    INSPECT,
    RETRIEVE,
    STORE,
    TEXT,
    retrieved,
    stored,
)
from memory_fidelity.adapters.postgres import PostgresMemoryStore
from memory_fidelity.fake.postgres_server import FakePostgresCluster, Fault
from memory_fidelity.fake.postgres_statements import PostgresError, understood
from memory_fidelity.fake.postgres_tables import OBJECTS, Created, Emptied
from memory_fidelity.store import MemoryItem

_ID = UUID(int=1, version=4)
_LIMIT = FIND[1].replace("%s", "$2")
_NUMBERED = RETRIEVE.replace("%s", "$1", 1).replace("%s", "$2")
_PATIENCE = 5.0
"""Seconds in which a session must have begun to wait; it takes milliseconds."""
_Result = TypeVar("_Result")
_Scene = Callable[[FakePostgresCluster, AsyncConnection[Any]], Awaitable[_Result]]


def _play(scene: _Scene[_Result], *, has_standby: bool = False) -> _Result:
    """Play a scene on servers with tables and a connection to the primary, and end them."""

    async def play() -> _Result:
        cluster = FakePostgresCluster(has_standby=has_standby)
        cluster.change(*map(Created, OBJECTS))
        await cluster.start()
        try:
            async with await _connection(cluster.primary.conninfo) as connection:
                return await scene(cluster, connection)
        finally:
            await cluster.close()

    return asyncio.run(play())


async def _connection(conninfo: str) -> AsyncConnection[Any]:
    return await AsyncConnection.connect(conninfo, autocommit=True)


def _values(content: str = "tea", committing: str | None = None) -> tuple[Any, ...]:
    return stored("n", Record(_ID, content, ["t"], 1.5, {}), committing)


def _kinds(answer: bytes) -> Iterator[str]:
    """The kind of each message in some bytes of a server."""
    while answer:
        yield answer[:1].decode()
        answer = answer[1 + int.from_bytes(answer[1:5]) :]


async def _store(connection: AsyncConnection[Any], *values: Any) -> list[Any]:
    return await (await connection.execute(STORE, values or _values())).fetchall()


async def _body(connection: AsyncConnection[Any]) -> Any:
    (row,) = await (await connection.execute(RETRIEVE, retrieved("n", _ID))).fetchall()
    return row[3]


async def _until_waiting(cluster: FakePostgresCluster) -> None:
    async with asyncio.timeout(_PATIENCE):
        while not cluster.primary.waiting:  # noqa: ASYNC110 - waits for a fact
            await asyncio.sleep(0)  # noqa: TID251 - gives way to the server


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("SELECT 1", id="another"),
        pytest.param("", id="none"),
        pytest.param(INSPECT + " ", id="longer"),
        pytest.param(f"{INSPECT}; {INSPECT}", id="two"),
        pytest.param(RETRIEVE, id="a-mark-that-is-no-value"),
        pytest.param(RETRIEVE.replace("%s", "$2", 1).replace("%s", "$1"), id="another-order"),
        pytest.param(FIND[0].replace("%s", "$1") + " OR true" + _LIMIT, id="another-condition"),
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

    assert _play(scene) == [(False, "UTF8", True, "memory-fidelity 1")]


def test_results_in_binary_are_refused() -> None:
    """The store asks for text; a codec of the stand-in's own would prove nothing."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> None:
        with pytest.raises(psycopg.errors.FeatureNotSupported):
            await connection.execute(RETRIEVE, retrieved("n", _ID), binary=True)

    _play(scene)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        pytest.param((1, _ID), psycopg.errors.DatatypeMismatch, id="a-number-for-a-text"),
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

    _play(scene)


@pytest.mark.parametrize(
    ("sent", "kinds", "sqlstate"),
    [
        pytest.param(message("E", b"p\0\0\0\0\0") + SYNC, "EZ", b"34000", id="no-portal"),
        pytest.param(bind("s", []) + SYNC, "EZ", b"26000", id="no-statement"),
        pytest.param(
            parse("", _NUMBERED) + message("D", b"S\0") + SYNC, "1EZ", b"0A000", id="describe"
        ),
        pytest.param(
            parse("", _NUMBERED) + bind("", [], b"n") + EXECUTE + SYNC,
            "12EZ",
            b"08P01",
            id="a-value-too-few",
        ),
        pytest.param(
            parse("", _NUMBERED) + bind("", [], b"\xff", None) + EXECUTE + SYNC,
            "12EZ",
            b"22021",
            id="no-text",
        ),
        pytest.param(
            parse("", _NUMBERED) + bind("", [], b"a\0b", None) + EXECUTE + SYNC,
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

    answer = _play(scene)

    assert "".join(_kinds(answer)) == kinds
    assert b"C" + sqlstate + b"\0" in answer


def test_a_statement_that_is_closed_can_be_prepared_again() -> None:
    """The driver closes those that it has not used for long."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        connection.prepare_threshold = 0
        connection.prepared_max = 1
        await _store(connection)
        return [await _body(connection), await _store(connection), await _body(connection)]

    body = '["tea",{},["t"]]'
    assert _play(scene) == [body, [(_ID, "on", "")], body]


def test_a_refused_write_violates_a_constraint_once() -> None:
    """Nothing is written; the next write is."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        cluster.plant("refuse")
        with pytest.raises(psycopg.errors.CheckViolation):
            await _store(connection)
        return [await _body(connection), await _store(connection)]

    assert _play(scene) == [None, [(_ID, "on", "")]]


def test_a_withheld_identity_is_a_write_without_a_row() -> None:
    """It does nothing, and its tag says so."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        cluster.plant("withhold")
        cursor = await connection.execute(STORE, _values())
        return [await cursor.fetchall(), cursor.statusmessage, await _body(connection)]

    assert _play(scene) == [[], "INSERT 0 0", None]


def test_a_corrupted_read_holds_half_of_the_body() -> None:
    """It waits for a read that finds something, and the row itself stays whole."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        cluster.plant("corrupt")
        missing = await _body(connection)
        await _store(connection)
        return [missing, await _body(connection), await _body(connection)]

    assert _play(scene) == [None, '["tea",{', '["tea",{},["t"]]']


@pytest.mark.parametrize(
    ("statement", "values", "kept"),
    [
        pytest.param(STORE, _values("coffee"), '["coffee",{},["t"]]', id="write"),
        pytest.param(RETRIEVE, ("n", _ID), '["tea",{},["t"]]', id="read"),
        pytest.param(FIND[0] + FIND[1], ("n", 1), '["tea",{},["t"]]', id="search"),
    ],
)
def test_a_lost_reply_is_one_to_a_statement_that_was_carried_out(
    statement: LiteralString, values: tuple[Any, ...], kept: str
) -> None:
    """The connection is reset, and the next one finds what was written."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> Any:
        await _store(connection)
        cluster.plant("lose")
        with pytest.raises(psycopg.OperationalError):
            await connection.execute(statement, values)
        async with await _connection(cluster.primary.conninfo) as another:
            return await _body(another)

    assert _play(scene) == kept


def test_a_hanging_write_is_carried_out_when_it_is_resumed() -> None:
    """Until then nothing of it can be seen."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        cluster.plant("hang")
        write = asyncio.ensure_future(_store(connection))
        await _until_waiting(cluster)
        async with await _connection(cluster.primary.conninfo) as another:
            before = await _body(another)
        cluster.resume()
        await write
        return [before, await _body(connection)]

    assert _play(scene) == [None, '["tea",{},["t"]]']


def test_a_hanging_write_that_is_cancelled_writes_nothing() -> None:
    """The server is asked to cancel, as the driver does for a cancelled task."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> Any:
        cluster.plant("hang")
        write = asyncio.ensure_future(_store(connection))
        await _until_waiting(cluster)
        await connection.cancel_safe()
        with pytest.raises(psycopg.errors.QueryCanceled):
            await write
        cluster.resume()
        return await _body(connection)

    assert _play(scene) is None


def test_resuming_takes_back_what_was_planted() -> None:
    """A write that comes after it does not hang."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        cluster.plant("hang")
        cluster.resume()
        return await _store(connection)

    assert _play(scene) == [(_ID, "on", "")]


@pytest.mark.parametrize("fault", ["refuse", "withhold", "hang"])
def test_a_fault_of_writes_does_not_happen_to_reads(fault: Fault) -> None:
    """It waits for the next write."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> Any:
        await _store(connection)
        cluster.plant(fault)
        return await _body(connection)

    assert _play(scene) == '["tea",{},["t"]]'


def test_a_cancellation_with_another_key_is_ignored() -> None:
    """As by a client that guesses."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> bool:
        cluster.plant("hang")
        write = asyncio.ensure_future(_store(connection))
        await _until_waiting(cluster)
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

    assert _play(scene)


def test_the_standby_shows_what_the_primary_has_at_once() -> None:
    """Unless its replay is paused."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> Any:
        assert cluster.standby is not None
        await _store(connection)
        async with await _connection(cluster.standby.conninfo) as standby:
            return await _body(standby)

    assert _play(scene, has_standby=True) == '["tea",{},["t"]]'


@pytest.mark.parametrize(
    ("act", "shown"),
    [
        pytest.param("replay", [None, "one", "one"], id="replayed-once"),
        pytest.param("resume_replay", [None, "one", "two"], id="resumed"),
    ],
)
def test_a_paused_standby_shows_the_past(act: str, shown: list[str | None]) -> None:
    """Replaying once leaves it paused; resuming does not."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        assert cluster.standby is not None
        async with await _connection(cluster.standby.conninfo) as standby:
            cluster.pause_replay()
            await _store(connection, *_values("one"))
            seen = [await _body(standby)]
            getattr(cluster, act)()
            seen.append(await _body(standby))
            await _store(connection, *_values("two"))
            return [*seen, await _body(standby)]

    bodies = _play(scene, has_standby=True)

    assert bodies == [None if text is None else f'["{text}",{{}},["t"]]' for text in shown]


def test_a_promoted_standby_takes_writes_of_its_own() -> None:
    """It has replayed what was logged, tells its clients, and follows the primary no longer."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        assert cluster.standby is not None
        async with await _connection(cluster.standby.conninfo) as standby:
            roles = [standby.info.parameter_status("in_hot_standby")]
            cluster.pause_replay()
            await _store(connection, *_values("one"))
            cluster.promote()
            replayed = await _body(standby)
            await _store(standby, *_values("mine"))
            await _store(connection, *_values("yours"))
            roles.append(standby.info.parameter_status("in_hot_standby"))
            return [roles, replayed, await _body(standby), await _body(connection)]

    assert _play(scene, has_standby=True) == [
        ["on", "off"],
        '["one",{},["t"]]',
        '["mine",{},["t"]]',
        '["yours",{},["t"]]',
    ]


@pytest.mark.parametrize(
    ("names", "committing", "waits"),
    [
        pytest.param("*", "remote_apply", True, id="synchronous"),
        pytest.param("", "remote_apply", False, id="no-synchronous-standby"),
        pytest.param("*", None, False, id="not-asked-for"),
    ],
)
def test_a_write_waits_for_a_paused_standby(
    names: str, committing: str | None, waits: bool
) -> None:
    """If it asks for that, and the server has a standby to wait for."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> bool:
        cluster.synchronous_standby_names = names
        cluster.pause_replay()
        write = asyncio.ensure_future(_store(connection, *_values(committing=committing)))
        waiting = asyncio.ensure_future(_until_waiting(cluster))
        await asyncio.wait([write, waiting], return_when=asyncio.FIRST_COMPLETED)
        has_waited = not write.done()
        waiting.cancel()
        cluster.resume_replay()
        assert await write == [(_ID, committing or "on", names)]
        return has_waited

    assert _play(scene, has_standby=True) is waits


def test_a_transaction_is_seen_once_it_is_committed() -> None:
    """Other sessions see nothing of it before."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        async with await _connection(cluster.primary.conninfo) as another:
            async with connection.transaction():
                await _store(connection)
                seen = [await _body(connection), await _body(another)]
            return [*seen, await _body(another)]

    body = '["tea",{},["t"]]'
    assert _play(scene) == [body, None, body]


def test_a_session_that_ends_in_a_transaction_has_done_nothing() -> None:
    """Its locks are let go, too."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> Any:
        lock: LiteralString = "SELECT pg_advisory_xact_lock(%s)"
        another = await _connection(cluster.primary.conninfo)
        await another.execute("BEGIN")
        await another.execute(lock, (7,))
        await _store(another)
        await another.close()
        await connection.execute(lock, (7,))
        return await _body(connection)

    assert _play(scene) is None


def test_stores_that_start_together_make_the_tables_once() -> None:
    """All but one wait for the lock, and find them made."""

    async def scene() -> list[str]:
        cluster = FakePostgresCluster()
        await cluster.start()
        stores = [PostgresMemoryStore(cluster.primary.conninfo, namespace="n") for _ in range(5)]
        await asyncio.gather(*(store.store(MemoryItem(content="tea")) for store in stores))
        await asyncio.gather(*(store.close() for store in stores))
        await cluster.close()
        return [call.text for call in cluster.calls if call.operation == "CREATE"]

    created = asyncio.run(scene())

    assert len(created) == len(set(created)) == 6


def test_changes_past_all_sessions_are_seen_by_them() -> None:
    """On the standby, too."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        assert cluster.standby is not None
        await _store(connection)
        async with await _connection(cluster.standby.conninfo) as standby:
            cluster.change(Emptied())
            return [await _body(connection), await _body(standby)]

    assert _play(scene, has_standby=True) == [None, None]


def test_a_stopped_server_resets_its_connections_and_refuses_others() -> None:
    """Nobody else can take its port meanwhile, and it can be started again."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> bool:
        await cluster.stop()
        await cluster.stop()
        for call in (connection.execute(INSPECT), _connection(cluster.primary.conninfo)):
            with pytest.raises(psycopg.OperationalError):
                await call
        await cluster.start()
        async with await _connection(cluster.primary.conninfo) as again:
            return await (await again.execute(INSPECT)).fetchone() is not None

    assert _play(scene)


def test_stopping_ends_sessions_that_wait() -> None:
    """A write that hangs is no reason to wait for it."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> None:
        cluster.plant("hang")
        write = asyncio.ensure_future(_store(connection))
        await _until_waiting(cluster)
        await cluster.stop()
        with pytest.raises(psycopg.OperationalError):
            await write

    _play(scene)


def test_a_server_has_no_place_before_it_is_started() -> None:
    """The port is chosen then."""
    with pytest.raises(RuntimeError, match="expected a server that was started"):
        _ = FakePostgresCluster().primary.conninfo


def test_there_is_nothing_to_promote_without_a_standby() -> None:
    """The primary takes writes as it is."""
    with pytest.raises(RuntimeError, match="expected a standby to promote"):
        FakePostgresCluster().promote()


def test_starting_twice_is_safe() -> None:
    """The place stays the same."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> bool:
        place = cluster.primary.conninfo
        await cluster.start()
        await _store(connection)
        return cluster.primary.conninfo == place

    assert _play(scene)


def test_a_pattern_is_matched_across_lines() -> None:
    """A line feed is a character like any other."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> int:
        await _store(connection, *_values("one\ntwo"))
        cursor = await connection.execute(FIND[0] + TEXT + FIND[1], ("n", "one_two", 9))
        return cursor.rowcount

    assert _play(scene) == 1

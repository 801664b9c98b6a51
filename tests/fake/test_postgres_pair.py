"""The stand-ins for a primary and a standby: replay, transactions, start and stop."""

from __future__ import annotations

import asyncio
from typing import Any, LiteralString

import psycopg
import pytest
from psycopg import AsyncConnection
from tests.fake.postgres_scene import (
    ID,
    connected,
    kept_body,
    play,
    store_item,
    until_waiting,
    values_of,
)

from memory_fidelity.adapters._postgres_sql import (
    FIND,
    INSPECT,
    TEXT,
)
from memory_fidelity.adapters.postgres import PostgresMemoryStore
from memory_fidelity.errors import MemoryAdapterUnavailable
from memory_fidelity.fake.postgres_server import FakePostgresCluster
from memory_fidelity.fake.postgres_tables import Emptied
from memory_fidelity.store import MemoryItem


def test_the_standby_shows_what_the_primary_has_at_once() -> None:
    """Unless its replay is paused."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> Any:
        assert cluster.standby is not None
        await store_item(connection)
        async with await connected(cluster.standby.conninfo) as standby:
            return await kept_body(standby)

    assert play(scene, has_standby=True) == '["tea",{},["t"]]'


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
        async with await connected(cluster.standby.conninfo) as standby:
            cluster.pause_replay()
            await store_item(connection, *values_of("one"))
            seen = [await kept_body(standby)]
            getattr(cluster, act)()
            seen.append(await kept_body(standby))
            await store_item(connection, *values_of("two"))
            return [*seen, await kept_body(standby)]

    bodies = play(scene, has_standby=True)

    assert bodies == [None if text is None else f'["{text}",{{}},["t"]]' for text in shown]


def test_a_promoted_standby_takes_writes_of_its_own() -> None:
    """It has replayed what was logged, tells its clients, and follows the primary no longer."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        assert cluster.standby is not None
        async with await connected(cluster.standby.conninfo) as standby:
            roles = [standby.info.parameter_status("in_hot_standby")]
            cluster.pause_replay()
            await store_item(connection, *values_of("one"))
            cluster.promote()
            replayed = await kept_body(standby)
            await store_item(standby, *values_of("mine"))
            await store_item(connection, *values_of("yours"))
            roles.append(standby.info.parameter_status("in_hot_standby"))
            return [roles, replayed, await kept_body(standby), await kept_body(connection)]

    assert play(scene, has_standby=True) == [
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
        write = asyncio.ensure_future(store_item(connection, *values_of(committing=committing)))
        waiting = asyncio.ensure_future(until_waiting(cluster))
        await asyncio.wait([write, waiting], return_when=asyncio.FIRST_COMPLETED)
        has_waited = not write.done()
        waiting.cancel()
        cluster.resume_replay()
        assert await write == [(ID, committing or "on", names)]
        return has_waited

    assert play(scene, has_standby=True) is waits


def test_a_transaction_is_seen_once_it_is_committed() -> None:
    """Other sessions see nothing of it before."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> list[Any]:
        async with await connected(cluster.primary.conninfo) as another:
            async with connection.transaction():
                await store_item(connection)
                seen = [await kept_body(connection), await kept_body(another)]
            return [*seen, await kept_body(another)]

    body = '["tea",{},["t"]]'
    assert play(scene) == [body, None, body]


def test_a_session_that_ends_in_a_transaction_has_done_nothing() -> None:
    """Its locks are let go, too."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> Any:
        lock: LiteralString = "SELECT pg_advisory_xact_lock(%s)"
        another = await connected(cluster.primary.conninfo)
        await another.execute("BEGIN")
        await another.execute(lock, (7,))
        await store_item(another)
        await another.close()
        await connection.execute(lock, (7,))
        return await kept_body(connection)

    assert play(scene) is None


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
        await store_item(connection)
        async with await connected(cluster.standby.conninfo) as standby:
            cluster.change(Emptied())
            return [await kept_body(connection), await kept_body(standby)]

    assert play(scene, has_standby=True) == [None, None]


def test_a_stopped_server_resets_its_connections_and_refuses_others() -> None:
    """Nobody else can take its port meanwhile, and it can be started again."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> bool:
        await cluster.stop()
        await cluster.stop()
        for call in (connection.execute(INSPECT), connected(cluster.primary.conninfo)):
            with pytest.raises(psycopg.OperationalError):
                await call
        await cluster.start()
        async with await connected(cluster.primary.conninfo) as again:
            return await (await again.execute(INSPECT)).fetchone() is not None

    assert play(scene)


def test_stopping_ends_sessions_that_wait() -> None:
    """A write that hangs is no reason to wait for it."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> None:
        cluster.plant("hang")
        write = asyncio.ensure_future(store_item(connection))
        await until_waiting(cluster)
        await cluster.stop()
        with pytest.raises(psycopg.OperationalError):
            await write

    play(scene)


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
        await store_item(connection)
        return cluster.primary.conninfo == place

    assert play(scene)


def test_a_pattern_is_matched_across_lines() -> None:
    """A line feed is a character like any other."""

    async def scene(cluster: FakePostgresCluster, connection: AsyncConnection[Any]) -> int:
        await store_item(connection, *values_of("one\ntwo"))
        cursor = await connection.execute(FIND[0] + TEXT + FIND[1], ("n", "one_two", 9))
        return cursor.rowcount

    assert play(scene) == 1


def test_a_store_refuses_a_server_that_does_not_tell_its_role() -> None:
    """Where nothing is found, only that tells a standby from a primary."""

    async def scene(cluster: FakePostgresCluster, _: AsyncConnection[Any]) -> None:
        cluster.tells_role = False
        async with PostgresMemoryStore(cluster.primary.conninfo, namespace="n") as store:
            with pytest.raises(MemoryAdapterUnavailable, match="expected PostgreSQL 14 or later"):
                await store.retrieve(ID)

    play(scene)

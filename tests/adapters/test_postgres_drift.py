"""The stand-in for PostgreSQL and the real one answer the same script alike."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql
from tests.adapters.postgres_probe import FOREIGN, Heard, play

from memory_fidelity.adapters.postgres_cluster import PostgresPair, shared
from memory_fidelity.fake.postgres_server import FakePostgresCluster
from memory_fidelity.fake.postgres_tables import Row
from memory_fidelity.testing.server_process import until

_DATABASE = "probe"
_PATIENCE = 20.0
"""Seconds in which a session must have begun to wait; it takes milliseconds."""


class _Fake:
    """The stand-ins, in the event loop of the probe."""

    def __init__(self, cluster: FakePostgresCluster) -> None:
        assert cluster.standby is not None
        self._cluster = cluster
        self.primary = cluster.primary.conninfo
        self.standby = cluster.standby.conninfo

    async def plant(self) -> None:
        namespace, identity, *columns = FOREIGN
        self._cluster.change(Row(1, namespace, identity, "note", *columns))

    async def caught_up(self) -> None:
        """It replays at once."""

    async def pause_replay(self) -> None:
        self._cluster.pause_replay()

    async def resume_replay(self) -> None:
        self._cluster.resume_replay()

    async def synchronous(self, on: bool) -> None:
        self._cluster.synchronous_standby_names = "*" if on else ""

    async def waiting(self) -> None:
        async with asyncio.timeout(_PATIENCE):
            while not self._cluster.primary.waiting:  # noqa: ASYNC110 - waits for a fact
                await asyncio.sleep(0)  # noqa: TID251 - gives way to the server


class _Real:
    """The pair of this process, in a database of the probe's own."""

    def __init__(self, pair: PostgresPair) -> None:
        self._pair = pair
        self.primary = pair.primary.conninfo(_DATABASE)
        self.standby = pair.standby.conninfo(_DATABASE)

    async def plant(self) -> None:
        with psycopg.connect(self.primary) as connection:
            connection.execute(
                "INSERT INTO memory_fidelity.item "
                "(namespace, id, created_at, body, folded, terms, kind) "
                "VALUES (%s, %s, %s, %s, %s, %s, 'note')",
                FOREIGN,
            )

    async def caught_up(self) -> None:
        await asyncio.to_thread(self._pair.caught_up)

    async def pause_replay(self) -> None:
        await asyncio.to_thread(self._pair.pause_replay)

    async def resume_replay(self) -> None:
        await asyncio.to_thread(self._pair.resume_replay)

    async def synchronous(self, on: bool) -> None:
        await asyncio.to_thread(self._pair.synchronous, on)

    async def waiting(self) -> None:
        await asyncio.to_thread(self._wait)

    def _wait(self) -> None:
        with psycopg.connect(self.primary, autocommit=True) as connection:
            until(
                lambda: (
                    connection.execute(
                        "SELECT FROM pg_stat_activity WHERE datname = %s "
                        "AND wait_event IN ('advisory', 'SyncRep')",
                        [_DATABASE],
                    ).fetchone()
                    is not None
                ),
                _PATIENCE,
                "a session that waits",
            )


def _fake_answers() -> dict[str, Heard]:
    async def scene() -> dict[str, Heard]:
        cluster = FakePostgresCluster(has_standby=True)
        await cluster.start()
        try:
            return await play(_Fake(cluster))
        finally:
            await cluster.close()

    return asyncio.run(scene())


@pytest.fixture(scope="module")
def real_answers(servers: None) -> Iterator[dict[str, Heard]]:
    """What the real servers answer, if they can be had; in CI they must be."""
    pair = shared()
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(_DATABASE))
    with pair.primary.connect() as connection:
        connection.execute(drop)
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(_DATABASE)))
        pair.caught_up()
        try:
            yield asyncio.run(play(_Real(pair)))
        finally:
            connection.execute(drop)


def test_both_answer_the_script_alike(real_answers: dict[str, Heard]) -> None:
    """Rows, types, command tag, SQLSTATE, notices and the session's state are the same."""
    fake_answers = _fake_answers()

    differing = {
        step: (answer, fake_answers.get(step))
        for step, answer in real_answers.items()
        if fake_answers.get(step) != answer
    }

    assert differing == {}


def test_both_are_played_the_whole_script(real_answers: dict[str, Heard]) -> None:
    """No step is left out, and there are enough of them to mean something."""
    assert list(_fake_answers()) == list(real_answers)
    assert len(real_answers) > 250

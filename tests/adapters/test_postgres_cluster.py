"""A primary and its standby are started, steered, killed and removed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from memory_fidelity.adapters.postgres_cluster import PostgresPair, PostgresServer
from memory_fidelity.testing.server_process import until


@pytest.fixture(scope="module")
def pair() -> Iterator[PostgresPair]:
    """One pair for all tests that leave it as it was."""
    with PostgresPair() as pair:
        with pair.primary.connect() as primary:
            primary.execute("CREATE TABLE seen (n int PRIMARY KEY)")
        yield pair


@pytest.fixture
def primary(pair: PostgresPair) -> Iterator[psycopg.Connection[Any]]:
    """A session on the primary, with an empty table `seen`."""
    with pair.primary.connect() as connection:
        connection.execute("DELETE FROM seen")
        yield connection


@pytest.fixture
def paused(pair: PostgresPair, primary: psycopg.Connection[Any]) -> Iterator[PostgresPair]:
    """The pair, with an empty table and with replay paused for the time of the test."""
    pair.caught_up()
    pair.pause_replay()
    yield pair
    pair.resume_replay()
    pair.caught_up()


@pytest.fixture
def synchronous(pair: PostgresPair) -> Iterator[PostgresPair]:
    """The pair, with a standby that commits wait for."""
    pair.synchronous(True)
    yield pair
    pair.synchronous(False)


def _write(connection: psycopg.Connection[Any], *numbers: int) -> None:
    for n in numbers:
        connection.execute("INSERT INTO seen VALUES (%s)", [n])


def _seen(server: PostgresServer) -> list[int]:
    with server.connect() as connection:
        return [n for (n,) in connection.execute("SELECT n FROM seen ORDER BY n")]


def _waits(observer: psycopg.Connection[Any]) -> bool:
    """Whether a commit waits for the standby."""
    asked = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    return observer.execute(asked).fetchone() is not None


def _found_after_write(
    primary: psycopg.Connection[Any], standby: psycopg.Connection[Any], n: int
) -> bool:
    _write(primary, n)
    return standby.execute("SELECT FROM seen WHERE n = %s", [n]).fetchone() is not None


def _takes_connections(conninfo: str) -> bool:
    try:
        psycopg.connect(conninfo, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def test_the_standby_shows_what_was_written(
    pair: PostgresPair, primary: psycopg.Connection[Any]
) -> None:
    """Once it has caught up, a write to the primary is found on the standby."""
    _write(primary, 1)

    pair.caught_up()

    assert _seen(pair.standby) == [1]


def test_the_standby_takes_no_writes(pair: PostgresPair) -> None:
    """The standby is one, and not a second primary."""
    with pair.standby.connect() as standby, pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        _write(standby, 1)


def test_a_paused_standby_shows_nothing_new(
    paused: PostgresPair, primary: psycopg.Connection[Any]
) -> None:
    """While replay is paused, the primary alone shows a write."""
    _write(primary, *range(20))

    assert _seen(paused.primary) == list(range(20))
    assert _seen(paused.standby) == []


def test_a_resumed_standby_shows_everything(
    paused: PostgresPair, primary: psycopg.Connection[Any]
) -> None:
    """What was written meanwhile is found after replay was resumed."""
    _write(primary, *range(20))

    paused.resume_replay()
    paused.caught_up()

    assert _seen(paused.standby) == list(range(20))


def test_a_paused_standby_does_not_catch_up(
    paused: PostgresPair, primary: psycopg.Connection[Any]
) -> None:
    """Waiting for it ends with the deadline, and says what was waited for."""
    _write(primary, 1)

    with pytest.raises(TimeoutError, match=r"expected the standby to replay \w+/\w+, .* 0\.05 s"):
        paused.caught_up(0.05)


def test_applied_commits_are_found_at_once(
    synchronous: PostgresPair, primary: psycopg.Connection[Any]
) -> None:
    """With `remote_apply`, no write is missed by the read that follows it."""
    primary.execute("SET synchronous_commit = remote_apply")
    with synchronous.standby.connect() as standby:
        missed = [n for n in range(100) if not _found_after_write(primary, standby, n)]

    assert missed == []


def test_synchronous_commits_wait_from_the_next_one(
    paused: PostgresPair, primary: psycopg.Connection[Any], synchronous: PostgresPair
) -> None:
    """The first commit after the change waits for a standby that is paused."""
    primary.execute("SET synchronous_commit = remote_apply")
    with ThreadPoolExecutor(1) as thread, paused.primary.connect() as observer:
        writing = thread.submit(_write, primary, 1)

        until(lambda: writing.done() or _waits(observer), 10, "the commit to wait or to end")
        waited = not writing.done()
        paused.resume_replay()

    assert waited
    assert _seen(synchronous.standby) == [1]


def test_commits_do_not_wait_once_that_is_over(
    paused: PostgresPair, primary: psycopg.Connection[Any]
) -> None:
    """A commit succeeds without the standby, which does not show it."""
    primary.execute("SET synchronous_commit = remote_apply")
    paused.synchronous(True)
    paused.synchronous(False)

    _write(primary, 1)

    assert _seen(paused.standby) == []


@pytest.mark.parametrize("role", ["primary", "standby"])
def test_a_killed_server_leaves_no_process(pair: PostgresPair, role: str) -> None:
    """Its sessions end, nothing takes connections, and it can be started on the same port."""
    server: PostgresServer = getattr(pair, role)
    session = server.connect()

    server.kill()
    with pytest.raises(psycopg.OperationalError):
        session.execute("SELECT 1")
    reachable = _takes_connections(server.conninfo())
    server.start()

    assert not reachable
    assert _takes_connections(server.conninfo())


def test_a_killed_primary_loses_nothing_acknowledged(
    pair: PostgresPair, primary: psycopg.Connection[Any]
) -> None:
    """After it was started again, both servers show every write."""
    _write(primary, *range(100))

    pair.primary.kill()
    pair.primary.start()
    pair.caught_up()

    assert _seen(pair.primary) == list(range(100))
    assert _seen(pair.standby) == list(range(100))


def test_a_killed_standby_catches_up(pair: PostgresPair, primary: psycopg.Connection[Any]) -> None:
    """What was written while it was away is found after its start."""
    pair.standby.kill()
    _write(primary, 1)

    pair.standby.start()
    pair.caught_up()

    assert _seen(pair.standby) == [1]


def test_a_standby_that_was_away_for_long_catches_up(
    pair: PostgresPair, primary: psycopg.Connection[Any]
) -> None:
    """The primary keeps its log for a standby that is down, whatever it finishes meanwhile."""
    pair.standby.kill()
    _write(primary, 1)
    primary.execute("SELECT pg_switch_wal()")
    primary.execute("CHECKPOINT")
    _write(primary, 2)

    pair.standby.start()
    pair.caught_up()

    assert _seen(pair.standby) == [1, 2]


def test_a_restart_ends_sessions(pair: PostgresPair, primary: psycopg.Connection[Any]) -> None:
    """A session is lost by a restart, and a new one can be made."""
    pair.primary.restart()

    with pytest.raises(psycopg.OperationalError):
        primary.execute("SELECT 1")
    assert _takes_connections(pair.primary.conninfo())


def test_a_running_server_is_not_started_again(pair: PostgresPair) -> None:
    """The server that runs stays as it is."""
    with pytest.raises(RuntimeError, match="expected no such server"):
        pair.primary.start()

    assert _takes_connections(pair.primary.conninfo())


def test_case_is_folded_beyond_ascii(primary: psycopg.Connection[Any]) -> None:
    """The locale of the database knows letters of all scripts."""
    folded = primary.execute("SELECT lower('ÉCOLE Ж'), 'ÉCOLE' ILIKE 'école'").fetchone()

    assert folded == ("école ж", True)


def test_the_servers_ask_for_a_password(pair: PostgresPair) -> None:
    """Another account of this machine cannot use them."""
    stranger = re.sub(r"password=\S+", "password=guessed", pair.primary.conninfo())

    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(stranger)


def test_a_database_can_be_named(pair: PostgresPair) -> None:
    """The connection string is for the database that is asked for."""
    with psycopg.connect(pair.primary.conninfo("template1")) as connection:
        assert connection.info.dbname == "template1"


def test_a_promoted_standby_takes_writes() -> None:
    """The former standby is a server of its own, with all that it had replayed."""
    with PostgresPair() as pair:
        with pair.primary.connect() as primary:
            primary.execute("CREATE TABLE seen (n int PRIMARY KEY)")
        pair.caught_up()

        pair.promote()

        with pair.standby.connect() as promoted:
            _write(promoted, 1)
        assert _seen(pair.standby) == [1]


def test_a_pair_that_was_not_started_has_no_servers() -> None:
    """There is nothing to connect to yet, and the error says so."""
    with pytest.raises(RuntimeError, match="expected a pair that was started"):
        _ = PostgresPair().primary


def test_a_started_pair_is_not_started_again(pair: PostgresPair) -> None:
    """The servers that run stay as they are."""
    with pytest.raises(RuntimeError, match="expected a pair that was not started"):
        pair.start()

"""A PostgreSQL primary and its streaming standby, started for the live lane in seconds.

Both listen on loopback alone, ask for a password made for this pair, and live
in one temporary directory. What can be found on the standby is in the hands of
the harness: replay is paused, resumed, waited for, or made part of each commit.

The servers can be shared by threads and event loops: nothing here is bound to
one, and every control uses a connection of its own.
"""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path
from threading import Lock
from typing import Any, Final, LiteralString, NamedTuple, Self

import psycopg

from memory_fidelity.adapters._postgres_install import found_programs, installed
from memory_fidelity.adapters._postgres_instance import (
    PostgresServer,
    make_primary,
    make_standby,
)
from memory_fidelity.testing.harness import ServiceMissing
from memory_fidelity.testing.server_process import ServerNotReady, until

__all__ = ["PostgresPair", "PostgresServer", "shared"]


class _Running(NamedTuple):
    primary: PostgresServer
    standby: PostgresServer
    undo: ExitStack
    """Stops both, and removes their files."""


class PostgresPair:
    """A primary, and a standby that replays what it writes; a context manager, too."""

    def __init__(self, programs: Path | None = None) -> None:
        """Take the folder of PostgreSQL's programs, or find it later; start nothing."""
        self._programs = programs
        self._running: _Running | None = None

    @property
    def primary(self) -> PostgresServer:
        """The server that takes writes.

        Raises:
            RuntimeError: the pair was not started, or was stopped.
        """
        return self._servers().primary

    @property
    def standby(self) -> PostgresServer:
        """The server that can only be read, and shows what it has replayed.

        Raises:
            RuntimeError: the pair was not started, or was stopped.
        """
        return self._servers().standby

    def start(self) -> None:
        """Make both servers, and return once they take connections.

        Raises:
            ServiceMissing: PostgreSQL cannot be had here; nothing is left running.
            RuntimeError: the pair was started already.
        """
        if self._running is not None:
            raise RuntimeError(
                "PostgreSQL: expected a pair that was not started, got a started one"
            )
        programs = self._programs or found_programs()
        try:
            self._running = _started(programs)
        except (ServerNotReady, OSError) as error:
            raise ServiceMissing(f"PostgreSQL: expected two servers, got {error}") from error

    def stop(self) -> None:
        """Stop both servers, and remove all that they wrote. Twice is safe."""
        if self._running is not None:
            running, self._running = self._running, None
            running.undo.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def pause_replay(self) -> None:
        """From now on, until it is resumed, nothing that is written appears on the standby.

        Raises:
            psycopg.Error: the standby cannot be reached, or was promoted.
            TimeoutError: replay went on.
        """
        with self.standby.connect() as standby:
            standby.execute("SELECT pg_wal_replay_pause()")
            until(
                lambda: _value(standby, "SELECT pg_get_wal_replay_pause_state()") == "paused",
                10,
                "replay on the standby to be paused",
            )

    def resume_replay(self) -> None:
        """Let the standby replay; see `caught_up` for the end of it.

        Raises:
            psycopg.Error: the standby cannot be reached, or was promoted.
        """
        with self.standby.connect() as standby:
            standby.execute("SELECT pg_wal_replay_resume()")

    def caught_up(self, seconds: float = 10.0) -> None:
        """Return once the standby shows all that was acknowledged by the primary before the call.

        Raises:
            psycopg.Error: one of them cannot be reached.
            TimeoutError: it did not show it within `seconds`.
        """
        with self.primary.connect() as primary:
            written = _value(primary, "SELECT pg_current_wal_lsn()::text")
        reached = "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn"
        with self.standby.connect() as standby:
            until(
                lambda: _value(standby, reached, written) is True,
                seconds,
                f"the standby to replay {written}",
            )

    def promote(self) -> None:
        """Make the standby a server that takes writes; there is no way back but a new pair.

        Raises:
            psycopg.Error: the standby cannot be reached, or was promoted before.
            TimeoutError: it went on to replay.
        """
        with self.standby.connect() as standby:
            standby.execute("SELECT pg_promote(wait => false)")
            until(
                lambda: _value(standby, "SELECT pg_is_in_recovery()") is False,
                10,
                "the standby to be promoted",
            )

    def synchronous(self, on: bool) -> None:
        """Make commits wait for the standby, as far as their session's `synchronous_commit` asks.

        Raises:
            psycopg.Error: the primary cannot be reached.
            TimeoutError: there is no standby to wait for.
        """
        setting = "SET synchronous_standby_names = '*'" if on else "RESET synchronous_standby_names"
        waits = "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')"
        with self.primary.connect() as primary:
            primary.execute(f"ALTER SYSTEM {setting}")
            primary.execute("SELECT pg_reload_conf()")
            until(
                lambda: _value(primary, waits) is on,
                10,
                f"{'a' if on else 'no'} synchronous standby",
            )
            # Commits learn of it from the process that makes checkpoints, once it has looked.
            primary.execute("CHECKPOINT")

    def _servers(self) -> _Running:
        if self._running is None:
            raise RuntimeError("PostgreSQL: expected a pair that was started, got none")
        return self._running


def _started(programs: Path) -> _Running:
    with ExitStack() as undo:
        directory = Path(tempfile.mkdtemp(prefix="memory-fidelity-"))
        undo.callback(shutil.rmtree, directory)
        install = installed(programs, directory)
        password = secrets.token_urlsafe()
        primary = PostgresServer(install, "primary", password)
        make_primary(install, primary, password)
        undo.callback(primary.stop)
        primary.start()
        # Only now, so that its port cannot be the primary's.
        standby = PostgresServer(install, "standby", password)
        make_standby(install, standby, primary, password)
        undo.callback(standby.stop)
        standby.start()
        return _Running(primary, standby, undo.pop_all())


def _value(
    connection: psycopg.Connection[Any], statement: LiteralString, *values: object
) -> object:
    row = connection.execute(statement, values).fetchone()
    return None if row is None else row[0]


class _Shared:
    def __init__(self) -> None:
        self._lock = Lock()
        self._pair: PostgresPair | None = None
        self._missing: ServiceMissing | None = None

    def pair(self) -> PostgresPair:
        with self._lock:
            if self._missing is not None:
                raise ServiceMissing(str(self._missing)) from self._missing
            if self._pair is None:
                pair = PostgresPair()
                try:
                    pair.start()
                except ServiceMissing as error:
                    self._missing = error
                    raise
                self._pair = pair
                atexit.register(_stop_own, pair, os.getpid())
            return self._pair


def _stop_own(pair: PostgresPair, owner: int) -> None:
    # A process that was forked ends without taking the servers along.
    if os.getpid() == owner:
        pair.stop()


_SHARED: Final = _Shared()


def shared() -> PostgresPair:
    """Return the pair of this process, started by the first call and stopped when it ends.

    Safe from several threads. Whoever pauses, kills or changes it leaves it as
    it was found.

    Raises:
        ServiceMissing: PostgreSQL cannot be had here; it is tried once.
    """
    return _SHARED.pair()

"""One PostgreSQL server of the live lane: its files, its settings, its start and its end."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg.conninfo import make_conninfo

from memory_fidelity.adapters._postgres_install import Install
from memory_fidelity.testing.server_process import HOST, ServerProcess, free_port

__all__ = ["PostgresServer", "make_primary", "make_standby"]

_USER: Final = "postgres"

_SETTINGS: Final = {
    "listen_addresses": HOST,
    "unix_socket_directories": "",
    # What a killed process has written is still the system's to keep; only a machine
    # that loses its power loses it, and no case does that.
    "fsync": "off",
    "shared_buffers": "16MB",
    "max_connections": "100",
    "wal_level": "replica",
    # In the data directory, so that a killed server leaves nothing elsewhere.
    "dynamic_shared_memory_type": "mmap",
    # A standby that lost its primary looks for it again at once, not after 5 seconds.
    "wal_retrieve_retry_interval": "50ms",
    # Reads on the standby hold replay back for a second at most, not for 30.
    "max_standby_streaming_delay": "1s",
    # Clearing away old rows on the primary waits for reads on the standby.
    "hot_standby_feedback": "on",
    "wal_receiver_status_interval": "1s",
}


class PostgresServer:
    """One server of a pair; it keeps its port for as long as the pair lives."""

    host: Final = HOST

    def __init__(self, install: Install, role: str, password: str) -> None:
        """Take a free port; start nothing."""
        self.port: Final = free_port()
        self.data: Final = install.directory / role
        self._password = password
        program = str(install.programs / "postgres")
        options = [f"--{name}={value}" for name, value in _SETTINGS.items()]
        self._process = ServerProcess(
            [program, "-D", str(self.data), f"--port={self.port}", *options],
            ready=self._is_ready,
            log=install.directory / f"{role}.log",
            directory=install.directory,
            environment=install.environment,
            account=install.account,
            # Ends the sessions, and does not wait until clients leave.
            stop_signal=signal.SIGINT,
        )

    @property
    def running(self) -> bool:
        """Whether the server was started and has not ended."""
        return self._process.running

    def conninfo(self, dbname: str = "postgres") -> str:
        """Return the connection string of a superuser, password included."""
        return make_conninfo(
            host=self.host,
            port=self.port,
            user=_USER,
            password=self._password,
            dbname=dbname,
            # Neither is offered here, and each question about one is a round trip.
            sslmode="disable",
            gssencmode="disable",
        )

    def start(self) -> None:
        """Start the server, recover what a killed one left, and return once it takes connections.

        Raises:
            ServerNotReady: it does not.
            RuntimeError: it is running already.
        """
        if not self.running:
            # A killed server leaves it, and it says "ready". The process id in it may be another's.
            self._status_file.unlink(missing_ok=True)
        self._process.start()

    def stop(self) -> None:
        """End all sessions and the server. Twice is safe."""
        self._process.stop()

    def restart(self) -> None:
        """Stop the server and start it; sessions are lost.

        Raises:
            ServerNotReady: it does not take connections.
        """
        self.stop()
        self.start()

    def kill(self) -> None:
        """Kill the server's process and those of all its sessions, as a crash would."""
        self._process.kill()

    def connect(self) -> psycopg.Connection[Any]:
        """Return a new connection of a superuser that commits each statement by itself.

        Raises:
            psycopg.OperationalError: the server takes no connections.
        """
        return psycopg.connect(self.conninfo(), autocommit=True, connect_timeout=5)

    @property
    def _status_file(self) -> Path:
        return self.data / "postmaster.pid"

    def _is_ready(self) -> bool:
        try:
            lines = self._status_file.read_text().splitlines()
        except FileNotFoundError:
            return False
        return len(lines) > 7 and lines[7].strip() == "ready"


def make_primary(install: Install, primary: PostgresServer, password: str) -> None:
    """Make the files of a primary whose superuser has this password.

    Raises:
        ServiceMissing: they cannot be made.
    """
    # Without it, PostgreSQL folds the case of ASCII alone; libc's is there for older versions.
    locale = (
        ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        if install.major >= 17
        else ["--locale=C.UTF-8"]
    )
    # Iterations protect a password that can be guessed, and cost each connection milliseconds.
    iterations = ["--set=scram_iterations=1"] if install.major >= 16 else []
    secret = install.directory / "password"
    secret.touch(mode=0o600)
    secret.write_text(password)
    if install.account is not None:
        os.chown(secret, *install.account)
    # Small log files halve what has to be written until both servers run.
    install.run(
        "initdb",
        f"--pgdata={primary.data}",
        f"--username={_USER}",
        f"--pwfile={secret}",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--wal-segsize=1",
        "--no-sync",
        *locale,
        *iterations,
    )
    secret.unlink()


def make_standby(
    install: Install, standby: PostgresServer, primary: PostgresServer, password: str
) -> None:
    """Copy a running primary into the files of a standby of it.

    Raises:
        ServiceMissing: they cannot be made.
    """
    install.run(
        "pg_basebackup",
        f"--host={HOST}",
        f"--port={primary.port}",
        f"--username={_USER}",
        f"--pgdata={standby.data}",
        "--write-recovery-conf",
        # The primary keeps its log until the standby has it, however long that is down.
        "--create-slot",
        "--slot=standby",
        "--wal-method=stream",
        "--checkpoint=fast",
        "--no-sync",
        PGPASSWORD=password,
    )

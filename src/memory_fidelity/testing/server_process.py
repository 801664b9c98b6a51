"""A server program that a live harness starts, stops and kills, on loopback.

A server never outlives the process that started it, not even one that is
killed: a guardian beside it waits for the end of a pipe that the owner holds.
It is bound to no thread and to no event loop, so that cases that run in
threads of their own can share one.
"""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from threading import Event, RLock
from time import monotonic
from typing import Final, NamedTuple

from memory_fidelity.testing.process_table import family, processes

__all__ = ["HOST", "Account", "ServerNotReady", "ServerProcess", "free_port", "until"]

HOST: Final = "127.0.0.1"
"""Where servers listen: this machine alone."""

_PORTS: Final = range(20_000, 32_768)
_PAUSE: Final = 0.005
_TAIL: Final = 20
"""Lines of the log that an error shows."""

# The shell becomes the server, so that the server's process id is known and its end is seen. The
# guardian is started through a second shell that ends at once: it must be no child of the server,
# since some servers take the end of a child that they do not know for a crash. A line on the pipe
# tells it to go, the end of the pipe that the owner is gone.
_GUARDED: Final = """
exec 3<&0 </dev/null
(
    {
        if ! read -r line; then
            kill -s "$1" "$$"
            for second in 1 2; do kill -s 0 "$$" && sleep 1; done
            kill -s KILL -- "-$$"
        fi
    } <&3 3<&- 2>/dev/null &
)
exec 3<&-
shift
exec "$@"
"""


class Account(NamedTuple):
    """The account that a server runs under when it is started by root."""

    uid: int
    gid: int


class ServerNotReady(RuntimeError):
    """The server ended, or its deadline passed, before it was ready; the text ends with its log."""


def free_port() -> int:
    """Return a port of `HOST` that nothing listens on.

    It lies below those that clients are given for their own end, so that none of
    them takes it while the server is down.

    Raises:
        OSError: no port was free.
    """
    first = secrets.randbelow(len(_PORTS))
    for port in chain(_PORTS[first:], _PORTS[:first]):
        with socket.socket() as probe, suppress(OSError):
            # Connections of a server that has ended do not count.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((HOST, port))
            return port
    raise OSError(f"{HOST}: expected a free port in {_PORTS}, got none")


def until(condition: Callable[[], bool], seconds: float, expected: str) -> None:
    """Return once the condition holds; it is looked at once at the least.

    Raises:
        TimeoutError: it did not hold within `seconds`.
    """
    end = monotonic() + seconds
    pause = Event()
    while not condition():
        if monotonic() >= end:
            raise TimeoutError(f"expected {expected}, got nothing of the kind in {seconds:g} s")
        pause.wait(_PAUSE)


class ServerProcess:
    """One server program, which can be started again after it has ended.

    All methods are safe from several threads; one waits for the other.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        ready: Callable[[], bool],
        log: Path,
        directory: Path,
        environment: Mapping[str, str],
        account: Account | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
    ) -> None:
        """Take what to run; start nothing.

        Args:
            command: the program and its arguments; it must stay in the foreground.
            ready: tells whether the server can be used; asked while it starts.
            log: the file to which the server's output is added.
            directory: the server's working directory.
            environment: all of its environment.
            account: to run it under, if the caller is root.
            stop_signal: what makes it end in an orderly way.
        """
        self._name = Path(command[0]).name
        self._command = ["/bin/sh", "-c", _GUARDED, "sh", stop_signal.name[3:], *command]
        self._ready = ready
        self._log = log
        self._directory = directory
        self._environment = environment
        self._account = account
        self._stop_signal = stop_signal
        self._lock = RLock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Process id of the server, of the last one if it has ended.

        Raises:
            RuntimeError: it was never started.
        """
        if self._process is None:
            raise RuntimeError(f"{self._name}: expected a server that was started, got none")
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the server was started and has not ended."""
        process = self._process
        if process is None:
            return False
        if process.poll() is None:
            return True
        _dismiss_guardian(process)
        return False

    def start(self, seconds: float = 30.0) -> None:
        """Start the server, and return once it is ready.

        Raises:
            ServerNotReady: it was not within `seconds`, or has ended; nothing is left running.
            RuntimeError: it is running already.
        """
        with self._lock:
            if self.running:
                raise RuntimeError(f"{self._name}: expected no such server, got process {self.pid}")
            with self._log.open("ab") as log:
                # Earlier parts of the log are no explanation, and may hold what others wrote.
                begins = log.tell()
                self._process = self._started(log.fileno())
            try:
                self._await_ready(self._process, seconds, begins)
            except BaseException:
                self.kill()
                raise

    def stop(self, seconds: float = 10.0) -> None:
        """End the server in an orderly way, or kill it after `seconds`. Twice is safe."""
        with self._lock:
            if self._process is None or not self.running:
                return
            self._process.send_signal(self._stop_signal)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
            self.kill()

    def kill(self) -> None:
        """Kill the server with all processes that it made, and return once all are gone.

        None of them gets a chance to tidy up. Does nothing if the server is not running.
        """
        with self._lock:
            if self._process is None or not self.running:
                return
            server = self._process
            # Halted first, so that it makes no more processes while they are being listed.
            server.send_signal(signal.SIGSTOP)
            until(lambda: _is_halted(server.pid), 10, f"{self._name} to halt")
            doomed = family(server.pid)
            for pid in doomed:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            # The guardian is in the server's group, and goes with it.
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()
            _dismiss_guardian(server)
            until(lambda: not _any_lives(doomed), 10, f"{self._name} and its processes to end")

    def _started(self, log: int) -> subprocess.Popen[bytes]:
        uid, gid = self._account or (None, None)
        return subprocess.Popen(  # noqa: S603 - the command is the harness's own
            self._command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            cwd=self._directory,
            env=self._environment,
            user=uid,
            group=gid,
            extra_groups=None if self._account is None else [],
            # An interrupt from the keyboard is for the owner alone.
            start_new_session=True,
        )

    def _await_ready(self, process: subprocess.Popen[bytes], seconds: float, begins: int) -> None:
        end = monotonic() + seconds
        while process.poll() is None:
            if self._ready():
                return
            if monotonic() >= end:
                raise self._not_ready(f"none in {seconds:g} s", begins)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_PAUSE)
        raise self._not_ready(f"its end with status {process.returncode}", begins)

    def _not_ready(self, got: str, begins: int) -> ServerNotReady:
        with self._log.open("rb") as log:
            log.seek(begins)
            lines = log.read().decode(errors="replace").splitlines()
        tail = "\n".join(lines[-_TAIL:]) or "(empty)"
        return ServerNotReady(f"{self._name}: expected a ready server, got {got}; its log:\n{tail}")


def _dismiss_guardian(process: subprocess.Popen[bytes]) -> None:
    """Send the guardian away: the server's process id may soon be that of another process."""
    if process.stdin is not None:
        # It may be gone, or have been dismissed before.
        with suppress(BrokenPipeError, ValueError):
            process.stdin.write(b"\n")
        process.stdin.close()


def _is_halted(pid: int) -> bool:
    entry = processes().get(pid)
    return entry is None or entry.state == "T" or not entry.lives


def _any_lives(pids: set[int]) -> bool:
    table = processes()
    return any(pid in table and table[pid].lives for pid in pids)

"""A stand-in for PostgreSQL: a server, or a primary and its standby, in this event loop.

They listen on loopback and speak PostgreSQL's own protocol, so the store, its
driver and the codec are the real ones. They understand the statements that the
store sends, and refuse all others. Tests compare their answers with those of
real servers.

A transaction takes no row locks: of two that write one row, neither waits.
"""

from __future__ import annotations

import asyncio
import socket
from collections import defaultdict
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final

from memory_fidelity.fake.postgres_backend import Fault
from memory_fidelity.fake.postgres_session import Session
from memory_fidelity.fake.postgres_tables import Change, Tables
from memory_fidelity.fake.postgres_wire import Asked, CancelRequest
from memory_fidelity.testing.harness import Call

__all__ = ["FakePostgresCluster", "FakePostgresServer", "Fault"]

_HOST: Final = "127.0.0.1"
_BACKLOG: Final = 128


class FakePostgresServer:
    """One server of a cluster, on a port of its own."""

    def __init__(self, cluster: FakePostgresCluster, *, is_standby: bool) -> None:
        """Take the cluster; nothing listens yet."""
        self._cluster = cluster
        self._is_standby = is_standby
        self._address: socket.socket | None = None
        self._listener: asyncio.Server | None = None
        self._sessions: dict[int, Session] = {}
        self._serving: set[asyncio.Task[None]] = set()
        self._locks: dict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._last_process = 0
        self._last_seq = 0
        self.tables = Tables()

    @property
    def conninfo(self) -> str:
        """The connection string of libpq, once it was started."""
        if self._address is None:
            raise RuntimeError("PostgreSQL: expected a server that was started, got none")
        return f"host={_HOST} port={self._address.getsockname()[1]} user=fake dbname=fake"

    @property
    def is_standby(self) -> bool:
        """Whether it replays the primary, and takes no writes."""
        return self._is_standby

    @property
    def tells_role(self) -> bool:
        """Whether the servers of the cluster do."""
        return self._cluster.tells_role

    @property
    def synchronous_standby_names(self) -> str:
        """The setting of the cluster."""
        return self._cluster.synchronous_standby_names

    @property
    def waiting(self) -> int:
        """How many sessions wait: for a lock, for the standby, or as a statement that hangs."""
        return sum(session.is_waiting for session in self._sessions.values())

    async def start(self) -> None:
        """Listen; nothing more, if it does already."""
        if self._listener is None:
            # It never listens. It keeps others off the port once this server has stopped.
            self._address = self._address or _bound(0)
            listening = _bound(self._address.getsockname()[1])
            self._listener = await asyncio.start_server(
                self._serve, sock=listening, backlog=_BACKLOG
            )

    async def stop(self) -> None:
        """Listen no longer, and reset all connections; twice is safe."""
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.close()
        for session in self._sessions.values():
            session.reset()
        await asyncio.gather(*self._serving)

    async def close(self) -> None:
        """Stop, and give the port back; twice is safe."""
        await self.stop()
        if self._address is not None:
            self._address.close()

    def took(self, fault: Fault) -> bool:
        """Whether the fault was planted in the cluster; it is spent then."""
        return self._cluster.took(fault)

    def note(self, asked: Asked) -> None:
        """Add a statement to the journal of the cluster."""
        self._cluster.calls.append(asked.call())

    def resumed(self) -> Coroutine[Any, Any, object]:
        """Wait until a statement that hangs from now on may go on."""
        return self._cluster.resumed()

    def log(self, changes: Sequence[Change]) -> None:
        """Hand what a transaction has changed on to the standby."""
        if self is self._cluster.primary:
            self._cluster.log(changes)

    async def replayed(self) -> None:
        """Return once the standby replays at once what is handed on."""
        await self._cluster.replayed()

    def next_seq(self) -> int:
        """Return the next value of the sequence."""
        self._last_seq = max(self._last_seq, self.tables.last_seq) + 1
        return self._last_seq

    def lock(self, key: int) -> asyncio.Lock:
        """Return the advisory lock of this key."""
        return self._locks[key]

    def cancel(self, request: CancelRequest) -> None:
        """Cancel what a session waits for, if the request has its key."""
        session = self._sessions.get(request.process)
        if session is not None and session.key == request.key:
            session.cancel()

    def promote(self) -> None:
        """Take writes from now on."""
        self._is_standby = False

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._last_process += 1
        session = self._sessions[self._last_process] = Session(self, self._last_process, writer)
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a coroutine that runs is in a task
        self._serving.add(task)
        try:
            with suppress(OSError):
                await session.serve(reader)
        finally:
            self._serving.discard(task)
            del self._sessions[session.process]
            writer.close()


class FakePostgresCluster:
    """A primary, and a standby that replays what it logs; faults are planted in both alike."""

    def __init__(self, *, has_standby: bool = False) -> None:
        """Make empty servers; nothing listens yet."""
        self.primary = FakePostgresServer(self, is_standby=False)
        self.standby = FakePostgresServer(self, is_standby=True) if has_standby else None
        self.tells_role = True
        """Whether servers tell their role beside each answer; older ones than 14 do not."""
        self.synchronous_standby_names = ""
        """Unless it is empty, writes under `remote_apply` wait for the standby."""
        self.calls: list[Call] = []
        """Every statement of every session, in the order in which they arrived."""
        self._planted: list[Fault] = []
        self._answers = asyncio.Event()
        self._logged: list[Change] = []
        self._replays = asyncio.Event()
        self._replays.set()

    async def start(self) -> None:
        """Listen; nothing more, if the servers do already."""
        for server in self._servers():
            await server.start()

    async def stop(self) -> None:
        """Refuse and reset all connections; twice is safe."""
        for server in self._servers():
            await server.stop()

    async def close(self) -> None:
        """Stop, and give the ports back; twice is safe."""
        for server in self._servers():
            await server.close()

    def change(self, *changes: Change) -> None:
        """Make changes past all sessions; the standby replays them as it does any other."""
        self.log(changes)
        self.primary.tables.apply(changes)

    def plant(self, fault: Fault) -> None:
        """Make it happen to the next statement that it can happen to; then it is spent."""
        self._planted.append(fault)

    def took(self, fault: Fault) -> bool:
        """Whether the fault was planted; it is spent then."""
        if fault not in self._planted:
            return False
        self._planted.remove(fault)
        return True

    def resume(self) -> None:
        """Let statements that hang go on, and plant no such fault any more."""
        self._planted = [fault for fault in self._planted if not fault.startswith("hang")]
        self._answers.set()
        self._answers = asyncio.Event()

    def resumed(self) -> Coroutine[Any, Any, object]:
        """Wait until statements that hang from now on may go on."""
        # Of the present event: by the time that it is awaited there may be another.
        return self._answers.wait()

    def pause_replay(self) -> None:
        """Show nothing new on the standby from now on."""
        self._replays.clear()

    def resume_replay(self) -> None:
        """Show on the standby all that was logged, now and from now on."""
        self.replay()
        self._replays.set()

    def replay(self) -> None:
        """Show on the standby all that was logged, and go on as before."""
        if self.standby is not None:
            self.standby.tables.apply(self._logged)
            self._logged.clear()

    async def replayed(self) -> None:
        """Return once the standby replays what is logged as it is logged."""
        await self._replays.wait()

    def promote(self) -> None:
        """Make the standby a server that takes writes, once it has replayed what was logged.

        Raises:
            RuntimeError: there is no standby.
        """
        if self.standby is None:
            raise RuntimeError("PostgreSQL: expected a standby to promote, got none")
        self.resume_replay()
        self.standby.promote()

    def log(self, changes: Sequence[Change]) -> None:
        """Hand changes of the primary on to the standby."""
        if self.standby is not None and self.standby.is_standby:
            self._logged += changes
            if self._replays.is_set():
                self.replay()

    def _servers(self) -> list[FakePostgresServer]:
        return [self.primary] if self.standby is None else [self.primary, self.standby]


def _bound(port: int) -> socket.socket:
    # asyncio sets TCP_NODELAY where it knows the protocol.
    bound = socket.socket(proto=socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind((_HOST, port))
    return bound

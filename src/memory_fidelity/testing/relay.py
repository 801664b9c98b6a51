"""A recording relay between an adapter and a real server, which can lose what passes.

It stands on the wire and needs the help of neither: what it has not seen was
not sent (C8, C10), and an outage that it makes is a real one (C15).
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeVar

from memory_fidelity.testing.gates import Gates, Way
from memory_fidelity.testing.harness import Call

__all__ = ["Relay"]

_CHUNK: Final = 64 * 1024
_BACKLOG: Final = 128
_RESET: Final = struct.pack("ii", 1, 0)

_Done = TypeVar("_Done")


class Relay:
    """Passes bytes between its clients, on a port of its own, and one server.

    It listens on loopback alone, and belongs to the event loop that it is
    started in. The end of what one side sends is passed on as such; where a
    side is lost, or the server cannot be reached, the other side is reset.

    Of `stall`, `stall_replies` and `resume` the latest one applies, to all
    connections. One piece is held of each connection and direction; the rest
    waits with its sender.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        requests: Callable[[], Callable[[bytes], Iterable[Call]]] | None = None,
    ) -> None:
        """Take the place of the server, open nothing.

        Args:
            host: an address, or a name that has an IPv4 address.
            port: the server's.
            requests: makes a decoder for each connection, which is given the
                client's bytes as they come and returns the requests that they
                complete. Without it, every piece is a `Call` named `bytes`.
        """
        self._place = (host, port)
        self._decoder = requests or (lambda: _pieces)
        self._calls: list[Call] = []
        self._gates = Gates()
        self._reserved: socket.socket | None = None
        self._listener: socket.socket | None = None
        self._served: set[asyncio.Task[None]] = set()
        self._failures: list[Exception] = []
        self._planted: int | None = None
        self._plantings = 0
        self.connections = 0
        """Connections accepted so far."""
        self.bytes_to_server = 0
        """Bytes passed on to the server so far."""
        self.bytes_to_client = 0
        """Bytes passed on to clients so far."""

    @property
    def port(self) -> int:
        """The port of 127.0.0.1 to connect to, the same from `start` to `close`.

        Raises:
            RuntimeError: the relay is not started, or closed.
        """
        if self._reserved is None:
            raise RuntimeError("relay: expected one that is started, got one that is not")
        port: int = self._reserved.getsockname()[1]
        return port

    def calls(self) -> tuple[Call, ...]:
        """What clients sent so far, oldest first, noted before it is held or passed on."""
        return tuple(self._calls)

    async def start(self) -> None:
        """Listen on a free port; twice is safe.

        Raises:
            OSError: there was none.
        """
        if self._reserved is None:
            # It never listens: it keeps others off the port while connections are refused.
            self._reserved = _bound(0)
            await self.accept()

    async def close(self) -> None:
        """End listener and connections, and return once nothing is left; twice is safe.

        Raises:
            ExceptionGroup: a decoder failed, or a connection could not be accepted.
        """
        await self.refuse()
        if self._reserved is not None:
            self._reserved.close()
            self._reserved = None
        failures, self._failures = self._failures, []
        if failures:
            raise ExceptionGroup("relay: expected to read every request, got errors", failures)

    async def cut(self) -> None:
        """Reset all connections made so far, at both ends, before it returns.

        What was held of them is lost. New connections are accepted.
        """
        self._accept_waiting()
        served = set(self._served)
        for task in served:
            task.cancel()
        if served:
            await asyncio.wait(served)

    async def refuse(self) -> None:
        """Refuse new connections and cut, before it returns; nobody else gets the port."""
        self._stop_listening()
        await self.cut()

    async def accept(self) -> None:
        """Listen again, on the same port, before it returns.

        Raises:
            RuntimeError: the relay is not started, or closed.
        """
        if self._listener is None:
            self._listener = _bound(self.port)
            self._listener.listen(_BACKLOG)
            asyncio.get_running_loop().add_reader(self._listener, self._accept_waiting)

    async def stall(self) -> None:
        """Hold back all that arrives from now on, in both directions, ends and losses too.

        Connections stay open; new ones are accepted, and get nothing.
        """
        self._gates.shut("requests", "replies")

    async def stall_replies(self) -> None:
        """Hold back what arrives from the server from now on.

        Requests pass and are carried out, those that `stall` has held, too.
        """
        self._gates.shut("replies")

    async def resume(self) -> None:
        """Pass on what was held back, and all that follows."""
        self._gates.shut()

    async def cut_next_reply(self) -> None:
        """Let one request be carried out, and reset its connection in place of the reply.

        That is, at the first piece that arrives from the server on a connection
        after more of a request was passed on there, counted from now. It
        happens once; planting anew takes the place of what has not happened.
        """
        await self.truncate_next_reply(0)

    async def truncate_next_reply(self, size: int) -> None:
        """Do as `cut_next_reply` does, and pass on `size` bytes before the reset.

        The reset waits until the server has sent as much.

        Raises:
            ValueError: `size` is negative.
        """
        if size < 0:
            raise ValueError(f"size: expected 0 bytes or more, got {size}")
        self._planted = size
        self._plantings += 1

    async def held(self) -> None:
        """Return once something is held back: a piece, or the end or loss of a side."""
        await self._gates.held()

    def _stop_listening(self) -> None:
        if self._listener is not None:
            asyncio.get_running_loop().remove_reader(self._listener)
            self._listener.close()
            self._listener = None

    def _accept_waiting(self) -> None:
        try:
            while self._listener is not None:
                self._begin(self._listener.accept()[0])
        except (BlockingIOError, ConnectionAbortedError):
            pass
        except OSError as error:
            # Out of descriptors, say: it would come again at once, without end.
            self._failures.append(error)
            self._stop_listening()

    def _begin(self, client: socket.socket) -> None:
        def ended(task: asyncio.Task[None]) -> None:
            # Not in the task, which may be cancelled before its first step.
            _reset(client)
            self._served.discard(task)
            if not task.cancelled() and isinstance(error := task.exception(), Exception):
                self._failures.append(error)

        self.connections += 1
        task = asyncio.get_running_loop().create_task(self._serve(client))
        self._served.add(task)
        task.add_done_callback(ended)

    async def _serve(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_INET6 if ":" in self._place[0] else socket.AF_INET)
        try:
            link = _Link(_prompt(client), _prompt(server))
            connecting = asyncio.get_running_loop().sock_connect(server, self._place)
            await self._or_news("replies", connecting)
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pass_requests(link))
                both.create_task(self._pass_replies(link))
            client.close()
            server.close()
        except* OSError:
            pass  # the loss of one side is passed on by the reset of the other
        finally:
            _reset(server)

    async def _pass_requests(self, link: _Link) -> None:
        loop = asyncio.get_running_loop()
        decode = self._decoder()
        while data := await self._or_news("requests", loop.sock_recv(link.client, _CHUNK)):
            self._calls.extend(decode(data))
            await self._gates.opened("requests")
            await self._or_news("replies", loop.sock_sendall(link.server, data))
            self.bytes_to_server += len(data)
            link.asked = self._plantings
        await self._gates.opened("requests")
        link.server.shutdown(socket.SHUT_WR)

    async def _pass_replies(self, link: _Link) -> None:
        loop = asyncio.get_running_loop()
        more = True
        while more:
            data = await self._or_news("replies", loop.sock_recv(link.server, _CHUNK))
            more = bool(data)
            if self._planted is not None and link.asked == self._plantings:
                link.left, self._planted = self._planted, None
            await self._gates.opened("replies")
            if link.left is not None:
                data = data[: link.left]
                link.left -= len(data)
            await self._or_news("requests", loop.sock_sendall(link.client, data))
            self.bytes_to_client += len(data)
            if link.left == 0:
                raise ConnectionAbortedError("the reply was lost, as planted")
        link.client.shutdown(socket.SHUT_WR)

    async def _or_news(self, way: Way, step: Awaitable[_Done]) -> _Done:
        """Take the step; if it finds a side lost, that is held back like all that goes this way."""
        try:
            return await step
        except OSError:
            await self._gates.opened(way)
            raise


@dataclass(slots=True)
class _Link:
    """A client's connection, and the relay's own to the server."""

    client: socket.socket
    server: socket.socket
    asked: int = 0
    """How many faults had been planted when a request was last passed on."""
    left: int | None = None
    """Bytes of replies until the reset, if there is to be one."""


def _pieces(data: bytes) -> tuple[Call]:
    return (Call("bytes", data.decode(errors="backslashreplace")),)


def _bound(port: int) -> socket.socket:
    """Return a socket of loopback that shares its port with others of this relay."""
    bound = socket.socket()
    bound.setblocking(False)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    bound.bind(("127.0.0.1", port))
    return bound


def _prompt(end: socket.socket) -> socket.socket:
    """Make the socket send each piece at once, and wait for nothing itself."""
    end.setblocking(False)
    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return end


def _reset(end: socket.socket) -> None:
    """Close the socket so that its peer sees a reset; nothing, if it is closed already."""
    with suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    end.close()

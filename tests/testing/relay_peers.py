"""Servers and clients at the two ends of a relay."""

from __future__ import annotations

import asyncio
import socket
import struct
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress

from memory_fidelity.testing import Call
from memory_fidelity.testing.relay import Relay

HOST = "127.0.0.1"
DEADLINE = 60.0
Scenario = Callable[[Relay, "Echo"], Awaitable[None]]
Decoder = Callable[[bytes], Iterable[Call]]
Plant = Callable[[Relay], Awaitable[None]]


class Echo:
    """A server that answers every piece with the same, and its client's end with a full stop."""

    def __init__(self) -> None:
        self.got = bytearray()
        self.came = asyncio.Event()
        self.asked = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.ended: asyncio.Queue[str] = asyncio.Queue()
        self.port = 0
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen on a free port, or on that of before."""
        self._server = await asyncio.start_server(self._serve, HOST, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Serve one connection."""
        while data := await reader.read(1 << 16):
            self.got += data
            self.asked.set()
            await self.may_answer.wait()
            writer.write(data)
            await writer.drain()
        writer.write(b".")

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.came.set()
        ended = "end"
        try:
            await self.answer(reader, writer)
        except ConnectionResetError:
            ended = "reset"
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
        self.ended.put_nowait(ended)


class EndsFirst(Echo):
    """A server that says at once that it will send nothing."""

    async def answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Serve one connection."""
        writer.write_eof()
        self.got += await reader.read()


class Pours(Echo):
    """A server that answers the first request with a mebibyte, and ends."""

    async def answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Serve one connection."""
        self.got += await reader.read(1)
        writer.write(bytes(1 << 20))


class HangsUp(Echo):
    """A server that ends every connection at the first request."""

    async def answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Serve one connection."""
        self.got += await reader.read(1)


class Resets(Echo):
    """A server that resets every connection at the first request."""

    async def answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Serve one connection."""
        self.got += await reader.read(1)
        reset_on_close(writer.get_extra_info("socket"))


class Client:
    """A client that sees all that arrives before a reset, which a stream reader would not."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self._loop = asyncio.get_running_loop()

    async def send(self, data: bytes) -> None:
        """Send all of it."""
        await self._loop.sock_sendall(self.end, data)

    async def receive(self, size: int) -> bytes:
        """So many bytes, or fewer if the end comes first."""
        data = bytearray()
        while left := min(size - len(data), 1 << 16):
            if not (more := await self._loop.sock_recv(self.end, left)):
                break
            data += more
        return bytes(data)

    async def ask(self, data: bytes) -> bytes:
        """The echo, while all of it is sent."""
        _, reply = await asyncio.gather(self.send(data), self.receive(len(data)))
        return reply

    def reset(self) -> None:
        """End the connection by a reset."""
        reset_on_close(self.end)
        self.end.close()

    async def is_reset(self) -> bool:
        """Whether the connection ends by a reset."""
        try:
            await self._loop.sock_recv(self.end, 1)
        except ConnectionResetError:
            return True
        return False


def reset_on_close(end: socket.socket) -> None:
    """Have the socket reset its connection when it is closed."""
    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@asynccontextmanager
async def connected(port: int, window: int | None = None) -> AsyncIterator[Client]:
    """A client of the port, closed at the end."""
    with socket.socket() as end:
        if window is not None:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        end.setblocking(False)
        await asyncio.get_running_loop().sock_connect(end, (HOST, port))
        yield Client(end)


def run_relayed(
    scenario: Scenario,
    requests: Callable[[], Decoder] | None = None,
    server: type[Echo] = Echo,
) -> None:
    """Run a scenario with a relay and the server behind it."""

    async def run() -> None:
        echo = server()
        await echo.start()
        relay = Relay(HOST, echo.port, requests=requests)
        await relay.start()
        try:
            await scenario(relay, echo)
        finally:
            await relay.close()
            await echo.stop()

    asyncio.run(asyncio.wait_for(run(), DEADLINE))


class Lines:
    """Decodes a protocol whose requests are lines, and fails at an exclamation mark."""

    def __init__(self) -> None:
        self._begun = b""

    def __call__(self, data: bytes) -> Iterable[Call]:
        """Return the lines that became whole."""
        if b"!" in data:
            raise ValueError("expected no exclamation mark")
        *lines, self._begun = (self._begun + data).split(b"\n")
        return [Call(line.split()[0].decode(), line.decode()) for line in lines]


def unread(data: bytes) -> Iterable[Call]:
    """Decodes nothing: random bytes take long to show as text."""
    return ()

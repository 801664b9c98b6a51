"""A recording pipe between an adapter and a server on standard input and output.

What `Relay` does for a server of the network it does for a program that speaks
over its standard input and output: its calls are counted, and cut, stalled or
truncated, without the help of either side.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from memory_fidelity.testing import pipe_end
from memory_fidelity.testing.harness import Call
from memory_fidelity.testing.relay import Relay

__all__ = ["Decoder", "Pipe", "json_lines"]

Decoder = Callable[[bytes], Iterable[Call]]
"""Is given the bytes of one client as they come, and returns the requests that they complete."""


class Pipe:
    """Starts a server for each client that starts `command`, and passes bytes between them.

    The client's program is a small one of Python, connected through `relay` to
    the standard input and output of the server's. A server ends when its
    client does, at the latest when the pipe is closed.
    """

    def __init__(
        self,
        server: Sequence[str],
        *,
        environment: Mapping[str, str],
        directory: Path,
        requests: Callable[[], Decoder] | None = None,
    ) -> None:
        """Take what to start; start nothing.

        Args:
            server: the program and its arguments.
            environment: all of its environment.
            directory: its working directory.
            requests: reads what clients send, as `Relay` describes.
        """
        self._server = tuple(server)
        self._environment = environment
        self._directory = directory
        self._requests = requests
        self._relay: Relay | None = None
        self._listener: socket.socket | None = None
        self._accepting: asyncio.Task[None] | None = None
        self._failures: list[OSError] = []
        self.processes: list[asyncio.subprocess.Process] = []
        """The servers that were started, the latest last."""

    @property
    def relay(self) -> Relay:
        """What passes the bytes on, and can be told to lose them.

        Raises:
            RuntimeError: the pipe is not started.
        """
        if self._relay is None:
            raise RuntimeError("pipe: expected one that is started, got one that is not")
        return self._relay

    @property
    def command(self) -> tuple[str, ...]:
        """What a client starts in the place of the server."""
        return (sys.executable, "-I", "-S", pipe_end.__file__, str(self.relay.port))

    async def start(self) -> None:
        """Wait for clients, in this event loop."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.setblocking(False)
        host, port = self._listener.getsockname()
        self._relay = Relay(host, port, requests=self._requests)
        await self._relay.start()
        self._accepting = asyncio.get_running_loop().create_task(self._accept(self._listener))

    async def close(self) -> None:
        """End clients and servers, and return once none is left; twice is safe.

        Raises:
            ExceptionGroup: a server could not be started, or `requests` failed.
        """
        if self._accepting is not None:
            self._accepting.cancel()
            await asyncio.wait([self._accepting])
        try:
            if self._relay is not None:
                await self._relay.close()
        finally:
            if self._listener is not None:
                self._listener.close()
            for process in self.processes:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        failures, self._failures = self._failures, []
        if failures:
            raise ExceptionGroup("pipe: expected to start every server, got errors", failures)

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            end, _ = await loop.sock_accept(listener)
            # Nobody but the server keeps the socket, so that its end is seen at once.
            with end:
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                end.setblocking(True)
                try:
                    self.processes.append(await self._started(end))
                except OSError as error:
                    # The client ends with the socket; the next one may have better luck.
                    self._failures.append(error)

    async def _started(self, end: socket.socket) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *self._server,
            stdin=end.fileno(),
            stdout=end.fileno(),
            stderr=asyncio.subprocess.DEVNULL,
            env=self._environment,
            cwd=self._directory,
        )


def json_lines(calls: Callable[[Any], Iterable[Call]]) -> Callable[[], Decoder]:
    """Return a decoder of messages that are JSON, one a line, for `requests`.

    `calls` says which calls a message holds.
    """

    def decoder() -> Decoder:
        begun = b""

        def decode(data: bytes) -> Iterator[Call]:
            nonlocal begun
            *lines, begun = (begun + data).split(b"\n")
            for line in lines:
                yield from calls(json.loads(line))

        return decode

    return decoder

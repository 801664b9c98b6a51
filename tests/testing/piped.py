"""Clients of a pipe, and a server behind it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from tests.testing import pipe_server

from memory_fidelity.testing import Call
from memory_fidelity.testing.pipe import Pipe, json_lines

__all__ = ["SERVER", "Client", "calling", "piped"]

Result = TypeVar("Result")

SERVER: Final = (sys.executable, "-I", "-S", pipe_server.__file__)
_DEADLINE: Final = 60.0


class Client:
    """A process that was started with a pipe's command."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Take the process."""
        self.process = process

    def send(self, data: bytes) -> None:
        """Hand it so many bytes."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    def end_input(self) -> None:
        """Tell it that there are no more."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    async def ask(self, line: str) -> str:
        """Send a line, and return the answer, which is empty if there is none."""
        self.send(f"{line}\n".encode())
        return await self.line()

    async def line(self) -> str:
        """Return the next line that it gives, or what there is of one."""
        assert self.process.stdout is not None
        return (await self.process.stdout.readline()).decode().rstrip("\n")

    async def rest(self) -> bytes:
        """Return all that it gives until it ends its output."""
        assert self.process.stdout is not None
        return await self.process.stdout.read()

    async def status(self) -> int:
        """Return its exit status, once it has ended."""
        return await self.process.wait()


@asynccontextmanager
async def calling(pipe: Pipe) -> AsyncIterator[Client]:
    """A client of the pipe, which is killed at the end if it is still there."""
    process = await asyncio.create_subprocess_exec(
        *pipe.command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield Client(process)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def piped(folder: Path, scenario: Callable[[Pipe], Awaitable[Result]]) -> Result:
    """Play a scenario with a pipe before the server, and return its result."""

    async def play() -> Result:
        pipe = Pipe(
            SERVER,
            environment={"NAME": "of-its-own"},
            directory=folder,
            requests=json_lines(_texts),
        )
        async with AsyncExitStack() as opened, asyncio.timeout(_DEADLINE):
            opened.push_async_callback(pipe.close)
            await pipe.start()
            return await scenario(pipe)

    return asyncio.run(play())


def _texts(message: Any) -> Iterator[Call]:
    if isinstance(message, str):
        yield Call("text", message)

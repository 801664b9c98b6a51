"""Writers of khive in processes of their own, told by the test what to write and when."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from uuid import UUID

from tests.adapters import khive_writer

__all__ = ["Writer", "writing"]


class Writer:
    """One such process, which is ready to write."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Take the process."""
        self._process = process

    def tell(self, item_id: UUID, text: str) -> None:
        """Have it store an item with this text, which has no blanks."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{item_id} {text}\n".encode())

    async def said(self) -> str:
        """Return the next line that it says."""
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        assert line, "the writer ended before it said anything"
        return line.decode().strip()

    async def kill(self) -> None:
        """End it at once, and return when it has ended."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


@asynccontextmanager
async def writing(namespace: str, command: Sequence[str]) -> AsyncIterator[Writer]:
    """A writer that starts khive by a command; it is killed at the end, if it is still there."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, khive_writer.__file__, namespace, *command),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    writer = Writer(process)
    try:
        assert await writer.said() == "ready"
        yield writer
    finally:
        await writer.kill()

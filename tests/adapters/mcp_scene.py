"""A session with a program of MCP, and what the program noted."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeVar

from tests.adapters import mcp_program

from memory_fidelity.adapters.mcp_session import Ask, McpServer, McpSession

__all__ = ["LATE", "Scene", "anything", "played", "program"]

Result = TypeVar("Result")

LATE: Final = 0.5
"""Seconds after which a reply is late, where one is waited for in vain."""
_PATIENCE: Final = 30.0
_DEADLINE: Final = 60.0


class Scene:
    """One session, and the notes of all its processes."""

    def __init__(self, session: McpSession, folder: Path) -> None:
        """Take both."""
        self.session = session
        self._folder = folder

    async def ask(self, tool: str) -> str:
        """Call a tool."""
        return await self.session.call(tool, {})

    def starts(self) -> list[str]:
        """The process id of every process so far, the latest last."""
        return self._noted("starts")

    def calls(self) -> list[str]:
        """Every tool that was called, oldest first."""
        return self._noted("calls")

    async def until_started(self) -> None:
        """Return once there is a process."""
        await self._until_noted("starts", 1)

    async def until_called(self, count: int) -> None:
        """Return once so many calls have reached the program."""
        await self._until_noted("calls", count)

    async def _until_noted(self, name: str, count: int) -> None:
        while len(self._noted(name)) < count:  # noqa: ASYNC110 - waits for another process
            await asyncio.sleep(0)  # noqa: TID251 - gives way to the call

    def _noted(self, name: str) -> list[str]:
        file = self._folder / name
        if not file.exists():
            return []
        # Behind the last end of a line is what the program is about to write.
        *lines, _ = file.read_text().split("\n")
        return lines


def program(folder: Path, manner: str = "") -> tuple[str, ...]:
    """Return how to start the program."""
    return (sys.executable, "-I", "-S", mcp_program.__file__, str(folder), manner)


async def anything(ask: Ask) -> None:
    """Accept every program."""


def played(
    folder: Path,
    scenario: Callable[[Scene], Awaitable[Result]],
    *,
    server: McpServer | None = None,
    timeout: float = _PATIENCE,
    concurrency: int = 4,
    accept: Callable[[Ask], Awaitable[None]] = anything,
) -> Result:
    """Play a scenario with a session, which is closed at the end, and return its result."""

    async def play() -> Result:
        session = McpSession(
            server or McpServer(program(folder)),
            timeout=timeout,
            concurrency=concurrency,
            accept=accept,
        )
        async with asyncio.timeout(_DEADLINE):
            try:
                return await scenario(Scene(session, folder))
            finally:
                await session.close()

    return asyncio.run(play())

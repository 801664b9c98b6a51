"""One MCP session with a service over standard input and output; needs the package `mcp`.

lionagi's own connection pool keeps a client whose process is gone, and bounds
no call. Here a session that was lost is replaced by the next call, and every
call has a deadline and its turn.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TextIO

# Here and not where the first call needs it: importing it takes longer than many calls.
try:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
except ImportError as error:
    raise ImportError(
        "memory_fidelity.adapters.mcp_session needs mcp, which comes with the extra `khive`: "
        "pip install 'memory-fidelity[khive]'"
    ) from error

__all__ = ["Ask", "McpRefused", "McpServer", "McpSession"]

_CONNECTION_CLOSED: Final = -32000
"""The code that the SDK gives to calls whose connection ended, which is no reply."""

Ask = Callable[[str, dict[str, Any]], Awaitable[str]]
"""Calls a tool with arguments, and returns the text of its result."""


class McpRefused(Exception):
    """The service answered a call with an error of the protocol, or with a result without text."""


@dataclass(frozen=True, slots=True)
class McpServer:
    """A program that speaks MCP over its standard input and output."""

    command: tuple[str, ...]
    """The program and its arguments."""
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What is added to the few variables that the SDK passes on; it may hold secrets."""


class McpSession:
    """The process of one client, started when it is needed, and anew after it was lost.

    A call that gets no reply in time takes its process with it: what a server
    that hangs would do later belongs to no call. All calls are of the event
    loop of the first one.
    """

    def __init__(
        self,
        server: McpServer,
        *,
        timeout: float,
        concurrency: int,
        accept: Callable[[Ask], Awaitable[None]],
    ) -> None:
        """Take what to start; start nothing.

        Args:
            server: the program.
            timeout: seconds for a process to start, and for each reply.
            concurrency: calls that may wait for a reply at one time.
            accept: is awaited with each new session before its first use, and
                raises if the service is not the one that is expected.
        """
        self._server = server
        self._timeout = timeout
        self._turns = asyncio.Semaphore(concurrency)
        self._accept = accept
        self._starting = asyncio.Lock()
        self._link: _Link | None = None
        self._links: dict[asyncio.Task[None], _Link] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closed = False

    async def call(self, tool: str, arguments: dict[str, Any]) -> str:
        """Call a tool of the service, and return the text of its result.

        Raises:
            McpRefused: the service answered with an error.
            OSError: no process could be started, or it gave no reply in time.
            RuntimeError: another event loop was the first to use this session.
        """
        self._require_own_loop()
        async with self._turns:
            return await self._asked(await self._connected(), tool, arguments)

    async def close(self) -> None:
        """End the process, whatever it is at. Twice is safe; it is not started again."""
        self._is_closed = True
        self._link = None
        for link in self._links.values():
            link.end()
        if self._links:
            await asyncio.wait(self._links)

    def _require_own_loop(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is None:
            self._loop = loop
        elif self._loop is not loop:
            raise RuntimeError("expected the event loop of the first call, got another")

    def _require_open(self) -> None:
        if self._is_closed:
            raise ConnectionError("the session was closed")

    async def _connected(self) -> _Link:
        async with self._starting:
            self._require_open()
            if self._link is None:
                self._link = await self._started()
            return self._link

    async def _started(self) -> _Link:
        link = _Link()
        owner = asyncio.get_running_loop().create_task(link.own(self._server))
        self._links[owner] = link
        owner.add_done_callback(self._links.pop)
        try:
            await link.ready(self._timeout)
            await self._accept(lambda tool, arguments: self._asked(link, tool, arguments))
            self._require_open()
        except BaseException:
            self._discard(link)
            raise
        return link

    async def _asked(self, link: _Link, tool: str, arguments: dict[str, Any]) -> str:
        try:
            async with asyncio.timeout(self._timeout):
                result: Any = await link.session.call_tool(tool, arguments)
        except Exception as error:
            # Any, because what the SDK raises differs between its versions.
            if _was_answered(error):
                raise McpRefused(f"{tool}: expected a result, got an error") from error
            self._discard(link)
            raise ConnectionError(f"{tool}: expected a reply, got none") from error
        try:
            text = result.content[0].text
        except (AttributeError, IndexError) as error:
            raise McpRefused(f"{tool}: expected a text, got none") from error
        return str(text)

    def _discard(self, link: _Link) -> None:
        if self._link is link:
            self._link = None
        link.end()


class _Link:
    """A process and the session with it, which live and end in one task, as the SDK asks for."""

    def __init__(self) -> None:
        self._opened: asyncio.Future[ClientSession] = asyncio.get_running_loop().create_future()
        self._ended = asyncio.Event()

    @property
    def session(self) -> ClientSession:
        return self._opened.result()

    async def ready(self, seconds: float) -> None:
        """Return once the session can be used; raise `ConnectionError` if it is not in time."""
        await asyncio.wait([self._opened], timeout=seconds)
        if not self._opened.done():
            raise ConnectionError(f"expected a process that speaks MCP, got none in {seconds:g} s")
        self._opened.result()

    def end(self) -> None:
        self._ended.set()

    async def own(self, server: McpServer) -> None:
        program, *arguments = server.command
        parameters = StdioServerParameters(
            command=program, args=arguments, env=dict(server.environment)
        )
        try:
            with _nowhere() as log:
                async with (
                    stdio_client(parameters, errlog=log) as (replies, requests),
                    ClientSession(replies, requests) as session,
                ):
                    await self._until_ended(session)
            self._fail(None)
        except Exception as error:  # noqa: BLE001 - the SDK's own differ between its versions
            # The end of a broken session tells once more that it is broken.
            self._fail(error)

    async def _until_ended(self, session: ClientSession) -> None:
        initializing = asyncio.ensure_future(session.initialize())
        ended = asyncio.ensure_future(self._ended.wait())
        try:
            await asyncio.wait((initializing, ended), return_when=asyncio.FIRST_COMPLETED)
            if initializing.done():
                initializing.result()
                self._opened.set_result(session)
            await ended
        finally:
            initializing.cancel()
            ended.cancel()

    def _fail(self, error: Exception | None) -> None:
        """Have whoever waits for the session get an error, if it has not begun."""
        if not self._opened.done():
            failure = ConnectionError("expected a process that speaks MCP, got none")
            failure.__cause__ = error
            self._opened.set_exception(failure)
            # Whoever waited for it may be gone.
            self._opened.exception()


def _nowhere() -> TextIO:
    """Where a service's own log goes, which may hold what it was given."""
    return open(os.devnull, "w", encoding="utf-8")


def _was_answered(error: Exception) -> bool:
    """Whether an error of the SDK is one that the service sent."""
    code = getattr(getattr(error, "error", None), "code", None)
    return code is not None and code != _CONNECTION_CLOSED

"""One database of khive, fake or real, behind a recording pipe, and a hand beside the pipe."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar
from uuid import UUID

from tests.adapters.khive_scene import Lane

from memory_fidelity.adapters._khive_calls import asked
from memory_fidelity.adapters._khive_records import lookup
from memory_fidelity.adapters.khive import KhiveMemoryStore, khive_server
from memory_fidelity.adapters.khive_live import khive_program
from memory_fidelity.adapters.mcp_session import Ask, McpServer, McpSession
from memory_fidelity.fake.khive_service import FakeKhive
from memory_fidelity.testing import Call
from memory_fidelity.testing.pipe import Pipe, json_lines

__all__ = ["NAMESPACE", "Wire", "wired"]

Result = TypeVar("Result")

NAMESPACE: Final = "wire"
_PATIENCE: Final = 40.0
_DEADLINE: Final = 300.0


class Wire:
    """What stores reach their khive through, and what shows what is there."""

    def __init__(self, pipe: Pipe, beside: McpServer, opened: AsyncExitStack) -> None:
        """Take a pipe that is started, and how to start khive past it."""
        self.pipe = pipe
        self._beside = beside
        self._opened = opened
        self._session = McpSession(beside, timeout=_PATIENCE, concurrency=1, accept=_any)
        opened.push_async_callback(self._session.close)

    def store(self, **settings: Any) -> KhiveMemoryStore:
        """Return a new store behind the pipe, which starts a khive of its own."""
        return self._store(McpServer(self.pipe.command), settings)

    def rival(self) -> KhiveMemoryStore:
        """Return a new store past the pipe, which nothing can hold up."""
        return self._store(self._beside, {})

    async def do(self, verb: str, **arguments: Any) -> Any:
        """Have khive carry out a verb past the pipe."""
        (result,) = await asked(self._session.call, (verb, arguments))
        return result

    async def native_ids(self, item_id: UUID, namespace: str = NAMESPACE) -> list[str]:
        """Return the native id of every memory that has the item's id."""
        verb, arguments = lookup(item_id, "envelope", namespace)
        return [row["n_id"] for row in (await self.do(verb, **arguments))["rows"]]

    async def memories(self, namespace: str = NAMESPACE) -> list[dict[str, Any]]:
        """Return every memory of a namespace, items or not; 200 at most."""
        found = await self.do("list", kind="memory", namespace=namespace, limit=200)
        memories: list[dict[str, Any]] = found["items"]
        return memories

    def requests(self) -> list[list[str]]:
        """The verbs of every request so far, without those that a process is asked at its start."""
        sent = [json.loads(call.text) for call in self.pipe.relay.calls()]
        verbs = [[operation["tool"] for operation in operations] for operations in sent]
        return [request for request in verbs if "verbs" not in request]

    def _store(self, server: McpServer, settings: dict[str, Any]) -> KhiveMemoryStore:
        store = KhiveMemoryStore(server, **{"namespace": NAMESPACE, **settings})
        self._opened.push_async_callback(store.close)
        return store


def wired(lane: Lane, scenario: Callable[[Wire], Awaitable[Result]]) -> Result:
    """Play a scenario on an empty khive of a lane, end every process, and return its result."""

    async def play() -> Result:
        async with AsyncExitStack() as opened, asyncio.timeout(_DEADLINE):
            # Of a process that is killed something may still be written.
            folder = TemporaryDirectory(prefix="khive-", ignore_cleanup_errors=True)
            beside = _server(lane, Path(opened.enter_context(folder)), opened)
            pipe = Pipe(
                beside.command,
                environment={**beside.environment, "HOME": folder.name, "PATH": os.defpath},
                directory=Path(folder.name),
                requests=json_lines(_requests),
            )
            opened.push_async_callback(pipe.close)
            await pipe.start()
            return await scenario(Wire(pipe, beside, opened))

    return asyncio.run(play())


def _server(lane: Lane, folder: Path, opened: AsyncExitStack) -> McpServer:
    if lane == "fake":
        return McpServer(opened.enter_context(FakeKhive()).command)
    direct = khive_server(folder / "khive.db", program=khive_program())
    return McpServer(direct.command, {**direct.environment, "HOME": str(folder)})


def _requests(message: Any) -> Iterator[Call]:
    match message:
        case {"method": "tools/call", "params": {"arguments": {"ops": str(text)}}}:
            yield Call("request", text)


async def _any(ask: Ask) -> None:
    """Every khive will do."""

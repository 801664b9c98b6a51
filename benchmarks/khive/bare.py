"""The calls of khive that a store makes, made by hand.

They are as many and as large, one after the other, in one session: with the
client of the MCP SDK, as the store makes them, or as lines that are written to
the process and read from it. Nothing is validated, compared or built of the
answers.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TextIO

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from memory_fidelity import MemoryItem
from memory_fidelity.adapters.mcp_session import McpServer

__all__ = ["Bare", "bare", "bare_lines"]

_Ask = Callable[[dict[str, Any]], Awaitable[str]]
"""Calls the one tool of khive with arguments, and returns the text of the result."""

_LONGEST = 1 << 24
"""Bytes that one answer may have."""


class Bare:
    """Makes calls in one session, in a namespace of its own."""

    def __init__(self, ask: _Ask, namespace: str) -> None:
        """Take what makes a call in a session that was begun."""
        self._ask = ask
        self._namespace = namespace

    async def store(self, item: MemoryItem) -> None:
        """Write an item: over the memory of its id, or as a new one, and look again."""
        found = await self._native_ids(item)
        if found:
            await self._update(found[0], item)
            return
        begun = {"content": "(write in progress)", "namespace": self._namespace}
        (made,) = await self._asked(("memory.remember", begun))
        await self._update(made["id"], item)
        await self._native_ids(item)

    async def retrieve(self, item: MemoryItem) -> None:
        """Find the memory of an id, and read it."""
        (native_id,) = await self._native_ids(item)
        await self._asked(("get", {"id": native_id}))

    async def search(self, text: str) -> None:
        """Recall ten memories, and read them."""
        asked = {
            "query": text,
            "limit": 10,
            "full_content": False,
            "config": {"scoring": {"chars_per_token": 1_000_000}},
            "namespace": self._namespace,
        }
        (hits,) = await self._asked(("memory.recall", asked))
        await self._asked(*(("get", {"id": hit["id"]}) for hit in hits))

    async def _native_ids(self, item: MemoryItem) -> list[str]:
        condition = f'n.properties.lionagi.id = "{item.id}"'
        query = f"MATCH (n:memory) WHERE {condition} RETURN n.id, n.created_at LIMIT 50"
        (found,) = await self._asked(("query", {"query": query, "namespace": self._namespace}))
        return [row["n_id"] for row in found["rows"]]

    async def _update(self, native_id: str, item: MemoryItem) -> None:
        kept = {"id": str(item.id), "created_at": item.created_at, "metadata": item.metadata}
        written = {
            "id": native_id,
            "kind": "note",
            "content": item.content,
            "properties": {"lionagi": kept, "tags": item.tags},
        }
        await self._asked(("update", written))

    async def _asked(self, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
        ops = json.dumps([{"tool": verb, "args": arguments} for verb, arguments in calls])
        asked = {"ops": ops, "presentation": "verbose"}
        text = await self._ask(asked)
        return [each["result"] for each in json.loads(text)["results"]]


@asynccontextmanager
async def bare(server: McpServer) -> AsyncIterator[Bare]:
    """Start a process of the service, and begin a session with it."""
    program, *arguments = server.command
    parameters = StdioServerParameters(
        command=program, args=arguments, env=dict(server.environment)
    )
    with _nowhere() as log:
        async with (
            stdio_client(parameters, errlog=log) as (replies, requests),
            ClientSession(replies, requests) as session,
        ):
            await session.initialize()

            async def ask(asked: dict[str, Any]) -> str:
                reply: Any = await session.call_tool("request", asked)
                return str(reply.content[0].text)

            yield Bare(ask, "bare")


@asynccontextmanager
async def bare_lines(server: McpServer) -> AsyncIterator[Bare]:
    """Start a process of the service, and begin a session without the SDK."""
    process = await asyncio.create_subprocess_exec(
        *server.command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={"PATH": os.defpath, **server.environment},
        limit=_LONGEST,
    )
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("khive: expected a process with input and output, got one without")
    lines = _Lines(process.stdin, process.stdout)
    try:
        await lines.begin()
        yield Bare(lines.ask, "lines")
    finally:
        process.kill()
        await process.wait()


class _Lines:
    """One message of MCP after the other, each a line."""

    def __init__(self, requests: asyncio.StreamWriter, replies: asyncio.StreamReader) -> None:
        self._requests = requests
        self._replies = replies
        self._count = 0

    async def begin(self) -> None:
        about = {"name": "bench", "version": "1"}
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}
        await self._answered("initialize", hello)
        self._send({"method": "notifications/initialized"})

    async def ask(self, asked: dict[str, Any]) -> str:
        result = await self._answered("tools/call", {"name": "request", "arguments": asked})
        return str(result["content"][0]["text"])

    async def _answered(self, method: str, parameters: dict[str, Any]) -> Any:
        self._count += 1
        self._send({"id": self._count, "method": method, "params": parameters})
        return json.loads(await self._replies.readline())["result"]

    def _send(self, message: dict[str, Any]) -> None:
        self._requests.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")

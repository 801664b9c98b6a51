"""The calls of khive that a store makes, made by hand with the client of the MCP SDK.

They are as many and as large, one after the other, in one session. Nothing is
validated, compared or built of the answers.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TextIO

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from memory_fidelity import MemoryItem
from memory_fidelity.adapters.mcp_session import McpServer

__all__ = ["Bare", "bare"]

_NAMESPACE = "bare"


class Bare:
    """Makes calls in one session."""

    def __init__(self, session: ClientSession) -> None:
        """Take a session that was begun."""
        self._session = session

    async def store(self, item: MemoryItem) -> None:
        """Write an item: over the memory of its id, or as a new one, and look again."""
        found = await self._native_ids(item)
        if found:
            await self._update(found[0], item)
            return
        begun = {"content": "(write in progress)", "namespace": _NAMESPACE}
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
            "namespace": _NAMESPACE,
        }
        (hits,) = await self._asked(("memory.recall", asked))
        await self._asked(*(("get", {"id": hit["id"]}) for hit in hits))

    async def _native_ids(self, item: MemoryItem) -> list[str]:
        condition = f'n.properties.lionagi.id = "{item.id}"'
        query = f"MATCH (n:memory) WHERE {condition} RETURN n.id, n.created_at LIMIT 50"
        (found,) = await self._asked(("query", {"query": query, "namespace": _NAMESPACE}))
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
        reply: Any = await self._session.call_tool("request", asked)
        return [each["result"] for each in json.loads(reply.content[0].text)["results"]]


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
            yield Bare(session)


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")

"""One MCP session with a khive service, over stdio; needs the extra `workbook`."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["KhiveRefused", "KhiveSession"]


class KhiveRefused(Exception):
    """The service read a call and refused it."""


class KhiveSession:
    """The process of one client, started when it is needed, and anew after it was lost.

    Whatever goes wrong between request and reply ends the process: what it
    would answer later belongs to no call. One event loop only.
    """

    def __init__(self, mcp_config: Mapping[str, Any], timeout: float) -> None:
        """Take the command to start, and the seconds to wait for it, and for each reply."""
        self._config = mcp_config
        self._timeout = timeout
        self._client: Any = None  # fastmcp's own is typed in part
        self._starting = asyncio.Lock()
        self._is_closed = False

    async def ask(self, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
        """Make the calls in one request, and return their results in order.

        Raises:
            KhiveRefused: the service refused one of them.
            OSError: no process could be started, or it gave no reply in time.
        """
        # The JSON form: what stands in an argument cannot become part of the call.
        ops = json.dumps([{"tool": verb, "args": arguments} for verb, arguments in calls])
        results = json.loads(await self._request(ops))["results"]
        for result in results:
            if result["ok"] is not True:
                raise KhiveRefused(str(result["error"]))
        return [result["result"] for result in results]

    async def close(self) -> None:
        """End the process. Twice is safe; it is not started again."""
        self._is_closed = True
        async with self._starting:
            client, self._client = self._client, None
            if client is not None:
                await client.close()

    async def _request(self, ops: str) -> str:
        client = await self._connected()
        try:
            async with asyncio.timeout(self._timeout):
                reply = await client.call_tool("request", {"ops": ops, "presentation": "verbose"})
        except Exception as error:
            # Any, because the client's errors differ between its versions.
            await self._discard(client)
            raise ConnectionError("the process gave no reply") from error
        text: str = reply.content[0].text
        return text

    async def _connected(self) -> Any:
        async with self._starting:
            if self._is_closed:
                raise ConnectionError("the session was closed")
            if self._client is None:
                self._client = await self._started()
            return self._client

    async def _started(self) -> Any:
        # The extra is needed by those alone who make a call.
        from fastmcp import Client
        from fastmcp.client.transports import StdioTransport

        # The standard error of a notebook need not be a file, which a process would want.
        transport = StdioTransport(
            self._config["command"], list(self._config["args"]), log_file=Path(os.devnull)
        )
        client: Any = Client(transport)
        try:
            async with asyncio.timeout(self._timeout):
                await client.__aenter__()
        except BaseException as error:
            await self._discard(client)
            if not isinstance(error, Exception):
                raise
            raise ConnectionError("no process could be started") from error
        return client

    async def _discard(self, client: Any) -> None:
        if self._client is client:
            self._client = None
        # Closing what is broken tells once more that it is broken.
        with suppress(Exception):
            await client.close()

"""One khive, fake or real, with a store over it and a hand of our own beside the store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, Final, Literal, TypeVar

from memory_fidelity import MemoryAdapterError
from memory_fidelity.adapters._khive_calls import asked, ops
from memory_fidelity.adapters.khive import KhiveMemoryStore
from memory_fidelity.adapters.khive_harness import RiggedKhive
from memory_fidelity.adapters.khive_live import LiveKhive
from memory_fidelity.adapters.mcp_session import Ask, McpServer, McpSession

__all__ = ["NAMESPACE", "Lane", "Scene", "played", "raised"]

Lane = Literal["fake", "live"]
Result = TypeVar("Result")

NAMESPACE: Final = "scene"
_PATIENCE: Final = 40.0


class Scene:
    """A store of the profile `envelope` on an empty service."""

    def __init__(self, server: McpServer, harness: RiggedKhive | LiveKhive) -> None:
        """Take how clients start the service, and what counts their calls."""
        self.harness = harness
        self._server = server
        self._opened = AsyncExitStack()
        self._session = McpSession(server, timeout=_PATIENCE, concurrency=1, accept=_any)
        self._opened.push_async_callback(self._session.close)
        self.store = self.another()

    def another(self, **settings: Any) -> KhiveMemoryStore:
        """Return one more store on the service, by settings of the store's."""
        store = KhiveMemoryStore(self._server, **{"namespace": NAMESPACE, **settings})
        self._opened.push_async_callback(store.close)
        return store

    async def do(self, verb: str, **arguments: Any) -> Any:
        """Have khive carry out a verb, as another client of its would."""
        (result,) = await asked(self._session.call, (verb, arguments))
        return result

    async def do_all(self, verb: str, *arguments: dict[str, Any]) -> list[Any]:
        """Have it do so with each of these arguments, in one request."""
        return await asked(self._session.call, *((verb, each) for each in arguments))

    async def presented(self, verb: str, **arguments: Any) -> Any:
        """Do so and return the result as khive presents it to agents, which is its default."""
        text = await self._session.call("request", {"ops": ops([(verb, arguments)])})
        return json.loads(text)["results"][0]["result"]

    async def memories(self) -> list[dict[str, Any]]:
        """Return every memory of the namespace, items or not, newest first."""
        listed: list[dict[str, Any]] = (
            await self.do("list", kind="memory", namespace=NAMESPACE, limit=200)
        )["items"]
        return listed

    def verbs(self) -> list[str]:
        """Return the verbs of every call so far, oldest first."""
        return [call.operation for call in self.harness.calls()]

    async def close(self) -> None:
        """End every process."""
        await self._opened.aclose()
        await self.harness.close()


def played(lane: Lane, scenario: Callable[[Scene], Awaitable[Result]]) -> Result:
    """Play a scenario on an empty service of a lane, and return what it returns."""

    async def play() -> Result:
        scene = await _scene(lane)
        try:
            return await scenario(scene)
        finally:
            await scene.close()

    return asyncio.run(play())


async def raised(call: Awaitable[object]) -> MemoryAdapterError:
    """Return the error of a call that must fail with one."""
    try:
        result = await call
    except MemoryAdapterError as error:
        return error
    raise AssertionError(f"expected a MemoryAdapterError, got {result!r}")


async def _scene(lane: Lane) -> Scene:
    if lane == "fake":
        fake = RiggedKhive()
        return Scene(McpServer(fake.khive.command), fake)
    live = LiveKhive()
    return Scene(await live.client(), live)


async def _any(ask: Ask) -> None:
    """Every khive will do."""

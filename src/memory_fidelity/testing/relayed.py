"""What the live harnesses of networked services have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Generic, TypeVar

from memory_fidelity.testing.harness import Call
from memory_fidelity.testing.relay import Relay

__all__ = ["Relayed"]

_Client = TypeVar("_Client")
_Resource = TypeVar("_Resource")


class Relayed(ABC, Generic[_Client]):
    """A live harness whose adapter reaches its service through relays.

    Inherit from it, and define `connect`, `make_store` and `reset`:

        class LiveAcme(Relayed[AcmeClient]):
            async def connect(self):
                return await self.opened(AcmeClient(*await self.relayed("127.0.0.1", 4711)))

            async def make_store(self):
                return AcmeStore(await self.client())

    Outages are then real ones, and the journal is what was seen on the wire, so
    that a call that should not be made is proven not to be (C8, C10, C15).
    """

    def __init__(self) -> None:
        """Open nothing."""
        super().__init__()
        self.relays: list[Relay] = []
        """One for each server, in the order of `relayed`."""
        self._resources = AsyncExitStack()
        self._client: _Client | None = None

    @abstractmethod
    async def connect(self) -> _Client:
        """Return a client that reaches the service through relays."""

    async def client(self) -> _Client:
        """Return the one client of this harness, which `connect` made at the first call."""
        if self._client is None:
            self._client = await self.connect()
        return self._client

    async def opened(self, resource: AbstractAsyncContextManager[_Resource]) -> _Resource:
        """Enter what `close` leaves: a server, a client, a store."""
        return await self._resources.enter_async_context(resource)

    def closes(self, end: Callable[[], Awaitable[None]]) -> None:
        """Have `close` await this, after all that is opened or given later."""
        self._resources.push_async_callback(end)

    async def relayed(
        self,
        host: str,
        port: int,
        *,
        requests: Callable[[], Callable[[bytes], Iterable[Call]]] | None = None,
    ) -> tuple[str, int]:
        """Put a relay before a server, and return the host and port to connect to instead.

        `requests` reads what clients send, as `Relay` describes.
        """
        relay = Relay(host, port, requests=requests)
        self.closes(relay.close)
        await relay.start()
        self.relays.append(relay)
        return "127.0.0.1", relay.port

    async def make_search_index_visible(self) -> None:
        """Nothing to wait for with an index that is always current; replace it for another."""

    async def make_transport_unavailable(self) -> None:
        """Reset every connection, and refuse new ones."""
        for relay in self.relays:
            await relay.refuse()

    def calls(self) -> tuple[Call, ...]:
        """What passed the relays, one server after the other, oldest first."""
        return tuple(call for relay in self.relays for call in relay.calls())

    async def close(self) -> None:
        """Close everything that was opened, the last one first; twice is safe."""
        await self._resources.aclose()

"""`Relayed`: what a relay gives to a live harness."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from memory_fidelity.store import ExternalMemoryStore
from memory_fidelity.testing import Call, Journal, MemoryAdapterHarness
from memory_fidelity.testing.relay import Relay
from memory_fidelity.testing.relayed import Relayed

_Client = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def _echo() -> AsyncIterator[int]:
    """A server that sends back every line, on the port that is given."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            async for line in reader:
                writer.write(line)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()


@asynccontextmanager
async def _connection(host: str, port: int) -> AsyncIterator[_Client]:
    reader, writer = await asyncio.open_connection(host, port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


class _Echoing(Relayed[_Client]):
    """A harness without a store."""

    async def connect(self) -> _Client:
        """Start a server, and connect to it through a relay."""
        port = await self.opened(_echo())
        return await self.opened(_connection(*await self.relayed("127.0.0.1", port)))

    async def make_store(self) -> ExternalMemoryStore:
        """There is none."""
        raise NotImplementedError

    async def reset(self) -> None:
        """There is nothing to forget."""

    async def said(self, line: bytes) -> bytes:
        """What the server answers through the client."""
        reader, writer = await self.client()
        writer.write(line)
        return await reader.readline()


def test_it_makes_a_harness() -> None:
    """With `connect`, `make_store` and `reset` it has the five methods and a journal."""
    harness = _Echoing()

    assert isinstance(harness, MemoryAdapterHarness)
    assert isinstance(harness, Journal)


def test_connecting_is_required() -> None:
    """A harness that does not say how to connect cannot be made."""

    with pytest.raises(TypeError, match="connect"):
        Relayed()  # type: ignore[abstract]  # what is tried


def test_it_opens_nothing_by_itself() -> None:
    """A harness that was only made has no relay, has seen nothing, and closes."""

    async def scenario() -> tuple[list[Relay], tuple[Call, ...]]:
        harness = _Echoing()
        await harness.close()
        return harness.relays, harness.calls()

    assert asyncio.run(scenario()) == ([], ())


def test_there_is_one_client() -> None:
    """The client is made at the first call, and is the same ever after."""

    async def scenario() -> tuple[_Client, _Client]:
        harness = _Echoing()
        both = await harness.client(), await harness.client()
        await harness.close()
        return both

    first, second = asyncio.run(scenario())

    assert first is second


def test_the_journal_holds_what_passed() -> None:
    """Every request is noted as it was sent, and answered by the server."""

    async def scenario() -> tuple[bytes, tuple[Call, ...]]:
        harness = _Echoing()
        answer = await harness.said(b"one\n")
        await harness.close()
        return answer, harness.calls()

    assert asyncio.run(scenario()) == (b"one\n", (Call("bytes", "one\n"),))


def test_requests_are_read_by_the_decoder() -> None:
    """A relay is given the decoder of its protocol."""

    async def scenario() -> tuple[Call, ...]:
        harness = _Echoing()
        port = await harness.opened(_echo())
        place = await harness.relayed(
            "127.0.0.1", port, requests=lambda: lambda data: [Call("line", data.decode().strip())]
        )
        reader, writer = await harness.opened(_connection(*place))
        writer.write(b"one\n")
        await reader.readline()
        await harness.close()
        return harness.calls()

    assert asyncio.run(scenario()) == (Call("line", "one"),)


def test_an_outage_is_real() -> None:
    """Connections are reset, and new ones refused."""

    async def scenario() -> tuple[object, object]:
        harness = _Echoing()
        await harness.said(b"one\n")
        await harness.make_transport_unavailable()
        old = await asyncio.gather(harness.said(b"two\n"), return_exceptions=True)
        again = asyncio.open_connection("127.0.0.1", harness.relays[0].port)
        new = await asyncio.gather(again, return_exceptions=True)
        await harness.close()
        return old[0], new[0]

    old, new = asyncio.run(scenario())

    assert isinstance(old, ConnectionResetError)
    assert isinstance(new, ConnectionRefusedError)


def test_it_closes_the_last_opened_first() -> None:
    """What was opened is closed in reverse, once, however often it is closed."""
    closed: list[str] = []

    @asynccontextmanager
    async def noted(name: str) -> AsyncIterator[None]:
        yield
        closed.append(name)

    async def last_of_all() -> None:
        closed.append("given first")

    async def scenario() -> None:
        harness = _Echoing()
        harness.closes(last_of_all)
        await harness.opened(noted("server"))
        await harness.opened(noted("client"))
        await harness.close()
        await harness.close()

    asyncio.run(scenario())

    assert closed == ["client", "server", "given first"]

"""A relay passes what it is given, both ways, and notes what clients send."""

from __future__ import annotations

import asyncio
import random
import socket

import pytest
from tests.testing.relay_peers import (
    HOST,
    Echo,
    EndsFirst,
    Lines,
    Pours,
    Resets,
    connected,
    run_relayed,
    unread,
)

from memory_fidelity.testing import Call, Journal
from memory_fidelity.testing.relay import Relay


def test_it_is_a_journal() -> None:
    """It shows what reached the transport."""
    assert isinstance(Relay(HOST, 1), Journal)


def test_it_has_no_port_before_it_is_started() -> None:
    """Nothing is opened by making it, and the error says what is missing."""
    with pytest.raises(RuntimeError, match="expected one that is started"):
        _ = Relay(HOST, 1).port


def test_starting_twice_is_safe() -> None:
    """The second start changes nothing."""

    async def scenario(relay: Relay, _: Echo) -> None:
        port = relay.port
        await relay.start()

        assert relay.port == port

    run_relayed(scenario)


def test_it_has_no_port_after_it_was_closed() -> None:
    """Closing gives the port back, and closing again does nothing."""

    async def scenario(relay: Relay, _: Echo) -> None:
        await relay.close()
        await relay.close()

        with pytest.raises(RuntimeError, match="expected one that is started"):
            str(relay.port)

    run_relayed(scenario)


def test_ten_mebibytes_pass_in_both_directions_unchanged() -> None:
    """Every byte arrives, in order, however much is under way."""
    payload = random.Random(4).randbytes(10 << 20)

    async def scenario(relay: Relay, _: Echo) -> None:
        async with connected(relay.port) as client:
            assert await client.ask(payload) == payload

        assert (relay.bytes_to_server, relay.bytes_to_client) == (10 << 20, 10 << 20)

    run_relayed(scenario, requests=lambda: unread)


def test_sixty_four_clients_are_kept_apart() -> None:
    """Each of many connections at one time gets its own replies."""

    async def ask(relay: Relay, number: int) -> bytes:
        async with connected(relay.port) as client:
            return await client.ask(bytes([number]) * 20_000)

    async def scenario(relay: Relay, _: Echo) -> None:
        replies = await asyncio.gather(*(ask(relay, number) for number in range(64)))

        assert replies == [bytes([number]) * 20_000 for number in range(64)]
        assert relay.connections == 64

    run_relayed(scenario)


def test_a_connection_alone_is_no_call() -> None:
    """The journal is empty until something is sent."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        async with connected(relay.port):
            await echo.came.wait()

            assert (relay.connections, relay.calls()) == (1, ())

    run_relayed(scenario)


def test_each_piece_is_a_call() -> None:
    """What is not UTF-8 is shown with backslashes."""

    async def scenario(relay: Relay, _: Echo) -> None:
        async with connected(relay.port) as client:
            await client.ask("grün".encode())
            await client.ask(b"\xff\x00")

        assert relay.calls() == (Call("bytes", "grün"), Call("bytes", "\\xff\x00"))

    run_relayed(scenario)


def test_a_decoder_makes_whole_requests_out_of_pieces() -> None:
    """Each connection has a decoder of its own, so that pieces of two are never joined."""

    async def scenario(relay: Relay, _: Echo) -> None:
        async with connected(relay.port) as one, connected(relay.port) as two:
            await one.ask(b"get a\nge")
            await two.ask(b"put b\n")
            await one.ask(b"t c\n")

        assert [call.text for call in relay.calls()] == ["get a", "put b", "get c"]
        assert [call.operation for call in relay.calls()] == ["get", "put", "get"]

    run_relayed(scenario, requests=Lines)


def test_a_decoder_that_fails_is_no_outage_of_the_server() -> None:
    """What it could not read is not passed on, and closing tells of it."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        async with connected(relay.port) as client:
            await client.send(b"!")

            assert await client.is_reset()
        assert echo.got == b""
        with pytest.raises(ExceptionGroup, match="expected to read every request"):
            await relay.close()

    run_relayed(scenario, requests=Lines)


def test_the_end_of_a_client_reaches_the_server() -> None:
    """A client that has sent everything still gets the rest of the replies, and their end."""

    async def scenario(relay: Relay, _: Echo) -> None:
        async with connected(relay.port) as client:
            await client.send(b"last")
            client.end.shutdown(socket.SHUT_WR)

            assert await client.receive(100) == b"last."

    run_relayed(scenario)


def test_the_end_of_a_server_reaches_the_client() -> None:
    """A server that will send nothing more still gets requests."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        async with connected(relay.port) as client:
            assert await client.receive(1) == b""
            await client.send(b"more")
            client.end.shutdown(socket.SHUT_WR)
            await echo.ended.get()

        assert echo.got == b"more"

    run_relayed(scenario, server=EndsFirst)


def test_the_last_bytes_arrive_when_both_sides_have_ended() -> None:
    """A client that reads late gets all that was under way, and a clean end."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        async with connected(relay.port, window=4096) as client, connected(echo.port) as direct:
            await client.send(b"a")
            client.end.shutdown(socket.SHUT_WR)
            await echo.ended.get()
            await direct.send(b"b")
            await direct.receive(1 << 20)

            assert await client.receive((1 << 20) + 1) == bytes(1 << 20)

    run_relayed(scenario, server=Pours)


def test_the_loss_of_a_client_reaches_the_server() -> None:
    """The server sees a reset, and not an end that looks intended."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        async with connected(relay.port) as client:
            await client.ask(b"a")
            client.reset()

            assert await echo.ended.get() == "reset"

    run_relayed(scenario)


def test_the_loss_of_a_server_reaches_the_client() -> None:
    """The client sees a reset, and not an end that looks intended."""

    async def scenario(relay: Relay, _: Echo) -> None:
        async with connected(relay.port) as client:
            await client.send(b"a")

            assert await client.is_reset()

    run_relayed(scenario, server=Resets)


def test_a_client_is_reset_when_the_server_cannot_be_reached() -> None:
    """Nothing listens behind the relay; once something does, clients get there."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        await echo.stop()
        async with connected(relay.port) as client:
            assert await client.is_reset()

        await echo.start()
        async with connected(relay.port) as client:
            assert await client.ask(b"a") == b"a"

    run_relayed(scenario)

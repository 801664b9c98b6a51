"""A relay cuts, refuses and holds back, exactly when it says."""

from __future__ import annotations

import asyncio
import socket

import pytest
from tests.testing.relay_peers import (
    HOST,
    Client,
    Echo,
    Plant,
    connected,
    run_relayed,
)

from memory_fidelity.testing import Call
from memory_fidelity.testing.relay import Relay


def test_cut_resets_both_ends() -> None:
    """A connection that was in use is lost for the client and for the server."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        async with connected(relay.port) as client:
            await client.ask(b"a")
            await relay.cut()

            assert await client.is_reset()
            assert await echo.ended.get() == "reset"

    run_relayed(scenario)


def test_cut_resets_a_connection_that_was_only_just_made() -> None:
    """What the client takes for connected is lost, whether or not the relay has seen it."""

    async def scenario(relay: Relay, _: Echo) -> None:
        # At once, so that the event loop has no turn in which to accept it.
        with socket.create_connection((HOST, relay.port)) as end:
            end.setblocking(False)
            await relay.cut()

            assert await Client(end).is_reset()

    run_relayed(scenario)


def test_cut_goes_on_listening() -> None:
    """The next connection is as good as new."""

    async def scenario(relay: Relay, _: Echo) -> None:
        await relay.cut()
        async with connected(relay.port) as client:
            assert await client.ask(b"a") == b"a"

    run_relayed(scenario)


def test_refuse_resets_what_is_open() -> None:
    """An outage spares no connection."""

    async def scenario(relay: Relay, _: Echo) -> None:
        async with connected(relay.port) as client:
            await client.ask(b"a")
            await relay.refuse()

            assert await client.is_reset()

    run_relayed(scenario)


def test_refuse_refuses_connections() -> None:
    """Connecting fails, as it does where no server runs."""

    async def scenario(relay: Relay, _: Echo) -> None:
        await relay.refuse()

        with pytest.raises(ConnectionRefusedError):
            await connected(relay.port).__aenter__()

    run_relayed(scenario)


def test_refuse_keeps_the_port_from_others() -> None:
    """No other program can come to listen there in the meantime."""

    async def scenario(relay: Relay, _: Echo) -> None:
        await relay.refuse()

        with socket.socket() as other, pytest.raises(OSError, match="in use"):
            other.bind((HOST, relay.port))

    run_relayed(scenario)


def test_accept_listens_on_the_same_port() -> None:
    """The outage ends, and clients find the server where it was."""

    async def scenario(relay: Relay, _: Echo) -> None:
        port = relay.port
        await relay.refuse()
        await relay.accept()
        async with connected(port) as client:
            assert await client.ask(b"a") == b"a"

    run_relayed(scenario)


def test_accept_without_refuse_changes_nothing() -> None:
    """What is open stays open."""

    async def scenario(relay: Relay, _: Echo) -> None:
        async with connected(relay.port) as client:
            await client.ask(b"a")
            await relay.accept()

            assert await client.ask(b"b") == b"b"

    run_relayed(scenario)


def test_stall_holds_requests() -> None:
    """The request is noted, and has not reached the server."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        async with connected(relay.port) as client:
            await relay.stall()
            await client.send(b"a")
            await relay.held()

            assert relay.calls() == (Call("bytes", "a"),)
            assert echo.got == b""
            assert relay.bytes_to_server == 0

    run_relayed(scenario)


def test_stalling_again_goes_on_holding() -> None:
    """What was held back stays where it is."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        async with connected(relay.port) as client, connected(echo.port) as direct:
            await relay.stall()
            await client.send(b"a")
            await relay.held()
            await relay.stall()
            await direct.ask(b"b")

            assert echo.got == b"b"

    run_relayed(scenario)


def test_stall_holds_the_end_of_a_client() -> None:
    """The server does not learn that the client is gone until it is resumed."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        async with connected(relay.port) as client:
            await client.ask(b"a")
            await relay.stall()
        await relay.held()

        assert echo.ended.empty()
        await relay.resume()
        assert await echo.ended.get() == "end"

    run_relayed(scenario)


def test_stall_holds_the_loss_of_the_server() -> None:
    """A client that connects while the server is down waits, and is reset when resumed."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        await echo.stop()
        await relay.stall()
        async with connected(relay.port) as client:
            lost = asyncio.ensure_future(client.is_reset())
            await relay.held()

            assert not lost.done()
            await relay.resume()
            assert await lost

    run_relayed(scenario)


def test_stall_leaves_with_the_client_what_does_not_fit() -> None:
    """One piece is held; the rest is not read, so a large request takes no memory here."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        await relay.stall()
        async with connected(relay.port) as client, connected(echo.port) as direct:
            sending = asyncio.ensure_future(client.send(bytes(32 << 20)))
            await relay.held()
            await direct.ask(bytes(1 << 20))

            assert not sending.done()
            assert len(relay.calls()) == 1
            await relay.cut()
            with pytest.raises(ConnectionError):
                await sending

    run_relayed(scenario)


def test_resume_passes_on_what_stall_held() -> None:
    """A connection made meanwhile was accepted, and is answered now."""

    async def scenario(relay: Relay, _: Echo) -> None:
        await relay.stall()
        async with connected(relay.port) as client:
            await client.send(b"a")
            await relay.held()
            await relay.resume()

            assert await client.receive(1) == b"a"

    run_relayed(scenario)


def test_stall_replies_lets_requests_be_carried_out() -> None:
    """The server has done what it was asked, and the client does not know."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        await relay.stall_replies()
        async with connected(relay.port) as client:
            await client.send(b"a")
            await relay.held()

            assert echo.got == b"a"
            assert relay.bytes_to_client == 0
            await relay.resume()
            assert await client.receive(1) == b"a"

    run_relayed(scenario)


def test_stall_replies_passes_on_the_requests_that_stall_held() -> None:
    """The later of the two applies; what is then held is the reply."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        await relay.stall()
        async with connected(relay.port) as client:
            await client.send(b"a")
            await relay.held()
            await relay.stall_replies()
            await relay.held()

            assert echo.got == b"a"

    run_relayed(scenario)


def test_a_reply_that_is_held_is_lost_with_its_connection() -> None:
    """Cut while the acknowledgement is held: carried out, and unknown to the client."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        await relay.stall_replies()
        async with connected(relay.port) as client:
            await client.send(b"a")
            await relay.held()
            await relay.cut()

            assert await client.is_reset()
            assert echo.got == b"a"

    run_relayed(scenario)


@pytest.mark.parametrize("then", [Relay.resume, Relay.cut], ids=["resumed", "cut"])
def test_nothing_is_held_once_it_is(then: Plant) -> None:
    """`held` waits for the next thing that is held back, not for the last one."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        await relay.stall()
        async with connected(relay.port) as client, connected(echo.port) as direct:
            await client.send(b"a")
            await relay.held()
            await then(relay)
            waiting = asyncio.ensure_future(relay.held())
            await direct.ask(b"b")

            assert not waiting.done()
            waiting.cancel()

    run_relayed(scenario)

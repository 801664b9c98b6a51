"""A relay loses one reply, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from tests.testing.relay_peers import (
    HOST,
    Client,
    Echo,
    HangsUp,
    Plant,
    connected,
    run_relayed,
)

from memory_fidelity.testing.relay import Relay


def test_cut_next_reply_carries_out_the_request() -> None:
    """The request reached the server, and the client sees a reset in place of the reply."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        async with connected(relay.port) as client:
            await client.ask(b"a")
            await relay.cut_next_reply()
            await client.send(b"b")

            assert await client.is_reset()
            assert echo.got == b"ab"
            assert await echo.ended.get() == "reset"

    run_relayed(scenario)


def test_cut_next_reply_happens_once() -> None:
    """The next connection gets its reply."""

    async def scenario(relay: Relay, _: Echo) -> None:
        await relay.cut_next_reply()
        async with connected(relay.port) as client:
            await client.send(b"a")
            await client.is_reset()
        async with connected(relay.port) as client:
            assert await client.ask(b"b") == b"b"

    run_relayed(scenario)


def test_cut_next_reply_can_be_planted_again() -> None:
    """Each planting loses one reply."""

    async def scenario(relay: Relay, _: Echo) -> None:
        async with connected(relay.port) as client:
            await relay.cut_next_reply()
            await client.send(b"a")
            await client.is_reset()
        async with connected(relay.port) as client:
            await relay.cut_next_reply()
            await client.send(b"b")

            assert await client.is_reset()

    run_relayed(scenario)


def test_cut_next_reply_spares_the_reply_to_an_earlier_request() -> None:
    """A reply that the server still owed is no reply to a further request."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        echo.may_answer.clear()
        async with connected(relay.port) as client:
            await client.send(b"a")
            await echo.asked.wait()
            await relay.cut_next_reply()
            echo.may_answer.set()

            assert await client.receive(1) == b"a"
            await client.send(b"b")
            assert await client.is_reset()

    run_relayed(scenario)


def test_cut_next_reply_spares_a_reply_that_is_held() -> None:
    """A reply that had arrived before is no reply to a further request."""

    async def scenario(relay: Relay, _: Echo) -> None:
        await relay.stall_replies()
        async with connected(relay.port) as client:
            await client.send(b"a")
            await relay.held()
            await relay.cut_next_reply()
            await client.send(b"b")
            await relay.resume()

            assert await client.receive(1) == b"a"
            assert await client.is_reset()

    run_relayed(scenario)


def test_cut_next_reply_resets_where_the_server_ends_without_a_reply() -> None:
    """An end in place of the reply would look intended."""

    async def scenario(relay: Relay, _: Echo) -> None:
        async with connected(relay.port) as client:
            await relay.cut_next_reply()
            await client.send(b"a")

            assert await client.is_reset()

    run_relayed(scenario, server=HangsUp)


@pytest.mark.parametrize("size", [1, 5, 100_000, 200_000], ids="{}".format)
def test_truncate_next_reply_passes_on_so_many_bytes(size: int) -> None:
    """The first bytes arrive, however many pieces they come in, and then a reset."""
    payload = random.Random(7).randbytes(200_000)

    async def scenario(relay: Relay, _: Echo) -> None:
        await relay.truncate_next_reply(size)
        async with connected(relay.port) as client:
            reply = (await asyncio.gather(client.send(payload), client.receive(size)))[1]

            assert reply == payload[:size]
            assert await client.is_reset()

    run_relayed(scenario)


def test_truncate_next_reply_takes_no_negative_size() -> None:
    """It is refused, and nothing is planted."""

    async def scenario(relay: Relay, _: Echo) -> None:
        with pytest.raises(ValueError, match="expected 0 bytes or more, got -1"):
            await relay.truncate_next_reply(-1)
        async with connected(relay.port) as client:
            assert await client.ask(b"a") == b"a"

    run_relayed(scenario)


def test_a_client_that_gives_up_leaves_the_relay_as_it_was() -> None:
    """Cancelling one client's call disturbs nobody else."""

    async def scenario(relay: Relay, echo: Echo) -> None:
        await relay.stall_replies()
        async with connected(relay.port) as client:
            asking = asyncio.ensure_future(client.ask(b"a"))
            await relay.held()
            asking.cancel()
        await relay.resume()

        assert await echo.ended.get() == "end"
        async with connected(relay.port) as client:
            assert await client.ask(b"b") == b"b"

    run_relayed(scenario)


async def _nothing(relay: Relay) -> None:
    pass


@pytest.mark.parametrize(
    "before",
    [_nothing, Relay.cut, Relay.refuse, Relay.stall, Relay.stall_replies, Relay.cut_next_reply],
    ids=["passing", "cut", "refusing", "stalled", "replies stalled", "fault planted"],
)
def test_closing_leaves_nothing_behind(before: Plant) -> None:
    """No task and no descriptor is left, whatever was under way."""

    async def scenario(_other: Relay, echo: Echo) -> None:
        others, descriptors = asyncio.all_tasks(), len(os.listdir("/dev/fd"))
        relay = Relay(HOST, echo.port)
        await relay.start()
        async with connected(relay.port), connected(relay.port) as client:
            await client.ask(b"a")
            await before(relay)
            with suppress(ConnectionError):
                await client.send(b"b")
            await relay.close()
        await echo.ended.get()
        await echo.ended.get()

        assert asyncio.all_tasks() == others
        assert len(os.listdir("/dev/fd")) == descriptors

    run_relayed(scenario)


def test_closing_does_not_wait_for_a_client_that_does_not_read() -> None:
    """What is under way is dropped."""

    async def scenario(relay: Relay, _: Echo) -> None:
        async with connected(relay.port) as client:
            sending = asyncio.ensure_future(client.send(bytes(64 << 20)))
            await client.receive(1)
            await relay.close()

            with pytest.raises(ConnectionError):
                await sending

    run_relayed(scenario)


def test_a_connection_that_cannot_be_accepted_is_told_on_closing() -> None:
    """Out of descriptors, the relay ends its listener, where it would spin."""

    async def scenario(relay: Relay, _: Echo) -> None:
        with socket.create_connection((HOST, relay.port)) as end, _no_more_descriptors():
            end.setblocking(False)
            await relay.cut()

            assert await Client(end).is_reset()
        with pytest.raises(ExceptionGroup, match="expected to read every request"):
            await relay.close()

    run_relayed(scenario)


@contextmanager
def _no_more_descriptors() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

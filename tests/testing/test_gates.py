"""`Gates`: what waits at them, and when it passes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from memory_fidelity.testing.gates import Gates

Scenario = Callable[[Gates], Awaitable[None]]


def _run(scenario: Scenario) -> None:
    async def run() -> None:
        await scenario(Gates())

    asyncio.run(asyncio.wait_for(run(), 10.0))


async def _waiting(gates: Gates) -> asyncio.Task[None]:
    """A task that waits for replies."""
    task = asyncio.create_task(gates.opened("replies"))
    await gates.held()
    return task


def test_a_gate_is_open_at_first() -> None:
    """Nothing waits."""

    async def scenario(gates: Gates) -> None:
        await gates.opened("requests")
        await gates.opened("replies")

    _run(scenario)


def test_one_gate_can_be_shut_alone() -> None:
    """The other way stays open."""

    async def scenario(gates: Gates) -> None:
        gates.shut("replies")
        waiting = await _waiting(gates)
        await gates.opened("requests")

        assert not waiting.done()
        gates.shut()
        await waiting

    _run(scenario)


def test_what_waited_passes_though_the_gate_is_shut_again_at_once() -> None:
    """Opening lets through all that has come by then."""

    async def scenario(gates: Gates) -> None:
        gates.shut("replies")
        waiting = await _waiting(gates)
        gates.shut()
        gates.shut("replies")

        await waiting

    _run(scenario)


def test_shutting_a_gate_again_lets_nothing_through() -> None:
    """What waits goes on waiting."""

    async def scenario(gates: Gates) -> None:
        gates.shut("replies")
        waiting = await _waiting(gates)
        gates.shut("requests", "replies")
        await gates.held()

        assert not waiting.done()
        gates.shut()
        await waiting

    _run(scenario)


def test_something_is_held_as_long_as_one_waits() -> None:
    """One of two that waited has been cancelled."""

    async def scenario(gates: Gates) -> None:
        gates.shut("replies")
        first, second = await _waiting(gates), asyncio.create_task(gates.opened("replies"))
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first

        await gates.held()
        gates.shut()
        await second

    _run(scenario)


def test_one_that_is_cancelled_while_its_gate_is_opened_stays_cancelled() -> None:
    """Opening does not trip over it."""

    async def scenario(gates: Gates) -> None:
        gates.shut("replies")
        waiting = await _waiting(gates)
        waiting.cancel()
        gates.shut()

        with pytest.raises(asyncio.CancelledError):
            await waiting

    _run(scenario)

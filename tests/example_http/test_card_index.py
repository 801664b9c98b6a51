"""A service over HTTP is brought to conformant with little to write, and fails as declared."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.example_http.card_index import CardIndexStore, LiveCardIndex, RiggedCardIndex
from tests.example_http.card_service import CardClient

from memory_fidelity import MemoryAdapterUnavailable, MemoryItem
from memory_fidelity.testing import Report, check_sync
from memory_fidelity.testing.relay import Relay


@pytest.fixture(scope="module")
def report() -> Report:
    """Both lanes of the example, judged once."""
    return check_sync(fake=RiggedCardIndex, live=LiveCardIndex)


def test_it_is_short() -> None:
    """Declarations, adapter and harnesses are under 120 lines together, blank ones included."""
    source = Path(__file__).with_name("card_index.py").read_text(encoding="utf-8")

    assert len(source.splitlines()) < 120


def test_it_is_proved(report: Report) -> None:
    """Both lanes are conformant."""
    assert (report.verdict, report.grade) == ("conformant", "proved"), report


@pytest.mark.parametrize("lane", [0, 1], ids=["fake", "live"])
def test_nothing_is_left_out(report: Report, lane: int) -> None:
    """Every case of a lane passed, or does not apply."""
    outcomes = {result.outcome for result in report.lanes[lane].results}

    assert outcomes == {"pass", "not applicable"}


def test_it_owes_nothing_to_the_fake() -> None:
    """No class of the example comes from the shipped fake."""
    ancestors = [*CardIndexStore.__mro__, *RiggedCardIndex.__mro__]

    assert not [kind for kind in ancestors if kind.__module__.startswith("memory_fidelity.fake")]


def test_the_journal_is_the_wire() -> None:
    """What the live lane notes is the request as it was sent, with its values."""
    item = MemoryItem(content="needle")

    async def sent() -> str:
        harness = LiveCardIndex()
        store = await harness.make_store()
        await store.store(item)
        await harness.close()
        return "".join(call.text for call in harness.calls())

    request = asyncio.run(sent())

    assert request.startswith(f"PUT /cards/{item.id} HTTP/1.1\r\n")
    assert '"text":"needle"' in request


def _during(
    fault: Callable[[Relay], Awaitable[None]], *, timeout: float = 5.0
) -> tuple[MemoryAdapterUnavailable, MemoryItem | None]:
    """The error of a store that meets a fault, and what is retrieved when it is over."""
    item = MemoryItem(content="kept")

    async def scenario() -> tuple[MemoryAdapterUnavailable, MemoryItem | None]:
        harness = LiveCardIndex()
        await harness.client()
        relay = harness.relays[0]
        async with CardClient("127.0.0.1", relay.port, timeout=timeout) as client:
            store = CardIndexStore(client.ask)
            await store.retrieve(item.id)  # so that there is a connection to lose
            await fault(relay)
            with pytest.raises(MemoryAdapterUnavailable) as failed:
                await store.store(item)
            await relay.accept()
            await relay.resume()
            got = await store.retrieve(item.id)
        await harness.close()
        return failed.value, got

    return asyncio.run(scenario())


def test_a_lost_reply_leaves_the_outcome_unknown() -> None:
    """A write whose reply was lost says that it may have been made, as it was here (E3)."""
    error, got = _during(Relay.cut_next_reply)

    assert "whether the item was written is unknown" in str(error)
    assert got is not None


def test_a_lost_service_is_an_outage() -> None:
    """A write that did not arrive raises, and the store connects again afterwards (E3)."""
    error, got = _during(Relay.refuse)

    assert isinstance(error.__cause__, ConnectionError)
    assert got is None


def test_a_slow_service_is_an_outage() -> None:
    """A reply that does not come within the timeout is one that was lost (E3)."""
    error, _ = _during(Relay.stall_replies, timeout=0.05)

    assert isinstance(error.__cause__, TimeoutError)

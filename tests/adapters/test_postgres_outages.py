"""What a PostgreSQL store says when the network or the server fails, seen on a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from memory_fidelity import MemoryAdapterError, MemoryAdapterUnavailable, MemoryItem, MemoryQuery
from memory_fidelity.adapters import postgres_cluster
from memory_fidelity.adapters.postgres import PostgresMemoryStore
from memory_fidelity.adapters.postgres_live import LivePostgres
from memory_fidelity.testing.relay import Relay

pytestmark = pytest.mark.usefixtures("servers")

Operation = Callable[[PostgresMemoryStore, MemoryItem], Awaitable[object]]

_OPERATIONS: list[tuple[str, Operation]] = [
    ("store", lambda store, item: store.store(item)),
    ("retrieve", lambda store, item: store.retrieve(item.id)),
    ("search", lambda store, _: store.search(MemoryQuery(text="tea"))),
]
_EACH = pytest.mark.parametrize(
    "operation", [operation for _, operation in _OPERATIONS], ids=[name for name, _ in _OPERATIONS]
)


def _run(scenario: Callable[[PostgresMemoryStore, Relay], Awaitable[None]]) -> None:
    """Run a scenario on a store behind a relay, with one item of the id that it may look for."""

    async def run() -> None:
        harness = LivePostgres()
        try:
            store = await harness.store()
            await store.retrieve(MemoryItem(content="opens a connection").id)
            await scenario(store, harness.relays[0])
        finally:
            await harness.close()

    asyncio.run(run())


def _item() -> MemoryItem:
    return MemoryItem(content="tea", tags=["drink"], metadata={"n": 1})


async def _error_of(call: Awaitable[object]) -> MemoryAdapterUnavailable:
    with pytest.raises(MemoryAdapterUnavailable) as caught:
        await call
    assert caught.value.__cause__ is not None
    return caught.value


@_EACH
def test_refused_connections_are_told_at_once(operation: Operation) -> None:
    """A call that cannot connect says that nothing was written, and works once the server does."""

    async def scenario(store: PostgresMemoryStore, relay: Relay) -> None:
        item = _item()
        await relay.refuse()

        error = await _error_of(operation(store, item))

        assert "nothing was written" in str(error)
        await relay.accept()
        await operation(store, item)

    _run(scenario)


@_EACH
def test_a_connection_cut_in_mid_call_is_an_outage(operation: Operation) -> None:
    """The request is out, the answer is not: the call raises, and the next one works."""

    async def scenario(store: PostgresMemoryStore, relay: Relay) -> None:
        item = _item()
        await relay.stall_replies()
        call = asyncio.ensure_future(operation(store, item))
        await relay.held()
        await relay.cut()

        await _error_of(call)

        await relay.resume()
        await operation(store, item)

    _run(scenario)


def test_a_lost_acknowledgement_says_that_the_outcome_is_unknown() -> None:
    """The server has committed and its reply is lost; storing the same item again is safe."""

    async def scenario(store: PostgresMemoryStore, relay: Relay) -> None:
        item = _item()
        await relay.cut_next_reply()

        error = await _error_of(store.store(item))

        assert "whether the item was written is unknown" in str(error)
        kept = await store.retrieve(item.id)
        assert kept is not None
        assert await store.store(item) == item.id
        assert [hit.id for hit in await store.search(MemoryQuery())] == [item.id]

    _run(scenario)


@_EACH
def test_half_an_answer_is_an_outage(operation: Operation) -> None:
    """A reply that ends after its first bytes is a broken connection, never a short answer."""

    async def scenario(store: PostgresMemoryStore, relay: Relay) -> None:
        item = _item()
        await store.store(item)
        await relay.truncate_next_reply(7)

        await _error_of(operation(store, item))

        await operation(store, item)

    _run(scenario)


@_EACH
def test_a_silent_server_is_given_up(operation: Operation) -> None:
    """After its timeout a call ends by itself; the store goes on once the server answers."""

    async def run() -> None:
        harness = LivePostgres()
        try:
            store = await harness.store(timeout=0.3)
            relay = harness.relays[0]
            item = _item()
            await store.store(item)
            await relay.stall()

            error = await _error_of(operation(store, item))

            assert isinstance(error.__cause__, TimeoutError)
            await relay.resume()
            await operation(store, item)
        finally:
            await harness.close()

    asyncio.run(run())


def test_a_cancelled_write_leaves_no_half_open_state() -> None:
    """A cancelled call passes its cancellation on, and the next answer is the next call's own."""

    async def scenario(store: PostgresMemoryStore, relay: Relay) -> None:
        await relay.stall_replies()
        call = asyncio.ensure_future(store.store(_item()))
        await relay.held()
        call.cancel()
        await relay.resume()
        with pytest.raises(asyncio.CancelledError):
            await call
        item = _item()

        await store.store(item)

        assert await store.retrieve(item.id) is not None

    _run(scenario)


def test_a_restarted_server_is_found_again() -> None:
    """Idle connections to the server of before are replaced: no call fails after the restart."""

    async def scenario(store: PostgresMemoryStore, relay: Relay) -> None:
        item = _item()
        await asyncio.gather(*(store.store(item) for _ in range(5)))
        await asyncio.to_thread(postgres_cluster.shared().primary.restart)

        kept = [await store.retrieve(item.id) for _ in range(6)]

        assert None not in kept

    _run(scenario)


@_EACH
def test_a_closed_store_is_unavailable(operation: Operation) -> None:
    """Use after close is told as such; closing twice is safe."""

    async def scenario(store: PostgresMemoryStore, relay: Relay) -> None:
        await store.close()
        await store.close()

        await _error_of(operation(store, _item()))

    _run(scenario)


def test_another_event_loop_is_refused() -> None:
    """Connections belong to the loop of the first call; another is told so, and nothing hangs."""
    harness = LivePostgres()
    made: list[PostgresMemoryStore] = []

    async def first() -> None:
        made.append(await harness.store())
        await made[0].retrieve(_item().id)

    async def second() -> None:
        with pytest.raises(MemoryAdapterError, match="RuntimeError"):
            await made[0].retrieve(_item().id)

    with asyncio.Runner() as runner:
        runner.run(first())
        asyncio.run(second())
        runner.run(harness.close())

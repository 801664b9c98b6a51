"""The store over the stand-in does what its manifest says, and says when it cannot."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar
from uuid import UUID

import pytest

from memory_fidelity import (
    ExternalMemoryStore,
    MemoryAdapterUnavailable,
    MemoryItem,
    MemoryQuery,
    UnsupportedMemoryQuery,
    memory_query,
)
from memory_fidelity.fake.khive_session import KhiveRefused, KhiveSession
from memory_fidelity.fake.khive_stand_in import KhiveStandIn
from memory_fidelity.fake.khive_store import KhiveStandInStore
from memory_fidelity.testing import check_sync

pytest.importorskip("fastmcp", reason="comes with the extra `workbook`")

Result = TypeVar("Result")
Operation = Callable[[KhiveStandInStore], Awaitable[object]]

TEA = MemoryItem(
    id=UUID(int=1), content="Prefers green tea", metadata={"source": "ada"}, tags=["Taste"]
)


class LiveStandIn:
    """The five methods, over a service of its own for each case."""

    def __init__(self) -> None:
        self.service = KhiveStandIn()
        self.stores: list[KhiveStandInStore] = []

    async def make_store(self) -> KhiveStandInStore:
        """Make a store with a process of its own."""
        self.stores.append(KhiveStandInStore(self.service.mcp_config))
        return self.stores[-1]

    async def reset(self) -> None:
        """Forget every record."""
        self.service.forget()

    async def make_search_index_visible(self) -> None:
        """Nothing to do: there is no index."""

    async def make_transport_unavailable(self) -> None:
        """End every process, and let none start."""
        self.service.break_down()

    async def close(self) -> None:
        """Close the stores, then the service."""
        for store in self.stores:
            await store.close()
        self.service.close()


@pytest.fixture
def service() -> Iterator[KhiveStandIn]:
    """A service, empty."""
    with KhiveStandIn() as running:
        yield running


def using(
    service: KhiveStandIn, scenario: Callable[[KhiveStandInStore], Awaitable[Result]]
) -> Result:
    """Run a scenario with a store of its own, and close that."""

    async def run() -> Result:
        async with KhiveStandInStore(service.mcp_config) as store:
            return await scenario(store)

    return asyncio.run(run())


def test_it_is_what_it_declares() -> None:
    """The suite's live lane finds nothing false."""
    report = check_sync(live=LiveStandIn)

    assert report.verdict == "conformant"


def test_it_is_an_external_store(service: KhiveStandIn) -> None:
    """It has the methods and the manifest, and starts nothing for that."""
    store = KhiveStandInStore(service.mcp_config)

    assert isinstance(store, ExternalMemoryStore)


def test_an_id_is_one_record(service: KhiveStandIn) -> None:
    """Writing an id again changes the record that is there."""
    newer = TEA.model_copy(update={"content": "Prefers oolong", "metadata": {}})

    async def scenario(store: KhiveStandInStore) -> None:
        await store.store(TEA)
        await store.store(newer)

    using(service, scenario)
    assert [record["content"] for record in service.records()] == ["Prefers oolong"]


def test_a_lost_reply_is_an_unknown_outcome(service: KhiveStandIn) -> None:
    """The write happened, the error does not say so, and repeating it adds nothing."""

    async def scenario(store: KhiveStandInStore) -> tuple[str, int]:
        service.lose_next_reply()
        with pytest.raises(MemoryAdapterUnavailable) as raised:
            await store.store(TEA)
        kept = len(service.records())
        await store.store(TEA)
        return str(raised.value), kept

    message, kept = using(service, scenario)

    assert message.endswith("whether the item was written is unknown")
    assert (kept, len(service.records())) == (1, 1)


@pytest.mark.parametrize(
    "operation",
    [
        pytest.param(lambda store: store.store(TEA), id="store"),
        pytest.param(lambda store: store.retrieve(TEA.id), id="retrieve"),
        pytest.param(lambda store: store.search(memory_query(text="green")), id="search"),
    ],
)
def test_an_outage_is_no_answer(service: KhiveStandIn, operation: Operation) -> None:
    """Nothing stands in for one, be the process lost or not to be started."""

    async def scenario(store: KhiveStandInStore) -> None:
        await store.store(TEA)
        service.break_down()
        with pytest.raises(MemoryAdapterUnavailable):
            await operation(store)
        with pytest.raises(MemoryAdapterUnavailable):
            await operation(store)

    using(service, scenario)


def test_a_store_recovers_by_itself(service: KhiveStandIn) -> None:
    """After an outage, the next call starts a process anew."""

    async def scenario(store: KhiveStandInStore) -> str:
        await store.store(TEA)
        service.break_down()
        with pytest.raises(MemoryAdapterUnavailable):
            await store.retrieve(TEA.id)
        service.recover()
        found = await store.retrieve(TEA.id)
        return str(found and found.content)

    assert using(service, scenario) == "Prefers green tea"


def test_a_text_that_the_service_refuses_is_an_unsupported_query(service: KhiveStandIn) -> None:
    """The error names the part of the query."""

    async def scenario(store: KhiveStandInStore) -> tuple[str, ...]:
        with pytest.raises(UnsupportedMemoryQuery) as raised:
            await store.search(memory_query(text="7"))
        return raised.value.rejected_keys

    assert using(service, scenario) == ("text",)


@pytest.mark.parametrize(
    "query", [memory_query(text="lesson"), memory_query()], ids=["recalled", "listed"]
)
def test_a_memory_of_another_writer_is_not_an_item(
    service: KhiveStandIn, query: MemoryQuery
) -> None:
    """It has no identity of an item, so it is no hit."""

    async def scenario(store: KhiveStandInStore) -> list[MemoryItem]:
        session = KhiveSession(service.mcp_config, timeout=10)
        await session.ask(("memory.remember", {"content": "A lesson", "salience": 0.4}))
        await session.close()
        return await store.search(query)

    assert using(service, scenario) == []


def test_tags_match_in_their_case(service: KhiveStandIn) -> None:
    """Listing matches tags as recalling does, although the service folds their case there."""

    async def scenario(store: KhiveStandInStore) -> list[int]:
        await store.store(TEA)
        queries = [memory_query(tags=["Taste"]), memory_query(tags=["taste"])]
        return [len(await store.search(query)) for query in queries]

    assert using(service, scenario) == [1, 0]


def test_a_process_that_says_nothing_is_an_outage() -> None:
    """The wait for it to start has an end."""
    silent = {"command": sys.executable, "args": ["-c", "import sys; sys.stdin.read()"]}

    async def scenario() -> None:
        async with KhiveStandInStore(silent, timeout=0.1) as store:
            with pytest.raises(MemoryAdapterUnavailable):
                await store.retrieve(TEA.id)

    asyncio.run(scenario())


def test_a_closed_store_is_unavailable(service: KhiveStandIn) -> None:
    """Closing twice is safe, and no process is started afterwards."""

    async def scenario(store: KhiveStandInStore) -> None:
        await store.store(TEA)
        await store.close()
        await store.close()
        with pytest.raises(MemoryAdapterUnavailable):
            await store.retrieve(TEA.id)

    using(service, scenario)


def test_a_refusal_keeps_its_words(service: KhiveStandIn) -> None:
    """What the service says of a refused call is in the error, and the session goes on."""

    async def scenario() -> tuple[str, object]:
        session = KhiveSession(service.mcp_config, timeout=10)
        with pytest.raises(KhiveRefused) as raised:
            await session.ask(("forget", {}))
        listed = await session.ask(("list", {"kind": "memory"}))
        await session.close()
        return str(raised.value), listed

    assert asyncio.run(scenario()) == (
        "invalid input: unknown verb `forget`",
        [{"items": []}],
    )


def test_cancelling_a_start_leaves_nothing_half_open(service: KhiveStandIn) -> None:
    """The next call starts a process of its own."""

    async def scenario(store: KhiveStandInStore) -> UUID:
        first = asyncio.ensure_future(store.store(TEA))
        await asyncio.sleep(0)  # noqa: TID251 - so that it has begun to start
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        return await store.store(TEA)

    assert using(service, scenario) == TEA.id

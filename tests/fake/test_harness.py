"""The fake's harness: five methods, every control, and claims over a behaviour."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from uuid import UUID

import pytest

from memory_fidelity.errors import MemoryAdapterError, MemoryAdapterUnavailable
from memory_fidelity.fake.behaviour import FULL, NATIVE_FIELDS
from memory_fidelity.fake.harness import EventualFake, FakeHarness, LossyFake, NativeFieldsFake
from memory_fidelity.fake.store import FakeMemoryStore
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import ExternalMemoryStore, MemoryItem, MemoryQuery
from memory_fidelity.testing.harness import (
    BreaksCalls,
    CorruptsResponses,
    DelaysIndex,
    HangsCalls,
    HangsReads,
    HarnessFactory,
    Journal,
    MemoryAdapterHarness,
    OpensScopes,
    PlantsForeignRecord,
    RejectsWrites,
    WithholdsIdentity,
)
from memory_fidelity.testing.relabelled import RelabelledStore

PROTOCOLS = [
    BreaksCalls,
    CorruptsResponses,
    DelaysIndex,
    HangsCalls,
    HangsReads,
    Journal,
    MemoryAdapterHarness,
    OpensScopes,
    PlantsForeignRecord,
    RejectsWrites,
    WithholdsIdentity,
]
ITEM = MemoryItem(
    id=UUID("11111111-1111-4111-8111-111111111111"), content="text", created_at=1767323045.25
)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_harness_has_every_control(protocol: type) -> None:
    """No case of the fake lane has to stay unrun for want of a control."""
    assert isinstance(FakeHarness(), protocol)


@pytest.mark.parametrize(
    ("factory", "adapter"),
    [
        (FakeHarness, "fake"),
        (EventualFake, "fake-eventual"),
        (LossyFake, "fake-lossy"),
        (NativeFieldsFake, "fake-native-fields"),
    ],
)
def test_factories_take_no_arguments(factory: HarnessFactory, adapter: str) -> None:
    """Each profile is made by calling its class, and names itself in its manifest."""
    store = asyncio.run(factory().make_store())

    assert isinstance(store, ExternalMemoryStore)
    assert store.manifest.adapter == adapter


def test_stores_share_the_service_of_their_harness() -> None:
    """What one store wrote, another one reads; another harness knows nothing of it."""

    async def scenario() -> tuple[MemoryItem | None, MemoryItem | None]:
        harness = FakeHarness()
        await (await harness.make_store()).store(ITEM)
        beside = await (await harness.make_store()).retrieve(ITEM.id)
        elsewhere = await (await FakeHarness().make_store()).retrieve(ITEM.id)
        return beside, elsewhere

    beside, elsewhere = asyncio.run(scenario())

    assert beside is not None
    assert elsewhere is None


def test_reset_empties_the_service_under_its_stores() -> None:
    """A store made before sees nothing after, and can write again."""

    async def scenario() -> tuple[MemoryItem | None, bool, UUID]:
        harness = FakeHarness()
        store = await harness.make_store()
        await store.store(ITEM)
        await harness.reset()
        return await store.retrieve(ITEM.id), await harness.holds(ITEM.id), await store.store(ITEM)

    assert asyncio.run(scenario()) == (None, False, ITEM.id)


def test_index_is_delayed_until_it_is_made_visible() -> None:
    """An eventual fake finds a write only after the harness exposed the index."""

    async def scenario() -> tuple[int, int]:
        harness = EventualFake()
        await harness.delay_index()
        store = await harness.make_store()
        await store.store(ITEM)
        before = len(await store.search(MemoryQuery()))
        await harness.make_search_index_visible()
        return before, len(await store.search(MemoryQuery()))

    assert asyncio.run(scenario()) == (0, 1)


def test_immediate_index_cannot_be_delayed() -> None:
    """Nothing that the harness does makes an immediate fake pass for an eventual one."""

    async def scenario() -> int:
        harness = FakeHarness()
        await harness.delay_index()
        store = await harness.make_store()
        await store.store(ITEM)
        return len(await store.search(MemoryQuery()))

    assert asyncio.run(scenario()) == 1


def test_outage_reaches_stores_made_before_and_after() -> None:
    """The service is out of reach for connected stores and for new ones."""

    async def scenario() -> tuple[object, ...]:
        harness = FakeHarness()
        before = await harness.make_store()
        await before.store(ITEM)
        await harness.make_transport_unavailable()
        after = await harness.make_store()
        calls = (before.retrieve(ITEM.id), after.retrieve(ITEM.id))
        return await asyncio.gather(*calls, return_exceptions=True)

    outcomes = asyncio.run(scenario())

    assert [type(outcome) for outcome in outcomes] == [MemoryAdapterUnavailable] * 2


def test_close_is_final_and_may_be_repeated() -> None:
    """After closing, stores of the harness are unavailable; closing again does no harm."""

    async def scenario() -> None:
        harness = FakeHarness()
        store = await harness.make_store()
        await harness.close()
        await harness.close()
        await store.retrieve(ITEM.id)

    with pytest.raises(MemoryAdapterUnavailable):
        asyncio.run(scenario())


def test_foreign_record_is_there_and_no_item() -> None:
    """The service holds the planted record; the store neither reads nor finds it."""

    async def scenario() -> tuple[bool, MemoryItem | None, list[MemoryItem]]:
        harness = FakeHarness()
        store = await harness.make_store()
        identity = await harness.plant_foreign_record()
        held = await harness.holds(identity)
        return held, await store.retrieve(identity), await store.search(MemoryQuery())

    assert asyncio.run(scenario()) == (True, None, [])


def test_foreign_records_are_distinct() -> None:
    """Each planted record has an identity of its own."""

    async def scenario() -> set[UUID]:
        harness = FakeHarness()
        return {await harness.plant_foreign_record(), await harness.plant_foreign_record()}

    assert len(asyncio.run(scenario())) == 2


def test_a_scope_is_a_namespace_of_its_own() -> None:
    """What is stored in one is in no other, and one name is one namespace."""

    async def scenario() -> list[bool]:
        harness = FakeHarness()
        home, team = await harness.make_store(), await harness.open_scope("team")
        await team.store(ITEM)
        stores = (home, team, await harness.open_scope("team"))
        return [await store.retrieve(ITEM.id) is not None for store in stores]

    assert asyncio.run(scenario()) == [False, True, True]


def test_item_cannot_take_the_identity_of_a_foreign_record() -> None:
    """A write over a record of another kind is refused, and the record stays."""

    async def scenario() -> None:
        harness = FakeHarness()
        store = await harness.make_store()
        identity = await harness.plant_foreign_record()
        await store.store(MemoryItem(id=identity, content="mine"))

    with pytest.raises(MemoryAdapterError):
        asyncio.run(scenario())


@pytest.mark.parametrize(
    "control",
    ["reject_next_write", "withhold_next_identity", "break_next_call"],
)
def test_write_fault_is_spent_by_one_write(control: str) -> None:
    """The planted fault fails one write; the next one succeeds."""

    async def scenario() -> list[type]:
        harness = FakeHarness()
        store = await harness.make_store()
        await getattr(harness, control)()
        failed = await asyncio.gather(store.store(ITEM), return_exceptions=True)
        return [type(outcome) for outcome in (*failed, await store.store(ITEM))]

    first, second = asyncio.run(scenario())

    assert issubclass(first, MemoryAdapterError)
    assert second is UUID


def test_corrupted_response_is_spent_by_one_read() -> None:
    """The planted fault fails one read; the next one succeeds."""

    async def scenario() -> list[type]:
        harness = FakeHarness()
        store = await harness.make_store()
        await store.store(ITEM)
        await harness.corrupt_next_response()
        failed = await asyncio.gather(store.retrieve(ITEM.id), return_exceptions=True)
        return [type(outcome) for outcome in (*failed, await store.retrieve(ITEM.id))]

    assert asyncio.run(scenario()) == [MemoryAdapterError, MemoryItem]


def test_hanging_write_can_be_cancelled() -> None:
    """Cancellation passes through, and the store can be used afterwards."""

    async def scenario() -> tuple[bool, UUID]:
        harness = FakeHarness()
        store = await harness.make_store()
        await harness.hang_next_write()
        write = asyncio.create_task(store.store(ITEM))
        await asyncio.wait({write}, timeout=0)
        write.cancel()
        await asyncio.wait({write})
        await harness.resume()
        return write.cancelled(), await store.store(ITEM)

    assert asyncio.run(scenario()) == (True, ITEM.id)


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(lambda store: store.retrieve(ITEM.id), id="retrieve"),
        pytest.param(lambda store: store.search(MemoryQuery()), id="search"),
    ],
)
def test_hanging_read_is_answered_when_it_is_resumed(
    read: Callable[[ExternalMemoryStore], Coroutine[None, None, object]],
) -> None:
    """Until then its reply is held back; a write is not."""

    async def scenario() -> tuple[bool, object]:
        harness = FakeHarness()
        store = await harness.make_store()
        await harness.hang_next_read()
        await store.store(ITEM)
        task = asyncio.create_task(read(store))
        await asyncio.wait({task}, timeout=0)
        waiting = not task.done()
        await harness.resume()
        return waiting, bool(await task)

    assert asyncio.run(scenario()) == (True, True)


def test_journal_shows_the_calls_of_every_store() -> None:
    """The journal belongs to the harness, whichever store made the call."""

    async def scenario() -> list[str]:
        harness = FakeHarness()
        await (await harness.make_store()).store(ITEM)
        await (await harness.make_store()).retrieve(ITEM.id)
        return [call.operation for call in harness.calls()]

    assert asyncio.run(scenario()) == ["put", "get"]


def test_claim_goes_over_an_unchanged_behaviour() -> None:
    """A manifest that is given is published, and the store does what it did."""
    claim = NATIVE_FIELDS.manifest()

    async def scenario() -> tuple[MemoryAdapterManifest, MemoryItem | None]:
        store = await FakeHarness(FULL, manifest=claim).make_store()
        await store.store(ITEM)
        return store.manifest, await store.retrieve(ITEM.id)

    manifest, kept = asyncio.run(scenario())

    assert manifest == claim
    assert kept is not None
    assert kept.created_at == ITEM.created_at


def test_card_is_made_to_fit_the_claim() -> None:
    """A claim without a card gets one that does not give it away."""
    claim = NATIVE_FIELDS.manifest()

    store = asyncio.run(FakeHarness(FULL, manifest=claim).make_store())

    assert isinstance(store, RelabelledStore)
    assert store.card.disagreements(claim) == ()


def test_card_can_be_replaced_alone() -> None:
    """A false card goes over a true manifest."""
    card = replace(FULL, tag_match="all").card()

    store = asyncio.run(FakeHarness(FULL, card=card).make_store())

    assert isinstance(store, RelabelledStore)
    assert (store.manifest, store.card.tag_match) == (FULL.manifest(), "all")


def test_honest_harness_hands_out_the_adapter_itself() -> None:
    """Without a claim there is nothing around the adapter."""
    store = asyncio.run(FakeHarness().make_store())

    assert isinstance(store, FakeMemoryStore)

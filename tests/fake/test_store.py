"""The adapter over the fake: what it keeps, and that its manifest is true of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from memory_fidelity.errors import (
    MemoryAdapterError,
    MemoryAdapterUnavailable,
    UnsupportedMemoryItem,
    UnsupportedMemoryQuery,
)
from memory_fidelity.exact import item_differences
from memory_fidelity.fake.behaviour import EVENTUAL, FULL, LOSSY, NATIVE_FIELDS, FakeBehaviour
from memory_fidelity.fake.service import FakeRejected, FakeService
from memory_fidelity.fake.store import FakeMemoryStore
from memory_fidelity.fake.transport import FakeConnectionError, FakeTransport, Fault
from memory_fidelity.json_tree import MAX_DEPTH
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.corpus import Specimen, specimens
from memory_fidelity.testing.relabelled import RelabelledStore

ITEM_ID = UUID("11111111-1111-4111-8111-111111111111")

Operation = Callable[[FakeMemoryStore], Awaitable[Any]]


class Line:
    """A service, a transport to it, and a store over that."""

    def __init__(self, behaviour: FakeBehaviour = FULL) -> None:
        self.service = FakeService(behaviour)
        self.transport = FakeTransport(self.service)
        self.store = FakeMemoryStore(self.transport, behaviour)

    def kept(self, item: MemoryItem) -> MemoryItem:
        """The item as it is retrieved after it was stored."""
        asyncio.run(self.store.store(item))
        got = asyncio.run(self.store.retrieve(item.id))
        assert got is not None
        return got

    def hit(self, item: MemoryItem) -> MemoryItem:
        """The item as it is found after it was stored."""
        asyncio.run(self.store.store(item))
        (found,) = asyncio.run(self.store.search(MemoryQuery()))
        return found


def an_item(**fields: Any) -> MemoryItem:
    """An item with a value in each field."""
    ordinary = {
        "id": ITEM_ID,
        "content": "A text of more than twenty-four characters",
        "tags": ["b", "a"],
        "metadata": {"user": "ada", "n": 7},
        "created_at": 5.25,
    }
    return MemoryItem(**{**ordinary, **fields})


def nested(levels: int) -> Any:
    """Lists inside one another."""
    return [nested(levels - 1)] if levels else "bottom"


def stores(store: FakeMemoryStore) -> Awaitable[Any]:
    """Write an ordinary item."""
    return store.store(an_item())


def retrieves(store: FakeMemoryStore) -> Awaitable[Any]:
    """Read the ordinary item."""
    return store.retrieve(ITEM_ID)


def searches(store: FakeMemoryStore) -> Awaitable[Any]:
    """Search for anything."""
    return store.search(MemoryQuery())


EVERY_OPERATION = [stores, retrieves, searches]
SPECIMENS = [
    specimen
    for field in ("content", "tags", "metadata", "created_at")
    for specimen in specimens(field)
]


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda each: f"{each.field}-{each.name}")
def test_full_fake_keeps_every_value(specimen: Specimen) -> None:
    """Whatever JSON can say comes back exactly, key order included."""
    item = an_item(**{specimen.field: specimen.value})

    assert item_differences(item, Line().kept(item), key_order=True) == ()
    assert item_differences(item, Line().hit(item), key_order=True) == ()


def test_deepest_value_is_kept() -> None:
    """A value as deep as the contract allows passes the codec both ways."""
    item = an_item(content=nested(MAX_DEPTH))

    assert item_differences(item, Line().kept(item)) == ()


def test_dropped_fields_read_as_their_defaults() -> None:
    """What the manifest drops comes back as the card says, from both operations."""
    kept, hit = Line(NATIVE_FIELDS).kept(an_item()), Line(NATIVE_FIELDS).hit(an_item())

    assert (kept.created_at, kept.metadata, kept.tags) == (0.0, {}, ["b", "a"])
    assert (hit.created_at, hit.metadata, hit.tags) == (0.0, {}, [])


def test_dropped_fields_are_never_sent() -> None:
    """A dropped value does not reach the transport."""
    line = Line(NATIVE_FIELDS)

    line.kept(an_item(metadata={"secret": "value"}))

    assert "secret" not in line.transport.calls[0].text


def test_lossy_fake_alters_as_its_card_says() -> None:
    """Each declared loss is seen in the operations that it is declared for."""
    kept, hit = Line(LOSSY).kept(an_item()), Line(LOSSY).hit(an_item())

    assert kept.metadata == hit.metadata == {"user": "ada", "n": "7"}
    assert kept.created_at == hit.created_at == 5.0
    assert kept.content == "A text of more than twenty-four characters"
    assert hit.content == "A text of more than twen"


def test_eventual_fake_retrieves_at_once_and_finds_later() -> None:
    """The index queue delays search, and nothing else."""
    line = Line(EVENTUAL)

    kept = line.kept(an_item())
    before = asyncio.run(line.store.search(MemoryQuery()))
    line.service.flush()
    after = asyncio.run(line.store.search(MemoryQuery()))

    assert kept.id == ITEM_ID
    assert before == []
    assert [hit.id for hit in after] == [ITEM_ID]


def test_query_reaches_the_service_as_documented() -> None:
    """Text, tags, filters and limit are all in the request."""
    line = Line()
    query = MemoryQuery(text="t", tags=["a"], filters={"user": "ada", "n": 7}, limit=3)

    asyncio.run(line.store.search(query))

    assert line.transport.calls[0].text == (
        '{"namespace":"default","kind":"memory","text":"t","tags":["a"],'
        '"filters":{"user":"ada","n":7},"limit":3}'
    )


def test_undeclared_filter_is_refused_before_transport() -> None:
    """The service is not asked what the manifest does not offer."""
    line = Line()

    with pytest.raises(UnsupportedMemoryQuery) as caught:
        asyncio.run(line.store.search(MemoryQuery(filters={"zone": 1, "user": "ada", "area": 2})))

    assert caught.value.rejected_keys == ("area", "zone")
    assert line.transport.calls == ()


def test_declared_refusal_happens_before_transport() -> None:
    """The card's sample is refused by path, and nothing is sent."""
    line = Line(LOSSY)
    (refusal,) = line.store.card.refusals

    with pytest.raises(UnsupportedMemoryItem) as caught:
        asyncio.run(line.store.store(an_item(content=refusal.sample)))

    assert caught.value.path == "content"
    assert line.transport.calls == ()


def test_content_outside_the_declared_kinds_is_refused() -> None:
    """A store of texts takes no other JSON value."""
    line = Line(replace(FULL, content=frozenset({"text"})))

    with pytest.raises(UnsupportedMemoryItem, match="content"):
        asyncio.run(line.store.store(an_item(content={"a": 1})))


@pytest.mark.parametrize("operation", EVERY_OPERATION)
def test_outage_is_unavailability(operation: Operation) -> None:
    """Each operation raises, with the connection error as its cause."""
    line = Line()
    line.transport.disconnect()

    with pytest.raises(MemoryAdapterUnavailable) as caught:
        asyncio.run(_awaited(operation(line.store)))

    assert isinstance(caught.value.__cause__, FakeConnectionError)


@pytest.mark.parametrize("operation", EVERY_OPERATION)
def test_broken_call_is_unavailability(operation: Operation) -> None:
    """A connection that is lost before the reply makes the adapter unavailable."""
    line = Line()
    line.transport.plant("break")

    with pytest.raises(MemoryAdapterUnavailable):
        asyncio.run(_awaited(operation(line.store)))


@pytest.mark.parametrize("fault", ["refuse", "withhold"])
def test_failed_write_is_an_error(fault: Fault) -> None:
    """A refusal, and a success without identity, end in the contract's error."""
    line = Line()
    line.transport.plant(fault)

    with pytest.raises(MemoryAdapterError):
        asyncio.run(line.store.store(an_item()))


def test_native_error_is_the_cause() -> None:
    """What the service raised is chained, and does not escape."""
    line = Line()
    line.transport.plant("refuse")

    with pytest.raises(MemoryAdapterError) as caught:
        asyncio.run(line.store.store(an_item()))

    assert isinstance(caught.value.__cause__, FakeRejected)


@pytest.mark.parametrize("operation", [retrieves, searches])
def test_malformed_reply_is_an_error(operation: Operation) -> None:
    """A reply that is no record is an error, not an outage and not a miss."""
    line = Line()
    asyncio.run(line.store.store(an_item()))
    line.transport.plant("corrupt")

    with pytest.raises(MemoryAdapterError) as caught:
        asyncio.run(_awaited(operation(line.store)))

    assert type(caught.value) is MemoryAdapterError
    assert caught.value.__cause__ is not None


def test_relabelled_store_does_what_the_inner_one_does() -> None:
    """Another declaration changes nothing but the declaration."""
    line = Line()
    claim = replace(NATIVE_FIELDS, name="claim")
    store = RelabelledStore(line.store, claim.manifest(), claim.card())
    item = an_item()

    returned = asyncio.run(store.store(item))
    kept = asyncio.run(store.retrieve(item.id))
    hits = asyncio.run(store.search(MemoryQuery(filters={"n": 7})))

    assert returned == item.id
    assert kept is not None
    assert item_differences(item, kept) == item_differences(item, hits[0]) == ()
    assert (store.manifest, store.card.adapter) == (claim.manifest(), "claim")


async def _awaited(call: Awaitable[Any]) -> Any:
    return await call

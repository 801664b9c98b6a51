"""The broken adapters: each fault is there, shown by one call beside the honest fake."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest

from memory_fidelity.errors import MemoryAdapterUnavailable, UnsupportedMemoryQuery
from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import ExternalMemoryStore, MemoryItem, MemoryQuery
from memory_fidelity.testing.clauses import CLAUSES
from memory_fidelity.testing.subjects import SUBJECTS, Subject

ITEM = MemoryItem(
    id=UUID("11111111-1111-4111-8111-111111111111"),
    content="text",
    tags=["tag"],
    metadata={"user": "ada", "n": 3},
    created_at=1767323045.25,
)
OTHER = MemoryItem(
    id=UUID("22222222-2222-4222-8222-222222222222"),
    content="other",
    metadata={"user": "bob"},
    created_at=1767323046.25,
)

Probe = Callable[[FakeHarness, ExternalMemoryStore], Awaitable[Any]]


def observed(probe: Probe, harness: FakeHarness) -> Any:
    """What the probe sees over a store of this harness in which two items were stored."""

    async def scenario() -> Any:
        store = await harness.make_store()
        await store.store(OTHER)
        await store.store(ITEM)
        return await probe(harness, store)

    return asyncio.run(scenario())


def subject(name: str) -> FakeHarness:
    """A fresh harness of the broken adapter."""
    harness = SUBJECTS[name].harness()
    assert isinstance(harness, FakeHarness)
    return harness


async def tags_of_hit(_: FakeHarness, store: ExternalMemoryStore) -> list[str]:
    """The tags of the one hit."""
    (hit,) = await store.search(MemoryQuery(text="text"))
    return hit.tags


async def metadata_of_item(_: FakeHarness, store: ExternalMemoryStore) -> dict[str, Any]:
    """The metadata as retrieved."""
    item = await store.retrieve(ITEM.id)
    assert item is not None
    return item.metadata


async def filtered(_: FakeHarness, store: ExternalMemoryStore) -> int:
    """How many items match one user."""
    return len(await store.search(MemoryQuery(filters={"user": "ada"})))


async def limited(_: FakeHarness, store: ExternalMemoryStore) -> int:
    """How many items a limit of one lets through."""
    return len(await store.search(MemoryQuery(limit=1)))


async def found_at_once(_: FakeHarness, store: ExternalMemoryStore) -> int:
    """How many items are found before the index is made visible."""
    return len(await store.search(MemoryQuery()))


async def answered_id(_: FakeHarness, store: ExternalMemoryStore) -> UUID:
    """The id that a write is answered with."""
    return await store.store(ITEM)


async def foreign_item(harness: FakeHarness, store: ExternalMemoryStore) -> object:
    """The content that the identity of a note is read as, if it is read at all."""
    item = await store.retrieve(await harness.plant_foreign_record())
    return item and item.content


async def searched_in_outage(harness: FakeHarness, store: ExternalMemoryStore) -> object:
    """What a search gives while the service cannot be reached."""
    await harness.make_transport_unavailable()
    (outcome,) = await asyncio.gather(store.search(MemoryQuery()), return_exceptions=True)
    return [] if outcome == [] else type(outcome)


async def stored_in_outage(harness: FakeHarness, store: ExternalMemoryStore) -> object:
    """Whether a write is acknowledged and read back while the service cannot be reached."""
    await harness.make_transport_unavailable()
    new = MemoryItem(content="new", created_at=0.0)
    calls = (store.store(new), store.retrieve(new.id), store.search(MemoryQuery()))
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    return [type(outcome) for outcome in outcomes]


@pytest.mark.parametrize(
    ("name", "probe", "honest", "broken"),
    [
        ("tags_lost_in_hits", tags_of_hit, ["tag"], []),
        (
            "metadata_stringified",
            metadata_of_item,
            {"user": "ada", "n": 3},
            {"user": "ada", "n": "3"},
        ),
        ("filters_ignored", filtered, 1, 2),
        ("limit_ignored", limited, 1, 2),
        ("empty_on_outage", searched_in_outage, MemoryAdapterUnavailable, []),
        ("own_id_returned", answered_id, ITEM.id, UUID(int=ITEM.id.int ^ 1)),
        ("wrong_kind_coerced", foreign_item, None, "A note that is no memory item"),
        ("late_index", found_at_once, 2, 0),
        (
            "memory_fallback",
            stored_in_outage,
            [MemoryAdapterUnavailable] * 3,
            [UUID, MemoryItem, list],
        ),
    ],
)
def test_fault_is_active(name: str, probe: Probe, honest: object, broken: object) -> None:
    """The same call gives one thing over the honest fake and another over the broken one."""
    assert observed(probe, FakeHarness()) == honest
    assert observed(probe, subject(name)) == broken


def test_dropped_metadata_is_kept() -> None:
    """The manifest says that metadata is dropped, and it comes back."""
    store = asyncio.run(subject("dropped_metadata_kept").make_store())

    assert store.manifest.dropped_item_fields == {"metadata"}
    assert observed(metadata_of_item, subject("dropped_metadata_kept")) == ITEM.metadata


def test_every_fault_is_probed() -> None:
    """There are ten subjects, each under its own name."""
    assert [each.name for each in SUBJECTS.values()] == list(SUBJECTS)
    assert set(SUBJECTS) == {
        "dropped_metadata_kept",
        "empty_on_outage",
        "filters_ignored",
        "late_index",
        "limit_ignored",
        "memory_fallback",
        "metadata_stringified",
        "own_id_returned",
        "tags_lost_in_hits",
        "wrong_kind_coerced",
    }


@pytest.mark.parametrize("each", SUBJECTS.values(), ids=SUBJECTS)
def test_subject_keeps_an_ordinary_item(each: Subject) -> None:
    """Whatever the fault, a stored item can be retrieved."""
    item = observed(lambda _, store: store.retrieve(ITEM.id), subject(each.name))

    assert item.content == ITEM.content
    assert item.tags == ITEM.tags


@pytest.mark.parametrize("each", SUBJECTS.values(), ids=SUBJECTS)
def test_false_claim_is_a_field_or_a_clause(each: Subject) -> None:
    """The violated claim is named as the suite names it."""
    fields = {f"manifest.{name}" for name in MemoryAdapterManifest.model_fields}

    assert each.false_claim in {*CLAUSES, *fields}


@pytest.mark.parametrize("name", ["limit_ignored", "filters_ignored"])
def test_malformed_query_is_still_refused(name: str) -> None:
    """The fault leaves the refusal of a negative limit alone."""
    with pytest.raises(UnsupportedMemoryQuery, match="limit"):
        observed(lambda _, store: store.search(MemoryQuery(limit=-1)), subject(name))

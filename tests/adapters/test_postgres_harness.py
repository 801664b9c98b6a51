"""The fake lane of the PostgreSQL store: it is conformant, and each of its rigs takes effect."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast
from uuid import uuid4

import pytest

from memory_fidelity import MemoryAdapterError, MemoryAdapterUnavailable, MemoryItem, memory_query
from memory_fidelity.adapters.postgres import PostgresMemoryStore
from memory_fidelity.adapters.postgres_harness import (
    FakePostgres,
    FakePostgresRemoteApply,
    FakePostgresReplica,
)
from memory_fidelity.testing.flips import flips, lying_card
from memory_fidelity.testing.harness import (
    BreaksCalls,
    CorruptsResponses,
    DelaysIndex,
    HangsCalls,
    HangsReads,
    Journal,
    MemoryAdapterHarness,
    NamesService,
    OpensScopes,
    PlantsForeignRecord,
    RejectsWrites,
    WithholdsIdentity,
)
from memory_fidelity.testing.relabelled import RelabelledStore
from memory_fidelity.testing.runner import check_sync

_HARNESSES = [FakePostgres, FakePostgresReplica, FakePostgresRemoteApply]
_PROTOCOLS = [
    BreaksCalls,
    CorruptsResponses,
    DelaysIndex,
    HangsCalls,
    HangsReads,
    Journal,
    MemoryAdapterHarness,
    NamesService,
    OpensScopes,
    PlantsForeignRecord,
    RejectsWrites,
    WithholdsIdentity,
]
_EACH = pytest.mark.parametrize("harness", _HARNESSES)
_PATIENCE = 5.0
"""Seconds in which a write must have begun to wait; it takes milliseconds."""


def _scene(rig: FakePostgres, scenario: Callable[[PostgresMemoryStore], Awaitable[Any]]) -> Any:
    """Play a scene on a store of the harness, in one loop, and close the harness."""

    async def scene() -> Any:
        try:
            return await scenario(await _store(rig))
        finally:
            await rig.close()

    return asyncio.run(scene())


async def _store(rig: FakePostgres) -> PostgresMemoryStore:
    store = await rig.make_store()
    assert isinstance(store, PostgresMemoryStore)
    return store


async def _contents(store: PostgresMemoryStore, **query: Any) -> list[Any]:
    return [hit.content for hit in await store.search(memory_query(**query))]


async def _hanging(rig: FakePostgres, store: PostgresMemoryStore, item: MemoryItem) -> Any:
    """A write that the server has begun and does not answer."""
    await rig.hang_next_write()
    write = asyncio.ensure_future(store.store(item))
    async with asyncio.timeout(_PATIENCE):
        while not rig.cluster.primary.waiting:  # noqa: ASYNC110 - waits for a fact
            await asyncio.sleep(0)  # noqa: TID251 - gives way to the server
    return write


@_EACH
def test_the_suite_finds_the_store_conformant(harness: type[FakePostgres]) -> None:
    """No case is left out, and every false claim of the manifest is noticed."""
    report = check_sync(fake=harness)

    assert (report.verdict, report.grade) == ("conformant", "modelled")


@_EACH
@pytest.mark.parametrize("protocol", _PROTOCOLS)
def test_the_lane_has_every_control(harness: type[FakePostgres], protocol: type[object]) -> None:
    """No case is left out for want of one."""
    assert isinstance(harness(), protocol)


@pytest.mark.parametrize(
    ("harness", "claim"),
    [
        pytest.param(FakePostgres, "eventual", id="postgres"),
        pytest.param(FakePostgresReplica, "immediate", id="postgres-replica"),
        pytest.param(FakePostgresRemoteApply, "eventual", id="postgres-remote-apply"),
    ],
)
def test_a_false_claim_of_consistency_is_noticed(harness: type[FakePostgres], claim: str) -> None:
    """What makes the three profiles differ is modelled by the servers, not by the manifest."""

    class Lying(harness):  # type: ignore[valid-type,misc]  # a class of the parameter
        async def make_store(self) -> RelabelledStore:
            store = await super().make_store()
            lies = [flip for flip in flips(store.manifest) if flip.what == claim]
            return RelabelledStore(store, lies[0].manifest, lying_card(store.card, lies[0]))

    report = check_sync(fake=Lying, only="consistency.*")
    findings = [finding for result in report.lanes[0].results for finding in result.findings]

    assert report.verdict == "non-conformant"
    assert {finding.subject for finding in findings} == {"manifest.search_consistency"}


@_EACH
def test_reset_forgets_everything(harness: type[FakePostgres]) -> None:
    """A store that is in use sees empty servers, and can fill them again."""
    rig = harness()

    async def scenario(store: PostgresMemoryStore) -> list[Any]:
        item = MemoryItem(content="old words")
        await store.store(item)
        await rig.make_search_index_visible()
        await rig.reset()
        seen = [await store.retrieve(item.id), await _contents(store)]
        await store.store(MemoryItem(content="new words"))
        await rig.make_search_index_visible()
        return [*seen, await _contents(store)]

    assert _scene(rig, scenario) == [None, [], ["new words"]]


@_EACH
def test_an_unavailable_service_stops_old_and_new_stores(harness: type[FakePostgres]) -> None:
    """Writes, retrieval and search, on whichever server they would ask."""
    rig = harness()

    async def scenario(store: PostgresMemoryStore) -> list[object]:
        item = MemoryItem(content="m")
        await store.store(item)
        await _contents(store)
        await rig.make_transport_unavailable()
        new = await _store(rig)
        calls = [
            call
            for one in (store, new)
            for call in (one.store(item), one.retrieve(item.id), _contents(one))
        ]
        return list(await asyncio.gather(*calls, return_exceptions=True))

    outcomes = _scene(rig, scenario)

    assert [type(outcome) for outcome in outcomes] == [MemoryAdapterUnavailable] * 6


def test_the_journal_shows_each_statement_with_its_values() -> None:
    """The values as the driver sent them, whether or not the statement was prepared."""
    rig = FakePostgres()
    item = MemoryItem(content="some words")

    async def scenario(store: PostgresMemoryStore) -> None:
        await store.store(item)
        for _ in range(8):
            await store.retrieve(item.id)
        await _contents(store, filters={"user": ["ada", 1]})

    _scene(rig, scenario)
    operations = [call.operation for call in rig.calls()]

    assert operations[:2] == ["SELECT", "BEGIN"]
    assert operations[-10:] == ["INSERT", *["SELECT"] * 9]
    assert [str(item.id) in call.text for call in rig.calls()[-10:]] == [True] * 9 + [False]
    assert '["ada",1]' in rig.calls()[-1].text


@_EACH
@pytest.mark.parametrize(
    "query",
    [
        pytest.param({}, id="empty"),
        pytest.param({"text": "note"}, id="text"),
        pytest.param({"tags": ["note"]}, id="tag"),
        pytest.param({"filters": {"user": "ada", "n": 1}}, id="filter"),
    ],
)
def test_a_foreign_record_is_there_and_not_an_item(
    harness: type[FakePostgres], query: dict[str, Any]
) -> None:
    """The tables hold it, and find it by everything but its kind."""
    rig = harness()

    async def scenario(store: PostgresMemoryStore) -> list[Any]:
        await store.retrieve(uuid4())
        first, second = await rig.plant_foreign_record(), await rig.plant_foreign_record()
        await rig.make_search_index_visible()
        return [
            first == second,
            await rig.holds(second),
            await rig.holds(uuid4()),
            await store.retrieve(second),
            await _contents(store, **query),
        ]

    assert _scene(rig, scenario) == [False, True, False, None, []]


@_EACH
def test_a_scope_is_a_namespace_of_its_own(harness: type[FakePostgres]) -> None:
    """What is stored in one is in no other, and one name is one namespace."""
    rig = harness()

    async def scenario(home: PostgresMemoryStore) -> list[list[Any]]:
        team, again = [cast(PostgresMemoryStore, await rig.open_scope("team")) for _ in range(2)]
        await home.store(MemoryItem(content="at home"))
        await team.store(MemoryItem(content="in the team"))
        await rig.make_search_index_visible()
        return [await _contents(store) for store in (home, team, again)]

    assert _scene(rig, scenario) == [["at home"], ["in the team"], ["in the team"]]


@_EACH
@pytest.mark.parametrize("rigged", ["reject_next_write", "withhold_next_identity"])
def test_one_write_fails_and_the_next_does_not(harness: type[FakePostgres], rigged: str) -> None:
    """Nothing was written by the one that failed."""
    rig = harness()
    item = MemoryItem(content="m")

    async def scenario(store: PostgresMemoryStore) -> list[object]:
        await getattr(rig, rigged)()
        with pytest.raises(MemoryAdapterError):
            await store.store(item)
        return [await store.retrieve(item.id), await store.store(item)]

    assert _scene(rig, scenario) == [None, item.id]


@_EACH
def test_a_corrupted_response_is_malformed_in_retrieve_and_search(
    harness: type[FakePostgres],
) -> None:
    """Each time that it was asked for, on whichever server."""
    rig = harness()
    item = MemoryItem(content="m")

    async def scenario(store: PostgresMemoryStore) -> list[object]:
        await store.store(item)
        await rig.make_search_index_visible()
        await rig.corrupt_next_response()
        with pytest.raises(MemoryAdapterError):
            await store.retrieve(item.id)
        await rig.corrupt_next_response()
        with pytest.raises(MemoryAdapterError):
            await _contents(store)
        return await _contents(store)

    assert _scene(rig, scenario) == ["m"]


@_EACH
def test_a_broken_call_is_carried_out_and_not_answered(harness: type[FakePostgres]) -> None:
    """The store connects again for the next call, and finds what was written."""
    rig = harness()
    item = MemoryItem(content="m")

    async def scenario(store: PostgresMemoryStore) -> MemoryItem | None:
        await rig.break_next_call()
        with pytest.raises(MemoryAdapterUnavailable, match="is unknown"):
            await store.store(item)
        return await store.retrieve(item.id)

    assert _scene(rig, scenario) is not None


@_EACH
def test_a_hanging_write_ends_when_it_is_resumed(harness: type[FakePostgres]) -> None:
    """It is then acknowledged, as any other."""
    rig = harness()
    item = MemoryItem(content="m")

    async def scenario(store: PostgresMemoryStore) -> list[object]:
        write = await _hanging(rig, store, item)
        held = [write.done(), await rig.holds(item.id)]
        await rig.resume()
        return [*held, await write, await rig.holds(item.id)]

    assert _scene(rig, scenario) == [False, False, item.id, True]


@_EACH
def test_a_hanging_write_that_is_cancelled_is_not_carried_out(
    harness: type[FakePostgres],
) -> None:
    """The driver asks the server to cancel, and the server does."""
    rig = harness()
    item = MemoryItem(content="m")

    async def scenario(store: PostgresMemoryStore) -> bool:
        write = await _hanging(rig, store, item)
        write.cancel()
        with pytest.raises(asyncio.CancelledError):
            await write
        await rig.resume()
        return await rig.holds(item.id)

    assert _scene(rig, scenario) is False


@_EACH
def test_a_hanging_read_ends_when_it_is_resumed(harness: type[FakePostgres]) -> None:
    """Until then it waits; a write before it does not."""
    rig = harness()

    async def scenario(store: PostgresMemoryStore) -> tuple[bool, Any]:
        await rig.hang_next_read()
        written = await store.store(MemoryItem(content="m"))
        read = asyncio.ensure_future(store.retrieve(written))
        await asyncio.wait([read], timeout=0.02)
        waiting = not read.done()
        await rig.resume()
        item = await read
        return waiting, item and item.content

    assert _scene(rig, scenario) == (True, "m")


@pytest.mark.parametrize(
    ("harness", "found"),
    [
        pytest.param(FakePostgres, ["m"], id="postgres"),
        pytest.param(FakePostgresReplica, [], id="postgres-replica"),
        pytest.param(FakePostgresRemoteApply, ["m"], id="postgres-remote-apply"),
    ],
)
def test_a_delayed_index_is_that_of_the_replica(
    harness: type[FakePostgres], found: list[str]
) -> None:
    """The others search what was acknowledged; all find it once it is made visible."""
    rig = harness()

    async def scenario(store: PostgresMemoryStore) -> list[list[Any]]:
        await rig.delay_index()
        await store.store(MemoryItem(content="m"))
        before = await _contents(store)
        await rig.make_search_index_visible()
        return [before, await _contents(store)]

    assert _scene(rig, scenario) == [found, ["m"]]


@_EACH
def test_closing_ends_all_connections_and_is_safe_twice(harness: type[FakePostgres]) -> None:
    """The servers have no session left, and take no other."""
    rig = harness()

    async def scenario(store: PostgresMemoryStore) -> list[object]:
        await store.store(MemoryItem(content="m"))
        await rig.close()
        await rig.close()
        return list(await asyncio.gather(_contents(store), return_exceptions=True))

    outcomes = _scene(rig, scenario)

    assert [type(outcome) for outcome in outcomes] == [MemoryAdapterUnavailable]


@_EACH
def test_a_harness_that_was_not_used_can_be_closed(harness: type[FakePostgres]) -> None:
    """It has started nothing."""
    asyncio.run(harness().close())

"""The SQLite harnesses: the suite finds the store conformant, and each rig takes effect."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import pytest
from tests.adapters.sqlite_probe import contents, stored

from memory_fidelity import MemoryAdapterError, MemoryAdapterUnavailable, MemoryItem, memory_query
from memory_fidelity.adapters.sqlite import SqliteMemoryStore
from memory_fidelity.adapters.sqlite_harness import (
    RiggedSqlite,
    RiggedSqliteDeferred,
    SqliteFile,
    SqliteFileDeferred,
)
from memory_fidelity.testing.harness import (
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
)
from memory_fidelity.testing.runner import check_sync

_CONTROLS = (
    BreaksCalls,
    CorruptsResponses,
    DelaysIndex,
    HangsCalls,
    HangsReads,
    Journal,
    OpensScopes,
    PlantsForeignRecord,
    RejectsWrites,
    WithholdsIdentity,
)
_RIGGED = [RiggedSqlite, RiggedSqliteDeferred]
_LIVE = [SqliteFile, SqliteFileDeferred]


async def _store(harness: SqliteFile) -> SqliteMemoryStore:
    store = await harness.make_store()
    assert isinstance(store, SqliteMemoryStore)
    return store


def _scene(harness: SqliteFile, scenario: Callable[[SqliteMemoryStore], Awaitable[Any]]) -> Any:
    """Play a scene on a store of the harness, in one loop, and close the harness."""

    async def scene() -> Any:
        try:
            return await scenario(await _store(harness))
        finally:
            await harness.close()

    return asyncio.run(scene())


@pytest.mark.parametrize(("fake", "live"), list(zip(_RIGGED, _LIVE, strict=True)))
def test_the_suite_proves_the_store(fake: type[RiggedSqlite], live: type[SqliteFile]) -> None:
    """Both lanes conform, under one manifest."""
    report = check_sync(fake=fake, live=live)

    assert (report.verdict, report.grade) == ("conformant", "proved")


@pytest.mark.parametrize("harness", _RIGGED)
@pytest.mark.parametrize("control", [MemoryAdapterHarness, *_CONTROLS])
def test_the_fake_lane_has_every_control(
    harness: type[RiggedSqlite], control: type[object]
) -> None:
    """No case of the fake lane is left out for want of one."""
    assert isinstance(harness(), control)


@pytest.mark.parametrize("harness", _LIVE)
@pytest.mark.parametrize("control", _CONTROLS)
def test_the_live_lane_has_no_rig(harness: type[SqliteFile], control: type[object]) -> None:
    """Nothing is forced on a live service."""
    assert not isinstance(harness(), control)


@pytest.mark.parametrize("harness", [*_RIGGED, *_LIVE])
def test_reset_forgets_everything(harness: type[SqliteFile]) -> None:
    """A store that is open already sees an empty file, and can fill it again."""
    rig = harness()

    async def scenario(store: SqliteMemoryStore) -> list[list[Any]]:
        (item,) = await stored(store, "old words", tags=["t"], metadata={"user": 1})
        await rig.make_search_index_visible()
        await rig.reset()
        assert await store.retrieve(item.id) is None
        await stored(store, "new words", tags=["t"], metadata={"user": 1})
        await rig.make_search_index_visible()
        queries: list[dict[str, Any]] = [
            {},
            {"text": "words"},
            {"tags": ["t"]},
            {"filters": {"user": 1}},
        ]
        return [await contents(store, **query) for query in queries]

    assert _scene(rig, scenario) == [["new words"]] * 4


@pytest.mark.parametrize("harness", [*_RIGGED, *_LIVE])
def test_an_unavailable_service_stops_old_and_new_stores(harness: type[SqliteFile]) -> None:
    """Neither can make a file of its own instead."""
    rig = harness()

    async def scenario(store: SqliteMemoryStore) -> list[object]:
        await stored(store, "m")
        await rig.make_transport_unavailable()
        new = await _store(rig)
        calls = [contents(store), stored(store, "n"), contents(new), stored(new, "n")]
        return list(await asyncio.gather(*calls, return_exceptions=True))

    outcomes = _scene(rig, scenario)

    assert [type(outcome) for outcome in outcomes] == [MemoryAdapterUnavailable] * 4


@pytest.mark.parametrize("harness", _RIGGED)
def test_the_journal_shows_each_statement_with_its_values(harness: type[RiggedSqlite]) -> None:
    """What SQLite runs inside a statement is not a call of the store."""
    rig = harness()

    async def scenario(store: SqliteMemoryStore) -> None:
        await stored(store, "some words")
        await contents(store, filters={"user": ["ada", 1]})
        await store.retrieve(uuid4())

    _scene(rig, scenario)
    operations = [call.operation for call in rig.calls()]

    assert operations[:2] == ["BEGIN", "INSERT"]
    assert operations[-2:] == ["SELECT", "SELECT"]
    assert "COMMIT" in operations
    assert '["ada",1]' in rig.calls()[-2].text
    assert not any("text_index_data" in call.text for call in rig.calls())


@pytest.mark.parametrize("harness", _RIGGED)
@pytest.mark.parametrize(
    "query",
    [
        pytest.param({}, id="empty"),
        pytest.param({"text": "note"}, id="text"),
        pytest.param({"tags": ["note"]}, id="tag"),
        pytest.param({"filters": {"user": "ada"}}, id="filter"),
    ],
)
def test_a_foreign_record_is_there_and_not_an_item(
    harness: type[RiggedSqlite], query: dict[str, Any]
) -> None:
    """The file holds it, and finds it by everything but its kind."""
    rig = harness()

    async def scenario(store: SqliteMemoryStore) -> None:
        first, second = await rig.plant_foreign_record(), await rig.plant_foreign_record()
        assert first != second
        assert await rig.holds(second)
        assert not await rig.holds(uuid4())
        assert await store.retrieve(second) is None
        assert await contents(store, **query) == []

    _scene(rig, scenario)


@pytest.mark.parametrize("harness", _RIGGED)
def test_a_scope_is_a_file_of_its_own(harness: type[RiggedSqlite]) -> None:
    """What is stored in one is in no other, and one name is one file; reset empties both."""
    rig = harness()

    async def scenario(home: SqliteMemoryStore) -> list[list[Any]]:
        team, again = [cast(SqliteMemoryStore, await rig.open_scope("team")) for _ in range(2)]
        await stored(home, "at home")
        await stored(team, "in the team")
        await rig.make_search_index_visible()
        before = [await contents(store) for store in (home, team, again)]
        await rig.reset()
        return [*before, *[await contents(store) for store in (home, team, again)]]

    assert _scene(rig, scenario) == [["at home"], ["in the team"], ["in the team"], [], [], []]


@pytest.mark.parametrize("harness", _RIGGED)
def test_an_item_is_found_after_foreign_records_in_an_empty_file(
    harness: type[RiggedSqlite],
) -> None:
    """It is newer than they are, and visible as in any other file."""
    rig = harness()

    async def scenario(store: SqliteMemoryStore) -> list[Any]:
        await rig.plant_foreign_record()
        await rig.plant_foreign_record()
        await stored(store, "item", tags=["note"])
        await store.refresh()
        return await contents(store, tags=["note"], limit=1)

    assert _scene(rig, scenario) == ["item"]


@pytest.mark.parametrize("harness", _RIGGED)
@pytest.mark.parametrize("rigged", ["reject_next_write", "withhold_next_identity"])
def test_one_write_fails_and_the_next_does_not(harness: type[RiggedSqlite], rigged: str) -> None:
    """The trigger is gone after the write that it was for."""
    rig = harness()
    item = MemoryItem(content="m")

    async def scenario(store: SqliteMemoryStore) -> list[object]:
        await getattr(rig, rigged)()
        with pytest.raises(MemoryAdapterError):
            await store.store(item)
        return [await store.retrieve(item.id), await store.store(item)]

    assert _scene(rig, scenario) == [None, item.id]


@pytest.mark.parametrize("harness", _RIGGED)
def test_a_corrupted_response_is_malformed_in_retrieve_and_search(
    harness: type[RiggedSqlite],
) -> None:
    """The rows themselves are cut."""
    rig = harness()

    async def scenario(store: SqliteMemoryStore) -> list[object]:
        (item,) = await stored(store, "m")
        await rig.make_search_index_visible()
        await rig.corrupt_next_response()
        calls = [store.retrieve(item.id), store.search(memory_query())]
        return list(await asyncio.gather(*calls, return_exceptions=True))

    outcomes = _scene(rig, scenario)

    assert [type(outcome) for outcome in outcomes] == [MemoryAdapterError] * 2


@pytest.mark.parametrize("harness", _RIGGED)
def test_one_call_is_broken_and_the_next_is_not(harness: type[RiggedSqlite]) -> None:
    """SQLite interrupts the statement, and undoes what it did."""
    rig = harness()
    item = MemoryItem(content="m")

    async def scenario(store: SqliteMemoryStore) -> MemoryItem | None:
        await rig.break_next_call()
        with pytest.raises(MemoryAdapterUnavailable, match="SQLITE_INTERRUPT"):
            await store.store(item)
        return await store.retrieve(item.id)

    assert _scene(rig, scenario) is None


@pytest.mark.parametrize("harness", _RIGGED)
def test_a_hanging_write_ends_when_it_is_resumed(harness: type[RiggedSqlite]) -> None:
    """Until then it waits for the lock."""
    rig = harness()

    async def scenario(store: SqliteMemoryStore) -> tuple[bool, bool]:
        await contents(store)
        await rig.hang_next_write()
        write = asyncio.ensure_future(store.store(MemoryItem(content="m")))
        await asyncio.wait([write], timeout=0.02)
        waiting = not write.done()
        await rig.resume()
        await write
        return waiting, write.done()

    assert _scene(rig, scenario) == (True, True)


@pytest.mark.parametrize("harness", _RIGGED)
def test_a_hanging_read_ends_when_it_is_resumed(harness: type[RiggedSqlite]) -> None:
    """Until then it stands at its first step; a write before it does not."""
    rig = harness()

    async def scenario(store: SqliteMemoryStore) -> tuple[bool, bool]:
        await rig.hang_next_read()
        await stored(store, "m")
        read = asyncio.ensure_future(store.search(memory_query()))
        await asyncio.wait([read], timeout=0.02)
        waiting = not read.done()
        await rig.resume()
        await read
        return waiting, read.done()

    assert _scene(rig, scenario) == (True, True)


@pytest.mark.parametrize("harness", [*_RIGGED, *_LIVE])
def test_closing_removes_the_file_and_is_safe_twice(
    harness: type[SqliteFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of a case is left on the disk."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    rig = harness()

    _scene(rig, lambda store: stored(store, "m"))
    asyncio.run(rig.close())

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("harness", [RiggedSqliteDeferred, SqliteFileDeferred])
def test_index_is_made_visible_after_a_store_was_closed(harness: type[SqliteFile]) -> None:
    """What a store wrote before it was closed is found by the others once it is indexed."""

    async def scenario() -> list[MemoryItem]:
        rig = harness()
        first, other = await rig.make_store(), await rig.make_store()
        await first.store(MemoryItem(content="kept", tags=["t"]))
        await cast("SqliteMemoryStore", first).close()
        await rig.make_search_index_visible()
        found = await other.search(memory_query(tags=["t"]))
        await rig.close()
        return found

    found = asyncio.run(scenario())

    assert [item.content for item in found] == ["kept"]

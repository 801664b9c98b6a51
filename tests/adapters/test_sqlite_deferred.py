"""A deferred index: writes are kept at once, and found after a refresh."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.sqlite_probe import contents, index_faults, stored

from memory_fidelity import MemoryAdapterUnavailable, MemoryItem
from memory_fidelity.adapters.sqlite import SqliteMemoryStore

_QUERIES = [
    pytest.param({}, id="empty"),
    pytest.param({"text": "new words"}, id="text"),
    pytest.param({"text": "w"}, id="short-text"),
    pytest.param({"tags": ["t"]}, id="tag"),
    pytest.param({"filters": {"k": 1}}, id="filter"),
]


def _store(path: Path) -> SqliteMemoryStore:
    return SqliteMemoryStore(path, filters=["k"], index="deferred")


@pytest.mark.parametrize("query", _QUERIES)
def test_a_write_is_found_after_the_refresh_only(tmp_path: Path, query: dict[str, Any]) -> None:
    """Retrieval sees it all along (R3)."""

    async def scenario() -> list[list[Any]]:
        async with _store(tmp_path / "m.db") as store:
            (item,) = await stored(store, "new words", tags=["t"], metadata={"k": 1})
            before = await contents(store, **query)
            assert await store.retrieve(item.id) is not None
            await store.refresh()
            return [before, await contents(store, **query)]

    assert asyncio.run(scenario()) == [[], ["new words"]]


@pytest.mark.parametrize("query", _QUERIES)
def test_a_replaced_item_is_hidden_until_the_refresh(tmp_path: Path, query: dict[str, Any]) -> None:
    """Search may miss what is new; it never shows what is old."""
    path = tmp_path / "m.db"

    async def scenario() -> list[list[Any]]:
        async with _store(path) as store:
            item = MemoryItem(content="new words", tags=["t"], metadata={"k": 1})
            await store.store(item)
            await store.refresh()
            item.content = "new words, changed"
            await store.store(item)
            await store.store(item)
            before = await contents(store, **query)
            await store.refresh()
            return [before, await contents(store, **query)]

    assert asyncio.run(scenario()) == [[], ["new words, changed"]]
    assert index_faults(path, ["k"]) == []


def test_what_waits_survives_closing(tmp_path: Path) -> None:
    """Another instance, later, refreshes what this one wrote."""
    path = tmp_path / "m.db"

    async def scenario() -> list[Any]:
        async with _store(path) as store:
            await store.store_many([MemoryItem(content=number) for number in range(1200)])
        async with _store(path) as store:
            await store.refresh()
            return await contents(store, limit=2000)

    assert asyncio.run(scenario()) == list(reversed(range(1200)))


def test_a_new_key_is_filled_in_for_what_is_shown(tmp_path: Path) -> None:
    """What still waits stays hidden from a filter, too."""
    path = tmp_path / "m.db"

    async def scenario() -> list[list[Any]]:
        async with SqliteMemoryStore(path, index="deferred") as store:
            await stored(store, "shown", metadata={"k": 1})
            await store.refresh()
            await stored(store, "waiting", metadata={"k": 1})
        async with _store(path) as store:
            before = await contents(store, filters={"k": 1})
            await store.refresh()
            return [before, await contents(store, filters={"k": 1})]

    assert asyncio.run(scenario()) == [["shown"], ["waiting", "shown"]]


@pytest.mark.parametrize(("made", "used"), [("immediate", "deferred"), ("deferred", "immediate")])
def test_the_other_index_mode_is_refused(tmp_path: Path, made: Any, used: Any) -> None:
    """The mode belongs to the file, or its manifest would be untrue (M8)."""
    path = tmp_path / "m.db"

    async def scenario() -> None:
        async with SqliteMemoryStore(path, index=made) as store:
            await stored(store, "m")
        async with SqliteMemoryStore(path, index=used) as store:
            await contents(store)

    with pytest.raises(MemoryAdapterUnavailable, match=f"index='{used}'.*made with index='{made}'"):
        asyncio.run(scenario())


def test_an_immediate_index_has_nothing_to_refresh() -> None:
    """`refresh` may be called on either profile."""

    async def scenario() -> list[Any]:
        async with SqliteMemoryStore(":memory:") as store:
            await stored(store, "m")
            await store.refresh()
            return await contents(store)

    assert asyncio.run(scenario()) == ["m"]

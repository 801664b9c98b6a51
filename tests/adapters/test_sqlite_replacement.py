"""Writing one id again replaces the whole item, and leaves nothing of the older one behind."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from tests.adapters.sqlite_probe import contents, index_faults, stored

from memory_fidelity import MemoryAdapterError, MemoryItem, UnsupportedMemoryItem, item_differences
from memory_fidelity.adapters.sqlite import SqliteMemoryStore

_KEYS = ("k", "gone")


def _old(item_id: UUID) -> MemoryItem:
    return MemoryItem(
        id=item_id, content="old words", tags=["old", "same"], metadata={"gone": 1, "k": 1}
    )


def _new(item_id: UUID) -> MemoryItem:
    return MemoryItem(id=item_id, content="new words", tags=["same"], metadata={"k": 2})


def test_replacement_is_whole(tmp_path: Path) -> None:
    """No tag, key or word of the older version is left, in the item or in the index."""
    path, item_id = tmp_path / "m.db", uuid4()

    async def scenario() -> MemoryItem | None:
        async with SqliteMemoryStore(path, filters=_KEYS) as store:
            await stored(store, "between", tags=["same"], metadata={"k": 1})
            await store.store(_old(item_id))
            await store.store(_new(item_id))
            return await store.retrieve(item_id)

    got = asyncio.run(scenario())

    assert got is not None
    assert [item.path for item in item_differences(_new(item_id), got)] == ["created_at"]
    assert index_faults(path, _KEYS) == []


@pytest.mark.parametrize(
    "query",
    [
        pytest.param({"text": "old"}, id="text"),
        pytest.param({"tags": ["old"]}, id="tag"),
        pytest.param({"filters": {"gone": 1}}, id="filter-of-a-lost-key"),
        pytest.param({"filters": {"k": 1}}, id="filter-of-a-changed-value"),
    ],
)
def test_the_older_version_is_not_found(query: dict[str, Any]) -> None:
    """What search gives is never stale."""

    async def scenario() -> list[Any]:
        item_id = uuid4()
        async with SqliteMemoryStore(":memory:", filters=_KEYS) as store:
            await store.store(_old(item_id))
            await store.store(_new(item_id))
            return await contents(store, **query)

    assert asyncio.run(scenario()) == []


def test_writing_again_makes_an_item_the_newest() -> None:
    """Hits are ordered by the last write."""

    async def scenario() -> list[Any]:
        async with SqliteMemoryStore(":memory:") as store:
            first, _ = await stored(store, "first", "second")
            await store.store(first)
            return await contents(store)

    assert asyncio.run(scenario()) == ["first", "second"]


def test_a_batch_is_written_in_its_order(tmp_path: Path) -> None:
    """Of several items with one id the last one stays; all ids come back in order."""
    path, twice = tmp_path / "m.db", uuid4()
    items = [_old(twice), MemoryItem(content="between"), _new(twice)]

    async def scenario() -> tuple[list[UUID], list[Any]]:
        async with SqliteMemoryStore(path, filters=_KEYS) as store:
            await store.store(_old(twice))
            return await store.store_many(items), await contents(store)

    ids, found = asyncio.run(scenario())

    assert ids == [item.id for item in items]
    assert found == ["new words", "between"]
    assert index_faults(path, _KEYS) == []


def test_a_batch_with_one_bad_item_writes_nothing(tmp_path: Path) -> None:
    """Every item is validated before the first is sent (W1)."""
    path = tmp_path / "m.db"

    with pytest.raises(UnsupportedMemoryItem):
        asyncio.run(
            SqliteMemoryStore(path).store_many(
                [MemoryItem(content="good"), MemoryItem(content=b"")]
            )
        )

    assert not path.exists()


def _plant_note(path: Path, note: UUID) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO memory (id, kind, body, folded) VALUES (?, 'note', '[]', 'a note')",
            (note.bytes,),
        )


@pytest.mark.parametrize("batch", [False, True], ids=["alone", "in-a-batch"])
def test_the_id_of_another_kind_of_record_is_refused(tmp_path: Path, batch: bool) -> None:
    """The write is refused whole, and the record stays as it is."""
    path, note = tmp_path / "m.db", uuid4()

    async def scenario() -> list[Any]:
        async with SqliteMemoryStore(path) as store:
            await stored(store, "an item")
            _plant_note(path, note)
            items = [MemoryItem(content="first"), _new(note)]
            with pytest.raises(MemoryAdapterError, match="kind 'note'; nothing was written"):
                await (store.store_many(items) if batch else store.store(items[1]))
            assert await store.retrieve(note) is None
            return await contents(store)

    assert asyncio.run(scenario()) == ["an item"]


def test_a_batch_that_sqlite_passes_over_is_a_failed_write(tmp_path: Path) -> None:
    """A reply without identities acknowledges nothing (W4), and the batch is undone."""
    path = tmp_path / "m.db"
    passes_over = (
        "CREATE TRIGGER t BEFORE INSERT ON memory WHEN NEW.folded = 'b' "
        "BEGIN SELECT RAISE(IGNORE); END"
    )

    async def scenario() -> list[Any]:
        async with SqliteMemoryStore(path) as store:
            await stored(store, "before")
            with closing(sqlite3.connect(path)) as connection:
                connection.execute(passes_over)
            with pytest.raises(MemoryAdapterError, match="got 1 without; nothing was written"):
                await store.store_many([MemoryItem(content="a"), MemoryItem(content="b")])
            return await contents(store)

    assert asyncio.run(scenario()) == ["before"]


def test_a_damaged_row_is_mended_by_replacement(tmp_path: Path) -> None:
    """What it was indexed under is no longer known, so all its entries are looked for."""
    path, item_id = tmp_path / "m.db", uuid4()

    async def scenario() -> None:
        async with SqliteMemoryStore(path, filters=_KEYS) as store:
            await store.store(_old(item_id))
            with closing(sqlite3.connect(path)) as connection, connection:
                connection.execute("UPDATE memory SET body = '[1, 2]'")
            with pytest.raises(MemoryAdapterError, match="expected a memory item in the row"):
                await store.retrieve(item_id)
            await store.store(_new(item_id))

    asyncio.run(scenario())

    assert index_faults(path, _KEYS) == []


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("", id="nothing"),
        pytest.param("[1", id="half"),
        pytest.param("null", id="null"),
        pytest.param('"junk"', id="text"),
        pytest.param('{"a":1,"b":{},"c":[],"d":1.0}', id="object"),
        pytest.param('["m",[],[],1.0]', id="metadata-list"),
        pytest.param('["m",{},{},1.0]', id="tags-object"),
        pytest.param('["m",{},[1],1.0]', id="tag-number"),
        pytest.param('["m",{},[],1]', id="time-integer"),
        pytest.param('["m",{},[],NaN]', id="time-nan"),
        pytest.param("[" * 100_000, id="too-deep"),
    ],
)
def test_a_malformed_row_is_an_error_with_its_cause(tmp_path: Path, body: str) -> None:
    """One bad row is neither skipped nor coerced (E4)."""
    path = tmp_path / "m.db"

    async def scenario() -> None:
        async with SqliteMemoryStore(path) as store:
            await stored(store, "good", "bad")
            with closing(sqlite3.connect(path)) as connection, connection:
                connection.execute("UPDATE memory SET body = ? WHERE folded = 'bad'", (body,))
            await contents(store)

    with pytest.raises(MemoryAdapterError) as caught:
        asyncio.run(scenario())

    assert caught.value.__cause__ is not None


def test_a_row_without_a_usable_identity_is_an_error_with_its_cause(tmp_path: Path) -> None:
    """An identity is neither made up nor left out."""
    path = tmp_path / "m.db"

    async def scenario() -> None:
        async with SqliteMemoryStore(path) as store:
            await stored(store, "m")
            with closing(sqlite3.connect(path)) as connection, connection:
                connection.execute("UPDATE memory SET id = x'00'")
            await contents(store)

    with pytest.raises(MemoryAdapterError, match="expected a memory item in the row") as caught:
        asyncio.run(scenario())

    assert caught.value.__cause__ is not None

"""Every item comes back exactly from a SQLite file, or is refused before it is written."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from memory_fidelity import MemoryItem, UnsupportedMemoryItem, item_differences, memory_query
from memory_fidelity.adapters.sqlite import SqliteMemoryStore
from memory_fidelity.card import Refusal
from memory_fidelity.exact import Difference

_REFUSALS = SqliteMemoryStore(":memory:").card.refusals


def _nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth - 1):
        value = [value]
    return value


_CONTENTS = [
    pytest.param("", id="empty-text"),
    pytest.param("a\x00b\x01c\x02d\x03", id="control-characters"),
    pytest.param("e\u0301 é \U0001f600 \ufffe\uffff", id="unicode"),
    pytest.param(None, id="null"),
    pytest.param(True, id="true"),
    pytest.param(1.0, id="whole-float"),
    pytest.param(-0.0, id="negative-zero"),
    pytest.param(5e-324, id="smallest-float"),
    pytest.param(2**63, id="beyond-64-bit"),
    pytest.param(10**5000 + 1, id="five-thousand-digits"),
    pytest.param({"b": 1, "a": {"z": [], "y": {}}, "": "empty key"}, id="key-order"),
    pytest.param(_nested(498), id="deep"),
    pytest.param("x" * 3_000_000, id="three-million-characters"),
]


async def _both_ways(path: Path, item: MemoryItem) -> tuple[Difference, ...]:
    async with SqliteMemoryStore(path) as store:
        await store.store(item)
        hits = await store.search(memory_query())
    async with SqliteMemoryStore(path, create=False) as store:
        retrieved = await store.retrieve(item.id)
    assert retrieved is not None
    return item_differences(item, retrieved, key_order=True) + item_differences(
        item, hits[0], key_order=True
    )


@pytest.mark.parametrize("content", _CONTENTS)
def test_content_comes_back_exactly(tmp_path: Path, content: Any) -> None:
    """Text and JSON content survive writing, search, closing and reopening."""
    item = MemoryItem(content=content)

    differences = asyncio.run(_both_ways(tmp_path / "m.db", item))

    assert differences == ()


@pytest.mark.parametrize("value", _CONTENTS)
def test_metadata_comes_back_exactly(tmp_path: Path, value: Any) -> None:
    """Whatever is content can be metadata, under any key."""
    item = MemoryItem(content="m", metadata={"id": "mine", "tags": value, "a.b": {"\x00": value}})

    differences = asyncio.run(_both_ways(tmp_path / "m.db", item))

    assert differences == ()


@pytest.mark.parametrize(
    "created_at",
    [
        pytest.param(1735689600.1234567, id="finer-than-microseconds"),
        pytest.param(-0.0, id="negative-zero"),
        pytest.param(-1e300, id="long-ago"),
        pytest.param(0.1 + 0.2, id="seventeen-digits"),
    ],
)
def test_a_time_comes_back_exactly(tmp_path: Path, created_at: float) -> None:
    """A REAL column would forget the sign of -0.0."""
    item = MemoryItem(content="m", created_at=created_at)

    differences = asyncio.run(_both_ways(tmp_path / "m.db", item))

    assert differences == ()


def test_tags_come_back_exactly(tmp_path: Path) -> None:
    """Order, repetition, emptiness and NUL are kept."""
    item = MemoryItem(content="m", tags=["b", "a", "b", "", "nul\x00tail", "É"])

    differences = asyncio.run(_both_ways(tmp_path / "m.db", item))

    assert differences == ()


@pytest.mark.parametrize("refusal", _REFUSALS, ids=lambda refusal: refusal.name)
def test_what_the_card_refuses_is_refused(tmp_path: Path, refusal: Refusal) -> None:
    """A refused item is named by path, and nothing opens the file (W1)."""
    path = tmp_path / "m.db"
    item = MemoryItem(**{"content": "m", refusal.field: refusal.sample})

    with pytest.raises(UnsupportedMemoryItem) as caught:
        asyncio.run(SqliteMemoryStore(path).store(item))

    assert caught.value.path.startswith(refusal.field)
    assert not path.exists()


def test_a_hit_shares_nothing_with_the_store(tmp_path: Path) -> None:
    """Changing what came back changes nothing that is kept (R4)."""

    async def scenario() -> MemoryItem | None:
        async with SqliteMemoryStore(tmp_path / "m.db") as store:
            item = MemoryItem(content={"list": [1]}, metadata={"k": {"n": 1}}, tags=["t"])
            await store.store(item)
            item.content["list"].append(2)
            (hit,) = await store.search(memory_query())
            hit.content["list"].append(3)
            hit.metadata["k"]["n"] = 2
            hit.tags.append("u")
            return await store.retrieve(item.id)

    got = asyncio.run(scenario())

    assert got is not None
    assert (got.content, got.metadata, got.tags) == ({"list": [1]}, {"k": {"n": 1}}, ["t"])


@pytest.mark.parametrize("index", ["immediate", "deferred"])
def test_the_card_says_which_index_it_describes(index: Any) -> None:
    """Two profiles, two names, two consistencies."""
    store = SqliteMemoryStore(":memory:", index=index, filters=["user", "a.b"])

    consistency = {"sqlite": "immediate", "sqlite-deferred": "eventual"}[store.card.adapter]

    assert store.manifest.search_consistency == consistency
    assert store.manifest.supported_filters == {"user", "a.b"}
    assert [mapping.path for mapping in store.card.filters] == ["metadata['a.b']", "metadata.user"]

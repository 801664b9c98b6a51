"""Queries on a SQLite file: order, limits, tags, filters, and all of them together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.sqlite_probe import contents, stored

from memory_fidelity import MemoryItem
from memory_fidelity.adapters.sqlite import SqliteMemoryStore

_HUGE = 10**5000


async def _shelf(store: SqliteMemoryStore) -> None:
    for number in range(40):
        await store.store(
            MemoryItem(
                content=f"entry {number}",
                tags=[f"mod {number % 4}", "all"],
                metadata={"third": number % 3 == 0, "user": f"u{number % 2}"},
            )
        )


def _query(**query: Any) -> list[Any]:
    async def scenario() -> list[Any]:
        async with SqliteMemoryStore(":memory:", filters=["third", "user"]) as store:
            await _shelf(store)
            return await contents(store, **query)

    return asyncio.run(scenario())


def _entries(keep: Callable[[int], bool]) -> list[str]:
    return [f"entry {number}" for number in reversed(range(40)) if keep(number)]


_MANY_TAGS = [f"absent {number}" for number in range(100)]


@pytest.mark.parametrize(
    ("query", "keep"),
    [
        pytest.param({}, lambda n: n >= 20, id="default-limit"),
        pytest.param({"limit": 3}, lambda n: n >= 37, id="first-page"),
        pytest.param({"text": "entry 1", "limit": 40}, lambda n: str(n)[0] == "1", id="text"),
        pytest.param({"text": "9", "limit": 40}, lambda n: "9" in str(n), id="short-text"),
        pytest.param({"tags": ["mod 1"]}, lambda n: n % 4 == 1, id="tag"),
        pytest.param({"tags": ["MOD 1"]}, lambda _: False, id="tag-case"),
        pytest.param({"tags": ["mod"]}, lambda _: False, id="part-of-a-tag"),
        pytest.param(
            {"tags": ["mod 1", "mod 2", "mod 1"], "limit": 40},
            lambda n: n % 4 in (1, 2),
            id="any-tag",
        ),
        pytest.param({"tags": ["mod 1", "all"], "limit": 5}, lambda n: n >= 35, id="merged-tags"),
        pytest.param(
            {"tags": [*_MANY_TAGS, "mod 3"], "limit": 40}, lambda n: n % 4 == 3, id="many-tags"
        ),
        pytest.param({"filters": {"user": "u1"}}, lambda n: n % 2 == 1, id="filter"),
        pytest.param(
            {"filters": {"user": "u1", "third": True}, "limit": 40},
            lambda n: n % 2 == 1 and n % 3 == 0,
            id="two-filters",
        ),
        pytest.param(
            {"filters": {"third": True}, "tags": ["mod 0", "mod 2"], "limit": 40},
            lambda n: n % 3 == 0 and n % 2 == 0,
            id="filter-and-tags",
        ),
        pytest.param(
            {"filters": {"third": True}, "tags": [*_MANY_TAGS, "mod 0"], "limit": 40},
            lambda n: n % 12 == 0,
            id="filter-and-many-tags",
        ),
        pytest.param(
            {"text": "entry 3", "filters": {"user": "u0"}, "tags": ["mod 0"], "limit": 40},
            lambda n: str(n)[0] == "3" and n % 4 == 0,
            id="text-filter-tag",
        ),
        pytest.param(
            {"text": "3", "filters": {"user": "u0"}, "limit": 40},
            lambda n: "3" in str(n) and n % 2 == 0,
            id="short-text-and-filter",
        ),
        pytest.param(
            {"text": "3", "tags": ["mod 0", "mod 1"], "limit": 40},
            lambda n: "3" in str(n) and n % 4 in (0, 1),
            id="short-text-and-tags",
        ),
        pytest.param({"text": "entry", "limit": 2**40}, lambda _: True, id="huge-limit"),
        pytest.param({"tags": [], "filters": {}, "limit": 40}, lambda _: True, id="empty-parts"),
    ],
)
def test_every_part_of_a_query_counts(query: dict[str, Any], keep: Callable[[int], bool]) -> None:
    """The newest come first, in every combination."""
    assert _query(**query) == _entries(keep)


@pytest.mark.parametrize(
    ("query", "keep"),
    [
        pytest.param(
            {"text": "entry", "filters": {"half": 1}, "tags": ["even"]},
            lambda n: n % 2 == 0 and n < 600,
            id="text-leads",
        ),
        pytest.param(
            {"text": "entry", "tags": [*_MANY_TAGS, "even"]},
            lambda n: n % 2 == 0,
            id="text-leads-many-tags",
        ),
        pytest.param(
            {"text": "entry", "filters": {"half": 1, "tens": 3}},
            lambda n: 30 <= n < 40,
            id="rarest-filter-leads",
        ),
        pytest.param(
            {"text": "entry", "filters": {"half": 1}, "tags": ["n 7", "n 8", "n 700"]},
            lambda n: n in (7, 8),
            id="rare-tags-lead",
        ),
        pytest.param(
            {"filters": {"half": 1}, "tags": [*_MANY_TAGS, "n 9", "even"]},
            lambda n: n < 600 and (n == 9 or n % 2 == 0),
            id="filter-leads-many-tags",
        ),
        pytest.param(
            {"text": "entry", "filters": {"half": 9}, "tags": ["even"]},
            lambda _: False,
            id="nothing-leads",
        ),
    ],
)
def test_whichever_part_leads_every_part_counts(
    query: dict[str, Any], keep: Callable[[int], bool]
) -> None:
    """The order in which parts are looked up changes nothing but the time."""
    items = [
        MemoryItem(
            content=f"entry {n}",
            tags=[f"n {n}", *(["even"] if n % 2 == 0 else [])],
            metadata={"half": 1 if n < 600 else 2, "tens": n // 10},
        )
        for n in range(1200)
    ]

    async def scenario() -> list[Any]:
        async with SqliteMemoryStore(":memory:", filters=["half", "tens"]) as store:
            await store.store_many(items)
            return await contents(store, limit=2000, **query)

    assert asyncio.run(scenario()) == [f"entry {n}" for n in reversed(range(1200)) if keep(n)]


_VALUES = [
    pytest.param("ada", id="text"),
    pytest.param("o'brien", id="quote"),
    pytest.param("zz' OR '1'='1", id="injection"),
    pytest.param("x" * 5000, id="long"),
    pytest.param("nul\x00tail", id="nul"),
    pytest.param("", id="empty-text"),
    pytest.param(1, id="int"),
    pytest.param(1.0, id="float"),
    pytest.param(True, id="true"),
    pytest.param("1", id="digit"),
    pytest.param(0.0, id="zero"),
    pytest.param(-0.0, id="negative-zero"),
    pytest.param(None, id="null"),
    pytest.param("null", id="null-text"),
    pytest.param(2**53 + 1, id="beyond-double"),
    pytest.param(_HUGE, id="huge"),
    pytest.param([], id="empty-list"),
    pytest.param({}, id="empty-dict"),
    pytest.param({"$gt": 1}, id="operator"),
    pytest.param(["p", "q"], id="list"),
]


@pytest.mark.parametrize("value", _VALUES)
def test_a_filter_finds_exactly_its_own_value(value: Any) -> None:
    """Values are compared as typed JSON values; none is a predicate."""
    others = [parameter.values[0] for parameter in _VALUES]

    async def scenario() -> list[Any]:
        async with SqliteMemoryStore(":memory:", filters=["k"]) as store:
            await stored(store, "no such key", metadata={"other": value})
            for number, other in enumerate(others):
                await stored(store, number, metadata={"k": other})
            return await contents(store, filters={"k": value})

    found = asyncio.run(scenario())

    assert [repr(others[number]) if others[number] != _HUGE else "huge" for number in found] == [
        repr(value) if value != _HUGE else "huge"
    ]


def test_the_order_of_keys_does_not_count_in_a_filter() -> None:
    """JSON objects are equal whatever the order of their keys."""

    async def scenario() -> list[Any]:
        async with SqliteMemoryStore(":memory:", filters=["k"]) as store:
            await stored(store, "m", metadata={"k": {"a": 1, "b": [_HUGE, {"d": 1, "c": 2}]}})
            return await contents(store, filters={"k": {"b": [_HUGE, {"c": 2, "d": 1}], "a": 1}})

    assert asyncio.run(scenario()) == ["m"]


@pytest.mark.parametrize("key", ["my key", "clé", "it's", 'qu"ote', "a.b", "$where", "", "n\x00l"])
def test_any_key_can_be_declared(key: str) -> None:
    """A key is data, too."""

    async def scenario() -> list[Any]:
        async with SqliteMemoryStore(":memory:", filters=[key]) as store:
            await stored(store, "yes", metadata={key: 1})
            await stored(store, "no", metadata={key + "x": 1})
            return await contents(store, filters={key: 1})

    assert asyncio.run(scenario()) == ["yes"]


def test_a_key_declared_later_finds_what_was_written_before(tmp_path: Path) -> None:
    """Opening a file with a new key indexes what is there."""
    path = tmp_path / "m.db"

    async def scenario() -> list[Any]:
        async with SqliteMemoryStore(path) as store:
            await store.store_many(
                [MemoryItem(content=number, metadata={"k": number % 2}) for number in range(1200)]
            )
        async with SqliteMemoryStore(path, filters=["k"]) as store:
            return await contents(store, filters={"k": 1}, limit=2000)

    assert asyncio.run(scenario()) == list(reversed(range(1, 1200, 2)))


def test_every_writer_indexes_the_keys_of_the_others(tmp_path: Path) -> None:
    """A store that does not know a key still fills it in for those that do."""
    path = tmp_path / "m.db"

    async def scenario() -> list[Any]:
        async with (
            SqliteMemoryStore(path) as plain,
            SqliteMemoryStore(path, filters=["k"]) as keyed,
        ):
            await stored(plain, "before", metadata={"k": 1})
            await contents(keyed)
            await stored(plain, "after", metadata={"k": 1})
            return await contents(keyed, filters={"k": 1})

    assert asyncio.run(scenario()) == ["after", "before"]


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        pytest.param({"path": ""}, ValueError, id="empty-path"),
        pytest.param({"path": "a\x00b"}, ValueError, id="nul-in-path"),
        pytest.param({"path": "\ud800.db"}, ValueError, id="half-a-character-in-path"),
        pytest.param({"path": b"bytes"}, TypeError, id="bytes-path"),
        pytest.param({"filters": "user"}, TypeError, id="one-text-as-filters"),
        pytest.param({"filters": [1]}, TypeError, id="key-that-is-no-text"),
        pytest.param({"filters": ["\ud800"]}, ValueError, id="half-a-character"),
        pytest.param({"index": "later"}, ValueError, id="index"),
        pytest.param({"synchronous": "OFF"}, ValueError, id="synchronous"),
        pytest.param({"lock_timeout": -1.0}, ValueError, id="negative-timeout"),
        pytest.param({"lock_timeout": float("inf")}, ValueError, id="endless-timeout"),
        # SQLite would take it for no time at all.
        pytest.param({"lock_timeout": 2147484}, ValueError, id="timeout-beyond-sqlites"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(
    settings: dict[str, Any], error: type[Exception]
) -> None:
    """Construction checks what it is given, and says what was expected."""
    with pytest.raises(error, match="expected"):
        SqliteMemoryStore(**{"path": ":memory:", **settings})


def test_construction_opens_nothing(tmp_path: Path) -> None:
    """The first call makes the file."""
    path = tmp_path / "m.db"

    SqliteMemoryStore(path)

    assert not path.exists()

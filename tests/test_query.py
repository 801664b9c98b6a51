"""Queries, taken strictly: everything wrong is named at once, and nothing is ignored."""

from __future__ import annotations

from typing import Any

import pytest

from memory_fidelity import MemoryQuery, Search, UnsupportedMemoryQuery, memory_query
from memory_fidelity.query import MAX_LIMIT, accepted

_SUPPORTED = frozenset({"user", "n"})


class _ScoredQuery(MemoryQuery):
    min_score: float = 0.5


class _OpenQuery(MemoryQuery, extra="allow"):
    pass


class _SilentQuery(MemoryQuery):
    pass


class _Undecided:
    def __bool__(self) -> bool:
        raise ValueError("the truth value is ambiguous")


class _Text(str):
    __slots__ = ()


def _changed(**parts: Any) -> MemoryQuery:
    """A query that was changed after validation, as lionagi allows."""
    query = memory_query()
    vars(query).update(parts)
    return query


def test_an_empty_query_is_a_valid_search() -> None:
    """Nothing asked is the first page, of lionagi's default length (Q4)."""
    assert accepted(memory_query(), _SUPPORTED) == Search(None, (), {}, 20)


def test_every_part_of_a_valid_query_is_taken() -> None:
    """Text, tags, filters and limit arrive as they were asked (Q1)."""
    query = memory_query(text=" Tea ", tags=["hot", "a"], filters={"n": [1, None]}, limit=5)

    assert accepted(query, _SUPPORTED) == Search(" Tea ", ("hot", "a"), {"n": [1, None]}, 5)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"text": ""}, id="text"),
        pytest.param({"tags": []}, id="tags"),
        pytest.param({"filters": {}}, id="filters"),
    ],
)
def test_an_empty_part_is_an_absent_part(parts: dict[str, Any]) -> None:
    """An empty text, tag list or filter mapping restricts nothing (Q4)."""
    assert accepted(memory_query(**parts), _SUPPORTED) == accepted(memory_query(), _SUPPORTED)


def test_filters_are_the_searchs_own() -> None:
    """A caller who changes a filter value during the call changes nothing that is sent."""
    value = [1]
    search = accepted(memory_query(filters={"n": value}), _SUPPORTED)

    value.append(2)

    assert search.filters == {"n": [1]}


@pytest.mark.parametrize(
    ("limit", "taken"),
    [
        pytest.param(0, 0, id="zero"),
        pytest.param(1, 1, id="one"),
        pytest.param(MAX_LIMIT, MAX_LIMIT, id="largest"),
        pytest.param(10**30, MAX_LIMIT, id="beyond any service"),
        pytest.param(10**5000, MAX_LIMIT, id="beyond what Python prints"),
    ],
)
def test_a_limit_of_any_size_is_taken(limit: int, taken: int) -> None:
    """A huge limit is no error: no list is longer than the largest one (Q3)."""
    assert accepted(memory_query(limit=limit), _SUPPORTED).limit == taken


@pytest.mark.parametrize(
    ("parts", "key", "note"),
    [
        pytest.param(
            {"limit": -1},
            "limit",
            "expected an int of 0 or more, got a negative one",
            id="negative",
        ),
        pytest.param(
            {"limit": -(10**5000)},
            "limit",
            "expected an int of 0 or more, got a negative one",
            id="hugely negative",
        ),
        pytest.param(
            {"limit": "x"}, "limit", "expected an int of 0 or more, got str", id="limit as text"
        ),
        pytest.param(
            {"limit": True}, "limit", "expected an int of 0 or more, got bool", id="limit as flag"
        ),
        pytest.param(
            {"limit": None}, "limit", "expected an int of 0 or more, got NoneType", id="no limit"
        ),
        pytest.param({"text": 5}, "text", "expected str, got int", id="text as number"),
        pytest.param(
            {"text": "a\ud800"},
            "text",
            "expected whole characters, got a lone surrogate",
            id="text with a surrogate",
        ),
        pytest.param({"tags": "ab"}, "tags", "expected a list of str, got str", id="tags as text"),
        pytest.param(
            {"tags": ["a", 1]}, "tags", "tags[1]: expected str, got int", id="tag as number"
        ),
        pytest.param(
            {"filters": [("n", 1)]}, "filters", "expected a dict, got list", id="filters as list"
        ),
        pytest.param(
            {"filters": []}, "filters", "expected a dict, got list", id="filters as empty list"
        ),
        pytest.param(
            {"filters": _Undecided()},
            "filters",
            "expected a dict, got _Undecided",
            id="filters without a truth value",
        ),
        pytest.param(
            {"filters": {5: 1}}, "filters", "expected str keys, got int", id="filter key as number"
        ),
        pytest.param(
            {"filters": {_Text("n"): 1}},
            "filters",
            "expected str keys, got _Text",
            id="filter key of a subclass",
        ),
        pytest.param(
            {"filters": {"zone": 1}},
            "zone",
            "not a supported filter; supported: n, user",
            id="unsupported filter",
        ),
        pytest.param(
            {"filters": {"n": {"$gt": (1,)}}},
            "n",
            "n['$gt']: expected a JSON value, got tuple",
            id="filter value",
        ),
        pytest.param(
            {"filters": {"n": float("nan")}},
            "n",
            "n: expected a finite float, got nan",
            id="filter value nan",
        ),
    ],
)
def test_a_part_that_cannot_be_served_is_named(parts: dict[str, Any], key: str, note: str) -> None:
    """A fault names its part; the note says what was expected and given (Q2, Q3)."""
    with pytest.raises(UnsupportedMemoryQuery) as caught:
        accepted(_changed(**parts), _SUPPORTED)

    assert caught.value.rejected_keys == (key,)
    assert caught.value.__notes__ == [f"{key}: {note}"]


def test_everything_wrong_is_named_at_once() -> None:
    """One error names every bad part and every bad key, sorted (C10)."""
    query = _changed(
        text=1, tags=[None], limit=-5, filters={"zone": 1, "author": 2, "user": b"", "n": 1}
    )

    with pytest.raises(UnsupportedMemoryQuery) as caught:
        accepted(query, _SUPPORTED)

    assert caught.value.rejected_keys == ("author", "limit", "tags", "text", "user", "zone")
    assert [note.partition(":")[0] for note in caught.value.__notes__] == [
        "author",
        "limit",
        "tags",
        "text",
        "user",
        "zone",
    ]


def test_without_filters_the_note_says_none() -> None:
    """An adapter that offers no filter says so."""
    with pytest.raises(UnsupportedMemoryQuery) as caught:
        accepted(memory_query(filters={"n": 1}), frozenset())

    assert caught.value.__notes__ == ["n: not a supported filter; supported: none"]


@pytest.mark.parametrize(
    "query",
    [
        pytest.param(_ScoredQuery(), id="field of a subclass"),
        pytest.param(_OpenQuery.model_validate({"min_score": 0.5}), id="extra of an open subclass"),
    ],
)
def test_what_a_subclass_adds_is_refused(query: MemoryQuery) -> None:
    """A part that the contract does not know is never ignored (Q2, Q6)."""
    with pytest.raises(UnsupportedMemoryQuery) as caught:
        accepted(query, _SUPPORTED)

    assert caught.value.rejected_keys == ("min_score",)


def test_a_subclass_that_adds_nothing_is_taken() -> None:
    """Only additions are refused, not the subclass itself."""
    assert accepted(_SilentQuery(limit=3), _SUPPORTED).limit == 3

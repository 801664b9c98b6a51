"""Behaviour of lionagi that this package guards against or relies on.

Nothing here is asked of lionagi: these tests turn red where it changes, so that
the rules which answer it can be looked at again.
"""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from math import inf, isnan, nan
from typing import Any
from uuid import UUID

import pytest
from lionagi.protocols.generic.element import Element
from pydantic import ValidationError

from memory_fidelity import InMemoryStore, MemoryItem, MemoryQuery, MemoryStore, memory_query

_ID = UUID(int=7)
_LION_CLASS = "lionagi.protocols.memory.MemoryItem"


class _Note(MemoryItem):
    pass


class _Pretender:
    """Has the names of the three operations, and none of them."""

    store = retrieve = search = 1


def _item(**parts: Any) -> MemoryItem:
    return MemoryItem(**parts)


# Queries: why `memory_query` exists, and why every part of a query is checked again.


def test_a_query_ignores_what_it_does_not_know() -> None:
    """A misspelt part leaves an unfiltered query."""
    misspelt: dict[str, Any] = {"filter": {"user": "ada"}}

    assert MemoryQuery(**misspelt) == MemoryQuery()


def test_our_query_does_not_ignore_it() -> None:
    """The same misspelling is a `TypeError` in `memory_query`."""
    misspelt: dict[str, Any] = {"filter": {"user": "ada"}}

    with pytest.raises(TypeError):
        memory_query(**misspelt)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        pytest.param("limit", "x", id="limit"),
        pytest.param("text", 5, id="text"),
        pytest.param("tags", "urgent", id="tags"),
        pytest.param("filters", [1], id="filters"),
    ],
)
def test_a_query_takes_any_value_by_assignment(part: str, value: object) -> None:
    """Parts that are set after validation are not validated."""
    query = MemoryQuery()

    setattr(query, part, value)

    assert getattr(query, part) is value


@pytest.mark.parametrize("limit", [-1, 0, 10**30])
def test_a_query_has_no_bounds_on_its_limit(limit: int) -> None:
    """Negative and huge limits are valid for lionagi."""
    assert MemoryQuery(limit=limit).limit == limit


# Items: why an item is checked again before it is sent, and copied at depth.


def test_two_items_of_one_id_are_equal_whatever_they_hold() -> None:
    """Equality says nothing about content, not even about class."""
    assert _item(id=_ID, content="tea") == _item(id=_ID, content="coffee") == Element(id=_ID)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param("tags", [1, 2], id="tags"),
        pytest.param("metadata", "abc", id="metadata"),
        pytest.param("content", b"x", id="content"),
    ],
)
def test_an_item_takes_any_value_by_assignment(field: str, value: object) -> None:
    """Fields that are set after validation are not validated."""
    item = _item()

    setattr(item, field, value)

    assert getattr(item, field) is value


@pytest.mark.parametrize("field", ["id", "created_at"])
def test_identity_and_time_are_frozen(field: str) -> None:
    """These two cannot be assigned."""
    with pytest.raises(ValidationError):
        setattr(_item(), field, None)


def test_an_item_takes_no_undeclared_attribute() -> None:
    """Service-native extras have no place in an item (M10)."""
    item: Any = _item()

    with pytest.raises(ValueError, match="score"):
        item.score = 0.5


def test_nested_metadata_is_shared_with_the_caller() -> None:
    """The outer mapping is copied, what is in it is not."""
    nested = {"list": [1]}
    given = {"nested": nested}
    item = _item(metadata=given)

    given["new"] = {}

    assert item.metadata == {"nested": nested}
    assert item.metadata["nested"] is nested


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        pytest.param("abc", {}, id="text"),
        pytest.param('{"a": 1}', {"a": 1}, id="json text"),
        pytest.param([1, 2], {0: 1, 1: 2}, id="list"),
        pytest.param(5, {}, id="number"),
    ],
)
def test_metadata_of_another_kind_becomes_a_mapping(given: object, kept: dict[Any, Any]) -> None:
    """So a malformed record must be refused before an item is built of it (E4)."""
    assert _item(metadata=given).metadata == kept


def test_one_value_of_the_class_name_is_kept_in_metadata() -> None:
    """`lion_class` with the item's own class name stays where it is."""
    assert _item(metadata={"lion_class": _LION_CLASS}).metadata == {"lion_class": _LION_CLASS}


@pytest.mark.parametrize("name", ["MemoryItem", "acme.Other", None])
def test_any_other_class_name_is_refused(name: str | None) -> None:
    """So an item that was given one by assignment could not be rebuilt (W1)."""
    with pytest.raises(ValidationError, match="lion_class"):
        _item(metadata={"lion_class": name})


def test_a_rebuilt_dictionary_leaves_the_class_name_in_metadata() -> None:
    """An adapter that stores `to_dict` and calls the constructor pollutes metadata."""
    rebuilt = MemoryItem(**_item(metadata={"a": 1}).to_dict())

    assert rebuilt.metadata == {"a": 1, "lion_class": _LION_CLASS}


def test_a_subclass_writes_its_own_class_name() -> None:
    """So a subclass cannot come back as a plain item through `to_dict` (W1)."""
    written = _Note().to_dict()

    with pytest.raises(ValidationError, match="lion_class"):
        MemoryItem(**written)


@pytest.mark.parametrize("moment", [inf, -inf, -1.0, 1e300])
def test_any_float_is_a_time(moment: float) -> None:
    """Infinite and impossible times are valid for lionagi."""
    assert _item(created_at=moment).created_at == moment


def test_nan_is_a_time() -> None:
    """So is no number at all."""
    assert isnan(_item(created_at=nan).created_at)


def test_a_time_is_kept_to_the_last_bit() -> None:
    """A float time is not rounded, so losing its last bits is the adapter's doing."""
    assert _item(created_at=1735689600.1234567).created_at == 1735689600.1234567


def test_a_naive_datetime_is_local_but_a_naive_text_is_utc() -> None:
    """One moment, written in two ways without a zone, is read in two ways."""
    moment = datetime(2025, 1, 1)  # noqa: DTZ001 - naive on purpose

    assert _item(created_at=moment).created_at == moment.timestamp()
    assert _item(created_at="2025-01-01T00:00:00").created_at == 1735689600.0


@pytest.mark.parametrize(
    "number",
    [pytest.param(5, id="int"), pytest.param("5.0", id="text"), pytest.param(True, id="flag")],
)
def test_what_looks_like_a_number_becomes_a_time(number: object) -> None:
    """So a record whose time is of another type must be refused first (E4)."""
    assert type(_item(created_at=number).created_at) is float


def test_tags_keep_order_and_duplicates() -> None:
    """A list of tags is a list, so losing a duplicate is the adapter's doing."""
    assert _item(tags=["b", "a", "b", ""]).tags == ["b", "a", "b", ""]


def test_pydantic_writes_values_that_json_has_not() -> None:
    """`model_dump_json` alters silently, so it is no codec for content."""
    content = {1: b"x", "t": (1,), "n": nan}

    written = json.loads(_item(content=content).model_dump_json())["content"]

    assert written == {"1": "x", "t": [1], "n": None}


# Stores: why an `isinstance` check alone proves nothing.


def test_the_structural_check_looks_at_names_alone() -> None:
    """A class with three attributes of these names is a store to Python (C1)."""
    assert isinstance(_Pretender(), MemoryStore)


def test_the_store_in_memory_hands_out_what_it_holds() -> None:
    """Changing a result changes what is stored, which an adapter must not allow (R4)."""
    store = InMemoryStore()

    async def scenario() -> list[MemoryItem]:
        item_id = await store.store(_item(content="tea"))
        got = await store.retrieve(item_id)
        assert got is not None
        got.content = "coffee"
        return await store.search(MemoryQuery())

    assert [hit.content for hit in asyncio.run(scenario())] == ["coffee"]


def test_the_store_in_memory_counts_a_negative_limit_from_the_end() -> None:
    """A limit of -1 is all but one, where an adapter must refuse it (Q3)."""
    store = InMemoryStore()

    async def scenario() -> list[MemoryItem]:
        await store.store(_item(content="one"))
        await store.store(_item(content="two"))
        return await store.search(MemoryQuery(limit=-1))

    assert [hit.content for hit in asyncio.run(scenario())] == ["one"]

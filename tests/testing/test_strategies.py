"""What the strategies draw: known killers, valid values only, and hostile ones only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from memory_fidelity import MemoryItem, MemoryQuery, UnsupportedMemoryQuery
from memory_fidelity.json_tree import detached_json
from memory_fidelity.manifest import ITEM_FIELDS, MemoryItemField
from memory_fidelity.query import accepted
from memory_fidelity.testing import strategies

_FILTERS = frozenset({"n", "user"})
_FEW = settings(database=None, deadline=None, derandomize=True, max_examples=60)
_SEARCH = settings(_FEW, max_examples=3_000, phases=[Phase.generate])


def _has_negative_zero(value: object) -> bool:
    return repr(value) == "-0.0"


@pytest.mark.parametrize(
    ("strategy", "wanted"),
    [
        pytest.param(strategies.texts(), lambda text: "\x00" in text, id="nul"),
        pytest.param(strategies.texts(), lambda text: len(text) > 4_000, id="long-text"),
        pytest.param(strategies.json_values(), _has_negative_zero, id="negative-zero"),
        pytest.param(
            strategies.metadata(), lambda mapping: "cafe\u0301" in mapping, id="decomposed-key"
        ),
        pytest.param(
            strategies.tags(), lambda tags: len(tags) > len(set(tags)), id="duplicate-tags"
        ),
        pytest.param(strategies.created_at(), lambda time: time < 0, id="before-1970"),
        pytest.param(
            strategies.items(), lambda item: isinstance(item.content, dict), id="json-content"
        ),
        pytest.param(strategies.queries(), lambda query: query.limit == 0, id="limit-zero"),
        pytest.param(strategies.queries(), lambda query: query.limit > 2**31, id="limit-huge"),
        pytest.param(
            strategies.hostile_queries(), lambda query: query.limit == -1, id="limit-negative"
        ),
    ],
)
def test_known_killers_are_drawn(
    strategy: st.SearchStrategy[Any], wanted: Callable[[Any], bool]
) -> None:
    """Each of them is found in few draws."""
    assert wanted(find(strategy, wanted, settings=_SEARCH))


@pytest.mark.parametrize(
    ("strategy", "plainest"),
    [
        pytest.param(strategies.texts(), "", id="text"),
        pytest.param(strategies.json_values(), "The quick brown fox", id="json"),
        pytest.param(strategies.metadata(keys=["n"]), {}, id="metadata"),
        pytest.param(strategies.tags(), [], id="tags"),
        pytest.param(strategies.created_at(), 0.0, id="created-at"),
        pytest.param(strategies.queries(), MemoryQuery(limit=0), id="query"),
    ],
)
def test_draws_shrink_to_the_plainest(strategy: st.SearchStrategy[Any], plainest: object) -> None:
    """What does not matter to a failure is empty in what is shown."""
    assert find(strategy, lambda _: True, settings=_FEW) == plainest


@_FEW
@given(strategies.items(content={"text"}, keys=_FILTERS))
def test_content_is_of_the_kinds_asked_for(item: MemoryItem) -> None:
    """An adapter that takes text alone is given text alone."""
    assert isinstance(item.content, str)


@_FEW
@given(strategies.items(content={"json"}))
def test_items_are_valid(item: MemoryItem) -> None:
    """Every part of one is a JSON value, and lionagi's own key is not in it."""
    value = [item.content, item.tags, item.metadata, item.created_at]

    assert detached_json(value, "item") == value
    assert "lion_class" not in item.metadata


@_FEW
@given(strategies.queries(filters=_FILTERS))
def test_queries_are_valid(query: MemoryQuery) -> None:
    """None has a part that an adapter with these filters refuses."""
    assert accepted(query, _FILTERS).limit <= query.limit


@pytest.mark.parametrize("filters", [frozenset(), _FILTERS], ids=["no-filters", "filters"])
@_FEW
@given(data=st.data())
def test_hostile_queries_are_refused(filters: frozenset[str], data: st.DataObject) -> None:
    """All of them are, by an adapter with these filters."""
    query = data.draw(strategies.hostile_queries(filters=filters))

    with pytest.raises(UnsupportedMemoryQuery):
        accepted(query, filters)


@pytest.mark.parametrize("field", ITEM_FIELDS)
@settings(_FEW, max_examples=20)
@given(data=st.data())
def test_hostile_items_have_one_fault(field: MemoryItemField, data: st.DataObject) -> None:
    """The field that was asked for is wrong, and no other one."""
    item = data.draw(strategies.hostile_items(fields=[field]))
    others = [getattr(item, name) for name in ITEM_FIELDS if name not in (field, "id")]

    assert detached_json(others, "item") == others


def test_what_is_drawn_is_the_test_s_own() -> None:
    """A test may change what it was given: the next draw of the same specimen is whole."""
    strategy = strategies.tags()
    find(strategy, lambda tags: len(tags) == 100, settings=_SEARCH).clear()

    assert len(find(strategy, lambda tags: len(tags) == 100, settings=_SEARCH)) == 100

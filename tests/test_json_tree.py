"""Strict JSON: what is taken is copied exactly, what is not is named by path."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from decimal import Decimal
from enum import IntEnum
from functools import reduce
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_fidelity import UnsupportedMemoryItem, same
from memory_fidelity.json_tree import MAX_DEPTH, detached_json, detached_text

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXT,
    lambda members: st.lists(members, max_size=4) | st.dictionaries(_TEXT, members, max_size=4),
    max_leaves=20,
)


class _Level(IntEnum):
    HIGH = 1


class _Text(str):
    __slots__ = ()


class _Mute:
    """Its own code must not run: it could fail, or show a secret."""

    def __repr__(self) -> str:
        raise AssertionError


def _nested(levels: int, wrap: Callable[[Any], Any]) -> Any:
    value = wrap(None)
    for _ in range(levels - 1):
        value = wrap(value)
    return value


def _in_list(value: object) -> object:
    return [value]


def _in_dict(value: object) -> object:
    return {"member": value}


@settings(derandomize=True, max_examples=100)
@given(_JSON)
def test_any_json_value_is_copied_exactly(value: object) -> None:
    """What JSON can say comes back equal in type and value, at every depth."""
    assert same(value, detached_json(value, "content"), key_order=True)


@settings(derandomize=True, max_examples=100)
@given(_JSON)
def test_what_is_taken_survives_a_json_text(value: object) -> None:
    """Every value that is taken round-trips through the standard library's JSON."""
    written = json.dumps(detached_json(value, "content"), allow_nan=False)

    assert same(value, json.loads(written), key_order=True)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(10**40, id="more than 64 bits"),
        pytest.param(10**5000, id="more digits than Python prints"),
        pytest.param(-0.0, id="negative zero"),
        pytest.param(5e-324, id="smallest float"),
        pytest.param("a\x00b", id="NUL"),
        pytest.param("\u00e9 and e\u0301", id="two normal forms"),
        pytest.param("\U0001f375", id="outside the basic plane"),
        pytest.param({"": {"\u00e9": [{}, []]}}, id="empty containers and keys"),
    ],
)
def test_unusual_json_values_are_taken(value: object) -> None:
    """Values that services stumble over are JSON values all the same."""
    assert same(value, detached_json(value, "content"))


def test_a_copy_shares_no_container() -> None:
    """Changing the original afterwards does not reach the copy."""
    inner: dict[str, Any] = {"list": [1]}
    copied = detached_json({"inner": inner}, "metadata")

    inner["list"].append(2)
    inner["new"] = True

    assert copied == {"inner": {"list": [1]}}


def test_a_container_that_is_shared_within_is_copied_apart() -> None:
    """Two places that held one list hold two in the copy, as they would after JSON."""
    shared = [1]
    copied = detached_json([shared, shared], "content")

    copied[0].append(2)

    assert copied == [[1, 2], [1]]


def test_a_tower_of_shared_lists_is_copied_whole() -> None:
    """Twelve levels that each refer twice to the next become 4,096 lists, as in JSON."""
    lowest: list[Any] = [None]
    tower = reduce(lambda level, _: [level, level], range(12), lowest)

    copied = detached_json(tower, "content")

    assert json.dumps(copied).count("null") == 2**12


def test_a_list_that_holds_itself_is_refused() -> None:
    """A cycle is nesting without an end, and ends at the limit."""
    cycle: list[Any] = []
    cycle += [cycle, cycle]

    with pytest.raises(UnsupportedMemoryItem, match="expected at most 500 levels of nesting"):
        detached_json(cycle, "content")


@pytest.mark.parametrize(
    "wrap", [pytest.param(_in_list, id="lists"), pytest.param(_in_dict, id="dicts")]
)
def test_the_deepest_value_is_taken(wrap: Callable[[Any], Any]) -> None:
    """500 levels are taken on every supported Python, of either container."""
    value = _nested(MAX_DEPTH, wrap)

    assert same(value, detached_json(value, "content"))


@pytest.mark.parametrize(
    ("wrap", "path"),
    [
        pytest.param(_in_list, "content" + "[0]" * 500, id="lists"),
        pytest.param(_in_dict, "content" + ".member" * 500, id="dicts"),
    ],
)
def test_one_level_more_is_refused(wrap: Callable[[Any], Any], path: str) -> None:
    """501 levels are refused, with the path of the level that is too much."""
    with pytest.raises(UnsupportedMemoryItem) as caught:
        detached_json(_nested(MAX_DEPTH + 1, wrap), "content")

    assert caught.value.reason == "expected at most 500 levels of nesting, got more"
    assert caught.value.path == path


def _from_depth(frames: int, call: Callable[[], object]) -> object:
    return call() if frames == 0 else _from_depth(frames - 1, call)


def test_a_call_stack_that_is_nearly_used_up_is_a_refusal() -> None:
    """Deep nesting, met deep in the caller's own recursion, is still a typed error (E2)."""
    value = _nested(MAX_DEPTH, _in_list)

    with pytest.raises(UnsupportedMemoryItem, match="nested too deep for this call stack"):
        _from_depth(600, lambda: detached_json(value, "content"))


@pytest.mark.parametrize(
    ("value", "path", "reason"),
    [
        pytest.param((1, 2), "m", "expected a JSON value, got tuple", id="tuple"),
        pytest.param({1}, "m", "expected a JSON value, got set", id="set"),
        pytest.param(b"x", "m", "expected a JSON value, got bytes", id="bytes"),
        pytest.param(Decimal(1), "m", "expected a JSON value, got Decimal", id="decimal"),
        pytest.param(UUID(int=1), "m", "expected a JSON value, got UUID", id="uuid"),
        pytest.param(_Level.HIGH, "m", "expected a JSON value, got _Level", id="int subclass"),
        pytest.param(_Text("x"), "m", "expected a JSON value, got _Text", id="str subclass"),
        pytest.param(
            OrderedDict(), "m", "expected a JSON value, got OrderedDict", id="dict subclass"
        ),
        pytest.param(_Mute(), "m", "expected a JSON value, got _Mute", id="object"),
        pytest.param(float("nan"), "m", "expected a finite float, got nan", id="nan"),
        pytest.param([float("-inf")], "m[0]", "expected a finite float, got -inf", id="infinity"),
        pytest.param({1: "a"}, "m", "expected str keys, got int", id="int key"),
        pytest.param({10**5000: "a"}, "m", "expected str keys, got int", id="huge key"),
        pytest.param({_Mute(): "a"}, "m", "expected str keys, got _Mute", id="object as a key"),
        pytest.param({_Text("k"): 1}, "m", "expected str keys, got _Text", id="str subclass key"),
        pytest.param(
            "a\ud800", "m", "expected whole characters, got a lone surrogate", id="surrogate"
        ),
        pytest.param(
            {"a": {"\udfff": 1}},
            "m.a",
            "in a key: expected whole characters, got a lone surrogate",
            id="surrogate in a key",
        ),
        pytest.param(
            {"fine": ["é", 1.5, None, True, 7], "a b": [1, {"c": (3,)}]},
            "m['a b'][1].c",
            "expected a JSON value, got tuple",
            id="deep inside, after what is fine",
        ),
        pytest.param(
            [{"x": float("inf")}, b"later"],
            "m[0].x",
            "expected a finite float, got inf",
            id="the first of several",
        ),
    ],
)
def test_what_json_cannot_say_is_named_by_path(value: object, path: str, reason: str) -> None:
    """Nothing is left to a serialiser's guess: the first such place is named (W1)."""
    with pytest.raises(UnsupportedMemoryItem) as caught:
        detached_json(value, "m")

    assert (caught.value.path, caught.value.reason) == (path, reason)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("plain", id="ascii"),
        pytest.param("a\x00é\U0001f375", id="beyond ascii"),
    ],
)
def test_whole_text_is_taken_as_it_is(text: str) -> None:
    """Any text of whole characters is taken."""
    assert detached_text(text, "text") == text


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        pytest.param(5, "expected str, got int", id="int"),
        pytest.param(b"x", "expected str, got bytes", id="bytes"),
        pytest.param(_Text("x"), "expected str, got _Text", id="subclass"),
        pytest.param("\udc80", "expected whole characters, got a lone surrogate", id="surrogate"),
    ],
)
def test_what_is_no_whole_text_is_refused(value: object, reason: str) -> None:
    """A subclass would come back as another type, a lone surrogate not at all."""
    with pytest.raises(UnsupportedMemoryItem) as caught:
        detached_text(value, "tags[0]")

    assert (caught.value.path, caught.value.reason) == ("tags[0]", reason)

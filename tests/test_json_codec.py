"""JSON text that gives back exactly the value that went in."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_fidelity import same
from memory_fidelity.json_codec import canonical, decode, encode
from memory_fidelity.json_tree import MAX_DEPTH

_HUGE = 10**5000 + 7

_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(_JSON)
def test_a_value_comes_back_exactly(value: Any) -> None:
    """Types, -0.0, key order and every character survive."""
    got = decode(encode(value))

    assert same(value, got, key_order=True)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(_HUGE, id="alone"),
        pytest.param(-_HUGE, id="negative"),
        pytest.param([1, [_HUGE], "x", 1.5, None, True], id="in-a-list"),
        pytest.param({"b": {"n": _HUGE}, "a": [-_HUGE], "é\x00": -0.0}, id="in-a-dict"),
    ],
)
def test_an_integer_beyond_the_printing_limit_comes_back(value: Any) -> None:
    """CPython's limit of printed digits is no limit of what is kept."""
    got = decode(encode(value))

    assert same(value, got, key_order=True)


def _nested(levels: int) -> Any:
    """The huge integer under so many containers, lists and mappings in turn."""
    value: Any = _HUGE
    for level in range(levels):
        value = [1, value, 2] if level % 2 else {"b": value, "a": 1}
    return value


def test_an_integer_beyond_the_printing_limit_comes_back_from_any_depth() -> None:
    """Two large things at once are no larger problem."""
    got = decode(encode(_nested(MAX_DEPTH)))

    assert same(_nested(MAX_DEPTH), got, key_order=True)


def test_a_deep_value_with_a_huge_integer_has_a_canonical_text() -> None:
    """Deep inside, the order of keys does not count either."""
    reversed_keys: Any = {"b": 1, "a": [_nested(MAX_DEPTH - 2)]}

    assert canonical(reversed_keys) == canonical(dict(sorted(reversed_keys.items())))


def test_the_interpreters_limit_is_left_alone() -> None:
    """Large integers are read and written without touching the global setting."""
    before = sys.get_int_max_str_digits()

    decode(encode([_HUGE]))

    assert sys.get_int_max_str_digits() == before


def test_an_integer_of_any_text_is_read_under_a_lower_limit() -> None:
    """What one process wrote is read by another that allows fewer digits."""
    text = encode([10**3000])
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        got = decode(text)
    finally:
        sys.set_int_max_str_digits(before)

    assert got == [10**3000]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({"a": 1, "b": [2]}, {"b": [2], "a": 1}, id="key-order"),
        pytest.param(
            {"a": _HUGE, "b": {"d": 1, "c": 2}}, {"b": {"c": 2, "d": 1}, "a": _HUGE}, id="huge"
        ),
    ],
)
def test_equal_values_have_one_canonical_text(one: Any, other: Any) -> None:
    """The order of keys does not count."""
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(1, 1.0, id="int-float"),
        pytest.param(1, True, id="int-bool"),
        pytest.param("1", 1, id="text-int"),
        pytest.param(0.0, -0.0, id="sign-of-zero"),
        pytest.param(None, "null", id="null-text"),
        pytest.param([], {}, id="list-dict"),
        pytest.param(_HUGE, _HUGE + 1, id="huge"),
        pytest.param(2**63, float(2**63), id="beyond-64-bit"),
    ],
)
def test_different_values_have_different_canonical_texts(one: Any, other: Any) -> None:
    """The types count."""
    assert canonical(one) != canonical(other)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(float("nan"), id="nan"),
        pytest.param([_HUGE, float("inf")], id="inf-beside-a-huge-integer"),
    ],
)
@pytest.mark.parametrize("write", [encode, canonical])
def test_a_float_that_is_not_finite_is_refused(value: Any, write: Any) -> None:
    """JSON has no such number."""
    with pytest.raises(ValueError, match="JSON compliant"):
        write(value)


@pytest.mark.parametrize("text", ["", "[1", "NaN", "[Infinity]", "[1] 2", "{'a': 1}"])
def test_text_that_is_not_json_is_refused(text: str) -> None:
    """Python's own reader takes NaN and Infinity; here they are no JSON."""
    with pytest.raises(ValueError, match=r"line 1 column|expected a JSON value"):
        decode(text)


def test_white_space_around_a_text_is_allowed() -> None:
    """Services that reformat JSON put some there."""
    assert decode(" [1, 2]\n") == [1, 2]

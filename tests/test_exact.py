"""Typed comparison: nothing that Python's `==` forgives goes unseen."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from datetime import UTC, datetime, time, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_fidelity import Difference, MemoryItem, differences, item_differences, same
from memory_fidelity.exact import path_to

_NAN = float("nan")
_OTHER_NAN = float("-nan")
_NOON = datetime(2025, 1, 1, 12, tzinfo=UTC)
_ABROAD = _NOON.astimezone(timezone(timedelta(hours=2)))
_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
_VALUES = st.recursive(
    _LEAVES,
    lambda members: (
        st.lists(members, max_size=4)
        | st.tuples(members, members)
        | st.dictionaries(st.text(max_size=3), members, max_size=4)
    ),
    max_leaves=20,
)


class _Mute:
    def __repr__(self) -> str:
        raise ValueError


class _Unequal:
    """Says that it equals nothing, not even itself."""

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]  # nothing can be found by it


def _copied(value: Any) -> Any:
    """An equal value that is not the same object, at any depth."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own bytes


@settings(derandomize=True, max_examples=100)
@given(_VALUES)
def test_a_value_is_the_same_as_its_copy(value: object) -> None:
    """Every value equals itself, NaN included, however it is nested."""
    assert same(value, _copied(value), key_order=True)


@settings(derandomize=True, max_examples=100)
@given(_VALUES, _VALUES)
def test_comparison_is_symmetric(one: object, other: object) -> None:
    """Which of the two came first does not decide whether they are the same."""
    assert same(one, other) == same(other, one)


@settings(derandomize=True, max_examples=100)
@given(_VALUES, _VALUES)
def test_values_that_differ_for_python_differ_here(one: object, other: object) -> None:
    """Nothing that `==` tells apart is taken as the same, but for NaN."""
    nan_free = "nan" not in repr(one)

    assert not (same(one, other) and one != other and nan_free)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(_NAN, _OTHER_NAN, id="nan"),
        pytest.param([{"a": (1, "x")}], [{"a": (1, "x")}], id="nested"),
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, id="key order unclaimed"),
        pytest.param({1, "a"}, {"a", 1}, id="sets"),
        pytest.param({_NAN, 1}, {1, _OTHER_NAN}, id="nan in sets"),
        pytest.param(_NOON, datetime(2025, 1, 1, 12, tzinfo=UTC), id="aware datetimes"),
        pytest.param(b"a", b"a", id="bytes"),
        pytest.param(10**5000, 10**5000, id="huge ints"),
    ],
)
def test_equal_values_are_the_same(one: object, other: object) -> None:
    """Equal in type and value is the same."""
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(1, 1.0, id="int and float"),
        pytest.param(1, True, id="int and bool"),
        pytest.param(0.0, -0.0, id="signed zero"),
        pytest.param(_NAN, 1.0, id="nan and number"),
        pytest.param(1.0, _NAN, id="number and nan"),
        pytest.param([1], (1,), id="list and tuple"),
        pytest.param({}, OrderedDict(), id="dict and subclass"),
        pytest.param({1: "a"}, {True: "a"}, id="types of keys"),
        pytest.param({1}, {True}, id="types in sets"),
        pytest.param({0.0}, {-0.0}, id="signed zero in sets"),
        pytest.param({frozenset({1})}, {frozenset({1.0})}, id="types in nested sets"),
        pytest.param({1}, {1, 2}, id="set that grew"),
        pytest.param({_NAN, _OTHER_NAN}, {_NAN, 1.0}, id="set that lost a nan"),
        pytest.param({_NAN, _OTHER_NAN}, {_NAN}, id="set that merged two nans"),
        pytest.param(_NOON, _NOON.replace(tzinfo=None), id="aware and naive"),
        pytest.param(_NOON, _ABROAD, id="one instant in two zones"),
        pytest.param(time(12, tzinfo=UTC), time(12), id="times with and without a zone"),
        pytest.param("\u00e9", "e\u0301", id="normal forms"),
        pytest.param(None, "", id="none and empty"),
    ],
)
def test_what_python_forgives_is_a_difference(one: object, other: object) -> None:
    """Types, signs, zones and normal forms are part of a value."""
    assert not same(one, other)


def test_key_order_counts_where_it_is_claimed() -> None:
    """One difference names both orders, at the mapping's path."""
    found = differences("m", {"a": 1, "b": 2}, {"b": 2, "a": 1}, key_order=True)

    assert found == (Difference("m", "keys in the order ['a', 'b']", "['b', 'a']"),)


def test_key_order_counts_inside_too() -> None:
    """The claim holds at every depth."""
    assert not same([{"a": 1, "b": 2}], [{"b": 2, "a": 1}], key_order=True)


@pytest.mark.parametrize(
    ("sent", "got", "expected"),
    [
        pytest.param(1, 1.0, [Difference("c", "int 1", "float 1.0")], id="type"),
        pytest.param("a", "b", [Difference("c", "'a'", "'b'")], id="value"),
        pytest.param({"k": [1, 2]}, {"k": [1, 3]}, [Difference("c.k[1]", "2", "3")], id="nested"),
        pytest.param([1, 2], [1], [Difference("c", "[1, 2]", "[1]")], id="length"),
        pytest.param({"k": 1}, {}, [Difference("c.k", "1", "nothing")], id="lost key"),
        pytest.param({}, {"k": 1}, [Difference("c.k", "nothing", "1")], id="key that came"),
        pytest.param(
            {1: "a"},
            {True: "a"},
            [Difference("c[1]", "'a'", "nothing"), Difference("c[True]", "nothing", "'a'")],
            id="key of another type",
        ),
        pytest.param(
            {(1, 2): "a"}, {}, [Difference("c['(1, 2)']", "'a'", "nothing")], id="key of any type"
        ),
        pytest.param(
            [1, {"x": 2, "y": 3}, 4],
            [0, {"x": 0, "y": 0}, 0],
            [
                Difference("c[0]", "1", "0"),
                Difference("c[1].x", "2", "0"),
                Difference("c[1].y", "3", "0"),
                Difference("c[2]", "4", "0"),
            ],
            id="all, in document order",
        ),
        pytest.param(
            "\u00e9",
            "e\u0301",
            [Difference("c", r"'\xe9'", r"'e\u0301'")],
            id="text that looks alike",
        ),
        pytest.param("same", "same", [], id="none"),
    ],
)
def test_differences_are_named_by_path(
    sent: object, got: object, expected: list[Difference]
) -> None:
    """Each difference says where, what was sent and what came back."""
    assert differences("c", sent, got) == tuple(expected)


def test_a_difference_reads_as_a_sentence() -> None:
    """The text of a difference is fit for a report."""
    assert str(Difference("tags[0]", "'a'", "nothing")) == "tags[0]: sent 'a', got nothing"


def _nested(levels: int, innermost: object) -> Any:
    value = innermost
    for _ in range(levels):
        value = [value]
    return value


def test_values_nested_beyond_the_recursion_limit_are_compared() -> None:
    """Depth costs no call stack: the difference at the bottom is found."""
    (found,) = differences("", _nested(5000, 1), _nested(5000, 2))

    assert (found.sent, found.got) == ("1", "2")


def test_one_object_is_the_same_as_itself() -> None:
    """Identity settles it without a walk, so that a list which holds itself is no trap."""
    value = _Unequal()

    assert same([value], [value])


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param("x" * 100, "'" + "x" * 59 + "... (102 characters)", id="long text"),
        pytest.param(10**5000, f"{hex(10**5000)[:60]}... (4155 characters)", id="huge int"),
        pytest.param(_Mute(), "a _Mute", id="no repr"),
        pytest.param(_nested(100_000, 1), "a deeply nested list", id="deep list"),
    ],
)
def test_shown_values_stay_short_and_safe(value: object, shown: str) -> None:
    """Whatever the value, a difference can be printed on a line."""
    (found,) = differences("c", value, None)

    assert found.sent == f"{type(value).__name__} {shown}"


@pytest.mark.parametrize(
    ("parent", "step", "path"),
    [
        pytest.param("metadata", "user", "metadata.user", id="name"),
        pytest.param("", "user", "user", id="at the root"),
        pytest.param("tags", 0, "tags[0]", id="index"),
        pytest.param("metadata", "a.b", "metadata['a.b']", id="key that is no name"),
    ],
)
def test_paths_read_like_python(parent: str, step: str | int, path: str) -> None:
    """A path leads to the place as an expression would."""
    assert path_to(parent, step) == path


def _item(**changes: Any) -> MemoryItem:
    parts: dict[str, Any] = {
        "id": "00000000-0000-0000-0000-000000000001",
        "created_at": 1735689600.25,
        "metadata": {"a": 1, "b": 2},
        "content": "tea",
        "tags": ["hot"],
    }
    return MemoryItem(**parts | changes)


def test_equal_items_have_no_differences() -> None:
    """Two items with the same five fields are the same."""
    assert item_differences(_item(), _item()) == ()


def test_items_are_compared_beyond_their_ids() -> None:
    """lionagi calls these two equal; every field that differs is named, in field order."""
    sent = _item()
    got = _item(content="coffee", tags=[], metadata={"a": True, "b": 2}, created_at=1735689600.0)

    paths = [difference.path for difference in item_differences(sent, got)]

    assert sent == got
    assert paths == ["created_at", "metadata.a", "content", "tags"]


def test_only_the_asked_fields_are_compared() -> None:
    """Fields that are declared dropped can be left out."""
    got = _item(content="coffee", tags=[])

    assert item_differences(_item(), got, {"tags"}) == (Difference("tags", "['hot']", "[]"),)


def test_item_key_order_counts_where_it_is_claimed() -> None:
    """The claim reaches the mappings inside an item."""
    got = _item(metadata={"b": 2, "a": 1})

    (found,) = item_differences(_item(), got, key_order=True)

    assert found.path == "metadata"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(1.0, 2.0, id="numbers"),
        pytest.param(-0.0, 0.0, id="signs of zero"),
        pytest.param(_NOON, _NOON + timedelta(hours=1), id="times"),
        pytest.param(_NOON, _ABROAD, id="time zones"),
        pytest.param(frozenset({1}), frozenset({1, 2}), id="sets"),
        pytest.param(_NAN, 1.0, id="no number"),
    ],
)
def test_order_of_two_values_does_not_matter(one: object, other: object) -> None:
    """The smaller one against the greater one, and the other way round."""
    assert not same(one, other)
    assert not same(other, one)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(list(range(300)), id="list"),
        pytest.param(frozenset(range(300)), id="set"),
        pytest.param(datetime(2025, 1, 1, 12, tzinfo=timezone(timedelta(hours=2))), id="time"),
    ],
)
def test_long_values_are_the_same_as_their_copies(value: object) -> None:
    """Lengths and offsets are compared by value; only small integers are one object."""
    assert same(value, _copied(value))


def test_every_difference_is_told() -> None:
    """One difference of type or length does not hide the next one."""
    found = differences(
        "x", {"a": 1, "b": [1], "c": "x", "d": 2}, {"a": 1.0, "b": [1, 2], "c": "x", "d": 3}
    )

    assert [each.path for each in found] == ["x.a", "x.b", "x.d"]


@pytest.mark.parametrize(
    "pair", [({"a": 1, "b": 2}, {"b": 2, "a": 1}), ({"a": 1, "b": 2}, {"c": 2, "a": 1})]
)
def test_key_order_is_only_claimed_where_asked(pair: tuple[dict[str, int], dict[str, int]]) -> None:
    """Without the claim, or with other keys, no order is told."""
    sent, got = pair

    assert [each for each in differences("x", sent, got) if "order" in each.sent] == []
    assert [
        each for each in differences("x", sent, got, key_order=set(sent) != set(got))
        if "order" in each.sent
    ] == []  # fmt: skip


def test_items_are_compared_without_the_order_of_keys_unless_it_is_claimed() -> None:
    """The claim is made by the card, and never by the comparison itself."""
    one = _item(metadata={"a": 1, "b": 2})
    other = _item(metadata={"b": 2, "a": 1})

    assert item_differences(one, other) == ()


@pytest.mark.parametrize(
    ("sent", "got"), [pytest.param("a", "b", id="rising"), pytest.param("b", "a", id="falling")]
)
def test_texts_that_look_different_are_shown_as_they_are(sent: str, got: str) -> None:
    """Only texts that look alike are escaped."""
    assert str(differences("x", "é" + sent, "é" + got)[0]) == f"x: sent 'é{sent}', got 'é{got}'"


def test_a_text_of_just_the_length_is_shown_whole() -> None:
    """Sixty characters, the quotes among them, are not too many."""
    text = "x" * 58

    assert differences("x", text, "y")[0].sent == repr(text)


def test_a_difference_is_a_value() -> None:
    """It cannot be changed, and carries nothing beside its three parts."""
    found = Difference("x", "1", "2")

    with pytest.raises(AttributeError):
        found.path = "y"  # type: ignore[misc]  # that it cannot be assigned is the point
    assert not hasattr(found, "__dict__")


@pytest.mark.parametrize(
    ("sent", "got"), [("ab", "ba"), ("ba", "ab")], ids=["against the alphabet", "along it"]
)
def test_another_order_of_keys_is_told_in_both_directions(sent: str, got: str) -> None:
    """Whichever of the two orders comes first in the alphabet."""
    found = differences("x", dict.fromkeys(sent, 1), dict.fromkeys(got, 1), key_order=True)

    assert [each.sent for each in found] == [f"keys in the order {list(sent)}"]


@pytest.mark.parametrize(("sent", "got"), [("ab", "bca"), ("bca", "ab")], ids=["more", "fewer"])
def test_order_is_not_told_where_keys_differ(sent: str, got: str) -> None:
    """A key that came, or is gone, is told by itself."""
    found = differences("x", dict.fromkeys(sent, 1), dict.fromkeys(got, 1), key_order=True)

    assert [each.path for each in found] == ["x.c"]

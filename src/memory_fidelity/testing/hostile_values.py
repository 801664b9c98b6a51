"""Values that lionagi lets into an item or a query, and no service can keep, as strategies.

Another type, a subclass, half of a character, a number that is not finite, a
value that holds itself: what serialisers guess about. `strategies` puts them
into whole items and queries.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

from hypothesis import strategies as st

from memory_fidelity.json_tree import MAX_DEPTH

__all__ = ["no_identity", "no_json", "no_limit", "no_metadata", "no_tags", "no_text", "no_time"]

_ENDLESS: Final = (float("nan"), float("inf"), float("-inf"))


class _Int(int):
    """Looks like the number that it is, and would come back as another type."""


class _Float(float):
    """Looks like the number that it is, and would come back as another type."""


class _Text(str):
    """Looks like the text that it is, and would come back as another type."""

    __slots__ = ()


class _Mapping(dict[str, Any]):
    """Looks like the mapping that it is, and would come back as another type."""


def no_text() -> st.SearchStrategy[Any]:
    """What is not `str`, or no text that every encoding can carry; all can be keys."""
    return _half_text() | _one_of(1, 1.5, True, b"bytes", ("x",)) | st.binary(max_size=8)


def no_json() -> st.SearchStrategy[Any]:
    """What JSON cannot say, alone or inside a list or a mapping."""
    faults = st.one_of(
        _half_text(),
        _one_of(*_ENDLESS, _Int(1), _Float(1.5), _Mapping(a=1), 1j, object, {1}, b"bytes"),
        st.lists(st.integers(), max_size=3).map(tuple),
        st.builds(lambda key: {key: "value"}, no_text()),
        st.builds(_cycle, st.booleans()),
        st.builds(_nested, st.just(MAX_DEPTH + 1)),
    )
    return st.one_of(
        faults,
        st.builds(lambda some, fault: [*some, fault], st.lists(st.text(), max_size=2), faults),
        st.builds(lambda some, fault: {**some, "fault": fault}, _mappings(), faults),
    )


def no_metadata(own_class: str) -> st.SearchStrategy[Any]:
    """What is no mapping of text to JSON values, or names another class than the item's."""
    classes = st.none() | st.text().filter(lambda name: name != own_class)
    return st.one_of(
        _one_of(None, [], "{}", (), _Mapping(a=1)),
        # First, because a mapping keeps the key that came first of two that are equal.
        st.builds(lambda key, some: {key: 1, **some}, no_text(), _mappings()),
        st.builds(lambda some, fault: {**some, "fault": fault}, _mappings(), no_json()),
        st.builds(lambda some, name: {**some, "lion_class": name}, _mappings(), classes),
    )


def no_tags(*kinds: Callable[[list[str]], Any]) -> st.SearchStrategy[Any]:
    """A list with something in it that is no text, or no list: texts in one of `kinds`."""
    some = st.lists(st.text(), max_size=3)
    return st.one_of(
        st.builds(lambda before, fault: [*before, fault], some, no_text()),
        _one_of("red,blue", 1, {"red": 1}),
        st.builds(lambda kind, held: kind(held), st.sampled_from(kinds), some),
    )


def no_time() -> st.SearchStrategy[Any]:
    """What is no finite `float`."""
    return _one_of(*_ENDLESS, 0, True, "2026-01-02", None, _Float(1.5))


def no_identity() -> st.SearchStrategy[Any]:
    """What is no `UUID`, however much it looks like one."""
    return st.none() | st.integers() | st.uuids().map(str) | st.binary(max_size=16)


def no_limit() -> st.SearchStrategy[Any]:
    """A negative number, or what is no `int`."""
    return st.integers(max_value=-1) | _one_of(
        True, False, None, 5.0, float("nan"), "5", _Int(5), [5]
    )


def _one_of(*values: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(values).map(deepcopy)


def _half_text() -> st.SearchStrategy[str]:
    halves = st.text(st.characters(categories=["Cs"]), min_size=1, max_size=3)
    return st.sampled_from(("\ud83d", "half \udc00 of one", _Text("x"))) | halves


def _mappings() -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.text(), st.integers(), max_size=2)


def _cycle(in_mapping: bool) -> Any:
    """A value that holds itself."""
    holder: list[Any] = []
    holder.append({"again": holder} if in_mapping else holder)
    return holder


def _nested(levels: int) -> Any:
    tree: Any = "bottom"
    for _ in range(levels):
        tree = [tree]
    return tree

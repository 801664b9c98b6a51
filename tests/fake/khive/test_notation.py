"""khive's notation is read as khive reads it, with references in chains alone."""

from __future__ import annotations

from typing import Any

import pytest

from memory_fidelity.fake.khive.fields import Refused
from memory_fidelity.fake.khive.notation import Malformed, Reference, noted_calls, resolved

BEFORE = {"id": "7", "items": [{"id": "a"}, {"id": "b"}]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[verbs( ), get(id=1)]", [("verbs", {}), ("get", {"id": 1})]),
        ("verbs() | get(id=1)", [("verbs", {}), ("get", {"id": 1})]),
        ("a() | b(x=$prev.id)", [("a", {}), ("b", {"x": Reference("$prev.id")})]),
        ('a() | b(x=["$prev[1]"])', [("a", {}), ("b", {"x": [Reference("$prev[1]")]})]),
        (r'a() | b(x="\\$prev.id")', [("a", {}), ("b", {"x": "$prev.id"})]),
        (r'a(x="\\$previous")', [("a", {"x": r"\$previous"})]),
        ('a() | b(x="cost $prev.id")', [("a", {}), ("b", {"x": "cost $prev.id"})]),
    ],
    ids=["batch", "chain", "bare", "in a text", "escaped", "not escaped", "later in a text"],
)
def test_several_calls_are_read(text: str, expected: Any) -> None:
    """In order; a text that looks like a reference is one, in a chain."""
    assert noted_calls(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a(x=$prev.id)",
        "[a(), b(x=$prev.id)]",
        "[a() | b()]",
        "[a()",
        "a() |",
        "a() b()",
        "a(x=1,)",
        "a(x=1, x=2)",
        "a(x=y)",
    ],
)
def test_what_khive_does_not_read_is_malformed(text: str) -> None:
    """As a whole, with the calls that could be read."""
    with pytest.raises(Malformed):
        noted_calls(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("$prev.id", "7"), ("$prev.items[1].id", "b"), ("$prev.items", BEFORE["items"])],
)
def test_a_reference_is_a_part_of_the_result_before(text: str, expected: Any) -> None:
    """However deep in the arguments it stands."""
    assert resolved({"x": [Reference(text)]}, BEFORE) == {"x": [expected]}


@pytest.mark.parametrize("text", ["$prev", "$prev.no", "$prev.items[2]", "$prev.id.no"])
def test_a_reference_to_nothing_is_refused(text: str) -> None:
    """The call is not carried out."""
    with pytest.raises(Refused) as refused:
        resolved(Reference(text), BEFORE)

    assert refused.value.error["kind"] == "substitution_error"

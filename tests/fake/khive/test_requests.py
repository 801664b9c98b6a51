"""The text of a request is read as khive reads it, or not at all."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memory_fidelity.fake.khive.requests import MOST_BYTES, Malformed, calls


def written(**arguments: Any) -> str:
    """One call in the JSON form."""
    return json.dumps([{"tool": "get", "args": arguments}], ensure_ascii=False)


def nested(levels: int) -> Any:
    """Containers inside one another."""
    return json.loads("[" * levels + "]" * levels)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param('[{"tool": "a"}]', [("a", {})], id="no-arguments"),
        pytest.param(
            ' [{"tool": "a", "args": {"x": 1}}, {"tool": "b", "args": {}}]',
            [("a", {"x": 1}), ("b", {})],
            id="two-calls",
        ),
        pytest.param("verbs()", [("verbs", {})], id="notation"),
        pytest.param(
            'memory.recall(query="say \\"hi\\"), delete(id=1", limit=5, tags=[])',
            [("memory.recall", {"query": 'say "hi"), delete(id=1', "limit": 5, "tags": []})],
            id="notation-with-a-call-in-a-text",
        ),
    ],
)
def test_calls_are_read(text: str, expected: Any) -> None:
    """Verb and arguments, in either form."""
    assert calls(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("get", id="no-call"),
        pytest.param("get(x)", id="no-name"),
        pytest.param("get(id=x)", id="no-value"),
        pytest.param('get(id="a" id="b")', id="no-comma"),
        pytest.param('get(id="$prev.id")', id="notation-reference"),
        pytest.param("[", id="broken"),
        pytest.param("[]", id="empty"),
        pytest.param("[7]", id="no-mapping"),
        pytest.param('[{"args": {}}]', id="no-tool"),
        pytest.param('[{"tool": "a", "args": {"x": NaN}}]', id="nan"),
        pytest.param('[{"tool": "a", "args": {"x": "\\ud800"}}]', id="lone-surrogate"),
        pytest.param(json.dumps([{"tool": "verbs"}] * 101), id="101-calls"),
        pytest.param(written(x=nested(62)), id="too-deep"),
        pytest.param(written(x="$prev"), id="reference"),
        pytest.param(written(x="$prev.id"), id="reference-path"),
        pytest.param(written(x={"a": ["$prev[0]"]}), id="reference-inside"),
        pytest.param(written(x="\u00e9" * (MOST_BYTES // 2)), id="too-long"),
    ],
)
def test_what_cannot_be_read_is_no_request(text: str) -> None:
    """No part of it is carried out."""
    with pytest.raises(Malformed):
        calls(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("$previous", id="longer-word"),
        pytest.param("cost $prev.id", id="later"),
        pytest.param("\\$prev", id="escaped"),
        pytest.param("$prev x", id="blank"),
    ],
)
def test_a_text_that_only_looks_like_a_reference_is_taken(text: str) -> None:
    """As it is."""
    assert calls(written(x=text)) == [("get", {"x": text})]


def test_the_largest_of_each_is_taken() -> None:
    """A hundred calls, 64 levels, and a request of just so many bytes."""
    room = MOST_BYTES - len(written(x=""))

    assert len(calls(json.dumps([{"tool": "verbs"}] * 100))) == 100
    assert calls(written(x=nested(61))) == [("get", {"x": nested(61)})]
    assert calls(written(x="x" * room)) == [("get", {"x": "x" * room})]


@pytest.mark.parametrize(
    ("digits", "value"),
    [
        (str(2**64 - 1), 2**64 - 1),
        (str(-(2**63)), -(2**63)),
        (str(2**64), 2.0**64),
        (str(-(2**63) - 1), -(2.0**63)),
    ],
)
def test_integers_beyond_64_bits_are_floats(digits: str, value: float) -> None:
    """In both forms, and without a word."""
    ((_, arguments),) = calls(f'[{{"tool": "a", "args": {{"x": {digits}}}}}]')
    ((_, others),) = calls(f"a(x={digits})")

    assert repr(arguments["x"]) == repr(others["x"]) == repr(value)

"""The fake service: what it keeps, finds and refuses, asked directly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memory_fidelity.fake.behaviour import EVENTUAL, FULL, LOSSY, FakeBehaviour
from memory_fidelity.fake.service import FakeRejected, FakeService, FakeServiceError
from memory_fidelity.json_codec import decode, encode


def ask(service: FakeService, operation: str, **asked: Any) -> Any:
    """Send one request in the service's own encoding, and decode the reply."""
    request = encode({"namespace": "here", **asked}).encode()
    return decode(service.answer(operation, request).decode())


def put(service: FakeService, identity: str, *, namespace: str = "here", **fields: Any) -> Any:
    """Write a memory record with ordinary values for what is not given."""
    record = {"id": identity, "kind": "memory", "content": "text", "tags": [], **fields}
    return ask(service, "put", namespace=namespace, record=record)


def find(service: FakeService, **asked: Any) -> list[str]:
    """The identities of the hits, in order."""
    query = {"kind": "memory", "text": None, "tags": [], "filters": {}, "limit": 10, **asked}
    return [hit["id"] for hit in ask(service, "find", **query)["found"]]


def test_write_is_answered_with_the_identity() -> None:
    """A write names the record that it wrote."""
    assert put(FakeService(FULL), "a") == {"id": "a"}


def test_record_comes_back_in_its_own_copy() -> None:
    """Two reads share nothing with each other."""
    service = FakeService(FULL)
    put(service, "a", metadata={"list": [1]})
    ask(service, "get", id="a")["found"]["metadata"]["list"].append(2)

    assert ask(service, "get", id="a")["found"]["metadata"] == {"list": [1]}


def test_unknown_identity_is_nothing() -> None:
    """An identity that was never written is answered with null."""
    assert ask(FakeService(FULL), "get", id="a") == {"found": None}


def test_namespaces_are_apart() -> None:
    """A record is seen in its own namespace only, by read and by search."""
    service = FakeService(FULL)
    put(service, "a", namespace="there")

    assert ask(service, "get", id="a") == {"found": None}
    assert find(service) == []
    assert service.holds("there", "a")
    assert not service.holds("here", "a")


def test_search_is_limited_to_a_kind() -> None:
    """Records of another kind are found by asking for that kind only."""
    service = FakeService(FULL)
    put(service, "a")
    put(service, "b", kind="note")

    assert find(service) == ["a"]
    assert find(service, kind="note") == ["b"]


def test_identity_belongs_to_its_first_kind() -> None:
    """A write cannot turn a record into one of another kind."""
    service = FakeService(FULL)
    put(service, "a", kind="note", content="note")

    with pytest.raises(FakeRejected, match="kind memory, got note"):
        put(service, "a")

    assert ask(service, "get", id="a")["found"]["content"] == "note"


def test_second_write_replaces_the_record_whole() -> None:
    """Nothing of the old version is left to read or to find."""
    service = FakeService(FULL)
    put(service, "a", content="old", tags=["old"], metadata={"old": 1})
    put(service, "a", content="new")

    assert ask(service, "get", id="a")["found"] == {
        "id": "a",
        "kind": "memory",
        "content": "new",
        "tags": [],
    }
    assert find(service, text="old") == []
    assert find(service) == ["a"]


def test_latest_write_is_found_first() -> None:
    """Hits come in the order of writing, latest first; a replaced record is written anew."""
    service = FakeService(FULL)
    put(service, "a")
    put(service, "b")
    put(service, "a")

    assert find(service) == ["a", "b"]


def test_limit_cuts_the_oldest() -> None:
    """The limit counts matching records, from the latest one on."""
    service = FakeService(FULL)
    put(service, "a")
    put(service, "b")
    put(service, "c", content="other")

    assert find(service, text="text", limit=1) == ["b"]


@pytest.mark.parametrize(
    ("content", "needle", "found"),
    [
        pytest.param("The Quick fox", "qUICK", ["a"], id="case-is-ignored"),
        pytest.param("STRASSE", "stra\u00dfe", ["a"], id="case-is-folded"),
        pytest.param("100%", "%", ["a"], id="percent-is-a-character"),
        pytest.param("anything", "*", [], id="no-wildcards"),
        pytest.param({"note": "deep"}, "DEEP", ["a"], id="json-is-searched-as-text"),
    ],
)
def test_text_is_a_substring(content: Any, needle: str, found: list[str]) -> None:
    """A text matches where it occurs, regardless of case, and is never a pattern."""
    service = FakeService(FULL)
    put(service, "a", content=content)

    assert find(service, text=needle) == found


@pytest.mark.parametrize(
    ("behaviour", "wanted", "found"),
    [
        pytest.param(FULL, ["red", "none"], ["a"], id="any"),
        pytest.param(FULL, ["none"], [], id="any-of-none"),
        pytest.param(FULL, ["RED"], [], id="sensitive"),
        pytest.param(replace(FULL, tag_match="all"), ["red", "none"], [], id="all"),
        pytest.param(replace(FULL, tag_match="all"), ["red", "blue"], ["a"], id="all-there"),
        pytest.param(replace(FULL, tag_case="insensitive"), ["RED"], ["a"], id="insensitive"),
    ],
)
def test_tags_match_as_the_behaviour_says(
    behaviour: FakeBehaviour, wanted: list[str], found: list[str]
) -> None:
    """Any or all, with or without case: as toggled."""
    service = FakeService(behaviour)
    put(service, "a", tags=["red", "blue"])

    assert find(service, tags=wanted) == found


@pytest.mark.parametrize(
    ("behaviour", "value", "found"),
    [
        pytest.param(FULL, 1, ["a"], id="same-value"),
        pytest.param(FULL, 1.0, [], id="other-type"),
        pytest.param(FULL, "1", [], id="text"),
        pytest.param(LOSSY, 1, ["a"], id="text-column"),
        pytest.param(LOSSY, "1", ["a"], id="text-column-asked-with-text"),
    ],
)
def test_filters_compare_typed_values(
    behaviour: FakeBehaviour, value: Any, found: list[str]
) -> None:
    """A filter is equality of JSON values, unless all of them are text."""
    service = FakeService(behaviour)
    put(service, "a", metadata={"n": 1}, created_at=1.0)

    assert find(service, filters={"n": value}) == found


def test_every_filter_must_match() -> None:
    """A key that a record lacks does not match null."""
    service = FakeService(FULL)
    put(service, "a", metadata={"n": 1})

    assert find(service, filters={"n": 1, "user": None}) == []


def test_queue_hides_writes_until_it_is_flushed() -> None:
    """An eventual service reads at once and finds after the flush, old versions included."""
    service = FakeService(EVENTUAL)
    put(service, "a")

    assert ask(service, "get", id="a")["found"] is not None
    assert find(service) == []

    service.flush()
    assert find(service) == ["a"]

    put(service, "a", content="new")
    assert find(service) == []


def test_clear_forgets_everything() -> None:
    """After clearing nothing is held, and nothing queued can come back."""
    service = FakeService(EVENTUAL)
    put(service, "a")
    service.clear()
    service.flush()

    assert find(service) == []
    assert not service.holds("here", "a")


@pytest.mark.parametrize(
    ("key_order", "expected"),
    [
        pytest.param(True, ["z", "a"], id="kept"),
        pytest.param(False, ["a", "z"], id="sorted"),
    ],
)
def test_key_order_is_toggled(key_order: bool, expected: list[str]) -> None:
    """Mappings keep the order of their keys, or have it sorted."""
    service = FakeService(replace(FULL, key_order=key_order))
    put(service, "a", metadata={"z": 1, "a": 2})

    assert list(ask(service, "get", id="a")["found"]["metadata"]) == expected


def test_hits_show_what_the_behaviour_lets_them() -> None:
    """A hit can lack fields and be clipped while the record is whole."""
    behaviour = replace(FULL, absent_in_hits=frozenset({"tags"}), clipped=frozenset({"search"}))
    service = FakeService(behaviour)
    put(service, "a", content="x" * 30, tags=["t"])
    query: dict[str, Any] = {
        "kind": "memory",
        "text": None,
        "tags": ["t"],
        "filters": {},
        "limit": 1,
    }

    (hit,) = ask(service, "find", **query)["found"]

    assert hit == {"id": "a", "kind": "memory", "content": "x" * 24}
    assert ask(service, "get", id="a")["found"]["content"] == "x" * 30


def test_record_without_a_time_is_not_given_one() -> None:
    """Cutting seconds leaves a record alone that has none."""
    service = FakeService(LOSSY)
    put(service, "a")

    assert "created_at" not in ask(service, "get", id="a")["found"]


def test_unknown_operation_is_an_error() -> None:
    """The service refuses what it does not offer, with its own error."""
    with pytest.raises(FakeServiceError, match="got merge"):
        ask(FakeService(FULL), "merge")

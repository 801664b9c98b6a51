"""What khive shows to an agent unless it is asked for whole answers."""

from __future__ import annotations

from typing import Any

import pytest

from memory_fidelity.fake.khive.presentation import abridged

WHOLE = "6ba7b810-9dad-41d1-80b4-00c04fd430c8"
TIME = "2026-12-03T05:06:45.498445Z"


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        pytest.param({"id": WHOLE}, {"id": WHOLE[:8]}, id="identity"),
        pytest.param({"user_id": WHOLE.upper()}, {"user_id": "6BA7B810"}, id="other-identity"),
        pytest.param({"full_id": WHOLE}, {"full_id": WHOLE}, id="full-identity"),
        pytest.param({"session_id": WHOLE}, {"session_id": WHOLE}, id="exempt-identity"),
        pytest.param({"content": WHOLE}, {"content": WHOLE}, id="identity-in-content"),
        pytest.param({"ids": [WHOLE]}, {"ids": [WHOLE]}, id="identities"),
        pytest.param({"id": "tea"}, {"id": "tea"}, id="no-identity"),
        pytest.param({"id": WHOLE.replace("-", "")}, {"id": WHOLE.replace("-", "")}, id="compact"),
        pytest.param({"a": None, "b": [], "c": {}, "d": ""}, {"d": ""}, id="empty"),
        pytest.param({"a": 0, "b": False}, {"a": 0, "b": False}, id="not-empty"),
        pytest.param({"deleted_at": None}, {"deleted_at": None}, id="deleted-at"),
        pytest.param({"items": []}, {"items": []}, id="empty-list"),
        pytest.param({"score": 0.123456}, {"score": 0.123}, id="score"),
        pytest.param({"rank_score": 0.123456}, {"rank_score": 0.123456}, id="other-score"),
        pytest.param([{"id": WHOLE, "a": []}], [{"id": WHOLE[:8]}], id="list"),
        pytest.param(
            {"properties": {"m": {"id": WHOLE, "n": None, "created_at": TIME, "score": 0.12345}}},
            {"properties": {"m": {"id": WHOLE[:8], "created_at": TIME, "score": 0.123}}},
            id="properties",
        ),
    ],
)
def test_a_result_is_shortened(result: Any, shown: Any) -> None:
    """Wherever it stands, in what a caller gave, too."""
    assert abridged("list", result) == shown


@pytest.mark.parametrize("name", ["created_at", "updated_at"])
def test_a_time_becomes_an_age(name: str) -> None:
    """In seconds, however long ago."""
    shown = abridged("list", {"items": [{name: TIME}]})

    assert shown["items"][0][name].endswith("s ago")


def test_what_is_read_by_its_id_is_shown_whole() -> None:
    """A `get` is for those who want all of it."""
    record = {"id": WHOLE, "created_at": TIME, "name": None}

    assert abridged("get", record) == record

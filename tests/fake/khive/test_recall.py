"""A recall of the fake orders, scores and counts as khive's does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from memory_fidelity.fake.khive.verbs import Refused
from memory_fidelity.fake.khive_service import FakeKhive


@pytest.fixture
def khive() -> Iterator[FakeKhive]:
    """A fake of the service, empty."""
    with FakeKhive() as running:
        yield running


def scores(khive: FakeKhive, memories: int) -> list[float]:
    """The scores of so many memories that are alike."""
    for number in range(memories):
        khive.do("memory.remember", content=f"green tea {number}")
    return [round(hit["score"], 6) for hit in khive.do("memory.recall", query="tea", limit=50)]


@pytest.mark.parametrize(
    ("memories", "expected"),
    [
        (1, [0.719284]),
        (2, [0.719284, 0.17243]),
        (3, [0.719284, 0.423071, 0.17243]),
        (6, [0.719284, 0.573456, 0.450064, 0.344298, 0.252635, 0.17243]),
    ],
)
def test_scores_tell_places(khive: FakeKhive, memories: int, expected: list[float]) -> None:
    """The numbers were read off khive, for memories that fit equally well."""
    assert scores(khive, memories) == pytest.approx(expected, abs=2e-6)


def test_a_least_score_takes_most_of_many_hits_away(khive: FakeKhive) -> None:
    """Ten of forty are left at 0.4, as on khive, although all fit equally well."""
    scores(khive, 40)

    assert len(khive.do("memory.recall", query="tea", limit=50, min_score=0.4)) == 10


def test_more_words_come_first_then_the_shorter_then_the_older(khive: FakeKhive) -> None:
    """Of what holds as many words, length decides, and at last the time."""
    contents = ("red apple pie", "red apple", "old apple", "red")
    for content in contents:
        khive.do("memory.remember", content=content)

    hits = khive.do("memory.recall", query="red apple")

    assert [hit["content"] for hit in hits] == ["red apple", "red apple pie", "red", "old apple"]


def test_tags_are_compared_after_200_candidates(khive: FakeKhive) -> None:
    """A memory that has text and tag is missed behind two hundred that have the text."""
    for number in range(200):
        khive.do("memory.remember", content=f"tea {number:03}")
    khive.do("memory.remember", content="tea, and more words than the others have", tags=["t"])

    assert khive.do("memory.recall", query="tea", tags=["t"]) == []
    assert len(khive.do("list", kind="memory", tags=["t"])["items"]) == 1


@pytest.mark.parametrize(
    "scoring",
    [5, {"chars_per_token": "4"}, {"chars_per_token": 0}],
    ids=["no mapping", "a text", "no room"],
)
def test_room_that_is_none_is_refused(khive: FakeKhive, scoring: Any) -> None:
    """The next call is answered."""
    with pytest.raises(Refused, match="invalid input"):
        khive.do("memory.recall", query="tea", config={"scoring": scoring})

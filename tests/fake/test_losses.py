"""The fake's alterations: each rule does what its declaration says."""

from __future__ import annotations

import pytest

from memory_fidelity.card import LossFixture
from memory_fidelity.exact import same
from memory_fidelity.fake.losses import (
    CLIPPED_LENGTH,
    clipped,
    clipped_content,
    folded_tags,
    metadata_as_text,
    texts_of,
    whole_seconds,
    whole_seconds_of,
)

LOSSES = [
    metadata_as_text({"retrieve"}),
    whole_seconds({"search"}),
    clipped_content({"search"}),
    folded_tags({"search"}),
]


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_rule_gives_its_own_example(loss: LossFixture) -> None:
    """The rule turns the sent example into the expected one, and changes it."""
    assert loss.transform is not None
    assert same(loss.transform(loss.sent), loss.expected)
    assert not same(loss.sent, loss.expected)


def test_metadata_text_stays_as_it_is() -> None:
    """A value that is text already gains no quotes; any other becomes JSON text."""
    assert texts_of({"s": "1", "n": 1, "o": {"a": None}}) == {"s": "1", "n": "1", "o": '{"a":null}'}


@pytest.mark.parametrize(
    ("created_at", "expected"),
    [
        pytest.param(5.999, 5.0, id="rounded-down"),
        pytest.param(-0.5, -1.0, id="before-1970"),
        pytest.param(1e300, 1e300, id="beyond-dates"),
    ],
)
def test_time_is_cut_to_the_second_before(created_at: float, expected: float) -> None:
    """Times are cut downwards and stay floats."""
    assert same(whole_seconds_of(created_at), expected)


def test_only_text_is_clipped() -> None:
    """Content other than text comes back whole."""
    long = "x" * (CLIPPED_LENGTH + 1)

    assert clipped([long]) == [long]
    assert clipped(long) == long[:-1]

"""What is concluded from times."""

from __future__ import annotations

import pytest
from benchmarks.figures import Ratio, Timing, ratio


def test_median_is_over_all_calls() -> None:
    """The rounds are put together."""
    assert Timing(((1, 2, 3), (100, 200))).p50 == 3


def test_p99_leaves_out_the_slowest_hundredth() -> None:
    """One slow call of 200 is not seen, two of 100 are."""
    assert Timing((tuple([1.0] * 199), (50.0,))).p99 == 1
    assert Timing((tuple([1.0] * 98), (50.0, 50.0))).p99 == 50


def test_p99_of_few_is_the_slowest() -> None:
    """Nothing is interpolated."""
    assert Timing(((5, 1), (3,))).p99 == 5


def test_ratio_is_the_median_of_rounds() -> None:
    """A round in which the machine was slow for both counts as any other."""
    ours = Timing(((20,), (2_000,), (60,)))
    theirs = Timing(((10,), (1_000,), (20,)))

    assert ratio(ours, theirs) == Ratio(middle=2, lowest=2, highest=3)


def test_ratio_needs_the_same_rounds() -> None:
    """Times of different runs are not compared."""
    with pytest.raises(ValueError, match="zip"):
        ratio(Timing(((1,),)), Timing(((1,), (1,))))

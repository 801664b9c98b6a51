"""The figure of misses against time."""

from __future__ import annotations

from memory_fidelity.workbook.figure import Figure
from memory_fidelity.workbook.misses import misses_figure


def _figure(at_five: int = 6) -> Figure:
    return misses_figure({5: at_five, 0: 10, 12: 0}, 10, lambda age: max(0, 1 - age / 10), "Misses")


def test_it_says_in_words_what_it_shows() -> None:
    """Measured and expected, by time, whatever the order in which they were given."""
    assert _figure().alt == (
        "Misses\n"
        "after 0 ticks: 100% of 10 searches miss, 100% expected\n"
        "after 5 ticks: 60% of 10 searches miss, 50% expected\n"
        "after 12 ticks: 0% of 10 searches miss, 0% expected"
    )


def test_it_is_the_same_picture_each_time() -> None:
    """Byte for byte."""
    assert _figure().png == _figure().png


def test_it_shows_what_was_measured() -> None:
    """Another count is another picture."""
    assert _figure(at_five=5).png != _figure(at_five=6).png

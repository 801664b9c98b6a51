"""The figure of lag."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest
from tests.testing.lags import lag, report

from memory_fidelity.testing.lag import Lag
from memory_fidelity.workbook.figure import Figure
from memory_fidelity.workbook.lag import lag_figure, lag_svg

SEEN = lag((0, 0.0021), (0.0015, 0.004), (0.004, 0.0046))


def _figure(measured: Lag = SEEN) -> Figure:
    return lag_figure(report(measured))


def test_it_says_in_words_what_it_shows() -> None:
    """The distribution, and what was not seen."""
    assert _figure(lag((0, 0.0021), (5.1, None))).alt == (
        "acme: how soon a write is found\n"
        "within 2 ms: at least 0 of 2 writes, at most 1\n"
        "within 2.5 ms: at least 1 of 2 writes, at most 1\n"
        "within 5 s: at least 1 of 2 writes, at most 1\n"
        "not seen within 5 s: 1"
    )


def test_it_is_the_same_picture_each_time() -> None:
    """Byte for byte, in either format."""
    assert _figure().png == _figure().png
    assert lag_svg(report(SEEN)) == lag_svg(report(SEEN))


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lag((0, 0.0021), (0.0015, 0.004), (0.004, 0.0041)), id="seen sooner"),
        pytest.param(lag((0, 0.0021), (0.0025, 0.004), (0.004, 0.0046)), id="missed longer"),
        pytest.param(lag((0, 0.0021), (0.0015, 0.004), (5, None)), id="not seen"),
    ],
)
def test_it_shows_what_was_measured(other: Lag) -> None:
    """Another bound is another picture."""
    assert _figure().png != _figure(other).png


@pytest.mark.parametrize(
    "measured",
    [
        pytest.param(lag((5, None)), id="none seen"),
        pytest.param(lag((0, 0)), id="a clock that stands still"),
        pytest.param(lag((0, None), deadline=0), id="no time given"),
    ],
)
def test_there_is_a_picture_of_little(measured: Lag) -> None:
    """Where there is no span of times, the axis still has one."""
    assert _figure(measured).png.startswith(b"\x89PNG")


def test_svg_is_a_picture_with_words() -> None:
    """The same words as those of the other format."""
    drawn = lag_svg(report(SEEN))

    assert fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - made just now
    assert _figure().alt in drawn.decode()

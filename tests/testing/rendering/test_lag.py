"""The report on lag in a terminal."""

from __future__ import annotations

import pytest
from tests.testing.lags import lag, report

from memory_fidelity.testing.lag import Lag
from memory_fidelity.testing.rendering.lag import BLOCKS, LETTERS, duration, lag_text
from memory_fidelity.testing.runner import Declarations

from .reports import MANIFEST

SEEN = lag((0, 0.00021), (0.00015, 0.0004), (0.0004, 0.0006), (0.0005, 0.0009))
UNSEEN = lag((0, 0.4), (5.1, None), (5.2, None), (5.3, None), planned=100)


def _lines(measured: Lag) -> list[str]:
    return lag_text(report(measured)).splitlines()


def test_it_is_told_whole() -> None:
    """What was measured, quantiles, the distribution, how exact that is, and the result last."""
    _, _, _, *lines = _lines(SEEN)

    assert "\n".join(lines) == (
        "\n"
        "  4 writes of 4, one after the other; 7 searches\n"
        "  4 seen; 3 missed at the first search; 0 not seen within 5 s\n"
        "\n"
        "  lag          at least     at most\n"
        "  min               0 s      210 µs\n"
        "  median         150 µs      400 µs\n"
        "  p90            500 µs      900 µs\n"
        "  p99            500 µs      900 µs\n"
        "  max            500 µs      900 µs\n"
        "\n"
        "  found by  █ found  ░ perhaps found                    at least     at most\n"
        "    200 µs  ░░░░░░░░░░░░░░░░░░░░                             0 %        50 %\n"
        "    250 µs  ██████████░░░░░░░░░░                            25 %        50 %\n"
        "    300 µs  ██████████░░░░░░░░░░                            25 %        50 %\n"
        "    400 µs  ████████████████████                            50 %        50 %\n"
        "    500 µs  ████████████████████░░░░░░░░░░                  50 %        75 %\n"
        "    600 µs  ██████████████████████████████░░░░░░░░░░        75 %       100 %\n"
        "    800 µs  ██████████████████████████████░░░░░░░░░░        75 %       100 %\n"
        "      1 ms  ████████████████████████████████████████       100 %       100 %\n"
        "\n"
        "  A lag lies between the start of the last search that missed and the end of the\n"
        "  one that found. One search took 100 µs (median), 100 µs at the longest.\n"
        "\n"
        "run again: memory-fidelity lag acme\n"
        "every write was seen"
    )


def test_what_was_not_seen_is_told() -> None:
    """In the counts, in the quantiles, in the distribution, and in the result."""
    lines = _lines(UNSEEN)

    assert "  1 seen; 3 missed at the first search; 3 not seen within 5 s" in lines
    assert "  median          5.1 s    not seen" in lines
    assert lines[-2:] == [
        "INCONCLUSIVE: 3 of 4 writes not seen within 5 s, the last ones in a row; 96 more",
        "  were not made",
    ]


def test_a_single_write_is_told_in_the_singular() -> None:
    """Its numbers are the same as its sighting."""
    lines = _lines(lag((5, None)))

    assert "  1 write of 1, one after the other; 1 search" in lines
    assert lines[-1] == "INCONCLUSIVE: 1 of 1 write not seen within 5 s"


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        pytest.param(lag(*[(0, 0.0021)] * 999, (0.0021, 0.003)), "99 % 100 %", id="nearly all"),
        pytest.param(lag((0, 0.003), *[(0.004, 0.005)] * 999), "0 % 1 %", id="nearly none"),
    ],
)
def test_shares_are_rounded_outward(measured: Lag, expected: str) -> None:
    """999 of 1000 are not all, and 1 of 1000 is more than none."""
    (row,) = [line for line in _lines(measured) if line.startswith("    2.5 ms")]

    assert " ".join(row.split()[-4:]) == expected


@pytest.mark.parametrize(
    ("measured", "said"),
    [
        pytest.param(lag((0, 0.1)), "must find it, and every one did", id="kept"),
        pytest.param(lag((0.1, 0.2)), "and 1 did not: the claim is false", id="not kept"),
    ],
)
def test_an_immediate_store_is_told_so(measured: Lag, said: str) -> None:
    """Its manifest says what the first search must do."""
    text = lag_text(report(measured, Declarations(MANIFEST)))

    assert "NOTE declared immediate: every first search must find it" in text
    assert said in " ".join(text.split())


def test_where_the_claim_is_another_there_is_no_note() -> None:
    """An eventual store, or one without a manifest, promises nothing."""
    assert "NOTE" not in lag_text(report(SEEN))


@pytest.mark.parametrize("measured", [pytest.param(SEEN, id="seen"), pytest.param(UNSEEN, id="un")])
def test_it_fits_a_terminal(measured: Lag) -> None:
    """Of 80 columns."""
    assert max(map(len, _lines(measured))) <= 80


def test_letters_stand_for_blocks() -> None:
    """A terminal of ASCII shows the same."""
    text = lag_text(report(SEEN), LETTERS)

    assert text.isascii()
    assert text == lag_text(report(SEEN)).translate(
        {ord(block): letter for block, letter in zip("█░µ", "#-u", strict=True)}
    )


def test_text_from_elsewhere_cannot_steer_the_terminal() -> None:
    """Control characters in a version are shown as escapes."""
    assert "\x1b" not in lag_text(report(SEEN, Declarations(service={"Acme": "1\x1b[2J"})))


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        pytest.param(0, "0 s", id="nothing"),
        pytest.param(1e-9, "0.001 µs", id="less than the unit"),
        pytest.param(0.0000312, "31.2 µs", id="microseconds"),
        pytest.param(0.0009996, "1 ms", id="rounded up to the next unit"),
        pytest.param(0.25, "250 ms", id="milliseconds"),
        pytest.param(1.5, "1.5 s", id="seconds"),
        pytest.param(1234.5, "1230 s", id="many seconds"),
    ],
)
def test_durations_are_in_the_unit_that_fits(seconds: float, expected: str) -> None:
    """With three digits."""
    assert duration(seconds, BLOCKS) == expected

"""A report on lag as plain text, for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final, Literal, NamedTuple

from memory_fidelity.testing.lag_report import FoundBy, LagReport
from memory_fidelity.testing.rendering.text import WIDTH
from memory_fidelity.testing.rendering.wording import printable

__all__ = ["BLOCKS", "LETTERS", "Marks", "duration", "lag_text"]

_BAR: Final = 40


class Marks(NamedTuple):
    """The characters of the bars, and of a millionth of a second."""

    surely: str
    perhaps: str
    micro: str


BLOCKS: Final = Marks("█", "░", "µs")
LETTERS: Final = Marks("#", "-", "us")
"""For a terminal that has no blocks."""

_UNITS: Final = ((1.0, "s"), (1e-3, "ms"))


def lag_text(report: LagReport, marks: Marks = BLOCKS) -> str:
    """Return what was measured, on what, how exactly, and the distribution; the result last."""
    return "\n".join(_lines(report, marks)) + "\n"


def duration(seconds: float, marks: Marks = BLOCKS) -> str:
    """Return a time with three digits, in the unit that fits it."""
    rounded = float(f"{seconds:.3g}")
    for size, unit in _UNITS:
        if rounded >= size or rounded == 0:
            return f"{_digits(rounded / size)} {unit}"
    return f"{_digits(rounded / 1e-6)} {marks.micro}"


def _digits(number: float) -> str:
    return f"{number:.3g}" if number < 1000 else f"{number:.0f}"


def _lines(report: LagReport, marks: Marks) -> Iterator[str]:
    lag = report.lag
    yield printable(f"{report.adapter or report.target}: from acknowledged write to first sight")
    declared = f", declared {report.declared}" if report.declared else ""
    yield from _wrapped(printable(f"{report.harness}{declared}"))
    environment = report.environment
    packages = (
        f"{name} {at}" for name, at in sorted((environment.packages | report.service).items())
    )
    ran_on = (*packages, f"Python {environment.python}", environment.system)
    yield from _wrapped(printable(", ".join(ran_on)))
    yield ""
    yield (
        f"  {_counted(lag.writes, 'write')} of {lag.planned}, one after the other; "
        f"{_counted(lag.searches, 'search')}"
    )
    yield (
        f"  {lag.seen} seen; {lag.missed_at_first} missed at the first search; "
        f"{lag.writes - lag.seen} not seen within {duration(lag.deadline, marks)}"
    )
    yield from _note_lines(report)
    yield ""
    yield from _quantile_lines(report, marks)
    yield ""
    yield from _distribution_lines(report, marks)
    yield ""
    yield "  A lag lies between the start of the last search that missed and the end of the"
    yield (
        f"  one that found. One search took {duration(lag.search_median, marks)} (median), "
        f"{duration(lag.search_longest, marks)} at the longest."
    )
    yield ""
    yield printable(f"run again: {report.reproduce}")
    yield from _result_lines(report, marks)


def _note_lines(report: LagReport) -> Iterator[str]:
    if report.declared == "immediate":
        missed = report.lag.missed_at_first
        kept = "and every one did" if not missed else f"and {missed} did not: the claim is false"
        yield from _wrapped(f"NOTE declared immediate: every first search must find it, {kept}")


def _quantile_lines(report: LagReport, marks: Marks) -> Iterator[str]:
    yield f"  {'lag':<9}{'at least':>12}{'at most':>12}"
    for quantile in report.quantiles:
        most = "not seen" if quantile.most is None else duration(quantile.most, marks)
        yield f"  {quantile.name:<9}{duration(quantile.least, marks):>12}{most:>12}"


def _distribution_lines(report: LagReport, marks: Marks) -> Iterator[str]:
    legend = f"{marks.surely} found  {marks.perhaps} perhaps found"
    yield f"  {'found by':<10}{legend:<{_BAR}}{'at least':>12}{'at most':>12}"
    for found in report.found:
        least, most = _percents(found, report.lag.writes)
        label = f"{duration(found.seconds, marks):>8}"
        yield f"  {label}  {_bar(found, report.lag.writes, marks):<{_BAR}}{least:>12}{most:>12}"


def _percents(found: FoundBy, writes: int) -> tuple[str, str]:
    """The shares rounded outward, so that 999 of 1000 are not told as all of them."""
    return f"{100 * found.least // writes} %", f"{-(-100 * found.most // writes)} %"


def _bar(found: FoundBy, writes: int, marks: Marks) -> str:
    surely, perhaps = (count * _BAR // writes for count in (found.least, found.most))
    return marks.surely * surely + marks.perhaps * (perhaps - surely)


def _result_lines(report: LagReport, marks: Marks) -> Iterator[str]:
    lag = report.lag
    if lag.seen == lag.writes:
        yield "every write was seen"
        return
    unmade = lag.planned - lag.writes
    text = (
        f"INCONCLUSIVE: {lag.writes - lag.seen} of {_counted(lag.writes, 'write')} not seen "
        f"within {duration(lag.deadline, marks)}"
        f"{f', the last ones in a row; {unmade} more were not made' if unmade else ''}"
    )
    yield from wrap(text, WIDTH, subsequent_indent="  ")


def _counted(number: int, noun: Literal["search", "write"]) -> str:
    plural = {"search": "searches", "write": "writes"}
    return f"{number} {noun if number == 1 else plural[noun]}"


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)

"""The report as plain text: for a terminal of 80 columns, and for `repr`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from textwrap import wrap
from typing import Final

from memory_fidelity.testing.rendering.order import (
    GRADE_MEANINGS,
    contradicted_cases,
    tally,
    told_together,
)
from memory_fidelity.testing.rendering.wording import claim_text, printable, settled
from memory_fidelity.testing.report import CaseResult, Finding, LaneReport, Report

__all__ = ["WIDTH", "full_text", "result_text", "summary"]

WIDTH: Final = 80
"""No line is longer, save one that holds a single name or command."""

_MANY: Final = 12
"""Names of cases that share one reason, above which the rest are only counted."""

_NO_MANIFEST: Final = "an adapter whose manifest is not known"
_SETTLED: Final = ("pass", "not applicable")
_Shown = Callable[[str], str]


def full_text(report: Report) -> str:
    """Return everything that did not pass, worst first, the counts, and the verdict last."""
    return "\n".join(_full_lines(report)) + "\n"


def summary(report: Report) -> str:
    """Return the verdict and what stands against it, the same in every run.

    Cases are sorted by id; there are no times, durations, ids, addresses or
    versions, so that a notebook can compare its output.
    """
    lines = [printable(f"{report.adapter or _NO_MANIFEST}: {report.verdict} ({report.grade})")]
    for lane in report.lanes:
        lines += _wrapped(f"{lane.lane}: {lane.verdict}; {tally(lane.results)}", hang=2)
        results = sorted(lane.results, key=lambda result: result.case)
        open_results = [result for result in results if result.outcome not in _SETTLED]
        lines += _result_lines(open_results, lambda text: settled(printable(text)))
    return "\n".join(lines)


def result_text(result: CaseResult) -> str:
    """Return how one case ended, and why."""
    return "\n".join(_result_lines([result], printable))


def _full_lines(report: Report) -> Iterator[str]:
    yield printable(f"{report.adapter or _NO_MANIFEST} against suite {report.suite}")
    environment = report.environment
    packages = (f"{name} {version}" for name, version in sorted(environment.packages.items()))
    ran_on = (f"Python {environment.python}", environment.system, *packages)
    yield from _wrapped(printable(", ".join(ran_on)), "  ")
    if contradicted := contradicted_cases(report):
        yield ""
        yield "Contradicted: these pass on the fake and fail on the live service"
        yield from (f"  {case}" for case in contradicted)
    for lane in report.lanes:
        yield ""
        yield from _lane_lines(lane)
    yield ""
    yield printable(f"run again: {report.reproduce}")
    yield f"{report.grade}: {GRADE_MEANINGS[report.grade]}"
    yield f"verdict: {report.verdict}"


def _lane_lines(lane: LaneReport) -> Iterator[str]:
    yield printable(f"{lane.lane} lane: {lane.harness}")
    yield from _result_lines(lane.results, printable)
    for result in lane.results:
        for note in result.notes:
            yield from _wrapped(f"NOTE {result.case}: {printable(note)}", "  ", hang=4)
    seconds = sum(result.milliseconds for result in lane.results) / 1000
    yield from _wrapped(f"{lane.verdict}: {tally(lane.results)} in {seconds:.2f} s", "  ", hang=2)


def _result_lines(results: Iterable[CaseResult], shown: _Shown) -> Iterator[str]:
    for group in told_together(results):
        first = group[0]
        because = f": {shown(first.reason)}" if first.reason else ""
        if len(group) > 1:
            yield from _wrapped(f"{first.outcome.upper()} {len(group)} cases{because}", "  ", 4)
            yield from _wrapped(_names(group), " " * 6)
            continue
        clauses = f" ({', '.join(first.clauses)})" if first.clauses else ""
        yield from _wrapped(f"{first.outcome.upper()} {first.case}{clauses}{because}", "  ", 4)
        for finding in first.findings:
            yield from _finding_lines(finding, shown)


def _names(group: list[CaseResult]) -> str:
    names = ", ".join(result.case for result in group[:_MANY])
    return f"{names} and {len(group) - _MANY} more" if len(group) > _MANY else names


def _finding_lines(finding: Finding, shown: _Shown) -> Iterator[str]:
    yield from _part_lines("claim", shown(claim_text(finding)))
    yield from _part_lines("observed", shown(finding.observed))
    yield from _part_lines("change", shown(finding.change))


def _part_lines(name: str, text: str) -> Iterator[str]:
    first, *rest = text.split("\n")
    yield from _wrapped(f"{name:<9} {first}", "    ", hang=10)
    for line in rest:
        yield from _wrapped(line, " " * 14)


def _wrapped(text: str, indent: str = "", hang: int = 0) -> list[str]:
    return wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + " " * hang,
        break_on_hyphens=False,
    )

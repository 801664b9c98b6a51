"""In which order a report is told, and what its outcomes count up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from memory_fidelity.testing.report import CaseResult, Report
from memory_fidelity.testing.verdict import Grade, Outcome

__all__ = ["GRADE_MEANINGS", "WORST_FIRST", "contradicted_cases", "tally", "told_together"]

WORST_FIRST: Final[tuple[Outcome, ...]] = (
    "fail",
    "error",
    "inconclusive",
    "not run",
    "not applicable",
    "pass",
)

GRADE_MEANINGS: Final[dict[Grade, str]] = {
    "contradicted": "the fake conforms, the live service does not",
    "false claim": "the manifest says what does not happen",
    "modelled": "shown on the fake alone",
    "observed": "shown on the live service alone",
    "proved": "shown on the fake and on the live service",
    "stale": "shown by a live run that is old, or on another version",
    "unproven": "no lane is settled",
}
"""What each grade says, in half a sentence."""


def told_together(results: Iterable[CaseResult]) -> list[list[CaseResult]]:
    """Return all that did not pass, worst first; cases that share a reason are one group.

    A case with findings, or with neither findings nor a reason, is a group of
    its own. Within an outcome, the order given is kept.
    """
    groups: dict[tuple[str, ...], list[CaseResult]] = {}
    for result in sorted(results, key=lambda result: WORST_FIRST.index(result.outcome)):
        alone = () if result.reason and not result.findings else (result.case,)
        key = (result.outcome, result.reason or "", *alone)
        if result.outcome != "pass":
            groups.setdefault(key, []).append(result)
    return list(groups.values())


def tally(results: Iterable[CaseResult]) -> str:
    """Return the number of cases of each outcome, the passes first."""
    counts = Counter(result.outcome for result in results)
    shown = ("pass", *WORST_FIRST[:-1])
    return ", ".join(f"{counts[name]} {name}" for name in shown if counts[name]) or "no cases"


def contradicted_cases(report: Report) -> tuple[str, ...]:
    """Return the cases that pass on the fake and fail on the live service."""
    outcomes = {
        (lane.lane, result.case): result.outcome for lane in report.lanes for result in lane.results
    }
    return tuple(
        case
        for (lane, case), outcome in outcomes.items()
        if lane == "fake" and outcome == "pass" and outcomes.get(("live", case)) == "fail"
    )

"""In which order a report is told, and what it counts up to."""

from __future__ import annotations

from typing import get_args

from memory_fidelity.testing.rendering.order import (
    GRADE_MEANINGS,
    WORST_FIRST,
    contradicted_cases,
    tally,
    told_together,
)
from memory_fidelity.testing.verdict import Grade, Outcome

from .reports import FINDING, lane, report, result


def test_every_outcome_and_grade_has_its_place() -> None:
    """Nothing that a report can say is left out of its renderings."""
    assert sorted(WORST_FIRST) == sorted(get_args(Outcome))
    assert sorted(GRADE_MEANINGS) == sorted(get_args(Grade))


def test_only_a_live_failure_contradicts_a_fake() -> None:
    """A live case that is unsettled, or whose fake fails too, is no contradiction."""
    fake = [result("a"), result("b"), result("c", "fail", FINDING), result("d")]
    live = [
        result("a", "fail", FINDING),
        result("b", "inconclusive", reason="late"),
        result("c", "fail", FINDING),
    ]

    assert contradicted_cases(report(lane("fake", *fake), lane("live", *live))) == ("a",)


def test_cases_of_one_reason_are_told_together() -> None:
    """A shared reason makes a group; another outcome, a finding or no reason does not."""
    results = [
        result("a", "not run", reason="not selected"),
        result("b"),
        result("c", "error", reason="not selected"),
        result("d", "not run", reason="not selected"),
        result("e", "fail", FINDING),
        result("f", "fail", FINDING),
    ]

    groups = [[one.case for one in group] for group in told_together(results)]

    assert groups == [["e"], ["f"], ["c"], ["a", "d"]]


def test_tally_of_nothing() -> None:
    """No case at all is said, not left blank."""
    assert tally([]) == "no cases"

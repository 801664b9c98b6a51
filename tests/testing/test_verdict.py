"""Outcomes add up to verdicts, verdicts to grades."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from memory_fidelity.testing.verdict import (
    EXIT_CODES,
    Grade,
    Outcome,
    Verdict,
    grade,
    verdict,
    worst,
)


class TestVerdict:
    """What the outcomes of one lane add up to."""

    @pytest.mark.parametrize(
        ("outcomes", "expected"),
        [
            pytest.param(["pass"], "conformant", id="a pass"),
            pytest.param(["pass", "not applicable"], "conformant", id="nothing to prove beside it"),
            pytest.param(["pass", "not run"], "incomplete", id="a case was not run"),
            pytest.param(["pass", "inconclusive"], "inconclusive", id="a deadline passed"),
            pytest.param(["pass", "error"], "harness error", id="the harness is at fault"),
            pytest.param(["pass", "fail"], "non-conformant", id="a failure"),
            pytest.param(["fail", "error", "not run"], "non-conformant", id="failure over error"),
            pytest.param(["error", "inconclusive"], "harness error", id="error over deadline"),
            pytest.param(["inconclusive", "not run"], "inconclusive", id="deadline over gap"),
        ],
    )
    def test_worst_outcome_decides(self, outcomes: list[Outcome], expected: Verdict) -> None:
        """The worst outcome decides the verdict."""
        assert verdict(outcomes) == expected

    @pytest.mark.parametrize(
        "outcomes",
        [
            pytest.param([], id="no case at all"),
            pytest.param(["not applicable"] * 5, id="nothing applied"),
            pytest.param(["not run"] * 5, id="nothing ran"),
        ],
    )
    def test_zero_passes_are_never_conformant(self, outcomes: list[Outcome]) -> None:
        """Where nothing passed, nothing was shown."""
        assert verdict(outcomes) == "incomplete"

    @pytest.mark.parametrize("extra", get_args(Outcome))
    def test_more_outcomes_never_make_it_better(self, extra: Outcome) -> None:
        """Adding an outcome to a conformant run leaves it conformant or makes it worse."""
        ranking = get_args(Verdict)

        assert ranking.index(verdict(["pass", extra])) <= ranking.index("conformant")


class TestWorst:
    """The worst of several verdicts."""

    def test_order(self) -> None:
        """Non-conformant is worse than a harness error, and so on down to conformant."""
        ranking = get_args(Verdict)
        pairs = [worst([one, other]) for one, other in product(ranking, repeat=2)]

        assert pairs == [
            ranking[min(ranking.index(one), ranking.index(other))]
            for one, other in product(ranking, repeat=2)
        ]

    def test_nothing_is_incomplete(self) -> None:
        """No lane, no verdict."""
        assert worst([]) == "incomplete"


class TestGrade:
    """What two lanes say together."""

    @pytest.mark.parametrize(
        ("fake", "live", "expected"),
        [
            ("conformant", "conformant", "proved"),
            ("conformant", None, "modelled"),
            (None, "conformant", "observed"),
            ("conformant", "non-conformant", "contradicted"),
            ("non-conformant", "conformant", "false claim"),
            ("non-conformant", None, "false claim"),
            (None, "non-conformant", "false claim"),
            ("conformant", "incomplete", "unproven"),
            ("incomplete", "conformant", "unproven"),
            ("harness error", None, "unproven"),
            (None, None, "unproven"),
        ],
    )
    def test_table(self, fake: Verdict | None, live: Verdict | None, expected: Grade) -> None:
        """Each pair of verdicts has one grade."""
        assert grade(fake, live) == expected

    def test_proved_needs_both_lanes(self) -> None:
        """No other pair than two conformant lanes is proved."""
        verdicts: list[Verdict | None] = [*get_args(Verdict), None]
        proved = [pair for pair in product(verdicts, repeat=2) if grade(*pair) == "proved"]

        assert proved == [("conformant", "conformant")]


class TestExitCodes:
    """What a verdict means to a shell."""

    def test_only_conformant_is_zero(self) -> None:
        """Every verdict has a code, and only one of them is success."""
        zero = [name for name in get_args(Verdict) if EXIT_CODES[name] == 0]

        assert zero == ["conformant"]

    def test_codes_are_documented(self) -> None:
        """Scripts rely on the numbers, which never change."""
        assert EXIT_CODES == {
            "conformant": 0,
            "non-conformant": 1,
            "incomplete": 2,
            "inconclusive": 2,
            "harness error": 3,
        }

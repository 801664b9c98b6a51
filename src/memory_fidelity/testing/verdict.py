"""What the outcomes of cases add up to: outcomes, verdicts and grades.

The worst outcome decides, and nothing that did not run counts for anything:
zero passes are never *conformant*.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, get_args

__all__ = ["EXIT_CODES", "Grade", "Lane", "Outcome", "Verdict", "grade", "verdict", "worst"]

Lane = Literal["fake", "live"]
"""Where a case ran: against a deterministic fake, or a live service."""

Outcome = Literal["pass", "fail", "error", "inconclusive", "not run", "not applicable"]
"""How one case ended.

`fail`: the adapter broke its contract. `error`: the harness or the suite is at
fault, so nothing is known. `inconclusive`: a deadline passed. `not run`: a
control or a declaration was missing, or the case was not selected. `not
applicable`: it follows from the manifest alone that there is nothing to prove.
"""

Verdict = Literal["non-conformant", "harness error", "inconclusive", "incomplete", "conformant"]
"""What all outcomes together say, worst first."""

Grade = Literal[
    "contradicted", "false claim", "modelled", "observed", "proved", "stale", "unproven"
]
"""What two lanes together say of a manifest.

`proved`: both lanes conform. `modelled`: the fake alone was run, and conforms.
`observed`: the same of the live service alone. `contradicted`: the fake conforms, the
live service does not. `false claim`: the fake does not. `unproven`: no lane is settled.
`stale`: proved or observed, by a live run that is old or on another version.
"""

EXIT_CODES: Final[dict[Verdict, int]] = {
    "conformant": 0,
    "non-conformant": 1,
    "incomplete": 2,
    "inconclusive": 2,
    "harness error": 3,
}

_VERDICTS: Final[dict[Outcome, Verdict]] = {
    "fail": "non-conformant",
    "error": "harness error",
    "inconclusive": "inconclusive",
    "not run": "incomplete",
}


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the worst verdict; none at all is *incomplete*."""
    return min(verdicts, key=get_args(Verdict).index, default="incomplete")


def verdict(outcomes: Iterable[Outcome]) -> Verdict:
    """Return what the outcomes of one lane add up to."""
    seen = list(outcomes)
    passed: Verdict = "conformant" if "pass" in seen else "incomplete"
    return worst([passed, *(_VERDICTS[outcome] for outcome in seen if outcome in _VERDICTS)])


def grade(fake: Verdict | None, live: Verdict | None) -> Grade:
    """Return what the lanes' verdicts say together; `None` is a lane that was not asked for."""
    match fake, live:
        case "non-conformant", _:
            return "false claim"
        case "conformant", "conformant":
            return "proved"
        case "conformant", None:
            return "modelled"
        case "conformant", "non-conformant":
            return "contradicted"
        case None, "conformant":
            return "observed"
        case None, "non-conformant":
            return "false claim"
        case _:
            return "unproven"

"""The report of a mutation run: which case found which deliberate fault."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from memory_fidelity.testing.verdict import Outcome

__all__ = ["WORST_FIRST", "FaultResult", "KillReport", "Killing"]

Killing = Literal["survived", "misnamed", "inert", "killed", "not applicable"]
"""What became of one fault.

`killed`: the case that is meant for it failed, and named what is false.
`misnamed`: the suite failed, and that case did not, or named something else.
`survived`: no case failed. `inert`: the fault changes nothing that its probe can
see over this adapter, so nothing is known. `not applicable`: it follows from
what the adapter declares that there is nothing to spoil.
"""

WORST_FIRST: Final[tuple[Killing, ...]] = (
    "survived",
    "inert",
    "misnamed",
    "killed",
    "not applicable",
)


class FaultResult(BaseModel):
    """What became of one fault."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fault: str
    """Its name."""
    story: str
    """What the adapter does with it."""
    case: str
    """The case that must find it."""
    names: tuple[str, ...]
    """What that case must call false; one of them."""
    killing: Killing
    active: tuple[str, str] | None = None
    """One line of its probe's transcript without and with the fault."""
    outcomes: dict[str, Outcome] = {}
    """How each case ended that was run, by its id."""
    reason: str | None = None
    """Why it is inert or not applicable."""

    @property
    def killers(self) -> tuple[str, ...]:
        """The cases that failed."""
        return tuple(case for case, outcome in self.outcomes.items() if outcome == "fail")


class KillReport(BaseModel):
    """What became of every fault over one adapter, the survivors first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1] = 1
    suite: str
    """Version of the suite, with a digest of its cases."""
    target: str
    """What the faults were put into."""
    adapter: str
    """The manifest's `adapter`."""
    cases: tuple[str, ...]
    """The cases that were run, in the order of the suite."""
    results: tuple[FaultResult, ...]
    when: datetime
    seconds: float
    reproduce: str
    """The command that gives this report."""

    def of(self, killing: Killing) -> tuple[FaultResult, ...]:
        """The faults that ended like this."""
        return tuple(result for result in self.results if result.killing == killing)

    @property
    def kills_all(self) -> bool:
        """Whether every fault that applies was killed by its own case, and there is one."""
        applying = [each for each in self.results if each.killing != "not applicable"]
        return bool(applying) and all(each.killing == "killed" for each in applying)

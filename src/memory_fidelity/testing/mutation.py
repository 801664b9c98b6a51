"""Puts deliberate faults around an adapter, and sees which cases of the suite find them.

The adapter itself stays as it is: a fault is a wrapper around each store that
its harness makes. What the suite does not find in this adapter with a fault, it
would not find in an adapter that has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from time import perf_counter
from typing import Final

from memory_fidelity.testing.case import Case
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.examine import Examination, examine
from memory_fidelity.testing.faults import FAULTS, Fault
from memory_fidelity.testing.faults.probe import Inert, Probing
from memory_fidelity.testing.harness import HarnessFactory
from memory_fidelity.testing.kills import WORST_FIRST, FaultResult, Killing, KillReport
from memory_fidelity.testing.own_loop import in_own_loop
from memory_fidelity.testing.runner import Declarations, declarations, run_case, suite_id
from memory_fidelity.testing.trial import Setting

__all__ = ["Found", "Mutation", "NoBaseline", "cases_for", "kill_report", "mutate"]

_BY_ID: Final = {case.id: case for case in CASES}
_SUMMARIES: Final = frozenset({"manifest.accuracy", "fidelity.claim"})
"""They ask again what others ask, and take longest: run only against faults that are theirs."""

_PATIENCE: Final = 0.25
"""Seconds after which a call in trouble hangs; no honest adapter is judged by it."""

Found = Callable[[FaultResult], None]
"""Told of each fault as it is decided."""


class NoBaseline(ValueError):
    """The adapter fails without any fault, so that nothing can be told by one more."""


class Mutation:
    """One adapter whose faults are tried: what it declares, and what it does without them."""

    def __init__(self, factory: HarnessFactory) -> None:
        """Read the declarations; the suite is not run.

        Raises:
            NoBaseline: the stores lack a manifest or a card.
        """
        self._factory = factory
        self._probing = Probing(factory)
        declared: Declarations = declarations(Setting(factory, "fake"))
        if declared.manifest is None or declared.card is None:
            raise NoBaseline("expected stores with a manifest and a card, got none")
        self.manifest, self.card = declared.manifest, declared.card

    def baseline(self) -> None:
        """Run the suite without any fault.

        Raises:
            NoBaseline: a case neither passed nor was inapplicable.
        """
        for case in CASES:
            result = run_case(case, Setting(self._factory, "fake"))
            if result.outcome not in ("pass", "not applicable"):
                raise NoBaseline(
                    f"expected an adapter that conforms before any fault is put into it, "
                    f"got {result.outcome} in {case.id}"
                )

    def result(self, fault: Fault, *, every_case: bool = True) -> FaultResult:
        """Try one fault: see that it is active, and run its own case, or every one."""
        ended = FaultResult(
            fault=fault.name,
            story=fault.story,
            case=fault.case,
            names=fault.names,
            killing="not applicable",
            reason=fault.unless(self.manifest, self.card),
        )
        if ended.reason is not None:
            return ended
        try:
            active = self._probing.difference(fault.probe, fault.over)
        except Inert as why:
            return ended.model_copy(update={"killing": "inert", "reason": str(why)})
        endings = self._endings(fault, cases_for(fault) if every_case else [_BY_ID[fault.case]])
        return ended.model_copy(
            update={
                "killing": _killing(fault, endings),
                "active": active,
                "outcomes": {case: ended.outcome for case, ended in endings.items()},
            }
        )

    def _endings(self, fault: Fault, cases: Iterable[Case]) -> dict[str, Examination]:
        """How each case ends over one fault: a harness of its own for each, one loop for all."""
        setting = Setting(self._factory, "fake", spoiled=fault.over, patience=_PATIENCE)
        endings: dict[str, Examination] = {}

        async def examined() -> None:
            for case in cases:
                endings[case.id] = await examine(case, setting)

        in_own_loop(examined)
        return endings


def cases_for(fault: Fault) -> list[Case]:
    """The cases that are run against a fault."""
    return [case for case in CASES if case.id == fault.case or case.id not in _SUMMARIES]


def mutate(
    factory: HarnessFactory,
    *,
    target: str,
    faults: Iterable[Fault] = tuple(FAULTS.values()),
    every_case: bool = True,
    found: Found | None = None,
    reproduce: str = "memory_fidelity.testing.mutate(...)",
) -> KillReport:
    """Put each fault around the adapter of a fake lane, and report what found it.

    Args:
        factory: makes the harness of the fake lane.
        target: what to call the adapter in the report.
        faults: the faults to try.
        every_case: run every case against every fault; otherwise only its own.
        found: is told of each fault as it is decided.
        reproduce: the command to put into the report.

    Raises:
        NoBaseline: the adapter is not conformant to begin with.
    """
    started, clock = datetime.now(UTC), perf_counter()
    mutation = Mutation(factory)
    mutation.baseline()
    results = []
    for fault in faults:
        results.append(mutation.result(fault, every_case=every_case))
        if found is not None:
            found(results[-1])
    return kill_report(
        results, mutation.manifest.adapter, target=target, started=started,
        seconds=perf_counter() - clock, reproduce=reproduce,
    )  # fmt: skip


def kill_report(
    results: Iterable[FaultResult],
    adapter: str,
    *,
    target: str,
    started: datetime,
    seconds: float,
    reproduce: str,
) -> KillReport:
    """Put results together, the worst first."""
    ordered = sorted(results, key=lambda each: WORST_FIRST.index(each.killing))
    return KillReport(
        suite=suite_id(),
        target=target,
        adapter=adapter,
        cases=tuple(case.id for case in CASES),
        results=tuple(ordered),
        when=started,
        seconds=round(seconds, 1),
        reproduce=reproduce,
    )


def _killing(fault: Fault, endings: Mapping[str, Examination]) -> Killing:
    failed = [case for case, ended in endings.items() if ended.outcome == "fail"]
    if fault.case in failed:
        subjects = {finding.subject for finding in endings[fault.case].findings}
        if subjects & {*fault.names}:
            return "killed"
    return "misnamed" if failed else "survived"

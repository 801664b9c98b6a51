"""Proves that a case still has teeth where it has just passed: it must find a planted fault.

A comparison that was replaced, a check that was silenced or a case that was
taken out makes every adapter look right. So a pass counts only if the same case,
in the same process, fails over a built-in fake into which its own fault was
put. What replaces the runner itself cannot be told from within.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from memory_fidelity.fake.behaviour import EVENTUAL, FULL, LOSSY, NATIVE_FIELDS, FakeBehaviour
from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.testing.case import Case
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.examine import Examination, examine
from memory_fidelity.testing.faults import FAULTS, Fault
from memory_fidelity.testing.trial import Setting

__all__ = ["SELF_PROVING", "every_case_id", "planted", "uncalibrated"]

SELF_PROVING: Final = frozenset({"manifest.accuracy"})
"""Passes only if other cases, run by itself, fail: it cannot pass in a suite without teeth."""

_FAKES: Final = tuple(
    (behaviour, behaviour.manifest(), behaviour.card())
    for behaviour in (FULL, EVENTUAL, LOSSY, NATIVE_FIELDS)
)


def every_case_id() -> tuple[str, ...]:
    """The ids of all cases, those included that were taken out and have a fault of their own."""
    known = [case.id for case in CASES]
    return tuple(dict.fromkeys((*known, *(fault.case for fault in FAULTS.values()))))


@cache
def planted(case_id: str) -> tuple[Fault, FakeBehaviour] | None:
    """The fault that a case is held against, and the fake that it can be put into."""
    for fault in FAULTS.values():
        if fault.case != case_id:
            continue
        for behaviour, manifest, card in _FAKES:
            if fault.unless(manifest, card) is None:
                return fault, behaviour
    return None


async def uncalibrated(case: Case) -> str | None:
    """Return why a pass of this case counts for nothing, or `None` if it counts."""
    if case.id in SELF_PROVING or (found := planted(case.id)) is None:
        return None
    fault, behaviour = found
    ended = await examine(case, Setting(_harness(behaviour), "fake", spoiled=fault.over))
    if _finds(ended, fault):
        return None
    return (
        f"the suite has lost its teeth: this case did not find the fault {fault.name} that was "
        f"planted for it, and ended as {ended.outcome}; is a part of the suite replaced?"
    )


def _harness(behaviour: FakeBehaviour) -> Callable[[], FakeHarness]:
    return lambda: FakeHarness(behaviour)


def _finds(ended: Examination, fault: Fault) -> bool:
    subjects = {finding.subject for finding in ended.findings}
    return ended.outcome == "fail" and bool(subjects & {*fault.names})

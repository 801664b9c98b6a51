"""Proves that a case still has teeth where it has just passed: it must find a planted fault.

A comparison that was replaced, a check that was silenced or a case that was
taken out makes every adapter look right. So a pass counts only if the same case,
in the same process, fails over a built-in fake into which its own fault was
put. What replaces the runner itself cannot be told from within.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from memory_fidelity.card import AdapterCard
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.testing.case import Case
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.examine import Examination, examine
from memory_fidelity.testing.faults import FAULTS, Fault
from memory_fidelity.testing.harness import HarnessFactory
from memory_fidelity.testing.trial import Setting

__all__ = ["SELF_PROVING", "every_case_id", "planted", "uncalibrated"]

SELF_PROVING: Final = frozenset({"manifest.accuracy"})
"""Passes only if other cases, run by itself, fail: it cannot pass in a suite without teeth."""


@dataclass(frozen=True, slots=True)
class _Fake:
    harness: HarnessFactory
    manifest: MemoryAdapterManifest
    card: AdapterCard


def every_case_id() -> tuple[str, ...]:
    """The ids of all cases, those included that were taken out and have a fault of their own."""
    known = [case.id for case in CASES]
    return tuple(dict.fromkeys((*known, *(fault.case for fault in FAULTS.values()))))


@cache
def planted(case_id: str) -> tuple[Fault, HarnessFactory] | None:
    """The fault that a case is held against, and the fake that it can be put into."""
    for fault in FAULTS.values():
        if fault.case != case_id:
            continue
        for fake in _fakes():
            if fault.unless(fake.manifest, fake.card) is None:
                return fault, fake.harness
    return None


async def uncalibrated(case: Case) -> str | None:
    """Return why a pass of this case counts for nothing, or `None` if it counts."""
    if case.id in SELF_PROVING or (found := planted(case.id)) is None:
        return None
    fault, harness = found
    ended = await examine(case, Setting(harness, "fake", spoiled=fault.over))
    if _finds(ended, fault):
        return None
    return (
        f"the suite has lost its teeth: this case did not find the fault {fault.name} that was "
        f"planted for it, and ended as {ended.outcome}; is a part of the suite replaced?"
    )


@cache
def _fakes() -> tuple[_Fake, ...]:
    # The fake implements the protocols of this package, and so cannot be imported before them.
    from memory_fidelity.fake import EVENTUAL, FULL, LOSSY, NATIVE_FIELDS, FakeHarness

    return tuple(
        _Fake(partial(FakeHarness, behaviour), behaviour.manifest(), behaviour.card())
        for behaviour in (FULL, EVENTUAL, LOSSY, NATIVE_FIELDS)
    )


def _finds(ended: Examination, fault: Fault) -> bool:
    subjects = {finding.subject for finding in ended.findings}
    return ended.outcome == "fail" and bool(subjects & {*fault.names})

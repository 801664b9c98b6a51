"""One case against one harness: from a fresh store to an outcome."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from memory_fidelity.testing.case import Case
from memory_fidelity.testing.endings import fault_of
from memory_fidelity.testing.harness import Journal, MemoryAdapterHarness, ServiceMissing
from memory_fidelity.testing.report import Finding
from memory_fidelity.testing.trial import RigFault, Setting, Trial, Unmet, Untried
from memory_fidelity.testing.verdict import Outcome

__all__ = ["DEADLINE", "OPERATIONS", "Examination", "closed", "examine", "open_trial"]

DEADLINE: Final = 30.0
"""Seconds that one case may take before it is inconclusive."""

OPERATIONS: Final = ("store", "retrieve", "search")
"""What every memory store has."""

_METHODS: Final = [name for name in vars(MemoryAdapterHarness) if not name.startswith("_")]


@dataclass(frozen=True, slots=True)
class Examination:
    """How one case ended."""

    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    reason: str | None = None
    notes: tuple[str, ...] = ()


async def examine(case: Case, setting: Setting) -> Examination:
    """Run the case over a fresh harness, and close the harness whatever happens."""
    if setting.lane not in case.lanes:
        needed = "a fake transport" if case.lanes == ("fake",) else "a live service beside a fake"
        return Examination("not applicable", reason=f"needs {needed}")
    if case.lanes == ("live",) and setting.other_manifest is None:
        return Examination("not applicable", reason="the fake lane was not run beside this one")
    try:
        trial = open_trial(setting)
    except RigFault as fault:
        return Examination("error", reason=str(fault))
    except Untried as missing:
        return Examination("not run", reason=str(missing))
    try:
        ended = await _ended(case, trial)
    finally:
        unclosed = await closed(trial.harness)
    if unclosed and ended.outcome == "pass":
        return Examination("error", reason=unclosed, notes=ended.notes)
    return ended


def open_trial(setting: Setting) -> Trial:
    """Make the harness.

    Raises:
        RigFault: it cannot be made, or is none.
        Untried: its service cannot be had.
    """
    try:
        harness = setting.factory()
    except ServiceMissing as error:
        raise Untried(str(error)) from error
    except Exception as error:
        raise RigFault(f"the harness could not be made: {fault_of(error)}") from error
    if not isinstance(harness, MemoryAdapterHarness):
        raise RigFault(_what_is_missing(harness))
    return Trial(setting, harness)


def _what_is_missing(harness: object) -> str:
    missing = ", ".join(name for name in _METHODS if not hasattr(harness, name))
    return f"expected the five methods of a harness, {type(harness).__name__} has no {missing}"


async def _ended(case: Case, trial: Trial) -> Examination:
    deadline = asyncio.timeout(DEADLINE)
    try:
        async with deadline:
            early = await _run(case, trial)
    except RigFault as fault:
        early = Examination("error", reason=str(fault), notes=trial.all_notes)
    except Untried as missing:
        early = Examination("not run", reason=str(missing), notes=trial.all_notes)
    except TimeoutError as error:
        if not deadline.expired():
            return _suite_fault(error)
        early = Examination("inconclusive", reason=f"no end within {DEADLINE:g} seconds")
    except Exception as error:  # noqa: BLE001 - the boundary where a broken case becomes an outcome
        return _suite_fault(error)
    if trial.findings:
        return Examination("fail", tuple(trial.findings), notes=trial.all_notes)
    return early or Examination("pass", notes=trial.all_notes)


async def _run(case: Case, trial: Trial) -> Examination | None:
    await trial.open()
    if trial.manifest is None and case.judges_manifest:
        return Examination("not run", reason="the store publishes no manifest to judge")
    if trial.manifest is not None and (reason := case.inapplicable(trial.manifest)):
        return Examination("not applicable", reason=reason)
    # Asked after that: what does not apply needs no control.
    missing = [need.__name__ for need in case.needs if not isinstance(trial.harness, need)]
    if missing and not (trial.setting.lane == "live" and case.live_without):
        return Examination("not run", reason=f"the harness has no control {', '.join(missing)}")
    if case.control:
        if lacking := [name for name in OPERATIONS if not hasattr(trial.store, name)]:
            return Examination("not run", reason=f"the store has no {' and no '.join(lacking)}")
        await trial.prove_control()
        if isinstance(trial.harness, Journal):
            await trial.prove_journal()
    with suppress(Unmet):  # reported when it was raised
        await case.body(trial)
    return None


async def closed(harness: MemoryAdapterHarness) -> str | None:
    """Close the harness, and return what went wrong with that."""
    try:
        async with asyncio.timeout(DEADLINE):
            await harness.close()
    except Exception as error:  # noqa: BLE001 - the boundary where a broken harness becomes an outcome
        return f"the harness could not be closed: {fault_of(error)}"
    return None


def _suite_fault(error: Exception) -> Examination:
    return Examination("error", reason=f"the case itself failed: {fault_of(error)}")

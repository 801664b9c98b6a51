"""Runs the cases: each in an event loop of its own, over a harness of its own."""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter
from typing import Final

from memory_fidelity.card import AdapterCard
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.testing.calibration import every_case_id, uncalibrated
from memory_fidelity.testing.case import Case
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.corpus import CORPUS_VERSION
from memory_fidelity.testing.examine import Examination, closed, examine, open_trial
from memory_fidelity.testing.harness import HarnessFactory, NamesService
from memory_fidelity.testing.own_loop import in_own_loop
from memory_fidelity.testing.report import CaseResult, Environment, LaneReport, Report
from memory_fidelity.testing.trial import RigFault, Setting, Untried
from memory_fidelity.testing.verdict import Lane, grade, verdict, worst

__all__ = [
    "Declarations",
    "Progress",
    "check",
    "check_sync",
    "declarations",
    "harness_name",
    "missing_case",
    "run_case",
    "suite_id",
]

_PACKAGES: Final = ("lionagi", "memory-fidelity", "pydantic")

Progress = Callable[[Lane, CaseResult], None]
"""Told of each case as it ends."""


async def check(
    *,
    fake: HarnessFactory | None = None,
    live: HarnessFactory | None = None,
    only: str | None = None,
    progress: Progress | None = None,
    reproduce: str = "memory_fidelity.testing.check(...)",
) -> Report:
    """Run the conformance matrix in the lanes given, and return the report.

    Works wherever there is a running event loop, a notebook included: the cases
    run in threads of their own.

    Args:
        fake: makes the harness of the deterministic lane.
        live: makes the harness of the lane over the real service.
        only: a glob over case ids; what it leaves out is *not run*, and the
            verdict *incomplete*.
        progress: is told of each case as it ends.
        reproduce: the command to put into the report.

    Raises:
        ValueError: no lane is given, or `only` matches no case.
    """
    return await asyncio.to_thread(
        check_sync, fake=fake, live=live, only=only, progress=progress, reproduce=reproduce
    )


def check_sync(
    *,
    fake: HarnessFactory | None = None,
    live: HarnessFactory | None = None,
    only: str | None = None,
    progress: Progress | None = None,
    reproduce: str = "memory_fidelity.testing.check_sync(...)",
) -> Report:
    """Run the same as `check`, where there is no event loop."""
    lanes: list[tuple[Lane, HarnessFactory]] = []
    if fake is not None:
        lanes.append(("fake", fake))
    if live is not None:
        lanes.append(("live", live))
    if not lanes:
        raise ValueError("check: expected a fake or a live harness, got neither")
    if only is not None and not any(fnmatchcase(case.id, only) for case in CASES):
        raise ValueError(f"check: expected a pattern that matches a case id, got {only!r}")
    started = datetime.now(UTC)
    manifest: MemoryAdapterManifest | None = None
    card: AdapterCard | None = None
    reports = []
    for lane, factory in lanes:
        setting = Setting(factory, lane, other_manifest=manifest)
        report, declared = _run_lane(setting, only, progress)
        manifest, card = manifest or declared.manifest, card or declared.card
        reports.append(report)
    verdicts = {report.lane: report.verdict for report in reports}
    return Report(
        suite=suite_id(),
        adapter=manifest.adapter if manifest else None,
        manifest=manifest,
        card=card,
        verdict=worst(verdicts.values()),
        grade=grade(verdicts.get("fake"), verdicts.get("live")),
        lanes=tuple(reports),
        environment=_environment(),
        when=started,
        reproduce=reproduce,
    )


def run_case(case: Case, setting: Setting) -> CaseResult:
    """Run one case in a thread and an event loop of its own."""
    started = perf_counter()
    ended = in_own_loop(lambda: examine(case, setting))
    if ended is None:
        ended = Examination("inconclusive", reason="the thread of the case could not be stopped")
    if ended.outcome == "pass" and setting.spoiled is None:
        ended = _calibrated(case, ended)
    return CaseResult(
        case=case.id,
        version=case.version,
        clauses=case.clauses,
        title=case.title,
        outcome=ended.outcome,
        findings=ended.findings,
        reason=ended.reason,
        notes=ended.notes,
        milliseconds=round((perf_counter() - started) * 1000, 3),
    )


def _calibrated(case: Case, passed: Examination) -> Examination:
    why = in_own_loop(lambda: uncalibrated(case))
    return passed if why is None else Examination("error", reason=why, notes=passed.notes)


@dataclass(frozen=True, slots=True)
class Declarations:
    """What a harness and its stores say of themselves, as far as they do."""

    manifest: MemoryAdapterManifest | None = None
    card: AdapterCard | None = None
    service: Mapping[str, str] = field(default_factory=dict)


def declarations(setting: Setting) -> Declarations:
    """Read what the stores of a harness declare."""
    return in_own_loop(lambda: _read_declarations(setting)) or Declarations()


def suite_id() -> str:
    """The version of the suite, with a digest of its cases and of its corpus."""
    digest = sha256(f"corpus {CORPUS_VERSION}".encode())
    for case in CASES:
        digest.update(f"\n{case.id}@{case.version}".encode())
    return f"{_installed('memory-fidelity')}+{digest.hexdigest()[:12]}"


def harness_name(factory: HarnessFactory) -> str:
    """Where a harness is found, as the command line takes it: `module:name`."""
    named = factory if hasattr(factory, "__qualname__") else type(factory)
    return f"{named.__module__}:{named.__qualname__}"


def _run_lane(
    setting: Setting, only: str | None, progress: Progress | None
) -> tuple[LaneReport, Declarations]:
    declared = declarations(setting)
    results = []
    for result in _results(setting, only):
        results.append(result)
        if progress is not None:
            progress(setting.lane, result)
    report = LaneReport(
        lane=setting.lane,
        harness=harness_name(setting.factory),
        service=dict(declared.service),
        verdict=verdict(result.outcome for result in results),
        results=tuple(results),
    )
    return report, declared


def _results(setting: Setting, only: str | None) -> Iterator[CaseResult]:
    for case in CASES:
        if only is None or fnmatchcase(case.id, only):
            yield run_case(case, setting)
        else:
            yield CaseResult(
                case=case.id,
                version=case.version,
                clauses=case.clauses,
                title=case.title,
                outcome="not run",
                reason=f"not selected by {only!r}",
                milliseconds=0,
            )
    present = {case.id for case in CASES}
    yield from (missing_case(known) for known in every_case_id() if known not in present)


def missing_case(case_id: str) -> CaseResult:
    """The result of a case that the suite has lost."""
    return CaseResult(
        case=case_id,
        version=1,
        clauses=(),
        title="This case belongs to the suite, and is not in it.",
        outcome="not run",
        reason="the case was taken out of the suite",
        milliseconds=0,
    )


async def _read_declarations(setting: Setting) -> Declarations:
    try:
        trial = open_trial(setting)
    except (RigFault, Untried):
        return Declarations()  # each case has said so
    with suppress(RigFault, Untried):
        await trial.open()
    service = _service_of(trial.harness)
    await closed(trial.harness)
    return Declarations(trial.manifest, trial.card, service)


def _service_of(harness: object) -> dict[str, str]:
    named: object = harness.service if isinstance(harness, NamesService) else {}
    # A harness may well call the service itself by this name; that states no versions.
    if not isinstance(named, Mapping):
        return {}
    return {str(name): value for name, value in named.items() if isinstance(value, str)}


def _environment() -> Environment:
    return Environment(
        python=platform.python_version(),
        system=platform.system(),
        packages={name: _installed(name) for name in _PACKAGES},
    )


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"

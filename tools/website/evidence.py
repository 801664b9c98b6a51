"""The committed evidence: one report for each shipped adapter and each broken one.

    python -m tools.website.evidence

judges all of them again and writes `docs/evidence/`. The pages are rendered from
these files, so each cell on the site has a command, versions and a date; a test
fails when the code no longer gives what they say. Where the service of a live
lane cannot be had, nothing is written.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memory_fidelity.testing.rendering.interchange import read_report, report_json
from memory_fidelity.testing.report import CaseResult, Report
from memory_fidelity.testing.runner import check_sync, harness_name
from memory_fidelity.testing.subjects import SUBJECTS
from memory_fidelity.testing.targets import TARGETS, harness, lanes

__all__ = [
    "FOLDER",
    "Evidence",
    "judge_subject",
    "judge_target",
    "read_evidence",
    "substance",
    "unserved",
]

FOLDER: Final = "evidence"
"""Where the reports are, under `docs`."""

_BROKEN: Final = "broken"


@dataclass(frozen=True, slots=True)
class Evidence:
    """All reports that were committed."""

    targets: dict[str, Report]
    """By the name of a built-in target."""
    subjects: dict[str, Report]
    """By the name of a broken adapter."""


def judge_target(name: str) -> Report:
    """Judge a built-in target as `memory-fidelity check` does, in all its lanes."""
    factories = {lane: harness(place) for lane, place in lanes(name).items()}
    return check_sync(
        fake=factories.get("fake"),
        live=factories.get("live"),
        reproduce=f"memory-fidelity check {name}",
    )


def judge_subject(name: str) -> Report:
    """Judge one of the broken adapters."""
    factory = SUBJECTS[name].harness
    return check_sync(fake=factory, reproduce=f"memory-fidelity check {harness_name(factory)}")


def read_evidence(folder: Path) -> Evidence:
    """Return the committed reports.

    Raises:
        OSError: one is missing; `python -m tools.website.evidence` writes them all.
    """
    return Evidence(
        targets={name: _read(folder / f"{name}.json") for name in TARGETS},
        subjects={name: _read(folder / _BROKEN / f"{name}.json") for name in SUBJECTS},
    )


def unserved(report: Report) -> str | None:
    """Return why a lane did not run at all, if one did not: its service cannot be had."""
    for lane in report.lanes:
        ran = [each for each in lane.results if each.outcome != "not applicable"]
        if all(each.outcome == "not run" for each in ran):
            return f"{lane.lane}: {next((each.reason for each in ran), 'no case applies')}"
    return None


def substance(report: Report) -> dict[str, Any]:
    """Return what a report claims: everything but when, where and in which words it was found."""
    return {
        "suite": report.suite,
        "manifest": report.manifest,
        "verdict": report.verdict,
        "grade": report.grade,
        "reproduce": report.reproduce,
        "lanes": {
            lane.lane: [
                (each.case, each.version, each.clauses, each.title, each.outcome, _subjects(each))
                for each in lane.results
            ]
            for lane in report.lanes
        },
    }


def _subjects(result: CaseResult) -> tuple[str, ...]:
    return tuple(dict.fromkeys(finding.subject for finding in result.findings))


def write_evidence(folder: Path) -> None:
    """Judge everything again, and write the reports.

    Raises:
        SystemExit: a service cannot be had; nothing was written.
    """
    reports = {folder / f"{name}.json": judge_target(name) for name in TARGETS} | {
        folder / _BROKEN / f"{name}.json": judge_subject(name) for name in SUBJECTS
    }
    for path, report in reports.items():
        if reason := unserved(report):
            raise SystemExit(
                f"{path.stem}: expected every lane to run, got one that did not: {reason}"
            )
    (folder / _BROKEN).mkdir(parents=True, exist_ok=True)
    for path in (*folder.glob("*.json"), *folder.glob(f"{_BROKEN}/*.json")):
        path.unlink()
    for path, report in reports.items():
        path.write_text(report_json(report), encoding="utf-8")
        sys.stdout.write(f"{path.relative_to(folder)}: {report.verdict} ({report.grade})\n")


def _read(path: Path) -> Report:
    return read_report(path.read_bytes())


if __name__ == "__main__":
    write_evidence(Path(__file__).parents[2] / "docs" / FOLDER)

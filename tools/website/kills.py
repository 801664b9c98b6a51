"""The committed kill matrices: every deliberate fault against every case, for four targets.

    python -m tools.website.kills

tries all of them again and writes `docs/evidence/kills/`. What is written is a
kill report without what passed: a cell of the matrix is either a case that
found the fault, or blank. A test tries each fault again against its own case,
and a part of the matrix as a whole.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Final

from memory_fidelity.commands.fault_pool import tried
from memory_fidelity.testing.faults import FAULTS
from memory_fidelity.testing.kills import FaultResult, KillReport
from memory_fidelity.testing.mutation import Mutation, kill_report
from memory_fidelity.testing.targets import harness, lanes

__all__ = ["KILLS", "MUTATED", "Kills", "read_kills", "without_passes"]

KILLS: Final = "evidence/kills"
"""Where the reports are, under `docs`."""

MUTATED: Final = ("fake", "fake-eventual", "sqlite", "postgres")
"""The targets into whose fake lane the faults are put."""

Kills = dict[str, KillReport]
"""The committed reports, by target."""


def read_kills(folder: Path) -> Kills:
    """Return the committed reports.

    Raises:
        OSError: one is missing; `python -m tools.website.kills` writes them all.
    """
    return {name: _read(folder / f"{name}.json") for name in MUTATED}


def without_passes(result: FaultResult) -> FaultResult:
    """Return a result with the outcomes that a matrix shows."""
    shown = {
        case: outcome
        for case, outcome in result.outcomes.items()
        if outcome not in ("pass", "not applicable")
    }
    return result.model_copy(update={"outcomes": shown, "active": None})


def write_kills(folder: Path) -> None:
    """Try every fault over each target, and write the reports."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in MUTATED:
        place = lanes(name)["fake"]
        started, clock = datetime.now(UTC), perf_counter()
        mutation = Mutation(harness(place))
        mutation.baseline()
        results = list(tried(place, list(FAULTS), jobs=os.cpu_count() or 1, every_case=True))
        report = kill_report(
            map(without_passes, results),
            mutation.manifest.adapter,
            target=name,
            started=started,
            seconds=perf_counter() - clock,
            reproduce=f"memory-fidelity mutate {name} --every-case",
        )
        (folder / f"{name}.json").write_text(_json(report), encoding="utf-8")
        sys.stdout.write(f"{name}: {len(report.of('killed'))} of {len(report.results)} killed\n")


def _json(report: KillReport) -> str:
    """One line for each fault, so that a change can be read."""
    whole = report.model_copy(update={"results": ()}).model_dump_json()
    lines = ",\n".join(each.model_dump_json() for each in report.results)
    return whole.replace('"results":[]', f'"results":[\n{lines}\n]') + "\n"


def _read(path: Path) -> KillReport:
    return KillReport.model_validate_json(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    write_kills(Path(__file__).parents[2] / "docs" / KILLS)

"""Measure, print the tables, write them as JSON: `python -m benchmarks --help`."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from benchmarks.layer import layer_costs
from benchmarks.measuring import Measured, measure_size
from benchmarks.peers import PEERS
from benchmarks.processes import import_costs, suite_costs
from benchmarks.rounds import QUICK, Plan
from benchmarks.tables import as_json, as_text
from benchmarks.targets import Outcome, outcomes

__all__ = ["main", "pin"]

_SIZES: Final = (1_000, 10_000, 100_000)
_DISTRIBUTIONS: Final = ("memory-fidelity", "lionagi", "pydantic", "langgraph-checkpoint-sqlite")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and return its exit code.

    0: done. With `--check`: 1 if a target is missed, and 2 if none is but some were not measured.
    """
    asked = _parser().parse_args(arguments)
    if asked.processor is not None:
        pin(asked.processor)
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    for name, entry in PEERS.items():
        if not entry.installed:
            _say(f"not measured: {name}: expected the module {entry.needs}, got none")
    plan = QUICK if asked.quick else Plan(rounds=asked.rounds)
    measured = Measured(
        sizes={
            size: measure_size(size, asked.seed, plan, asked.json.parent, _say)
            for size in sorted(asked.sizes)
        },
        layer=layer_costs(asked.seed),
        imports=import_costs(plan.processes),
        suite=suite_costs(plan.processes),
    )
    found = outcomes(measured)
    print(as_text(measured, found))
    written = as_json(measured, found, _conditions(asked.seed, plan))
    asked.json.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    _say(f"written: {asked.json}")
    return _exit_code(found) if asked.check else 0


def pin(processor: int) -> None:
    """Keep this process, and those that it starts, on one processor.

    Raises:
        SystemExit: the system cannot do that, or has no such processor.
    """
    if not hasattr(os, "sched_setaffinity"):
        raise SystemExit(f"--processor: expected a system with affinity, got {sys.platform}")
    try:
        os.sched_setaffinity(0, {processor})
    except OSError as error:
        raise SystemExit(f"--processor: expected one of this machine's, got {processor}") from error


def _say(text: str) -> None:
    """Say what is going on, without getting into the tables."""
    print(text, file=sys.stderr, flush=True)


def _exit_code(found: Sequence[Outcome]) -> int:
    for outcome in found:
        if outcome.met is not True:
            word = "missed" if outcome.met is False else "not measured"
            _say(f"{word}: {outcome.target.name}: {outcome.target.wanted}, got {outcome.figure}")
    results = [outcome.met for outcome in found]
    return 1 if False in results else 2 if None in results else 0


def _conditions(seed: int, plan: Plan) -> dict[str, Any]:
    return {
        "seed": seed,
        "plan": asdict(plan),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
        "usable": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "sqlite": sqlite3.sqlite_version,
        "versions": {name: _version(name) for name in _DISTRIBUTIONS},
    }


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _positive(text: str) -> int:
    number = int(text.replace("_", "").replace(",", ""))
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected 1 or more, got {number}")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure the SQLite store against its peers, interleaved in one run.",
    )
    add = parser.add_argument
    add("--sizes", nargs="+", type=_positive, default=_SIZES, help="numbers of items")
    add("--seed", type=int, default=1, help="of the items and the questions")
    add("--rounds", type=_positive, default=5, help="rounds; a ratio is their median")
    add("--quick", action="store_true", help="see that it works; the figures mean nothing")
    add("--json", type=Path, default=Path("build/benchmarks.json"), help="where figures go")
    add("--processor", type=int, help="keep everything on this one (Linux); see README.md")
    add("--check", action="store_true", help="fail if a target is missed or was not measured")
    return parser


if __name__ == "__main__":
    sys.exit(main())

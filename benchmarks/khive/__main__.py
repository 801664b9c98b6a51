"""Measure, and print the table: `python -m benchmarks.khive --help`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.bounds import judged
from benchmarks.command_line import exit_code, positive, say
from benchmarks.khive.run import TARGETS, Plan, as_text, measure
from memory_fidelity.adapters.khive import McpServer, khive_server
from memory_fidelity.adapters.khive_live import khive_program
from memory_fidelity.testing import ServiceMissing

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and return its exit code.

    0: done. 3: khive's program is not here. With `--check`: 1 if a target is missed.
    """
    asked = _parser().parse_args(arguments)
    try:
        program = khive_program()
    except ServiceMissing as missing:
        say(f"not measured: {missing}")
        return 3
    with TemporaryDirectory(prefix="khive-bench-", ignore_cleanup_errors=True) as folder:
        given = khive_server(Path(folder, "khive.db"), program=program)
        server = McpServer(given.command, {**given.environment, "HOME": folder})
        measured = asyncio.run(measure(server, Plan(asked.rounds, asked.calls)))
    found = judged(TARGETS, measured)
    print(as_text(measured, found))
    return exit_code(found) if asked.check else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.khive",
        description="Measure the khive store against bare calls, in turn, on one database.",
    )
    add = parser.add_argument
    add("--rounds", type=positive, default=9, help="rounds; a ratio is their median")
    add("--calls", type=positive, default=20, help="of each operation and side in a round")
    add("--check", action="store_true", help="fail if a target is missed")
    return parser


if __name__ == "__main__":
    sys.exit(main())

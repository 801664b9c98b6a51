"""What the commands of all benchmarks have in common: options, progress, exit codes, conditions."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

from benchmarks.bounds import Outcome
from benchmarks.rounds import Plan

__all__ = ["conditions", "exit_code", "pin", "positive", "say"]

Run = TypeVar("Run")


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


def say(text: str) -> None:
    """Say what is going on, without getting into the tables."""
    print(text, file=sys.stderr, flush=True)


def exit_code(found: Sequence[Outcome[Run]]) -> int:
    """Name each target that is not met; 1 if one is missed, 2 if some were not measured, else 0."""
    for outcome in found:
        if outcome.met is not True:
            word = "missed" if outcome.met is False else "not measured"
            say(f"{word}: {outcome.target.name}: {outcome.target.wanted}, got {outcome.figure}")
    results = [outcome.met for outcome in found]
    return 1 if False in results else 2 if None in results else 0


def conditions(seed: int, plan: Plan, distributions: Iterable[str]) -> dict[str, Any]:
    """Return what the figures depend on, to be written beside them."""
    return {
        "seed": seed,
        "plan": asdict(plan),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
        "usable": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "versions": {name: _version(name) for name in distributions},
    }


def positive(text: str) -> int:
    """Read a number of 1 or more, as an option's value."""
    number = int(text.replace("_", "").replace(",", ""))
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected 1 or more, got {number}")
    return number


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None

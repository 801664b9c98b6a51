"""One kit, in its own environment: what its probes see, or what its tests find in one backend.

    python -m benchmarks.kits.trial FOLDER ANSWER about
    python -m benchmarks.kits.trial FOLDER ANSWER run plain|faulty|FAULT [SWITCH]

The answer is written as JSON to the file ANSWER.
"""

from __future__ import annotations

import asyncio
import json
import platform
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.kits.faults import FAULTS
from benchmarks.kits.kit import Kit
from benchmarks.kits.probes import observed

__all__ = ["kit", "main"]


def kit(folder: str) -> Kit:
    """Return the kit that a folder describes."""
    described: Kit = import_module(f"benchmarks.kits.{folder}.backend").KIT
    return described


def main(arguments: Sequence[str]) -> None:
    """Carry out one command."""
    folder, answer, command, *rest = arguments
    told = about(kit(folder)) if command == "about" else run(kit(folder), *rest)
    Path(answer).write_text(json.dumps(told), encoding="utf-8")


def about(judge: Kit) -> dict[str, Any]:
    """Return the versions that are installed, and what shows that each fault is active."""
    return {
        "python": platform.python_version(),
        "versions": {name: version(name) for name in judge.distributions},
        "seen": dict(_seen(judge)),
    }


def run(judge: Kit, backend: str, switch: str | None = None) -> dict[str, Any]:
    """Return what the kit finds in its backend, as it is or with a fault."""
    chosen = judge.plain() if backend == "plain" else judge.faulty(_fault(backend))
    return asdict(judge.run(chosen, switch))


def _seen(judge: Kit) -> Iterator[tuple[str, dict[str, str]]]:
    for fault in FAULTS:
        if fault not in judge.left_out:
            yield (
                fault,
                {
                    name: asyncio.run(observed(fault, judge.door(backend)))
                    for name, backend in (
                        ("without", judge.plain()),
                        ("carrier", judge.faulty(None)),
                        ("with", judge.faulty(fault)),
                    )
                },
            )


def _fault(name: str) -> str | None:
    return None if name == "faulty" else name


if __name__ == "__main__":
    main(sys.argv[1:])

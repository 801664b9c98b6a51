"""What only a fresh process can tell: how long importing takes, and the suite's own lanes."""

from __future__ import annotations

import subprocess
import sys
from statistics import median
from typing import Final

from memory_fidelity.testing.targets import lanes

__all__ = ["import_costs", "suite_costs"]

_BASE: Final = "lionagi.protocols.memory"
_OURS: Final = ("memory_fidelity", "memory_fidelity.adapters.sqlite")

_IMPORT: Final = """
import sys, time
from importlib import import_module
for name in sys.argv[2:]:
    import_module(name)
started = time.perf_counter()
import_module(sys.argv[1])
print(time.perf_counter() - started)
"""

_SUITE: Final = """
import sys, time
from memory_fidelity.testing import check_sync
from memory_fidelity.testing.targets import harness
fake = harness(sys.argv[1])
started = time.perf_counter()
check_sync(fake=fake)
print(time.perf_counter() - started)
"""


def import_costs(processes: int) -> dict[str, float]:
    """Return milliseconds to import each module, ours beyond what lionagi has imported: the best
    of several, for nothing but noise makes one import slower than another."""
    costs = {_BASE: [_seconds(_IMPORT, _BASE) for _ in range(processes)]}
    for name in _OURS:
        costs[name] = [_seconds(_IMPORT, name, _BASE) for _ in range(processes)]
    return {name: min(each) * 1e3 for name, each in costs.items()}


def suite_costs(processes: int) -> dict[str, float]:
    """Return seconds that the suite takes over the fake lane of two built-in targets."""
    return {
        target: median(_seconds(_SUITE, lanes(target)["fake"]) for _ in range(processes))
        for target in ("fake", "sqlite")
    }


def _seconds(script: str, *arguments: str) -> float:
    done = subprocess.run(  # noqa: S603 - our own scripts
        [sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, text=True, check=True
    )
    return float(done.stdout)

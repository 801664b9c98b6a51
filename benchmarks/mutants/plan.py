"""Which modules are mutated, and the tests that must notice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["MODULES", "Module"]


@dataclass(frozen=True, slots=True)
class Module:
    """One module of the product."""

    path: str
    """Where it is, under the root of the project."""
    tests: tuple[str, ...]
    """Files or folders of tests that are run against each of its mutants."""

    @property
    def name(self) -> str:
        """Its file's name, without the ending."""
        return self.path.rpartition("/")[2].removesuffix(".py")


MODULES: Final = (
    Module("src/memory_fidelity/testing/verdict.py", ("tests/testing/test_verdict.py",)),
    Module("src/memory_fidelity/manifest.py", ("tests/test_manifest.py",)),
    Module("src/memory_fidelity/exact.py", ("tests/test_exact.py",)),
    Module("src/memory_fidelity/adapter.py", ("tests/adapter",)),
)
"""What everything else rests on: verdicts, claims, comparison, and the rules of every call."""

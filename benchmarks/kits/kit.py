"""What is told about a kit, so that all are run in the same way, and what a run of one gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from benchmarks.kits.door import Door

__all__ = ["FOLDERS", "Kit", "Outcome"]

FOLDERS: Final = ("langgraph", "langchain", "haystack", "py_key_value")
"""Where each kit is described, and what its environment is called after."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a kit found in one backend."""

    passed: int
    failed: tuple[str, ...]
    """Names of the tests that failed, or could not be carried out."""
    set_aside: int
    """Tests that were skipped, or failed as expected."""
    says: str
    """The kit's own conclusion."""


@dataclass(frozen=True, slots=True)
class Kit:
    """A kit, the backend that it is meant for, and how to put faults into that."""

    title: str
    distributions: tuple[str, ...]
    """Those whose versions matter; the kit's own comes first."""
    backend: str
    what_runs: str
    """The part of the kit that is run, in words."""
    plain: Callable[[], type]
    """The backend as it is published."""
    faulty: Callable[[str | None], type]
    """The same with a fault; with none, it must be indistinguishable."""
    door: Callable[[type], Door]
    left_out: Mapping[str, str]
    """Faults that cannot be put into this backend, and why."""
    beyond: Mapping[str, str]
    """Faults in what the kit's documentation does not promise, as far as was found, and why."""
    run: Callable[[type, str | None], Outcome]
    """Run the kit's tests over a backend, all of them or with one of `switches`."""
    switches: Mapping[str, str]
    """Ways in which its tests can be switched off, by name."""

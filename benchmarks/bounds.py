"""Bounds on what was measured, each of which can be missed by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["Outcome", "Target", "judged"]

Run = TypeVar("Run")
"""All that one run measured."""


@dataclass(frozen=True, slots=True)
class Target(Generic[Run]):
    """A bound on one figure."""

    name: str
    unit: str
    bound: float
    figure: Callable[[Run], float]
    """Raises `KeyError` where the run did not measure what it takes."""
    at_least: bool = False

    @property
    def wanted(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.bound:g} {self.unit}"


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Run]):
    """A target, and the figure that was measured; `None` if none was."""

    target: Target[Run]
    figure: float | None

    @property
    def met(self) -> bool | None:
        """Whether the bound holds; `None` if nothing was measured."""
        if self.figure is None:
            return None
        if self.target.at_least:
            return self.figure >= self.target.bound
        return self.figure <= self.target.bound


def judged(targets: Iterable[Target[Run]], run: Run) -> list[Outcome[Run]]:
    """Return every target with its figure, in their order."""
    return [Outcome(target, _figure(target, run)) for target in targets]


def _figure(target: Target[Run], run: Run) -> float | None:
    try:
        return target.figure(run)
    except KeyError:
        return None

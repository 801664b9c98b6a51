"""Times of calls in rounds, and what may be concluded from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

__all__ = ["Ratio", "Timing", "ratio"]


@dataclass(frozen=True, slots=True)
class Timing:
    """Nanoseconds per call (or per item, where a call takes many), round by round."""

    rounds: tuple[tuple[float, ...], ...]

    @property
    def p50(self) -> float:
        """The median over all calls of all rounds."""
        return median(self._all())

    @property
    def p99(self) -> float:
        """What 99 of 100 calls did not exceed; the slowest, where there are fewer."""
        ordered = sorted(self._all())
        return ordered[min(len(ordered) * 99 // 100, len(ordered) - 1)]

    @property
    def medians(self) -> list[float]:
        """The median of each round."""
        return [median(calls) for calls in self.rounds]

    def _all(self) -> Sequence[float]:
        return [call for calls in self.rounds for call in calls]


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times as long as something else, in the same rounds."""

    middle: float
    lowest: float
    highest: float


def ratio(timing: Timing, to: Timing) -> Ratio:
    """Compare medians round by round, so that a slow spell of the machine falls on both sides."""
    each = [one / other for one, other in zip(timing.medians, to.medians, strict=True)]
    return Ratio(median(each), min(each), max(each))

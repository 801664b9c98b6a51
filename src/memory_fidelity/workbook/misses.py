"""How likely a search is to miss a write, by the time that has passed since."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from memory_fidelity.workbook.figure import INK, Figure, rendered, sheet

__all__ = ["misses_figure"]

_WIDTH: Final = 620
_HEIGHT: Final = 330
_MEASURED: Final = "#0072b2"
_EXPECTED: Final = "#d55e00"
_STEPS: Final = 120
"""Places at which the expected line is drawn, so that its corners look like corners."""


def misses_figure(
    missed: Mapping[float, int], tries: int, expected: Callable[[float], float], title: str
) -> Figure:
    """Draw the share of searches that missed, by time since the write, and the share expected.

    `missed` says how many of `tries` searches missed, by the time passed, in
    ticks; `expected` is a function of the same time. The alternative text holds
    the title and both figures at each time measured.
    """
    times = sorted(missed)
    measured = [missed[time] / tries for time in times]
    line = [times[-1] * step / _STEPS for step in range(_STEPS + 1)]
    with sheet(_WIDTH, _HEIGHT) as axes:
        axes.plot(
            line,
            [expected(time) for time in line],
            color=_EXPECTED,
            linestyle="--",
            label="expected",
        )
        axes.plot(times, measured, "o", color=_MEASURED, markeredgecolor=INK, label="measured")
        axes.set_ylim(-0.04, 1.04)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        axes.set_xlabel("ticks since the write")
        axes.set_ylabel(f"searches that miss, of {tries}")
        axes.set_title(title, loc="left", fontsize=12, fontweight="bold")
        axes.legend(frameon=False)
        return rendered(axes, _described(title, missed, tries, expected))


def _described(
    title: str, missed: Mapping[float, int], tries: int, expected: Callable[[float], float]
) -> str:
    lines = [
        f"after {time:g} ticks: {missed[time] / tries:.0%} of {tries} searches miss, "
        f"{expected(time):.0%} expected"
        for time in sorted(missed)
    ]
    return "\n".join([title, *lines])

"""What an application did, what the journal shows of it, and what came of it, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, TypeVar
from uuid import UUID

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from memory_fidelity.store import MemoryItem
from memory_fidelity.testing.harness import Call, Journal
from memory_fidelity.visibility import FirstSight
from memory_fidelity.workbook.figure import (
    HATCHES,
    INK,
    TINTS,
    Figure,
    Tone,
    rendered,
    sheet,
)

__all__ = ["Step", "Timeline"]

_Value = TypeVar("_Value")

_LETTER: Final = 7
"""Pixels that one letter takes, about."""
_GAP: Final = 16
_ROW: Final = 46


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done."""

    lane: str
    """The row that it is drawn in, such as `search`."""
    outcome: str
    """What came of it, such as `there`, `nothing`, `2 hits`, or the name of an error."""
    sent: str
    """What the journal shows of it: `put`, `find x4`, or `nothing sent`."""
    tone: Tone
    """How the outcome is drawn."""
    then: str = ""
    """What is so from here on, until the next step of the lane; drawn where there is room."""

    def __str__(self) -> str:
        after = f"; from here on: {self.then}" if self.then else ""
        return f"{self.lane}: {self.outcome} ({self.sent}){after}"


class Timeline:
    """Awaits calls one after the other, and keeps what became of each."""

    def __init__(self, journal: Journal) -> None:
        """Watch the transport that writes this journal."""
        self._journal = journal
        self._steps: list[Step] = []

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every step so far, in the order in which they ended."""
        return tuple(self._steps)

    async def step(self, lane: str, call: Awaitable[_Value], *, then: str = "") -> _Value:
        """Await the call, keep it as a step of this lane, and return what it returned.

        Raises:
            Exception: whatever the call raises, after it was kept.
        """
        before = len(self._journal.calls())
        try:
            value = await call
        except Exception as error:
            sent = _counted(self._journal.calls()[before:])
            self._steps.append(Step(lane, type(error).__name__, sent, "bad"))
            raise
        calls = self._journal.calls()[before:]
        outcome, tone = _outcome(value, asked=bool(calls))
        self._steps.append(Step(lane, outcome, _counted(calls), tone, then))
        return value

    def figure(self, title: str) -> Figure:
        """Draw a row for each lane and a column for each step.

        The alternative text holds the title and every step.
        """
        lanes = list(dict.fromkeys(step.lane for step in self._steps))
        edges = list(accumulate((_width(s.outcome, s.sent) for s in self._steps), initial=0))
        labels = _width(*lanes)
        across = max(edges[-1], _width(title) - labels)
        with sheet(labels + across, _ROW * (len(lanes) + 1)) as axes:
            axes.set_axis_off()
            axes.set_xlim(-labels, across)
            axes.set_ylim(len(lanes), -0.5)
            axes.set_title(title, loc="left", fontsize=12, fontweight="bold", x=0)
            for row, lane in enumerate(lanes):
                _write(axes, -labels, row + 0.5, lane, weight="bold")
                axes.plot([0, edges[-1]], [row + 0.5] * 2, color="#cccccc", linewidth=1, zorder=0)
            for place, step in enumerate(self._steps):
                row, left, right = lanes.index(step.lane), edges[place], edges[place + 1]
                _write(axes, left, -0.2, str(place + 1), size=9)
                _draw(axes, left, right, row, step)
                if step.then:
                    end = edges[_next(self._steps, place)]
                    _draw_state(axes, right, end, row, step.then)
            return rendered(axes, _described(title, self._steps))


def _counted(calls: Sequence[Call]) -> str:
    counts = Counter(call.operation for call in calls)
    said = [name if count == 1 else f"{name} x{count}" for name, count in counts.items()]
    return ", ".join(said) or "nothing sent"


def _outcome(value: object, *, asked: bool) -> tuple[str, Tone]:
    match value:
        case UUID():
            return "acknowledged", "good"
        case MemoryItem():
            return "there", "good"
        case FirstSight():
            return "found", "good"
        case list() if value:
            return "1 hit" if len(value) == 1 else f"{len(value)} hits", "good"
        case None if not asked:
            return "done", "good"
        case _:
            return "nothing", "warn"


def _width(*texts: str) -> int:
    return max((len(text) for text in texts), default=0) * _LETTER + _GAP


def _next(steps: Sequence[Step], place: int) -> int:
    """Where the next step of the same lane is, or the end."""
    later = range(place + 1, len(steps))
    return next((n for n in later if steps[n].lane == steps[place].lane), len(steps))


def _draw(axes: Axes, left: int, right: int, row: int, step: Step) -> None:
    axes.add_patch(
        Rectangle(
            (left + 2, row + 0.08),
            right - left - 4,
            0.84,
            facecolor=TINTS[step.tone],
            hatch=HATCHES[step.tone],
            linewidth=0,
        )
    )
    _write(axes, left, row + 0.34, step.outcome)
    _write(axes, left, row + 0.7, step.sent, size=9)


def _draw_state(axes: Axes, left: int, right: int, row: int, said: str) -> None:
    axes.add_patch(
        Rectangle((left, row + 0.44), right - left, 0.12, facecolor=TINTS["good"], linewidth=0)
    )
    if _width(said) <= right - left:
        _write(axes, left, row + 0.26, said, size=9)


def _write(
    axes: Axes, left: int, middle: float, text: str, *, size: int = 10, weight: str = "normal"
) -> None:
    axes.text(
        left + _GAP / 2, middle, text, va="center", color=INK, fontsize=size, fontweight=weight
    )


def _described(title: str, steps: Sequence[Step]) -> str:
    return "\n".join([title, *(f"{number}. {step}" for number, step in enumerate(steps, 1))])

"""The share of writes that search has found, by the time since they were acknowledged."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Final

import matplotlib
from matplotlib.axes import Axes

from memory_fidelity.testing.lag import Lag
from memory_fidelity.testing.lag_report import LagReport, round_times
from memory_fidelity.testing.rendering.lag import duration
from memory_fidelity.testing.rendering.wording import printable
from memory_fidelity.workbook.figure import TINTS, Figure, rendered, sheet

__all__ = ["lag_figure", "lag_svg"]

_WIDTH: Final = 620
_HEIGHT: Final = 330
_FOUND: Final = "#0072b2"
_TICKS: Final = 7


def lag_figure(report: LagReport) -> Figure:
    """Draw the distribution: a line for what was found, a band for what perhaps was.

    The alternative text holds the title and the distribution at round times.
    """
    with _drawn(report) as axes:
        return rendered(axes, _described(report))


def lag_svg(report: LagReport) -> bytes:
    """Return the same picture as SVG, with the alternative text as its description."""
    with _drawn(report) as axes, matplotlib.rc_context({"svg.hashsalt": "lag"}):
        written = BytesIO()
        # Without a date, and with ids that are not random, it is the same each time.
        metadata = {"Date": None, "Title": _title(report), "Description": _described(report)}
        axes.figure.canvas.print_figure(written, format="svg", metadata=metadata)
        return written.getvalue()


@contextmanager
def _drawn(report: LagReport) -> Iterator[Axes]:
    lag = report.lag
    left, right = _span(lag)
    found, missed = lag.seen_by(), lag.missed_until()
    times = sorted({left, right, *(time for time in (*found, *missed) if left < time < right)})
    surely = [bisect_right(found, time) / lag.writes for time in times]
    # Just after its last miss, a write perhaps was found; a step is drawn from there on.
    perhaps = [bisect_right(missed, time) / lag.writes for time in times]
    with sheet(_WIDTH, _HEIGHT) as axes:
        axes.set_xscale("log")
        axes.set_xlim(left, right)
        axes.fill_between(
            times, surely, perhaps, step="post", color=TINTS["good"], label="perhaps found"
        )
        axes.plot(times, surely, drawstyle="steps-post", color=_FOUND, label="found")
        axes.set_ylim(-0.04, 1.04)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        axes.minorticks_off()
        ticks = [time for time in round_times(lag, most=_TICKS) if left <= time <= right]
        axes.set_xticks(ticks, [duration(time) for time in ticks])
        axes.set_xlabel("since the acknowledgement")
        axes.set_ylabel(f"share of {lag.writes} writes")
        axes.set_title(_title(report), loc="left", fontsize=12, fontweight="bold")
        axes.legend(frameon=False, loc="lower right")
        yield axes


def _span(lag: Lag) -> tuple[float, float]:
    times = [time for time in round_times(lag, most=_TICKS) if time > 0] or [1.0]
    return (times[0] if len(times) > 1 else times[0] / 2, times[-1])


def _title(report: LagReport) -> str:
    return printable(f"{report.adapter or report.target}: how soon a write is found")


def _described(report: LagReport) -> str:
    lag = report.lag
    lines = [
        f"within {duration(found.seconds)}: at least {found.least} of {lag.writes} writes, "
        f"at most {found.most}"
        for found in report.found
    ]
    unseen = f"not seen within {duration(lag.deadline)}: {lag.writes - lag.seen}"
    return "\n".join([_title(report), *lines, unseen])

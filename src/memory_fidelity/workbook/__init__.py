"""Frames and figures for notebooks and documentation; needs the extra `workbook`.

Everything here is a view: it shows what the rest of the package found out, the
same on every machine, and decides nothing. A figure's text form is a
description of what is drawn, so that a screen reader, and a notebook whose
output is compared, say what an eye sees.
"""

from __future__ import annotations

from memory_fidelity.workbook.expected import expect
from memory_fidelity.workbook.figure import Figure
from memory_fidelity.workbook.frames import (
    calls_frame,
    findings_frame,
    items_frame,
    journey_frame,
    losses_frame,
    manifests_frame,
    needs_frame,
)
from memory_fidelity.workbook.live import live_or_committed
from memory_fidelity.workbook.matrix import matrix_figure
from memory_fidelity.workbook.misses import misses_figure
from memory_fidelity.workbook.timeline import Step, Timeline

__all__ = [
    "Figure",
    "Step",
    "Timeline",
    "calls_frame",
    "expect",
    "findings_frame",
    "items_frame",
    "journey_frame",
    "live_or_committed",
    "losses_frame",
    "manifests_frame",
    "matrix_figure",
    "misses_figure",
    "needs_frame",
]

"""What a report that was written earlier is still worth as evidence."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from memory_fidelity.testing.report import Report
from memory_fidelity.testing.verdict import Grade

__all__ = ["MAX_AGE", "standing"]

MAX_AGE: Final = timedelta(days=180)
"""How long a run against a live service is taken to speak for it."""


def standing(
    report: Report,
    *,
    now: datetime,
    versions: Mapping[str, str] | None = None,
    max_age: timedelta = MAX_AGE,
) -> Grade:
    """Return the grade of a report now.

    *stale*, if its grade rests on a live run that is older than `max_age`, or
    that ran on another version than `versions` gives for the same service or
    client; its own grade otherwise. A fake does not age.
    """
    if report.grade not in ("proved", "observed"):
        return report.grade
    known = versions or {}
    another = any(
        known.get(name, version) != version
        for lane in report.lanes
        if lane.lane == "live"
        for name, version in lane.service.items()
    )
    return "stale" if another or now - report.when > max_age else report.grade

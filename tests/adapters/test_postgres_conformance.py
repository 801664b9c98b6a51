"""The verdict on the PostgreSQL store: proved, by its fake and by real servers."""

from __future__ import annotations

import pytest

from memory_fidelity.testing import check_sync
from memory_fidelity.testing.targets import harness, lanes

pytestmark = pytest.mark.usefixtures("servers")


class TestPostgres:
    """Search on the server that is written to."""

    def test_is_proved(self) -> None:
        """Every case passes in both lanes, and on the wire nothing is sent that should not be."""
        _require_proved("postgres")


class TestReplica:
    """Search on a standby."""

    def test_is_proved(self) -> None:
        """Every case passes in both lanes, with the standby's replay held back at first."""
        _require_proved("postgres-replica")


class TestRemoteApply:
    """Search on a standby that every write waits for."""

    def test_is_proved(self) -> None:
        """Every case passes in both lanes."""
        _require_proved("postgres-remote-apply")


def _require_proved(target: str) -> None:
    places = lanes(target)

    report = check_sync(fake=harness(places["fake"]), live=harness(places["live"]))

    unmet = [
        (lane.lane, result.case, result.reason or result.findings)
        for lane in report.lanes
        for result in lane.results
        if result.outcome not in ("pass", "not applicable")
    ]
    assert unmet == []
    assert (report.verdict, report.grade) == ("conformant", "proved")
    # The relay's journal makes the cases that count calls run live, too.
    assert {
        result.outcome
        for result in report.lanes[1].results
        if result.case in ("search.limit.zero", "filters.unsupported")
    } == {"pass"}

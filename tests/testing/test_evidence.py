"""What an earlier report is still worth."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.testing import Report, check_sync, standing
from memory_fidelity.testing.evidence import MAX_AGE
from memory_fidelity.testing.verdict import Grade

WRITTEN = datetime(2026, 1, 2, tzinfo=UTC)


class NamedFake(FakeHarness):
    """A harness that says what it runs on."""

    service = {"acme": "1.0"}  # noqa: RUF012 - as an author would write it


REPORT = check_sync(live=NamedFake, only="retrieve.unknown")


def report(grade: Grade) -> Report:
    """A report of this grade, written on a fixed day."""
    return REPORT.model_copy(update={"grade": grade, "when": WRITTEN})


def test_live_lane_names_its_service() -> None:
    """What the harness says it ran on is in the report."""
    assert REPORT.lanes[0].service == {"acme": "1.0"}


@pytest.mark.parametrize("grade", ["proved", "observed"])
def test_live_evidence_ages(grade: Grade) -> None:
    """A live run stands for half a year, and not a second longer."""
    last = WRITTEN + MAX_AGE

    assert standing(report(grade), now=last) == grade
    assert standing(report(grade), now=last + timedelta(seconds=1)) == "stale"


@pytest.mark.parametrize("grade", ["modelled", "false claim", "contradicted", "unproven"])
def test_other_grades_do_not_age(grade: Grade) -> None:
    """What rests on the fake, or says that something is wrong, stays as it is."""
    assert standing(report(grade), now=WRITTEN + 9 * MAX_AGE) == grade


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        pytest.param({"acme": "1.0"}, "proved", id="the same"),
        pytest.param({"acme": "2.0"}, "stale", id="another"),
        pytest.param({"other": "2.0"}, "proved", id="of something else"),
    ],
)
def test_evidence_is_for_one_version(versions: dict[str, str], expected: Grade) -> None:
    """A run on one version of a service says nothing of another."""
    assert standing(report("proved"), now=WRITTEN, versions=versions) == expected

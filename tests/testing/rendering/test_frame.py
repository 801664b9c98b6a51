"""The report as tidy rows."""

from __future__ import annotations

import sys

import pytest

from memory_fidelity.testing.rendering.frame import COLUMNS

from .reports import FINDING, contradicted, lane, report, result


def test_one_row_per_lane_and_case() -> None:
    """The rows are those of the report, in its order."""
    frame = contradicted().to_frame()

    assert list(frame.columns) == list(COLUMNS)
    assert list(zip(frame["lane"], frame["case"], frame["outcome"], strict=True)) == [
        ("fake", "store.id", "pass"),
        ("fake", "search.tags", "pass"),
        ("live", "store.id", "pass"),
        ("live", "search.late", "not applicable"),
        ("live", "search.one", "not run"),
        ("live", "search.two", "not run"),
        ("live", "search.slow", "inconclusive"),
        ("live", "retrieve.kind", "error"),
        ("live", "search.tags", "fail"),
    ]


def test_row_of_a_failure() -> None:
    """Every part of what is wrong has a column of its own; several findings are lines."""
    frame = report(lane("live", result("a", "fail", FINDING, FINDING, version=2))).to_frame()

    assert frame.to_dict("records") == [
        {
            "lane": "live",
            "case": "a",
            "version": 2,
            "clauses": "C12, Q1",
            "outcome": "fail",
            "title": "What a asks.",
            "subject": f"{FINDING.subject}\n{FINDING.subject}",
            "claim": f"{FINDING.claim}\n{FINDING.claim}",
            "observed": f"{FINDING.observed}\n{FINDING.observed}",
            "change": f"{FINDING.change}\n{FINDING.change}",
            "reason": "",
        }
    ]


def test_no_rows_have_the_columns() -> None:
    """A report without a case is an empty frame of the same shape."""
    assert report(lane("fake")).to_frame().shape == (0, len(COLUMNS))


def test_missing_pandas_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says which extra brings pandas."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    told = contradicted()

    with pytest.raises(ImportError, match=r"memory-fidelity\[workbook\]"):
        told.to_frame()

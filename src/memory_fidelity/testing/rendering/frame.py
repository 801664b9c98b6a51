"""The report as a data frame, for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memory_fidelity.testing.report import CaseResult, Report
from memory_fidelity.testing.verdict import Lane

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["COLUMNS", "report_frame"]

COLUMNS: Final = (
    "lane",
    "case",
    "version",
    "clauses",
    "outcome",
    "title",
    "subject",
    "claim",
    "observed",
    "change",
    "reason",
)


def report_frame(report: Report) -> DataFrame:
    """Return one row per lane and case, in the suite's order, without times.

    Clauses are joined by `, `; where a case has several findings, their parts
    are lines of one cell. An empty cell is an empty text.

    Raises:
        ImportError: pandas is missing; it comes with the extra `workbook`.
    """
    try:
        from pandas import DataFrame
    except ImportError as error:
        raise ImportError(
            "Report.to_frame needs pandas, which comes with the extra `workbook`: "
            "pip install 'memory-fidelity[workbook]'"
        ) from error
    rows = [_row(lane.lane, result) for lane in report.lanes for result in lane.results]
    return DataFrame(rows, columns=list(COLUMNS))


def _row(lane: Lane, result: CaseResult) -> tuple[str | int, ...]:
    return (
        lane,
        result.case,
        result.version,
        ", ".join(result.clauses),
        result.outcome,
        result.title,
        "\n".join(finding.subject for finding in result.findings),
        "\n".join(finding.claim for finding in result.findings),
        "\n".join(finding.observed for finding in result.findings),
        "\n".join(finding.change for finding in result.findings),
        result.reason or "",
    )

"""The report as JUnit XML, for continuous integration."""

from __future__ import annotations

from collections import Counter
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from memory_fidelity.testing.rendering.wording import claim_text, printable
from memory_fidelity.testing.report import CaseResult, LaneReport, Report
from memory_fidelity.testing.verdict import Outcome

__all__ = ["junit_xml"]

# JUnit's "skipped" counts as fine nearly everywhere. A case that did not run
# proves nothing, so it is an error; only what is out of question is skipped.
_ELEMENTS: Final[dict[Outcome, str]] = {
    "fail": "failure",
    "error": "error",
    "inconclusive": "error",
    "not run": "error",
    "not applicable": "skipped",
}


def junit_xml(report: Report) -> str:
    """Return one test suite per lane and one test case per case.

    A lane has failures or errors exactly if a case of it stands against a
    *conformant* verdict; a lane without a single pass has an error of its own.
    """
    suites = Element(
        "testsuites", name=printable(f"memory-fidelity {report.adapter or 'no manifest'}")
    )
    for lane in report.lanes:
        suites.append(_suite(lane, report))
    indent(suites)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(suites, "unicode") + "\n"


def _suite(lane: LaneReport, report: Report) -> Element:
    cases = [_test_case(lane, result) for result in lane.results]
    if all(result.outcome != "pass" for result in lane.results):
        cases.append(_nothing_passed(lane))
    counts = Counter(child.tag for case in cases for child in case)
    suite = Element(
        "testsuite",
        name=printable(f"{lane.lane}: {lane.harness}"),
        tests=str(len(cases)),
        failures=str(counts["failure"]),
        errors=str(counts["error"]),
        skipped=str(counts["skipped"]),
        time=_seconds(sum(result.milliseconds for result in lane.results)),
        timestamp=f"{report.when:%Y-%m-%dT%H:%M:%S}",
    )
    properties = SubElement(suite, "properties")
    for name, value in (
        ("suite", report.suite),
        ("verdict", lane.verdict),
        ("grade", report.grade),
        ("reproduce", report.reproduce),
    ):
        SubElement(properties, "property", name=name, value=printable(value))
    suite.extend(cases)
    return suite


def _test_case(lane: LaneReport, result: CaseResult) -> Element:
    case = Element(
        "testcase",
        classname=f"memory-fidelity.{lane.lane}",
        name=printable(result.case),
        time=_seconds(result.milliseconds),
    )
    if result.outcome != "pass":
        problem = SubElement(
            case,
            _ELEMENTS[result.outcome],
            message=printable(_message(result)),
            type=result.outcome,
        )
        problem.text = printable(_details(result))
    return case


def _nothing_passed(lane: LaneReport) -> Element:
    case = Element("testcase", classname=f"memory-fidelity.{lane.lane}", name="verdict")
    SubElement(case, "error", message="no case passed", type=lane.verdict)
    return case


def _message(result: CaseResult) -> str:
    if result.findings:
        return claim_text(result.findings[0])
    return f"{result.outcome}: {result.reason or result.title}"


def _details(result: CaseResult) -> str:
    lines = [f"{result.title} ({', '.join(result.clauses)})"]
    for finding in result.findings:
        lines.append(f"claim: {claim_text(finding)}")
        lines.append(f"observed: {finding.observed}")
        lines.append(f"change: {finding.change}")
    return "\n".join(lines)


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.3f}"

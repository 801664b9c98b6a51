"""The report as JUnit XML: nothing that did not pass looks as if it had."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest

from memory_fidelity.testing.rendering.junit import junit_xml
from memory_fidelity.testing.report import Report

from .reports import FINDING, contradicted, lane, proved, report, result


def _parsed(told: Report) -> Element:
    return fromstring(junit_xml(told))  # noqa: S314 - made on the line itself


def _case(told: Report, name: str) -> Element:
    found = _parsed(told).find(f".//testcase[@classname='memory-fidelity.live'][@name='{name}']")
    assert found is not None
    return found


def test_one_suite_per_lane() -> None:
    """Each lane is a suite that counts its own cases."""
    counted = [
        (suite.get("name"), *(suite.get(key) for key in ("tests", "failures", "errors", "skipped")))
        for suite in _parsed(contradicted())
    ]

    assert counted == [
        ("fake: acme.testing:Fake", "2", "0", "0", "0"),
        ("live: acme.testing:Live", "7", "1", "4", "1"),
    ]


@pytest.mark.parametrize(
    ("case", "element", "kind", "message"),
    [
        ("search.tags", "failure", "fail", "manifest says search_returns_tags=True"),
        ("retrieve.kind", "error", "error", "error: the harness raised OSError"),
        ("search.slow", "error", "inconclusive", "inconclusive: not seen within 5 s"),
        ("search.one", "error", "not run", "not run: not selected"),
        ("search.late", "skipped", "not applicable", "not applicable: manifest says immediate"),
    ],
    ids=["fail", "error", "inconclusive", "not run", "not applicable"],
)
def test_outcome_has_its_element(case: str, element: str, kind: str, message: str) -> None:
    """Only what is out of question is skipped; what did not run is an error."""
    [problem] = _case(contradicted(), case)

    assert (problem.tag, problem.get("type"), problem.get("message")) == (element, kind, message)


def test_pass_has_no_element() -> None:
    """A pass is a test case with nothing in it, and its time in seconds."""
    case = _case(contradicted(), "store.id")

    assert (list(case), case.get("time")) == ([], "0.250")


def test_failure_has_all_three_parts() -> None:
    """The body of a failure is what an author needs: claim, observed, change."""
    [failure] = _case(contradicted(), "search.tags")

    assert failure.text == (
        "What search.tags asks. (C12, Q1)\n"
        f"claim: {FINDING.claim}\n"
        f"observed: {FINDING.observed}\n"
        f"change: {FINDING.change}"
    )


def test_suite_says_how_to_run_again() -> None:
    """Verdict, grade and command are properties of each suite."""
    properties = {one.get("name"): one.get("value") for one in _parsed(proved()).iter("property")}

    assert properties == {
        "suite": "1.2.3+abcdef",
        "verdict": "conformant",
        "grade": "proved",
        "reproduce": "memory-fidelity check acme.testing:Fake",
    }


@pytest.mark.parametrize(
    "told",
    [
        pytest.param(report(lane("fake")), id="no case"),
        pytest.param(report(lane("fake", result("a", "not applicable"))), id="none applicable"),
    ],
)
def test_lane_without_a_pass_has_an_error(told: Report) -> None:
    """Zero passes are never conformant, here neither."""
    [suite] = _parsed(told)

    assert suite.get("errors") == "1"


def test_text_that_xml_cannot_hold_is_escaped() -> None:
    """Control characters, lone surrogates and markup leave the file valid and readable."""
    hostile = FINDING.model_copy(update={"claim": "\x00 <a> & ]]> \ud800 \ufffe"})

    [failure] = _case(report(lane("live", result("a", "fail", hostile))), "a")

    assert failure.get("message") == (r"manifest.search_returns_tags: \x00 <a> & ]]> \ud800 \ufffe")

"""The report as text: what stands against an adapter first, the verdict last."""

from __future__ import annotations

import pytest

from memory_fidelity.testing.rendering.text import WIDTH, full_text, result_text, summary
from memory_fidelity.testing.report import Finding, Report

from .reports import FINDING, contradicted, lane, proved, report, result

PROVED = """\
acme against suite 1.2.3+abcdef
  Python 3.11.9, Linux, lionagi 0.36.0

fake lane: acme.testing:Fake
  conformant: 2 pass in 0.50 s

live lane: acme.testing:Live
  conformant: 2 pass in 0.50 s

run again: memory-fidelity check acme.testing:Fake
proved: shown on the fake and on the live service
verdict: conformant
"""

CONTRADICTED = """\
acme against suite 1.2.3+abcdef
  Python 3.11.9, Linux, lionagi 0.36.0

Contradicted: these pass on the fake and fail on the live service
  search.tags

fake lane: acme.testing:Fake
  conformant: 2 pass in 0.50 s

live lane: acme.testing:Live
  FAIL search.tags (C12, Q1)
    claim     manifest says search_returns_tags=True
    observed  tags: sent ['a', 'b'], got []
              on search.tags
    change    return the stored tags with every hit, or declare
              search_returns_tags=False
  ERROR retrieve.kind (C12, Q1): the harness raised OSError
  INCONCLUSIVE search.slow (C12, Q1): not seen within 5 s
  NOT RUN 2 cases: not selected
      search.one, search.two
  NOT APPLICABLE search.late (C12, Q1): manifest says immediate
  NOTE store.id: found at once: stronger than claimed
  non-conformant: 1 pass, 1 fail, 1 error, 1 inconclusive, 2 not run, 1 not
    applicable in 1.75 s

run again: memory-fidelity check acme.testing:Fake
contradicted: the fake conforms, the live service does not
verdict: non-conformant
"""

SUMMARY = """\
acme: non-conformant (contradicted)
fake: conformant; 2 pass
live: non-conformant; 1 pass, 1 fail, 1 error, 1 inconclusive, 2 not run, 1 not
  applicable
  FAIL search.tags (C12, Q1)
    claim     manifest says search_returns_tags=True
    observed  tags: sent ['a', 'b'], got []
              on search.tags
    change    return the stored tags with every hit, or declare
              search_returns_tags=False
  ERROR retrieve.kind (C12, Q1): the harness raised OSError
  INCONCLUSIVE search.slow (C12, Q1): not seen within 5 s
  NOT RUN 2 cases: not selected
      search.one, search.two"""


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param(proved(), PROVED, id="proved"),
        pytest.param(contradicted(), CONTRADICTED, id="contradicted"),
    ],
)
def test_full_text(told: Report, expected: str) -> None:
    """Worst first within each lane, then the counts; the verdict is the last line."""
    assert full_text(told) == expected


def test_summary() -> None:
    """The notebook form has neither times nor versions, and no case that is in order."""
    assert summary(contradicted()) == SUMMARY


def test_result_text() -> None:
    """One case alone is told as it is within a report, and a pass needs no words."""
    assert result_text(result("a", "error", reason="no answer")) == "  ERROR a (C12, Q1): no answer"
    assert result_text(result("a")) == ""


def test_repr_is_the_summary() -> None:
    """A report shows itself by its summary."""
    assert repr(contradicted()) == SUMMARY


def test_summary_sorts_by_case() -> None:
    """The order in which cases ran does not show."""
    one, two = result("a", "fail", FINDING), result("b", "fail", FINDING)

    assert summary(report(lane("fake", one, two))) == summary(report(lane("fake", two, one)))


def test_summary_holds_nothing_that_passes() -> None:
    """Ids, addresses and times of one run are replaced, so that the next one compares equal."""
    told = report(
        lane(
            "fake",
            result(
                "a",
                "error",
                reason="<Store at 0x7f01c2a3b4d5> of 6F9619FF-8b86-d011-b42d-00c04fc964ff "
                "at 2026-01-02T03:04:05.678Z on 127.0.0.1:49152",
            ),
        )
    )

    assert summary(told).endswith(
        "ERROR a (C12, Q1): <Store at [address]> of [id] at [time] on [address]"
    )


def test_lines_are_no_longer_than_a_terminal() -> None:
    """Everything but names and commands is wrapped, words without a space included."""
    long = FINDING.model_copy(update={"observed": "x" * 300, "change": "word " * 100})

    text = full_text(report(lane("fake", result("a", "fail", long))))

    assert max(map(len, text.splitlines())) == WIDTH


def test_finding_names_its_subject() -> None:
    """A claim that does not say what it is about is led by its subject."""
    finding = Finding(subject="C8", claim="at most N hits", observed="3", change="pass it on")

    text = full_text(report(lane("fake", result("a", "fail", finding))))

    assert "    claim     C8: at most N hits\n" in text


def test_terminal_cannot_be_steered() -> None:
    """Control and direction characters that a service sent are shown as escapes."""
    hostile = FINDING.model_copy(update={"observed": "\x1b[2J \u202etxt \x00"})

    text = full_text(report(lane("fake", result("a", "fail", hostile))))

    assert r"observed  \x1b[2J \u202etxt \x00" in text


def test_long_lists_are_cut() -> None:
    """Of many cases with one reason, the first twelve are named and the others counted."""
    unmet = [result(f"case.{n}", "not run", reason="no journal") for n in range(1, 15)]

    text = full_text(report(lane("fake", *unmet)))

    assert "NOT RUN 14 cases: no journal\n" in text
    assert "case.12 and 2 more\n" in text
    assert "case.13" not in text


def test_store_without_manifest_is_told() -> None:
    """A missing manifest is said, not shown as a name."""
    told = report(lane("fake", result("a")), manifest=None)

    assert summary(told).startswith("an adapter whose manifest is not known: conformant")

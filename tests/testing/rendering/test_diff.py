"""What changed between two reports, and whether it is for the worse."""

from __future__ import annotations

from typing import Any

import pytest

from memory_fidelity.testing.rendering.diff import Change, changes, changes_text, got_worse
from memory_fidelity.testing.report import Report
from memory_fidelity.testing.verdict import Outcome

from .reports import FINDING, MANIFEST, contradicted, lane, proved, report, result


def _one(outcome: Outcome, version: int = 1) -> Report:
    return report(lane("fake", result("a", outcome, version=version), result("b")))


def _declaring(**changed: Any) -> Report:
    stated = MANIFEST.model_dump() | changed
    return report(lane("fake", result("a")), manifest=type(MANIFEST).model_validate(stated))


def test_same_report_has_no_changes() -> None:
    """Times, versions and dates are no change of an adapter."""
    assert changes(contradicted(), contradicted()) == ()


@pytest.mark.parametrize(
    ("before", "after", "effect"),
    [
        ("pass", "fail", "worse"),
        ("pass", "not run", "worse"),
        ("pass", "inconclusive", "worse"),
        ("error", "fail", "worse"),
        ("not applicable", "not run", "worse"),
        ("fail", "pass", "better"),
        ("not run", "pass", "better"),
        ("pass", "not applicable", "different"),
        ("not applicable", "pass", "different"),
    ],
)
def test_case_changes(before: Outcome, after: Outcome, effect: str) -> None:
    """A case gets worse or better; passing and not being applicable are equally good."""
    found = changes(_one(before), _one(after))

    assert Change("fake a", before, after, effect) in found  # type: ignore[arg-type]  # a table row
    assert got_worse(found) == (effect == "worse")


def test_verdict_and_grade_change() -> None:
    """The standing comes first."""
    failing = report(lane("fake", result("a", "fail", FINDING)))
    passing = report(lane("fake", result("a")))

    assert changes(passing, failing) == (
        Change("verdict", "conformant", "non-conformant", "worse"),
        Change("grade", "modelled", "false claim", "worse"),
        Change("fake a", "pass", "fail", "worse"),
    )


def test_case_of_another_version_is_marked() -> None:
    """A case that asks something else now is no gain and no loss by itself."""
    assert changes(_one("pass"), _one("pass", version=2)) == (
        Change("fake a", "pass of version 1", "pass of version 2", "different"),
    )


def test_lane_that_is_gone_is_worse() -> None:
    """What was shown and is no longer shown is lost, whatever the verdict says."""
    found = changes(proved(), report(proved().lanes[0]))

    assert Change("live store.id", "pass", "absent", "worse") in found


@pytest.mark.parametrize(
    ("outcome", "effect"),
    [("pass", "different"), ("not applicable", "different"), ("fail", "worse")],
)
def test_new_case(outcome: Outcome, effect: str) -> None:
    """A new case is news only if it is bad news."""
    before, after = report(lane("fake", result("b"))), _one(outcome)

    assert [one.effect for one in changes(before, after) if one.subject == "fake a"] == [effect]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(
            _declaring(),
            _declaring(search_consistency="eventual"),
            Change("manifest.search_consistency", "immediate", "eventual", "worse"),
            id="loss",
        ),
        pytest.param(
            _declaring(supported_filters=["user"]),
            _declaring(),
            Change("manifest.supported_filters", "user", "kind, user", "better"),
            id="gain",
        ),
        pytest.param(
            _declaring(),
            _declaring(supported_filters=[]),
            Change("manifest.supported_filters", "kind, user", "none", "worse"),
            id="loss of all",
        ),
        pytest.param(
            _declaring(),
            _declaring(adapter="other"),
            Change("manifest.adapter", "acme", "other", "different"),
            id="neither",
        ),
        pytest.param(
            report(lane("fake", result("a")), manifest=None),
            _declaring(),
            Change("manifest", "absent", "declared", "better"),
            id="new manifest",
        ),
        pytest.param(
            _declaring(),
            report(lane("fake", result("a")), manifest=None),
            Change("manifest", "declared", "absent", "worse"),
            id="manifest gone",
        ),
    ],
)
def test_manifest_changes(before: Report, after: Report, expected: Change) -> None:
    """A manifest that promises less is a change for the worse, even if it is true."""
    assert changes(before, after) == (expected,)


def test_text_puts_the_worst_first() -> None:
    """One line per change; those for the worse are at the top."""
    found = (
        Change("suite", "1", "2", "different"),
        Change("fake a", "fail", "pass", "better"),
        Change("fake b", "pass", "fail", "worse"),
    )

    assert changes_text(found) == (
        "WORSE     fake b: pass -> fail\nBETTER    fake a: fail -> pass\nDIFFERENT suite: 1 -> 2\n"
    )


def test_text_says_that_nothing_changed() -> None:
    """An empty answer would leave the reader in doubt."""
    assert changes_text(()) == "nothing changed\n"

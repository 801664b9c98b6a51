"""Each case finds the fault that it is about, and names it."""

from __future__ import annotations

import pytest
from tests.testing.faulty.failures import TellsIds
from tests.testing.faulty_stores import FAULTS, over

from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.faults import FAULTS as DELIBERATE
from memory_fidelity.testing.harness import HarnessFactory
from memory_fidelity.testing.runner import run_case
from memory_fidelity.testing.trial import Setting

BY_ID = {case.id: case for case in CASES}


@pytest.mark.parametrize(("harness", "case_id", "subject"), FAULTS.values(), ids=FAULTS)
def test_fault_is_found(harness: HarnessFactory, case_id: str, subject: str) -> None:
    """The case fails, and one of its findings has the subject, with all three parts."""
    result = run_case(BY_ID[case_id], Setting(harness, "fake"))
    named = [finding for finding in result.findings if finding.subject == subject]

    assert result.outcome == "fail", result.reason
    assert named
    assert all(named[0].model_dump().values())


def test_findings_are_the_same_in_every_run() -> None:
    """Ids and addresses in an adapter's own message are left out."""
    first, second = (
        run_case(BY_ID["retrieve.unknown"], Setting(over(TellsIds), "fake")) for _ in range(2)
    )

    assert first.findings == second.findings
    assert first.findings[0].observed == (
        "retrieve gave MemoryAdapterError: no ... in <Client at ...>"
    )


@pytest.mark.parametrize("case", ["search.pure", "retrieve.detached"])
@pytest.mark.parametrize("fault", ["tags.tuple", "tags.set"])
def test_fields_of_another_type_are_compared_without_a_warning(fault: str, case: str) -> None:
    """What pydantic would warn of, here an error, is for another case to find."""
    setting = Setting(FakeHarness, "fake", spoiled=DELIBERATE[fault].over)

    assert run_case(BY_ID[case], setting).outcome == "pass"


@pytest.mark.parametrize(
    "fault",
    ["hits.native", "surface.no-search", "surface.manifest-has-eight-fields", "item.is-json"],
)
def test_no_case_breaks_over_what_another_finds(fault: str) -> None:
    """However wrong an answer is, no case takes it for a fault of the suite itself."""
    setting = Setting(FakeHarness, "fake", spoiled=DELIBERATE[fault].over, patience=1.0)

    reasons = [run_case(case, setting).reason or "" for case in CASES]

    assert [reason for reason in reasons if reason.startswith("the case itself failed")] == []

"""The whole matrix over the faults of suites: what is no fault conforms, and what is one shows."""

from __future__ import annotations

from tests.public_faults.suite_rules import Backwards, NeverConnected, WithoutControls, over

from memory_fidelity.fake.behaviour import FULL, FakeBehaviour
from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.testing import check_sync


class _LaxFake(FakeHarness):
    """Claims what the full fake claims, and keeps every value of metadata as text."""

    def __init__(self) -> None:
        super().__init__(
            FakeBehaviour(metadata_as_text=True), manifest=FULL.manifest(), card=FULL.card()
        )


def test_another_order_conforms() -> None:
    """B90: no case of the whole suite compares lists by position."""
    report = check_sync(fake=over(FakeHarness, Backwards))

    assert report.verdict == "conformant"


def test_missing_controls_are_incomplete() -> None:
    """B92: an adapter that opts out of cases by its harness does not conform."""
    report = check_sync(fake=lambda: WithoutControls(FakeHarness()))

    assert report.verdict == "incomplete"


def test_a_store_that_never_connects_does_not_conform() -> None:
    """B92: the real constructor is not enough."""
    report = check_sync(fake=over(FakeHarness, NeverConnected))

    assert report.verdict == "non-conformant"


def test_a_service_that_keeps_less_contradicts_its_stand_in() -> None:
    """B93: under one manifest, the stand-in conforms, and the service does not."""
    report = check_sync(fake=FakeHarness, live=_LaxFake)

    assert report.grade == "contradicted"

"""Every deliberate fault is active over the fake, and found by the case that is meant for it."""

from __future__ import annotations

import pytest
from tests.testing.faults.kills import EVENTUAL, INAPPLICABLE, killing

from memory_fidelity.testing.faults import FAULTS


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in INAPPLICABLE])
def test_fault_is_killed(name: str) -> None:
    """The case that is meant for a fault fails over it, and names what is false."""
    assert killing("fake", name) == ("killed", None)


@pytest.mark.parametrize("name", EVENTUAL)
def test_fault_of_a_late_index_is_killed(name: str) -> None:
    """Where the manifest says `eventual`, as where it says `immediate`."""
    assert killing("fake-eventual", name) == ("killed", None)


@pytest.mark.parametrize("name", sorted(INAPPLICABLE))
def test_what_is_inapplicable(name: str) -> None:
    """It follows from the manifest or the card, and of nothing else."""
    assert killing("fake", name) == ("not applicable", None)


def test_there_are_many() -> None:
    """A kill rate of few faults says little."""
    assert len(FAULTS) - len(INAPPLICABLE) >= 600

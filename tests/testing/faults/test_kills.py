"""Every deliberate fault is active, and found by the case that is meant for it."""

from __future__ import annotations

from functools import cache

import pytest

from memory_fidelity.testing.faults import FAULTS
from memory_fidelity.testing.mutation import Mutation
from memory_fidelity.testing.targets import harness, lanes

TARGETS = ["fake", "sqlite", "postgres"]


@cache
def mutation(target: str) -> Mutation:
    """The faults of one adapter, whose honest transcripts are made once."""
    return Mutation(harness(lanes(target)["fake"]))


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("target", TARGETS)
def test_fault_is_killed(target: str, name: str) -> None:
    """The case that is meant for a fault fails over it, and names what is false."""
    result = mutation(target).result(FAULTS[name], every_case=False)

    assert (result.killing, result.reason) in [("killed", None), ("not applicable", result.reason)]

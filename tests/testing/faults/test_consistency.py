"""Faults in when a write can be found, over adapters whose index lags."""

from __future__ import annotations

from functools import cache

import pytest

from memory_fidelity.testing.faults import FAULTS
from memory_fidelity.testing.mutation import Mutation
from memory_fidelity.testing.targets import harness, lanes

LAGGING = ["fake-eventual", "sqlite-deferred", "postgres-replica"]


@cache
def mutation(target: str) -> Mutation:
    """The faults of one adapter, whose honest transcripts are made once."""
    return Mutation(harness(lanes(target)["fake"]))


@pytest.mark.parametrize("name", [name for name in FAULTS if name.startswith("eventual.")])
@pytest.mark.parametrize("target", LAGGING)
def test_fault_of_a_lagging_index_is_killed(target: str, name: str) -> None:
    """The case that is meant for a fault fails over it, and names what is false."""
    result = mutation(target).result(FAULTS[name], every_case=False)

    assert (result.killing, result.reason) == ("killed", None)

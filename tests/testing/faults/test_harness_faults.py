"""A harness that does not do its part ends as an error, and is never taken for the adapter."""

from __future__ import annotations

import asyncio
from functools import cache

import pytest

from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.examine import examine
from memory_fidelity.testing.harness_faults import HARNESS_FAULTS
from memory_fidelity.testing.targets import harness, lanes
from memory_fidelity.testing.trial import Setting
from memory_fidelity.testing.verdict import Outcome, verdict

TARGETS = ["fake", "sqlite", "postgres"]
SUMMARIES = {"manifest.accuracy", "fidelity.claim"}
"""They ask again what others ask, and take longest."""


@cache
def outcomes(target: str, name: str) -> dict[str, Outcome]:
    """How each case ends over the harness with one fault."""
    factory = HARNESS_FAULTS[name].over(harness(lanes(target)["fake"]))
    # Whether a call hangs is looked at for a small part of the patience.
    patience = 60.0 if "hang" in name else 0.25
    setting = Setting(factory, "fake", patience=patience)

    async def examined() -> dict[str, Outcome]:
        return {
            case.id: (await examine(case, setting)).outcome
            for case in CASES
            if case.id not in SUMMARIES
        }

    return asyncio.run(examined())


@pytest.mark.parametrize("name", HARNESS_FAULTS)
@pytest.mark.parametrize("target", TARGETS)
def test_harness_fault_is_an_error(target: str, name: str) -> None:
    """The case that needs this part ends as an error, and no case accuses the adapter."""
    ended = outcomes(target, name)

    assert ended[HARNESS_FAULTS[name].case] == "error"
    assert [case for case, outcome in ended.items() if outcome == "fail"] == []
    assert verdict(ended.values()) == "harness error"

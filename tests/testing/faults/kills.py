"""What becomes of the faults over one adapter, and of which of them there is nothing to spoil."""

from __future__ import annotations

from functools import cache

from memory_fidelity.testing.faults import FAULTS
from memory_fidelity.testing.kills import Killing
from memory_fidelity.testing.mutation import Mutation
from memory_fidelity.testing.targets import harness, lanes

__all__ = ["EVENTUAL", "INAPPLICABLE", "killing"]

EVENTUAL = [name for name in FAULTS if name.startswith("eventual.")]
"""Faults of an index that is declared to be late."""

INAPPLICABLE = {"tags.all-is-any", *EVENTUAL}
"""What cannot be spoilt in an adapter that finds at once what has any of the tags."""


@cache
def _mutation(target: str) -> Mutation:
    """The faults of one adapter, whose honest transcripts are made once."""
    return Mutation(harness(lanes(target)["fake"]))


def killing(target: str, name: str) -> tuple[Killing, str | None]:
    """What became of a fault that was held against its own case, and why, if it was not killed."""
    result = _mutation(target).result(FAULTS[name], every_case=False)
    return result.killing, result.reason if result.killing != "not applicable" else None

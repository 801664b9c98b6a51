"""Targets of the PostgreSQL store: each takes its figure from the run, and can be missed."""

from __future__ import annotations

import pytest
from benchmarks.bounds import judged
from benchmarks.figures import Timing
from benchmarks.peer import Operation
from benchmarks.postgres.endurance import Endurance
from benchmarks.postgres.peers import OURS, RAW, RAW_POOL
from benchmarks.postgres.run import TARGETS, Measured

_OPERATIONS: tuple[Operation, ...] = (
    "store",
    "retrieve",
    "first page",
    "text",
    "tags",
    "filter",
)


def _measured(ours: float) -> Measured:
    """A run in which our store takes so many times as long as the floor."""
    floor = Timing(((1,),))
    timings = {OURS: Timing(((ours,),)), RAW: floor, RAW_POOL: floor}
    return Measured(1, dict.fromkeys(_OPERATIONS, timings), {}, Endurance(0, 0, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("ours", "missed"),
    [
        pytest.param(1.2, set(), id="within all"),
        pytest.param(1.25, {"first page", "text", "tags", "filter"}, id="searches too slow"),
        pytest.param(1.31, set(_OPERATIONS), id="all too slow"),
    ],
)
def test_bounds_are_those_of_the_operation(ours: float, missed: set[str]) -> None:
    """A search may take 1.2 times as long as by hand, a write or a retrieval 1.3 times."""
    found = judged(TARGETS, _measured(ours))

    assert {each.target.name.split(":")[0] for each in found if each.met is False} == missed
    assert [each for each in found if each.met is None] == []

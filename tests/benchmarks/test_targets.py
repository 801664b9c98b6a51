"""Targets: which figure each one takes, and when it is missed."""

from __future__ import annotations

import pytest
from benchmarks.bounds import Outcome, Target, judged
from benchmarks.figures import Timing
from benchmarks.footprint import Footprint
from benchmarks.measuring import Measured, SizeMeasured
from benchmarks.peers import IN_MEMORY, LANGGRAPH_ASYNC, OURS, RAW
from benchmarks.targets import TARGETS

_NOTHING = Measured(sizes={}, layer={}, imports={}, suite={})


def _measured(ours: float) -> Measured:
    """A run in which our store takes so long for all, and the others what makes the bounds."""
    timings = {
        name: Timing(((nanoseconds,),))
        for name, nanoseconds in [
            (OURS, ours),
            (RAW, 1_000),
            (IN_MEMORY, 600_000),
            (LANGGRAPH_ASYNC, 4_000),
        ]
    }
    operations = ("store", "bulk load", "retrieve", "text", "tags", "filter")
    footprints = {OURS: Footprint(growth=ours / 100, disk=1, reopened=ours / 200)}
    size = SizeMeasured(dict.fromkeys(operations, timings), footprints)  # type: ignore[arg-type]  # a shorter list of the literals
    return Measured(
        sizes={100_000: size, 1_000_000: size},
        layer=dict.fromkeys(("store", "retrieve", "search, per hit"), ours / 200),
        imports={"memory_fidelity": ours / 10},
        suite={"fake": ours / 2_000, "sqlite": ours / 2_000},
    )


def test_fast_run_meets_all() -> None:
    """Every target takes its figure from the run, and is met."""
    found = judged(TARGETS, _measured(1_100))

    assert [each.target.name for each in found if each.met is not True] == []


def test_slow_run_misses_all_but_growth_with_size() -> None:
    """Each target that says how long something takes is missed when it takes long."""
    missed = {each.target.name for each in judged(TARGETS, _measured(20_000)) if each.met is False}

    assert {target.name for target in TARGETS} - missed == {
        "text, 1M: time at 100k",
        "tags, 1M: time at 100k",
        "filter, 1M: time at 100k",
    }


def test_what_was_not_measured_is_not_met() -> None:
    """A target without its figure is neither met nor missed."""
    assert {each.met for each in judged(TARGETS, _NOTHING)} == {None}


def test_memory_without_a_file_is_not_reopened() -> None:
    """A store that keeps nothing has no figure for reopening, rather than a good one."""
    large = SizeMeasured({}, {OURS: Footprint(growth=1, disk=0, reopened=None)})
    found = judged(TARGETS, Measured({1_000_000: large}, layer={}, imports={}, suite={}))

    assert {each.met for each in found if each.target.name.startswith("reopen")} == {None}


@pytest.mark.parametrize(
    ("figure", "at_least", "met"),
    [
        pytest.param(1.4, False, True, id="at the upper bound"),
        pytest.param(1.41, False, False, id="above the upper bound"),
        pytest.param(1.4, True, True, id="at the lower bound"),
        pytest.param(1.39, True, False, id="below the lower bound"),
    ],
)
def test_bounds_are_inclusive(figure: float, at_least: bool, met: bool) -> None:
    """A figure that is the bound meets it."""
    target: Target[Measured] = Target("name", "×", 1.4, lambda _: figure, at_least)

    assert Outcome(target, figure).met is met

"""Tries faults in several processes: each makes the adapter anew, and no fault sees another."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context

from memory_fidelity.testing.faults import FAULTS
from memory_fidelity.testing.kills import FaultResult
from memory_fidelity.testing.mutation import Mutation
from memory_fidelity.testing.targets import harness

__all__ = ["tried"]


def tried(
    place: str, names: Sequence[str], *, jobs: int, every_case: bool
) -> Iterator[FaultResult]:
    """Try each fault over the harness at `module:qualified name`, in the order given."""
    one = partial(_tried, place, every_case)
    if jobs == 1:
        yield from map(one, names)
        return
    # Forked, the children would inherit the threads and loops of whatever runs here.
    with ProcessPoolExecutor(jobs, get_context("spawn"), _import_from, (sys.path,)) as pool:
        yield from pool.map(one, names)


def _import_from(path: list[str]) -> None:
    sys.path[:] = path


def _tried(place: str, every_case: bool, name: str) -> FaultResult:
    return _mutation(place).result(FAULTS[name], every_case=every_case)


@cache
def _mutation(place: str) -> Mutation:
    return Mutation(harness(place))

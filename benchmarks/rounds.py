"""Calls of all stores in turn: A B C, then B C A, so that noise falls on each alike."""

from __future__ import annotations

import gc
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from time import perf_counter_ns
from typing import Final, TypeVar

from benchmarks.figures import Timing
from benchmarks.peer import Peer
from memory_fidelity import MemoryItem

__all__ = ["QUICK", "Plan", "interleaved", "load", "without_collector"]

Argument = TypeVar("Argument")
Call = Callable[[Peer, Argument], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Plan:
    """How many calls are made, in which portions."""

    rounds: int = 5
    blocks: int = 10
    """Turns that each store has in a round."""
    calls: int = 20
    """Calls in one turn."""
    patience: float = 0.1
    """Seconds after which a turn ends early, for stores that are slower by orders of magnitude."""
    chunk: int = 1_000
    """Items in one transaction of a bulk load, at most."""
    processes: int = 9
    """Fresh processes of each kind, where only a fresh one can tell."""

    @property
    def all_calls(self) -> int:
        """The calls of every round, and of one more turn that is not counted."""
        return (self.rounds * self.blocks + 1) * self.calls


QUICK: Final = Plan(rounds=1, blocks=1, calls=2, processes=1)
"""Shows that everything works; its figures mean nothing."""


@contextmanager
def without_collector() -> Iterator[None]:
    """Keep the garbage collector from charging one store for the objects of another."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


async def load(
    peers: Mapping[str, Peer], items: Iterator[MemoryItem], size: int, plan: Plan
) -> dict[str, Timing]:
    """Load the same items into every store, a chunk at a time, and return the time per item.

    One figure for each round: the merging of an index is in it, in whichever chunk it fell.
    """
    spent: dict[str, list[tuple[float, ...]]] = {name: [] for name in peers}
    turn = 0
    for counted in _shares(size, plan.rounds):
        total = dict.fromkeys(peers, 0)
        for start in range(0, counted, plan.chunk):
            chunk = list(islice(items, min(plan.chunk, counted - start)))
            for name in _rotated(list(peers), turn):
                total[name] += await _timed(peers[name].store_many(chunk))
            turn += 1
        for name, nanoseconds in total.items():
            spent[name].append((nanoseconds / counted,))
    return {name: Timing(tuple(rounds)) for name, rounds in spent.items()}


async def interleaved(
    peers: Mapping[str, Peer], call: Call[Argument], arguments: Sequence[Argument], plan: Plan
) -> dict[str, Timing]:
    """Make the same calls on every store, a few at a time, and return the time of each.

    `arguments` are as many as `plan.all_calls`; the first turn only warms up.
    """
    portions = [
        arguments[start : start + plan.calls] for start in range(0, len(arguments), plan.calls)
    ]
    spent: dict[str, list[list[float]]] = {name: [[] for _ in range(plan.rounds)] for name in peers}
    for turn, portion in enumerate(portions):
        for name in _rotated(list(peers), turn):
            calls = await _turn(peers[name], call, portion, plan.patience)
            if turn:
                spent[name][(turn - 1) // plan.blocks] += calls
    return {name: Timing(tuple(tuple(calls) for calls in rounds)) for name, rounds in spent.items()}


async def _turn(
    peer: Peer, call: Call[Argument], arguments: Sequence[Argument], patience: float
) -> list[float]:
    calls: list[float] = []
    left = patience * 1e9
    for argument in arguments:
        calls.append(await _timed(call(peer, argument)))
        left -= calls[-1]
        if left < 0:
            break
    return calls


async def _timed(under_way: Awaitable[object]) -> int:
    started = perf_counter_ns()
    await under_way
    return perf_counter_ns() - started


def _shares(size: int, rounds: int) -> list[int]:
    """The size in as many parts as there are rounds, as equal as can be."""
    return [size * (part + 1) // rounds - size * part // rounds for part in range(rounds)]


def _rotated(names: list[str], turn: int) -> list[str]:
    first = turn % len(names)
    return names[first:] + names[:first]

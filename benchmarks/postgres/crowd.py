"""Many tasks at once: how much gets done while they wait for connections and for each other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from itertools import islice
from time import perf_counter_ns
from typing import Any, Final, Literal

from benchmarks.corpus import Corpus
from benchmarks.figures import Timing
from benchmarks.peer import Peer
from benchmarks.rounds import without_collector
from memory_fidelity import MemoryItem

__all__ = ["TASKS", "Crowded", "crowded"]

TASKS: Final = 64

Crowded = Literal["store", "retrieve", "text"]
"""What the tasks do."""

_LIMIT: Final = 10


async def crowded(
    peers: Mapping[str, Peer],
    more: Iterator[MemoryItem],
    size: int,
    corpus: Corpus,
    *,
    rounds: int,
    calls: int,
) -> dict[Crowded, dict[str, Timing]]:
    """Return nanoseconds for each call, of `TASKS` tasks that share `calls` of them in a round.

    The stores take turns, and who is first rotates. A round before the first is
    not counted: in it, connections are made.
    """
    timings: dict[Crowded, dict[str, Timing]] = {}
    for kind in ("retrieve", "text", "store"):
        arguments = _arguments(kind, more, size, corpus, (rounds + 1) * calls)
        spent: dict[str, list[tuple[float, ...]]] = {name: [] for name in peers}
        with without_collector():
            for turn in range(rounds + 1):
                portion = arguments[turn * calls : (turn + 1) * calls]
                for name in [*peers][turn % len(peers) :] + [*peers][: turn % len(peers)]:
                    taken = await _shared_out(_call(kind, peers[name]), portion)
                    spent[name].append((taken / calls,))
        timings[kind] = {name: Timing(tuple(each[1:])) for name, each in spent.items()}
    return timings


def _arguments(
    kind: Crowded, more: Iterator[MemoryItem], size: int, corpus: Corpus, count: int
) -> list[Any]:
    match kind:
        case "store":
            return list(islice(more, count))
        case "retrieve":
            return list(corpus.identities(size, count))
        case "text":
            return list(corpus.needles(count))


def _call(kind: Crowded, peer: Peer) -> Callable[[Any], Awaitable[object]]:
    match kind:
        case "store":
            return peer.store
        case "retrieve":
            return peer.retrieve
        case "text":
            return lambda needle: peer.text(needle, _LIMIT)


async def _shared_out(call: Callable[[Any], Awaitable[object]], arguments: list[Any]) -> int:
    left = iter(arguments)

    async def task() -> None:
        for argument in left:
            await call(argument)

    started = perf_counter_ns()
    async with asyncio.TaskGroup() as tasks:
        for _ in range(TASKS):
            tasks.create_task(task())
    return perf_counter_ns() - started

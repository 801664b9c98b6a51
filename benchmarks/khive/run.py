"""What is measured of the khive store, how, and how fast is fast enough."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Final

from benchmarks.bounds import Outcome, Target
from benchmarks.figures import Timing, ratio
from benchmarks.khive.bare import Bare, bare
from benchmarks.rounds import without_collector
from memory_fidelity import MemoryItem, memory_query
from memory_fidelity.adapters.khive import KhiveMemoryStore
from memory_fidelity.adapters.mcp_session import McpServer

__all__ = ["OPERATIONS", "TARGETS", "Measured", "Plan", "as_text", "measure"]

OPERATIONS: Final = ("store anew", "store again", "retrieve", "search")


@dataclass(frozen=True, slots=True)
class Plan:
    """How many calls are made."""

    rounds: int = 9
    calls: int = 20
    """Of each operation and side, in one round."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Times of both sides, by operation."""

    ours: dict[str, Timing]
    bare: dict[str, Timing]


def _times_bare(operation: str) -> Callable[[Measured], float]:
    return lambda run: ratio(run.ours[operation], run.bare[operation]).middle


TARGETS: Final = tuple(
    Target(f"{operation}, beside bare calls", "times", 1.5, _times_bare(operation))
    for operation in OPERATIONS
)


async def measure(server: McpServer, plan: Plan) -> Measured:
    """Make the same calls through the store and by hand, in turn, in one database."""
    ours: dict[str, list[tuple[float, ...]]] = {name: [] for name in OPERATIONS}
    by_hand: dict[str, list[tuple[float, ...]]] = {name: [] for name in OPERATIONS}
    async with KhiveMemoryStore(server, namespace="ours") as store, bare(server) as direct:
        # Starting, and the first calls of both, are not counted.
        for number in range(plan.rounds + 1):
            items = [_item(number, each) for each in range(plan.calls)]
            sides = [(ours, _through(store)), (by_hand, _direct(direct))]
            for told, side in sides if number % 2 else sides[::-1]:
                with without_collector():
                    for operation in OPERATIONS:
                        spent = [await _timed(side(operation, item)) for item in items]
                        told[operation] += [tuple(spent)] if number else []
    return Measured(
        {name: Timing(tuple(rounds)) for name, rounds in ours.items()},
        {name: Timing(tuple(rounds)) for name, rounds in by_hand.items()},
    )


def as_text(run: Measured, found: list[Outcome[Measured]]) -> str:
    """Return the figures as a table, and what became of the targets."""
    return "\n".join([*_lines(run), "", *(_judgement(outcome) for outcome in found)])


def _lines(run: Measured) -> Iterator[str]:
    yield f"{'':12} {'ours, ms':>9} {'bare, ms':>9} {'ratio':>6}  lowest to highest"
    for name in OPERATIONS:
        times = ratio(run.ours[name], run.bare[name])
        yield (
            f"{name:12} {run.ours[name].p50 / 1e6:9.2f} {run.bare[name].p50 / 1e6:9.2f} "
            f"{times.middle:6.2f}  {times.lowest:.2f} to {times.highest:.2f}"
        )


def _judgement(outcome: Outcome[Measured]) -> str:
    word = {True: "met", False: "MISSED", None: "not measured"}[outcome.met]
    return f"{word}: {outcome.target.name}: {outcome.target.wanted}"


def _item(number: int, each: int) -> MemoryItem:
    return MemoryItem(
        content=f"round{number} number{each} of what an agent may want to remember later on",
        tags=["bench", f"round-{number}"],
        metadata={"source": "bench", "n": each, "nested": {"list": [1, 2.5, None, "x"]}},
    )


def _through(store: KhiveMemoryStore) -> Callable[[str, MemoryItem], Awaitable[object]]:
    def call(operation: str, item: MemoryItem) -> Awaitable[object]:
        if operation == "retrieve":
            return store.retrieve(item.id)
        if operation == "search":
            return store.search(memory_query(text=_word(item), limit=10))
        return store.store(item)

    return call


def _direct(direct: Bare) -> Callable[[str, MemoryItem], Awaitable[object]]:
    def call(operation: str, item: MemoryItem) -> Awaitable[object]:
        if operation == "retrieve":
            return direct.retrieve(item)
        if operation == "search":
            return direct.search(_word(item))
        return direct.store(item)

    return call


def _word(item: MemoryItem) -> str:
    return str(item.content).split()[0]


async def _timed(under_way: Awaitable[object]) -> int:
    started = perf_counter_ns()
    await under_way
    return perf_counter_ns() - started

"""What is measured of the khive store, how, and how fast is fast enough."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Final

from benchmarks.bounds import Outcome, Target
from benchmarks.figures import Timing, ratio
from benchmarks.khive.bare import Bare, bare, bare_lines
from benchmarks.rounds import without_collector
from memory_fidelity import MemoryItem, memory_query
from memory_fidelity.adapters.khive import KhiveMemoryStore
from memory_fidelity.adapters.mcp_session import McpServer

__all__ = ["OPERATIONS", "TARGETS", "Measured", "Plan", "as_text", "measure"]

_Told = dict[str, list[tuple[float, ...]]]

OPERATIONS: Final = ("store anew", "store again", "retrieve", "search")


@dataclass(frozen=True, slots=True)
class Plan:
    """How many calls are made."""

    rounds: int = 9
    calls: int = 20
    """Of each operation and side, in one round."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Times of all sides, by operation."""

    ours: dict[str, Timing]
    bare: dict[str, Timing]
    lines: dict[str, Timing]
    """Of bare calls without the SDK's client; for information."""


def _times_bare(operation: str) -> Callable[[Measured], float]:
    return lambda run: ratio(run.ours[operation], run.bare[operation]).middle


TARGETS: Final = tuple(
    Target(f"{operation}, beside bare calls", "times", 1.5, _times_bare(operation))
    for operation in OPERATIONS
)


async def measure(server: McpServer, plan: Plan) -> Measured:
    """Make the same calls through the store and by hand, in turn, in one database."""
    told: list[_Told] = [{name: [] for name in OPERATIONS} for _ in range(3)]
    async with (
        KhiveMemoryStore(server, namespace="ours") as store,
        bare(server) as direct,
        bare_lines(server) as lines,
    ):
        sides = list(zip(told, (_through(store), _direct(direct), _direct(lines)), strict=True))
        # Starting, and the first calls of all, are not counted.
        for number in range(plan.rounds + 1):
            items = [_item(number, each) for each in range(plan.calls)]
            for spent, side in sides[number % 3 :] + sides[: number % 3]:
                with without_collector():
                    for operation in OPERATIONS:
                        times = [await _timed(side(operation, item)) for item in items]
                        spent[operation] += [tuple(times)] if number else []
    return Measured(*(_timings(each) for each in told))


def _timings(told: _Told) -> dict[str, Timing]:
    return {name: Timing(tuple(rounds)) for name, rounds in told.items()}


def as_text(run: Measured, found: list[Outcome[Measured]]) -> str:
    """Return the figures as a table, and what became of the targets."""
    return "\n".join([*_lines(run), "", *(_judgement(outcome) for outcome in found)])


def _lines(run: Measured) -> Iterator[str]:
    yield f"{'ms':12} {'ours':>7} {'bare':>7} {'ratio':>6}  {'lowest to highest':18} without SDK"
    for name in OPERATIONS:
        times = ratio(run.ours[name], run.bare[name])
        reach = f"{times.lowest:.2f} to {times.highest:.2f}"
        yield (
            f"{name:12} {run.ours[name].p50 / 1e6:7.2f} {run.bare[name].p50 / 1e6:7.2f} "
            f"{times.middle:6.2f}  {reach:18} {run.lines[name].p50 / 1e6:11.2f}"
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

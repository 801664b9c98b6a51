"""One run over PostgreSQL: every store on one server, one call at a time and many at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from typing import Any, Final

from benchmarks.bounds import Outcome, Target
from benchmarks.corpus import Corpus
from benchmarks.figures import Timing, ratio
from benchmarks.measuring import Report, call_timings
from benchmarks.peer import Operation
from benchmarks.postgres.crowd import TASKS, Crowded, crowded
from benchmarks.postgres.databases import Databases
from benchmarks.postgres.endurance import Endurance, endurance
from benchmarks.postgres.peers import OPENERS, OURS, RAW, RAW_POOL, installed
from benchmarks.rounds import Plan, load, without_collector
from benchmarks.tables import (
    aligned,
    outcome_json,
    outcome_rows,
    ratio_json,
    ratio_rows,
    time_rows,
    timing_json,
)

__all__ = ["TARGETS", "Measured", "as_json", "as_text", "measure"]

_CROWD_CALLS: Final = 1_280
_QUICK_CROWD: Final = TASKS
_AS_RAW: Final[dict[Operation, float]] = {
    "store": 1.3,
    "retrieve": 1.3,
    "first page": 1.2,
    "text": 1.2,
    "tags": 1.2,
    "filter": 1.2,
}


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything that one run measured."""

    size: int
    timings: Mapping[Operation, Mapping[str, Timing]]
    crowd: Mapping[Crowded, Mapping[str, Timing]]
    endurance: Endurance


def _times_raw(operation: Operation, raw: str) -> Callable[[Measured], float]:
    def figure(measured: Measured) -> float:
        by_store = measured.timings[operation]
        return ratio(by_store[OURS], by_store[raw]).middle

    return figure


TARGETS: Final = tuple(
    Target(f"{operation}: time of {raw}", "×", bound, _times_raw(operation, raw))
    for raw in (RAW_POOL, RAW)
    for operation, bound in _AS_RAW.items()
)
"""How fast is fast enough: both beside a store for many tasks, and beside one for a single task."""


async def measure(
    conninfo: str, size: int, seed: int, plan: Plan, operations: int, report: Report
) -> Measured:
    """Measure every installed store with so many items, in databases that are dropped afterwards.

    Raises:
        Disagreement: the stores do not answer alike.
    """
    corpus = Corpus(seed)
    databases = Databases(conninfo)
    items = corpus.items()
    try:
        # First, while little else is in this process.
        report(f"{operations:,} operations: what they leave behind")
        left = await endurance(databases.make(), seed, operations)
        async with AsyncExitStack() as closing:
            peers = {}
            for name in filter(installed, OPENERS):
                peers[name] = await OPENERS[name](databases.make())
                closing.push_async_callback(peers[name].close)
            report(f"{size:,} items: bulk load")
            with without_collector():
                loaded = await load(peers, items, size, plan)
            databases.settle()
            timings = await call_timings(peers, items, size, corpus, plan, report)
            report(f"{size:,} items: {TASKS} tasks at once")
            crowd = await crowded(
                {name: peers[name] for name in (OURS, RAW_POOL)},
                items,
                size,
                corpus,
                rounds=plan.rounds,
                calls=_CROWD_CALLS if plan.blocks > 1 else _QUICK_CROWD,
            )
    finally:
        databases.drop()
    return Measured(size, {"bulk load": loaded, **timings}, crowd, left)


def as_text(measured: Measured, outcomes: Sequence[Outcome[Measured]]) -> str:
    """Return all tables as text: times, ratios, many tasks, what is left behind, targets."""
    stores = list(measured.timings["bulk load"])
    items = f"{measured.size:,} items"
    return "\n\n".join(
        [
            f"{items}: microseconds, p50 / p99 (bulk load: per item)",
            aligned(time_rows(measured.timings, stores)),
            f"{items}: {OURS} takes … times as long, by round (lowest to highest)",
            aligned(ratio_rows(measured.timings, OURS, stores)),
            f"{items}: {TASKS} tasks at once, calls a second",
            aligned(_crowd_rows(measured.crowd)),
            f"{items}: {TASKS} tasks at once, {OURS} takes … times as long",
            aligned(ratio_rows(measured.crowd, OURS, (OURS, RAW_POOL))),
            "Left behind by many calls",
            aligned(_endurance_rows(measured.endurance)),
            "Targets",
            aligned(outcome_rows(outcomes)),
        ]
    )


def as_json(
    measured: Measured, outcomes: Sequence[Outcome[Measured]], conditions: Mapping[str, Any]
) -> dict[str, Any]:
    """Return everything that was measured, round by round, as JSON values."""
    return {
        "conditions": dict(conditions),
        "size": measured.size,
        "nanoseconds": timing_json(measured.timings),
        "ratios": ratio_json(measured.timings, OURS),
        "crowd": {
            "tasks": TASKS,
            "nanoseconds": timing_json(measured.crowd),
            "ratios": ratio_json(measured.crowd, OURS),
        },
        "endurance": asdict(measured.endurance),
        "targets": outcome_json(outcomes),
    }


def _crowd_rows(crowd: Mapping[Crowded, Mapping[str, Timing]]) -> Iterator[list[str]]:
    yield ["", *crowd]
    for name in (OURS, RAW_POOL):
        yield [name, *(f"{1e9 / by_store[name].p50:,.0f}" for by_store in crowd.values())]


def _endurance_rows(left: Endurance) -> Iterator[list[str]]:
    yield ["operations", f"{left.operations:,}"]
    yield ["connections more", f"{left.connections}"]
    yield ["connections after closing", f"{left.after_closing}"]
    yield ["tasks more", f"{left.tasks}"]
    yield ["objects more", f"{left.objects:,}"]
    yield ["MiB more", f"{left.memory:.2f}"]

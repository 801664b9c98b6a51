"""Rows and JSON values of what any benchmark measures, and tables made of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from benchmarks.bounds import Outcome
from benchmarks.figures import Timing, ratio

__all__ = [
    "NONE",
    "aligned",
    "outcome_json",
    "outcome_rows",
    "ratio_json",
    "ratio_rows",
    "time_rows",
    "timing_json",
]

NONE = "-"
"""Where there is no figure."""

Operation = TypeVar("Operation", bound=str)
Run = TypeVar("Run")
Timings = Mapping[Operation, Mapping[str, Timing]]
"""By operation, then by store."""


def time_rows(timings: Timings[Operation], stores: Iterable[str]) -> Iterator[list[str]]:
    """Yield microseconds, p50 / p99, of each store."""
    yield ["", *timings]
    for name in stores:
        yield [name, *(_time(by_store.get(name)) for by_store in timings.values())]


def ratio_rows(
    timings: Timings[Operation], ours: str, stores: Iterable[str]
) -> Iterator[list[str]]:
    """Yield how many times as long as each of the other stores ours takes, by operation."""
    others = [name for name in stores if name != ours]
    yield ["", *(f"as {name}" for name in others)]
    for operation, by_store in timings.items():
        yield [operation, *(_ratio(by_store, ours, name) for name in others)]


def outcome_rows(outcomes: Iterable[Outcome[Run]]) -> Iterator[list[str]]:
    """Yield a row for each target, with what came of it."""
    words = {True: "met", False: "MISSED", None: "not measured"}
    for outcome in outcomes:
        figure = NONE if outcome.figure is None else f"{outcome.figure:.3g}"
        yield [words[outcome.met], outcome.target.name, outcome.target.wanted, figure]


def timing_json(timings: Timings[Operation]) -> dict[str, Any]:
    """Return nanoseconds: over all calls, and the median of each round."""
    return {
        operation: {
            name: {
                "p50": timing.p50,
                "p99": timing.p99,
                "rounds": timing.medians,
                "calls": [len(calls) for calls in timing.rounds],
            }
            for name, timing in by_store.items()
        }
        for operation, by_store in timings.items()
    }


def ratio_json(timings: Timings[Operation], ours: str) -> dict[str, Any]:
    """Return how many times as long as each of the other stores ours takes."""
    return {
        operation: {
            name: asdict(ratio(by_store[ours], timing))
            for name, timing in by_store.items()
            if name != ours
        }
        for operation, by_store in timings.items()
    }


def outcome_json(outcomes: Iterable[Outcome[Run]]) -> list[dict[str, Any]]:
    """Return each target, with what came of it."""
    return [
        {
            "name": outcome.target.name,
            "wanted": outcome.target.wanted,
            "figure": outcome.figure,
            "met": outcome.met,
        }
        for outcome in outcomes
    ]


def aligned(rows: Iterable[list[str]]) -> str:
    """Return rows of equal length as text: the first column to the left, others to the right."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(_line(row, widths) for row in table)


def _line(row: list[str], widths: list[int]) -> str:
    name, *cells = row
    justified = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
    return "  ".join([name.ljust(widths[0]), *justified]).rstrip()


def _time(timing: Timing | None) -> str:
    return NONE if timing is None else f"{_short(timing.p50 / 1e3)} / {_short(timing.p99 / 1e3)}"


def _ratio(by_store: Mapping[str, Timing], ours: str, name: str) -> str:
    if name not in by_store:
        return NONE
    found = ratio(by_store[ours], by_store[name])
    return f"{found.middle:.3g} ({found.lowest:.3g} to {found.highest:.3g})"


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"

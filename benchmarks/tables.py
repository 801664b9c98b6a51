"""Tables for people, and the same as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from benchmarks.figures import Ratio, Timing, ratio
from benchmarks.measuring import Measured, SizeMeasured
from benchmarks.peers import OURS
from benchmarks.targets import Outcome

__all__ = ["as_json", "as_text"]

_NONE = "-"


def as_text(measured: Measured, outcomes: Iterable[Outcome]) -> str:
    """Return all tables as text: times, ratios, footprints, what has no size, targets."""
    parts = []
    for size, each in measured.sizes.items():
        parts.append(f"{size:,} items: microseconds, p50 / p99 (bulk load: per item)")
        parts.append(_aligned(_times(each)))
        parts.append(f"{size:,} items: {OURS} takes … times as long, by round (lowest to highest)")
        parts.append(_aligned(_ratios(each)))
        parts.append(f"{size:,} items: memory, disk and reopening, in fresh processes")
        parts.append(_aligned(_footprints(each)))
    parts.append("Whatever the size")
    parts.append(_aligned(_sizeless(measured)))
    parts.append("Targets")
    parts.append(_aligned(_targets(outcomes)))
    return "\n\n".join(parts)


def as_json(
    measured: Measured, outcomes: Iterable[Outcome], conditions: Mapping[str, Any]
) -> dict[str, Any]:
    """Return everything that was measured, round by round, as JSON values."""
    return {
        "conditions": dict(conditions),
        "sizes": {
            str(size): {
                "nanoseconds": {
                    operation: {name: _timing(timing) for name, timing in stores.items()}
                    for operation, stores in each.timings.items()
                },
                "ratios": {
                    operation: {
                        name: asdict(ratio(stores[OURS], timing))
                        for name, timing in stores.items()
                        if name != OURS
                    }
                    for operation, stores in each.timings.items()
                },
                "footprints": {name: asdict(print_) for name, print_ in each.footprints.items()},
            }
            for size, each in measured.sizes.items()
        },
        "layer_microseconds_per_item": dict(measured.layer),
        "import_milliseconds": dict(measured.imports),
        "suite_seconds": dict(measured.suite),
        "targets": [
            {
                "name": outcome.target.name,
                "wanted": outcome.target.wanted,
                "figure": outcome.figure,
                "met": outcome.met,
            }
            for outcome in outcomes
        ],
    }


def _timing(timing: Timing) -> dict[str, Any]:
    calls = [len(calls) for calls in timing.rounds]
    return {"p50": timing.p50, "p99": timing.p99, "rounds": timing.medians, "calls": calls}


def _times(each: SizeMeasured) -> Iterator[list[str]]:
    operations = list(each.timings)
    yield ["", *operations]
    for name in _stores(each):
        yield [name, *(_time(each.timings[operation].get(name)) for operation in operations)]


def _stores(each: SizeMeasured) -> list[str]:
    return list(each.timings["bulk load"])


def _time(timing: Timing | None) -> str:
    return _NONE if timing is None else f"{_short(timing.p50 / 1e3)} / {_short(timing.p99 / 1e3)}"


def _ratios(each: SizeMeasured) -> Iterator[list[str]]:
    yield ["", *(f"as {name}" for name in _stores(each) if name != OURS)]
    for operation, stores in each.timings.items():
        yield [operation, *(_ratio(stores, name) for name in _stores(each) if name != OURS)]


def _ratio(stores: Mapping[str, Timing], name: str) -> str:
    if name not in stores:
        return _NONE
    found: Ratio = ratio(stores[OURS], stores[name])
    return f"{found.middle:.3g} ({found.lowest:.3g} to {found.highest:.3g})"


def _footprints(each: SizeMeasured) -> Iterator[list[str]]:
    yield ["", "growth MiB", "bytes per item", "reopen + read ms"]
    for name, found in each.footprints.items():
        reopened = _NONE if found.reopened is None else f"{found.reopened:.2f}"
        yield [name, f"{found.growth:.1f}", f"{found.disk:.0f}" if found.disk else _NONE, reopened]


def _sizeless(measured: Measured) -> Iterator[list[str]]:
    for operation, cost in measured.layer.items():
        yield [f"contract layer, {operation}", f"{cost:.2f} µs of processor time per item"]
    for module, milliseconds in measured.imports.items():
        yield [f"import {module}", f"{milliseconds:.1f} ms"]
    for target, seconds in measured.suite.items():
        yield [f"check {target}, fake lane", f"{seconds:.2f} s"]


def _targets(outcomes: Iterable[Outcome]) -> Iterator[list[str]]:
    words = {True: "met", False: "MISSED", None: "not measured"}
    for outcome in outcomes:
        figure = _NONE if outcome.figure is None else f"{outcome.figure:.3g}"
        yield [words[outcome.met], outcome.target.name, outcome.target.wanted, figure]


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _aligned(rows: Iterable[list[str]]) -> str:
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(_line(row, widths) for row in table)


def _line(row: list[str], widths: list[int]) -> str:
    name, *cells = row
    aligned = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
    return "  ".join([name.ljust(widths[0]), *aligned]).rstrip()

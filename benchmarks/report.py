"""One run over the SQLite store: tables for people, and the same as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from benchmarks.bounds import Outcome
from benchmarks.measuring import Measured, SizeMeasured
from benchmarks.peers import OURS
from benchmarks.tables import (
    NONE,
    aligned,
    outcome_json,
    outcome_rows,
    ratio_json,
    ratio_rows,
    time_rows,
    timing_json,
)

__all__ = ["as_json", "as_text"]


def as_text(measured: Measured, outcomes: Sequence[Outcome[Measured]]) -> str:
    """Return all tables as text: times, ratios, footprints, what has no size, targets."""
    parts = []
    for size, each in measured.sizes.items():
        stores = list(each.timings["bulk load"])
        parts.append(f"{size:,} items: microseconds, p50 / p99 (bulk load: per item)")
        parts.append(aligned(time_rows(each.timings, stores)))
        parts.append(f"{size:,} items: {OURS} takes … times as long, by round (lowest to highest)")
        parts.append(aligned(ratio_rows(each.timings, OURS, stores)))
        parts.append(f"{size:,} items: memory, disk and reopening, in fresh processes")
        parts.append(aligned(_footprints(each)))
    parts.append("Whatever the size")
    parts.append(aligned(_sizeless(measured)))
    parts.append("Targets")
    parts.append(aligned(outcome_rows(outcomes)))
    return "\n\n".join(parts)


def as_json(
    measured: Measured, outcomes: Sequence[Outcome[Measured]], conditions: Mapping[str, Any]
) -> dict[str, Any]:
    """Return everything that was measured, round by round, as JSON values."""
    return {
        "conditions": dict(conditions),
        "sizes": {
            str(size): {
                "nanoseconds": timing_json(each.timings),
                "ratios": ratio_json(each.timings, OURS),
                "footprints": {name: asdict(print_) for name, print_ in each.footprints.items()},
            }
            for size, each in measured.sizes.items()
        },
        "layer_microseconds_per_item": dict(measured.layer),
        "import_milliseconds": dict(measured.imports),
        "suite_seconds": dict(measured.suite),
        "targets": outcome_json(outcomes),
    }


def _footprints(each: SizeMeasured) -> Iterator[list[str]]:
    yield ["", "growth MiB", "bytes per item", "reopen + read ms"]
    for name, found in each.footprints.items():
        reopened = NONE if found.reopened is None else f"{found.reopened:.2f}"
        yield [name, f"{found.growth:.1f}", f"{found.disk:.0f}" if found.disk else NONE, reopened]


def _sizeless(measured: Measured) -> Iterator[list[str]]:
    for operation, cost in measured.layer.items():
        yield [f"contract layer, {operation}", f"{cost:.2f} µs of processor time per item"]
    for module, milliseconds in measured.imports.items():
        yield [f"import {module}", f"{milliseconds:.1f} ms"]
    for target, seconds in measured.suite.items():
        yield [f"check {target}, fake lane", f"{seconds:.2f} s"]

"""Several reports side by side: the nine facts of each manifest, and what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, zip_longest
from textwrap import wrap
from typing import Final

from memory_fidelity.manifest import ITEM_FIELDS, MemoryAdapterManifest
from memory_fidelity.testing.rendering.wording import printable
from memory_fidelity.testing.report import Report

__all__ = ["fidelity_table"]

_LABEL: Final = 21
_CELL: Final = 18
_ACROSS: Final = 3
"""With a label and three reports, a line has at most 80 columns; more make further tables."""


def fidelity_table(reports: Mapping[str, Report]) -> str:
    """Return a column per report, under the name it is given, and a row per fact."""
    left = iter(reports.items())
    blocks = iter(lambda: dict(islice(left, _ACROSS)), {})
    return "\n\n".join("\n".join(_block(block)) for block in blocks) + "\n"


def _block(reports: Mapping[str, Report]) -> Iterator[str]:
    yield from _row("", list(reports))
    yield "-" * (_LABEL + len(reports) * (_CELL + 1))
    for field in MemoryAdapterManifest.model_fields:
        yield from _row(field, [_fact(report.manifest, field) for report in reports.values()])
    yield from _row("lanes", [_lanes(report) for report in reports.values()])
    yield from _row("verdict", [report.verdict for report in reports.values()])
    yield from _row("grade", [report.grade for report in reports.values()])


def _row(label: str, cells: list[str]) -> Iterator[str]:
    columns = [wrap(printable(cell), _CELL, break_on_hyphens=False) for cell in cells]
    for index, parts in enumerate(zip_longest(*columns, fillvalue="")):
        head = label if index == 0 else ""
        yield (f"{head:<{_LABEL}}" + "".join(f" {part:<{_CELL}}" for part in parts)).rstrip()


def _fact(manifest: MemoryAdapterManifest | None, field: str) -> str:
    if manifest is None:
        return "no manifest"
    match getattr(manifest, field):
        case bool() as value:
            return "yes" if value else "no"
        case frozenset() as names if names == set(ITEM_FIELDS):
            return "all five"
        case frozenset() as names:
            return ", ".join(sorted(names)) or "none"
        case value:
            return str(value)


def _lanes(report: Report) -> str:
    return ", ".join(f"{lane.lane} {len(lane.results)}" for lane in report.lanes)

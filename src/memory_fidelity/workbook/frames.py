"""Findings, manifests and journeys as data frames of plain text, sorted and without times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pandas import DataFrame, Index

from memory_fidelity.choose import Needs, compare, unmet
from memory_fidelity.exact import path_to, same
from memory_fidelity.manifest import ITEM_FIELDS, MemoryAdapterManifest
from memory_fidelity.store import MemoryItem
from memory_fidelity.testing.harness import Call
from memory_fidelity.testing.report import Report

__all__ = [
    "calls_frame",
    "findings_frame",
    "items_frame",
    "journey_frame",
    "losses_frame",
    "manifests_frame",
    "needs_frame",
]


def items_frame(items: Iterable[MemoryItem]) -> DataFrame:
    """Return one row per item, in the order given: content, tags and metadata as Python shows them.

    Identities and times are left out, for they differ from run to run.
    """
    rows = [(repr(item.content), repr(item.tags), repr(item.metadata)) for item in items]
    return _framed(rows, ("content", "tags", "metadata"), range(1, len(rows) + 1), "item")


def manifests_frame(manifests: Iterable[MemoryAdapterManifest]) -> DataFrame:
    """Return one row per field of the manifest and one column per adapter."""
    declared = list(manifests)
    fields = [name for name in MemoryAdapterManifest.model_fields if name != "adapter"]
    rows = [tuple(_said(getattr(manifest, field)) for manifest in declared) for field in fields]
    return _framed(rows, tuple(m.adapter for m in declared), fields, "field")


def journey_frame(
    sent: MemoryItem, native: dict[str, Any] | None, got: MemoryItem | None
) -> DataFrame:
    """Return one row per part of an item, with its value sent, in the native record, and back.

    `native` is the record as the service has it, `None` where nothing reached
    it. The last column, `fate`, is what became of the part: `kept`, `altered`,
    `dropped`, `added`, or `refused`, where no item came back and none was sent.
    """
    rows: list[tuple[str, str, str, str]] = []
    paths: list[str] = []
    for field in ITEM_FIELDS:
        before = _parts(field, getattr(sent, field))
        stored = _parts(field, native[field]) if native and field in native else {}
        after = _parts(field, getattr(got, field)) if got is not None else {}
        for path in dict.fromkeys([*before, *after]):
            fate = "refused" if got is None else _fate(path, before, stored, after)
            paths.append(path)
            rows.append((_cell(path, before), _cell(path, stored), _cell(path, after), fate))
    return _framed(rows, ("sent", "native record", "came back", "fate"), paths, "part")


def calls_frame(calls: Iterable[Call]) -> DataFrame:
    """Return one row per request that reached the service, in its order."""
    rows = [(call.operation, call.text) for call in calls]
    return _framed(rows, ("operation", "text"), range(1, len(rows) + 1), "call")


def findings_frame(report: Report) -> DataFrame:
    """Return one row per finding, each said once: what is false, the claim, what was observed."""
    found = [
        (result.case, finding.subject, finding.claim, finding.observed)
        for lane in report.lanes
        for result in lane.results
        for finding in result.findings
    ]
    unique = list(dict.fromkeys(found))
    rows = [row[1:] for row in unique]
    return _framed(rows, ("false", "claim", "observed"), [row[0] for row in unique], "case")


def needs_frame(needs: Needs, manifests: Iterable[MemoryAdapterManifest]) -> DataFrame:
    """Return one row per need that some adapter does not meet, and one column per adapter.

    A cell is `met`, or what the manifest says instead.
    """
    declared = list(manifests)
    missing = [{need.need: need.got for need in unmet(needs, m)} for m in declared]
    names = sorted({need for by_need in missing for need in by_need})
    rows = [tuple(by_need.get(name, "met") for by_need in missing) for name in names]
    return _framed(rows, tuple(m.adapter for m in declared), names, "need")


def losses_frame(manifests: Iterable[MemoryAdapterManifest]) -> DataFrame:
    """Return how many promises a move loses, from the adapter of a row to that of a column."""
    declared = list(manifests)
    names = tuple(m.adapter for m in declared)
    rows = [tuple(_count(len(compare(a, b)), a is b) for b in declared) for a in declared]
    return _framed(rows, names, names, "from")


def _framed(
    rows: Sequence[Sequence[object]], columns: Sequence[str], index: Iterable[object], name: str
) -> DataFrame:
    return DataFrame(list(rows), columns=list(columns), index=Index(list(index), name=name))


def _said(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case frozenset():
            return ", ".join(sorted(value)) or "none"
        case _:
            return str(value)


def _count(losses: int, is_same: bool) -> str:
    return "–" if is_same else str(losses) if losses else "nothing"


def _parts(field: str, value: Any) -> dict[str, Any]:
    """The field's value by path; metadata by its keys, since each has a fate of its own."""
    if field == "metadata" and isinstance(value, dict):
        return {path_to(field, key): part for key, part in value.items()}
    return {field: value}


def _cell(path: str, parts: dict[str, Any]) -> str:
    return repr(parts[path]) if path in parts else "nothing"


def _fate(path: str, before: dict[str, Any], stored: dict[str, Any], after: dict[str, Any]) -> str:
    if path not in before:
        return "added"
    if path in after and same(before[path], after[path]):
        return "kept"
    # What was never stored reads as a default afterwards: that is no alteration.
    return "altered" if path in after and stored else "dropped"

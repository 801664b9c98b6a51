"""The pages of the manifest, the card and the report: every field with what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from inspect import getdoc
from typing import Any, Final

from pydantic import BaseModel
from tools.website.blocks import clause_links, heading, paragraphs, prose, table

from memory_fidelity.card import AdapterCard, FilterMapping, Lifecycle, LossFixture, Refusal
from memory_fidelity.fake.behaviour import FULL, LOSSY, NATIVE_FIELDS
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.testing.clauses import CLAUSES
from memory_fidelity.testing.report import CaseResult, Environment, Finding, LaneReport, Report

__all__ = ["SCHEMA_FILE", "card_page", "manifest_page", "report_page"]

SCHEMA_FILE: Final = "report-1.schema.json"
"""The published schema, beside the page that describes it."""

_COHERENCE: Final = ("M2", "M3", "M4", "M5", "M6")
_CARD_PARTS: Final = (AdapterCard, LossFixture, Refusal, FilterMapping, Lifecycle)
_REPORT_PARTS: Final = (Report, LaneReport, CaseResult, Finding, Environment)


def manifest_page() -> str:
    """Return the nine fields of the manifest, its rules, and three manifests that keep them."""
    return _page(_manifest())


def card_page() -> str:
    """Return every statement of the card and its parts."""
    return _page(_card())


def report_page() -> str:
    """Return every field of a report as JSON."""
    return _page(_report())


def _manifest() -> Iterator[str]:
    yield "# Manifest"
    yield paragraphs(getdoc(MemoryAdapterManifest) or "")
    yield (
        "In Python it is [`MemoryAdapterManifest`](api.md#memory_fidelity.MemoryAdapterManifest). "
        "Everything that its nine fields cannot say is on the [card](card.md)."
    )
    yield heading(2, "The nine fields", "fields")
    yield _fields(MemoryAdapterManifest)
    yield heading(2, "What makes it coherent", "coherence")
    yield "A manifest that breaks one of these rules is not made; pydantic says which one it was."
    yield "\n".join(f"- {clause_links([each])}: {prose(CLAUSES[each])}" for each in _COHERENCE)
    yield heading(2, "Three manifests", "examples")
    yield (
        "The [fake](../evidence/index.md) that comes with the package can be any of these; "
        "each was judged, and is conformant."
    )
    for behaviour in (FULL, NATIVE_FIELDS, LOSSY):
        declared = behaviour.manifest().model_dump(mode="json")
        lines = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in declared.items())
        yield _fenced("json", "{\n" + ",\n".join(lines) + "\n}")


def _card() -> Iterator[str]:
    yield "# Card"
    yield (
        "An adapter's card states what the nine fields of its [manifest](manifest.md) cannot. What "
        "can be executed is executed: defaults, losses, refusals and filter mappings by examples. "
        "[Decision 0003](../decisions/0003-a-card-beside-the-manifest.md) says why it stands "
        "beside the manifest, and [each judged adapter](../evidence/index.md) shows its own."
    )
    for part in _CARD_PARTS:
        yield from _part(part)


def _report() -> Iterator[str]:
    yield "# Report schema"
    yield (
        f"What `memory-fidelity check --json` writes. [The JSON Schema itself]({SCHEMA_FILE}) is "
        "also printed by `memory-fidelity schema`; its version is "
        f"{Report.model_fields['schema_version'].default}, and a change that breaks readers raises "
        "it. [How to read a report](../how-to/read-a-report.md) says what the words mean."
    )
    for part in _REPORT_PARTS:
        yield from _part(part)


def _part(part: type[BaseModel]) -> Iterator[str]:
    yield heading(2, f"`{part.__name__}`", part.__name__.lower())
    yield paragraphs(getdoc(part) or "")
    yield _fields(part)


def _fields(model: type[BaseModel]) -> str:
    rows = (
        (
            f'<span id="{_anchor(model, name)}">`{name}`</span>',
            f"`{_type_name(field.annotation)}`",
            prose(str(field.description)) + ("" if field.is_required() else " *May be left out.*"),
        )
        for name, field in model.model_fields.items()
    )
    return table(("field", "type", "what it says"), rows)


def _anchor(model: type[BaseModel], name: str) -> str:
    return name if model is MemoryAdapterManifest else f"{model.__name__.lower()}.{name}"


def _type_name(annotation: Any) -> str:
    name = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", name)


def _fenced(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


def _page(parts: Iterable[str]) -> str:
    return "\n\n".join(parts) + "\n"

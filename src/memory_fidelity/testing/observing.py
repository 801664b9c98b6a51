"""Infers from behaviour alone which manifest is true of a store, whatever it declares.

Each value of the corpus is stored, and read back in both ways; the index is
watched; filters are tried. From that follow the nine fields, each at its
strongest: what is claimed beyond them would be false, and less would be
understated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from memory_fidelity.card import Operation
from memory_fidelity.manifest import (
    ITEM_FIELDS,
    Fidelity,
    MemoryAdapterManifest,
    MemoryItemField,
    SearchConsistency,
)
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.examine import closed, open_trial
from memory_fidelity.testing.filter_trials import Filters, filters_that_work
from memory_fidelity.testing.harness import DelaysIndex, HarnessFactory
from memory_fidelity.testing.observation import FIELDS, Observation, observe
from memory_fidelity.testing.observed import Observed, ObservedField
from memory_fidelity.testing.trial import Setting, Trial, Unmet
from memory_fidelity.testing.verdict import Lane

__all__ = ["observe_store"]

_DROPPABLE: Final[tuple[MemoryItemField, ...]] = ("created_at", "metadata")
_WRITES: Final = 5
"""Writes after each of which search is asked at once."""


async def observe_store(
    factory: HarnessFactory,
    *,
    lane: Lane = "fake",
    target: str = "",
    reproduce: str = "memory_fidelity.testing.observe_store(...)",
) -> Observed:
    """Return the strongest manifest that is true of the stores of a harness.

    The declared manifest, if there is one, is only compared with: the filters
    that are tried are its keys, and some that any adapter could be tempted to
    take. On a live service one observation is one day: `immediate` may be luck.

    Raises:
        RigFault: the harness failed, or an ordinary item does not come back.
        Untried: the service cannot be had.
    """
    trial = open_trial(Setting(factory, lane))
    started = datetime.now(UTC)
    try:
        await trial.open()
        await trial.prove_control()
        seen = await _seen(trial)
    finally:
        await closed(trial.harness)
    manifest = _manifest(trial, seen)
    return Observed(
        target=target,
        store=type(trial.store).__qualname__,
        manifest=manifest,
        declared=trial.manifest,
        fields=tuple(_fields(trial, seen, manifest)) if manifest else (),
        breaches=tuple(trial.findings),
        notes=(*trial.all_notes, *seen.filters.notes),
        when=started,
        reproduce=reproduce,
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    values: Observation
    consistency: SearchConsistency
    found_at_once: int
    filters: Filters


async def _seen(trial: Trial) -> _Seen:
    found = await _found_at_once(trial)
    values = await observe(trial)
    return _Seen(
        values=values,
        consistency="immediate" if found == _WRITES else "eventual",
        found_at_once=found,
        filters=await filters_that_work(trial),
    )


async def _found_at_once(trial: Trial) -> int:
    """How many of a few writes were found at once, by text, by tag and in the listing."""
    if isinstance(trial.harness, DelaysIndex):
        await trial.rigged(trial.harness.delay_index())
    found = 0
    for number in range(_WRITES):
        tag = f"needle{number}{trial.mark}"
        item = trial.item(f"needle {tag}", tags=[tag])
        await trial.attempt(trial.store.store(item))
        queries = (MemoryQuery(text=tag), MemoryQuery(tags=[tag]), MemoryQuery(limit=1_000))
        hits = [await _hits(trial, query) for query in queries]
        found += all(item.id in {hit.id for hit in each} for each in hits)
    return found


async def _hits(trial: Trial, query: MemoryQuery) -> list[MemoryItem]:
    try:
        return await trial.found(query)
    except Unmet:
        return []  # reported when it was raised


def _manifest(trial: Trial, seen: _Seen) -> MemoryAdapterManifest | None:
    """The strongest coherent claim, or none: id, content and tags must be kept at all (M3)."""
    dropped = frozenset(name for name in _DROPPABLE if _is_constant(trial, seen, name, "retrieve"))
    for name in ("content", "tags"):
        if _is_constant(trial, seen, name, "retrieve"):
            trial.report(
                "M3",
                "id, content and tags are kept by every memory service",
                f"whatever was stored, {name} came back the same",
                f"keep {name}, or refuse the write",
            )
            return None
    native = frozenset(ITEM_FIELDS) - dropped
    preserved = "metadata" in native and _is_preserved(trial, seen)
    return MemoryAdapterManifest(
        adapter=trial.manifest.adapter if trial.manifest else type(trial.store).__name__,
        native_item_fields=native,
        dropped_item_fields=dropped,
        supported_filters=seen.filters.working,
        search_consistency=seen.consistency,
        retrieve_fidelity=_fidelity(trial, seen, native, "retrieve", preserved=preserved),
        search_fidelity=_fidelity(trial, seen, native, "search", preserved=preserved),
        search_returns_tags=not _is_altered(trial, seen, "tags", "search"),
        preserves_metadata=preserved,
    )


def _is_constant(trial: Trial, seen: _Seen, name: MemoryItemField, operation: Operation) -> bool:
    """Whether different values were stored, and one and the same came back."""
    samples = [each for each in seen.values.samples if operation in each.got]
    backs = [each.back(name, operation) for each in samples]
    return len(backs) > 1 and all(trial.is_same(backs[0], back) for back in backs[1:])


def _is_altered(trial: Trial, seen: _Seen, name: MemoryItemField, operation: Operation) -> bool:
    return next(seen.values.altered(trial, name, operation), None) is not None


def _is_preserved(trial: Trial, seen: _Seen) -> bool:
    shown: list[Operation] = ["retrieve"]
    shown += ["search"] if not _is_constant(trial, seen, "metadata", "search") else []
    refused = any(each.field == "metadata" and each.core for each in seen.values.refused)
    return not refused and not any(_is_altered(trial, seen, "metadata", each) for each in shown)


def _fidelity(
    trial: Trial,
    seen: _Seen,
    native: frozenset[MemoryItemField],
    operation: Operation,
    *,
    preserved: bool,
) -> Fidelity:
    lacking = [
        name
        for name in FIELDS
        if name in native and operation == "search" and _is_constant(trial, seen, name, "search")
    ]
    for name in FIELDS:
        if name in native and name not in lacking and _is_altered(trial, seen, name, operation):
            return "lossy"
    complete = native == frozenset(ITEM_FIELDS) and preserved and not lacking
    return "full" if complete else "native_fields"


def _fields(trial: Trial, seen: _Seen, manifest: MemoryAdapterManifest) -> Iterator[ObservedField]:
    observed = manifest.model_dump(mode="json")
    declared = trial.manifest.model_dump(mode="json") if trial.manifest else {}
    for name, value in observed.items():
        yield ObservedField(
            field=name,
            value=value,
            declared=declared.get(name),
            evidence=tuple(_evidence(trial, seen, name)),
        )


def _evidence(trial: Trial, seen: _Seen, field: str) -> Iterator[str]:
    match field:
        case "adapter":
            named = trial.manifest is not None
            yield (
                "as its manifest names it" if named else "the name of its class: it has no manifest"
            )
        case "native_item_fields":
            for name in FIELDS:
                yield f"{name}: {_told(trial, seen, name, 'retrieve')}"
        case "dropped_item_fields":
            for name in _DROPPABLE:
                gone = _is_constant(trial, seen, name, "retrieve")
                yield f"{name} {'always reads the same' if gone else 'tells one item from another'}"
        case "retrieve_fidelity":
            yield from _alterations(trial, seen, "retrieve")
        case "search_fidelity":
            yield from _alterations(trial, seen, "search")
        case "search_returns_tags":
            yield f"in hits: {_told(trial, seen, 'tags', 'search')}"
        case "preserves_metadata":
            for operation in ("retrieve", "search"):
                yield f"{operation}: {_told(trial, seen, 'metadata', operation)}"
            refused = [each.name for each in seen.values.refused if each.field == "metadata"]
            if refused:
                yield f"refused with a typed error: {', '.join(refused)}"
        case "search_consistency":
            yield f"{seen.found_at_once} of {_WRITES} writes were found at once"
        case "supported_filters":
            yield from seen.filters.evidence


def _told(trial: Trial, seen: _Seen, name: MemoryItemField, operation: Operation) -> str:
    samples = [
        each
        for each in seen.values.samples
        if operation in each.got and each.specimen.field == name
    ]
    altered = [
        text
        for sample, text in seen.values.altered(trial, name, operation)
        if sample.specimen.field == name
    ]
    if _is_constant(trial, seen, name, operation):
        back = samples[0].back(name, operation)
        return f"{len(samples)} values were stored, and each came back as {back!r}"
    exact = f"{len(samples) - len(altered)} of {len(samples)} values came back exactly"
    return exact if not altered else f"{exact}; the first that did not: {altered[0]}"


def _alterations(trial: Trial, seen: _Seen, operation: Operation) -> Iterator[str]:
    for name in FIELDS:
        told = _told(trial, seen, name, operation)
        yield f"{name}: {told}"

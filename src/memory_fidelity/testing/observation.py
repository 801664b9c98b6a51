"""What a store does to the corpus: every value sent, and what came back of it.

The cases on fidelity judge one observation each, so that what a manifest says
is compared with behaviour and not with one lucky value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from memory_fidelity.card import Operation
from memory_fidelity.errors import MemoryAdapterError
from memory_fidelity.exact import differences, same
from memory_fidelity.manifest import MemoryItemField
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.corpus import Specimen, specimens
from memory_fidelity.testing.endings import Raised, described
from memory_fidelity.testing.trial import Trial

__all__ = ["Observation", "Sample", "observe"]

FIELDS: tuple[MemoryItemField, ...] = ("content", "tags", "metadata", "created_at")

_LOSS = "loss "
"""What the name of a specimen starts with that is an example of the card."""


@dataclass(slots=True)
class Sample:
    """One value that was stored, and what each operation gave back."""

    specimen: Specimen
    item: MemoryItem
    got: dict[Operation, MemoryItem] = field(default_factory=dict)

    def sent(self, name: MemoryItemField) -> Any:
        """The value of a field as it was stored."""
        return getattr(self.item, name)

    def back(self, name: MemoryItemField, operation: Operation) -> Any:
        """The value of a field as an operation gave it back."""
        return getattr(self.got[operation], name)


@dataclass(slots=True)
class Observation:
    """Everything that was sent for some fields, and what became of it."""

    samples: list[Sample] = field(default_factory=list)
    refused: list[Specimen] = field(default_factory=list)

    def altered(
        self, trial: Trial, name: MemoryItemField, operation: Operation
    ) -> Iterator[tuple[Sample, str]]:
        """Each sample of which `name` did not come back exactly, with the first difference."""
        for sample in self.samples:
            if operation not in sample.got:
                continue
            sent, back = sample.sent(name), sample.back(name, operation)
            if not trial.is_same(sent, back):
                ordered = bool(trial.card and trial.card.key_order)
                yield sample, str(differences(name, sent, back, key_order=ordered)[0])


async def observe(trial: Trial, fields: Iterable[MemoryItemField] = FIELDS) -> Observation:
    """Store every value of the corpus for `fields`, and read each back in both ways.

    Values outside the kinds of content that the card takes are left out, and
    the card's own examples of losses are added. A value that is refused with a
    typed error is noted; anything else that is raised is a finding.
    """
    seen = Observation()
    for specimen in _chosen(trial, fields):
        item = _item_with(trial, specimen)
        # The store gets a copy: one that alters what it is handed would alter the evidence.
        given = item.model_copy(deep=True)
        outcome = await trial.attempt(trial.store.store(given))
        _judge_untouched(trial, specimen, item, given)
        if not isinstance(outcome, Raised):
            seen.samples.append(Sample(specimen, item))
        elif isinstance(outcome.error, MemoryAdapterError):
            seen.refused.append(specimen)
        else:
            _report_escape(trial, specimen, outcome)
    await _read_back(trial, seen)
    return seen


def _item_with(trial: Trial, specimen: Specimen) -> MemoryItem:
    item = trial.item(f"specimen {specimen.field} {specimen.name}", tags=[trial.mark])
    match specimen.field:
        case "content":
            item.content = specimen.value
        case "tags":
            if len(specimen.value) < 2 or specimen.name.startswith(_LOSS):
                # One more tag would hide what becomes of none and of one; the text finds it.
                return trial.item(f"specimen {trial.mark}", tags=specimen.value)
            item.tags = [*specimen.value, trial.mark]
        case "metadata":
            item.metadata = specimen.value
        case "created_at":
            return item.model_copy(update={"created_at": specimen.value})
    return item


async def _read_back(trial: Trial, seen: Observation) -> None:
    for sample in seen.samples:
        got = await trial.retrieved(sample.item.id)
        if got is None:
            trial.report(
                "R3",
                "an acknowledged item can be retrieved at once",
                f"{_named(sample.specimen)} was acknowledged, and retrieve gave None",
                "acknowledge a write only when the item can be read by its id",
            )
        else:
            sample.got["retrieve"] = got
    await trial.indexed()
    limit = 2 * len(seen.samples) + 1
    hits = await trial.found(MemoryQuery(tags=[trial.mark], limit=limit))
    if not all(trial.mark in sample.item.tags for sample in seen.samples):
        hits += await trial.found(MemoryQuery(text=trial.mark, limit=limit))
    by_id = {hit.id: hit for hit in hits}
    for sample in seen.samples:
        if (hit := by_id.get(sample.item.id)) is not None:
            sample.got["search"] = hit
        else:
            trial.report(
                "C14",
                "search by tag, or by text if there is none, finds every item",
                f"{_named(sample.specimen)} was stored and is not among the hits",
                "index every acknowledged item, and page until the limit is reached",
            )


def _chosen(trial: Trial, fields: Iterable[MemoryItemField]) -> Iterator[Specimen]:
    for name in fields:
        if name == "id":
            continue
        for specimen in specimens(name):
            if name != "content" or specimen.kind in trial.kinds:
                yield specimen
        for loss in trial.card.losses if trial.card else ():
            if loss.field == name:
                yield Specimen(f"{_LOSS}{loss.name}", name, loss.sent, loss.why)


def _named(specimen: Specimen) -> str:
    return f"the {specimen.field} {specimen.name!r}"


def _judge_untouched(trial: Trial, specimen: Specimen, item: MemoryItem, given: MemoryItem) -> None:
    trial.require(
        same(vars(item), vars(given), key_order=True),
        "R4",
        "storing an item leaves the caller's own as it was",
        f"{_named(specimen)}: the item that was handed over is not the same any more",
        "build the native record from copies, and change nothing of the item",
    )


def _report_escape(trial: Trial, specimen: Specimen, outcome: Raised) -> None:
    trial.report(
        "E2",
        "a value is kept, altered as declared, dropped as declared, or refused with a typed error",
        f"{_named(specimen)} ({specimen.why}): store raised {described(outcome)}",
        "refuse it with UnsupportedMemoryItem before transport",
    )

"""Fidelity: does each field come back as the manifest says (C3, C6, C12, C13, W2, W3)."""

from __future__ import annotations

from memory_fidelity.card import Operation
from memory_fidelity.manifest import Fidelity, MemoryItemField
from memory_fidelity.testing.case import Case, CaseBody, case
from memory_fidelity.testing.observation import FIELDS, Observation, Sample, observe
from memory_fidelity.testing.trial import Trial

__all__ = ["CASES"]

_OPERATIONS: tuple[Operation, ...] = ("retrieve", "search")
_STRENGTH: tuple[Fidelity, ...] = ("lossy", "native_fields", "full")


def _field_case(name: MemoryItemField, *clauses: str, version: int = 1) -> Case:
    async def body(trial: Trial) -> None:
        seen = await observe(trial, [name])
        _judge_refusals(trial, seen, name)
        if name in trial.claims.dropped_item_fields:
            _judge_dropped(trial, seen, name)
            return
        for operation in _OPERATIONS:
            _judge_kept(trial, seen, name, operation)
        if name == "metadata":
            _judge_preserved(trial, seen)
        if name == "tags":
            _judge_returned_tags(trial, seen)

    body.__doc__ = f"""Every value of `{name}` comes back as the manifest and the card say.

    The corpus holds values that services trim, fold, cast, sort, flatten or
    drop. Each is kept exactly, altered by a named loss, dropped to its
    documented default, or refused before transport.
    """
    made: CaseBody = body
    return case(f"fidelity.{name}", *clauses, version=version, judges_manifest=True)(made)


@case("fidelity.claim", "C3", "C12", "W2", version=2, judges_manifest=True)
async def claim(trial: Trial) -> None:
    """`retrieve_fidelity` and `search_fidelity` are neither stronger nor weaker than behaviour.

    A claim that is too weak is as false as one that is too strong: it sends
    applications to another backend for nothing, and it hides the day on which
    the weakness becomes real.
    """
    seen = await observe(trial)
    claims = trial.claims
    declared_as: dict[Operation, Fidelity] = {
        "retrieve": claims.retrieve_fidelity,
        "search": claims.search_fidelity,
    }
    for operation, declared in declared_as.items():
        if not all(operation in sample.got for sample in seen.samples):
            continue  # what is missing was reported, and says nothing on fidelity
        strongest, why = _strongest(trial, seen, operation)
        field = f"{operation}_fidelity"
        if _STRENGTH.index(declared) > _STRENGTH.index(strongest):
            trial.report(
                f"manifest.{field}",
                trial.says(field),
                f"{operation} is {strongest}: {why}",
                f"keep the value exactly, or declare {field}={strongest!r} and name the loss",
            )
        elif _STRENGTH.index(declared) < _STRENGTH.index(strongest):
            trial.report(
                f"manifest.{field}",
                trial.says(field),
                f"it is understated: {why}",
                f"declare {field}={strongest!r}, or add the fixture that shows the loss",
            )


def _strongest(trial: Trial, seen: Observation, operation: Operation) -> tuple[Fidelity, str]:
    claims = trial.claims
    for name in FIELDS:
        if name in claims.native_item_fields and not _absent(trial, name, operation):
            for _, difference in seen.altered(trial, name, operation):
                return "lossy", difference
    if claims.dropped_item_fields:
        return "native_fields", f"{', '.join(sorted(claims.dropped_item_fields))} dropped"
    if not claims.preserves_metadata:
        return "native_fields", "metadata is not preserved"
    if operation == "search" and (not claims.search_returns_tags or _lacking(trial)):
        return "native_fields", f"hits lack {', '.join(_lacking(trial) or ['tags'])}"
    return "full", "every value of every field came back exactly"


def _lacking(trial: Trial) -> list[str]:
    return sorted(trial.card.absent_in_hits) if trial.card else []


def _absent(trial: Trial, name: MemoryItemField, operation: Operation) -> bool:
    """Whether hits lack a field; one that they alter is not absent, but lossy."""
    if operation == "retrieve":
        return False
    if trial.card is None:
        return name == "tags" and not trial.claims.search_returns_tags
    return name in trial.card.absent_in_hits


def _judge_refusals(trial: Trial, seen: Observation, name: MemoryItemField) -> None:
    if refused := [specimen.name for specimen in seen.refused]:
        trial.notes.append(f"{name}: refused before transport: {', '.join(sorted(refused))}")
    if name == "metadata" and not trial.claims.preserves_metadata:
        return  # not taking every mapping is what the manifest says
    for specimen in seen.refused:
        if specimen.core:
            trial.report(
                "manifest.preserves_metadata" if name == "metadata" else "W2",
                trial.says("preserves_metadata" if name == "metadata" else "native_item_fields"),
                f"the {name} {specimen.name!r} is refused; it is ordinary data",
                "keep it, or declare the field dropped, or metadata not preserved",
            )


def _judge_dropped(trial: Trial, seen: Observation, name: MemoryItemField) -> None:
    documented = trial.card.defaults.get(name) if trial.card else None
    for operation in _OPERATIONS:
        for sample in seen.samples:
            if operation not in sample.got:
                continue
            back = sample.back(name, operation)
            if trial.card is not None and trial.is_same(documented, back):
                continue
            kept = trial.is_same(sample.sent(name), back)
            trial.report(
                "manifest.dropped_item_fields",
                trial.says("dropped_item_fields"),
                f"{operation} gave {name} back as it was stored"
                if kept
                else f"{operation} gave another {name} than the documented default",
                f"declare {name} native" if kept else f"document what {name} reads back as",
            )


def _judge_kept(
    trial: Trial, seen: Observation, name: MemoryItemField, operation: Operation
) -> None:
    altered = list(seen.altered(trial, name, operation))
    if _absent(trial, name, operation):
        _judge_absent(trial, altered, name)
        trial.require(
            bool(altered) or not any(operation in sample.got for sample in seen.samples),
            "card.absent_in_hits",
            f"card says that hits lack {name}",
            f"every hit had the {name} that was stored",
            "remove the field from `absent_in_hits`",
        )
        return
    if operation == "retrieve" and _constant(trial, seen, name):
        trial.report(
            "manifest.native_item_fields",
            trial.says("native_item_fields"),
            f"whatever was stored, {name} came back the same: {altered[0][1]}",
            f"keep {name}, or declare it dropped",
        )
    exactly = _claim_of_exactness(trial, name, operation) is not None
    for sample, difference in altered:
        back = sample.back(name, operation)
        if exactly or not trial.covers(name, sample.sent(name), back, operation):
            _report_loss(trial, sample, difference, name, operation)


def _claim_of_exactness(trial: Trial, name: MemoryItemField, operation: Operation) -> str | None:
    """The claim of the manifest under which no named loss excuses an alteration."""
    if name == "metadata" and trial.claims.preserves_metadata:
        return "preserves_metadata"
    if name == "tags" and operation == "search" and trial.claims.search_returns_tags:
        return "search_returns_tags"
    return None


def _judge_absent(trial: Trial, altered: list[tuple[Sample, str]], name: MemoryItemField) -> None:
    default = (trial.card.absent_in_hits if trial.card else {}).get(name, [])
    for sample, difference in altered:
        trial.require(
            trial.is_same(default, sample.back(name, "search")),
            "card.absent_in_hits",
            f"hits lack {name}, which reads as its documented default",
            difference,
            f"give the default that the card documents for {name}",
        )


def _constant(trial: Trial, seen: Observation, name: MemoryItemField) -> bool:
    """Whether different values of a field were stored, and one and the same came back."""
    samples = [sample for sample in seen.samples if "retrieve" in sample.got]
    return len(samples) > 1 and all(
        trial.is_same(samples[0].back(name, "retrieve"), sample.back(name, "retrieve"))
        for sample in samples[1:]
    )


def _report_loss(
    trial: Trial, sample: Sample, difference: str, name: MemoryItemField, operation: Operation
) -> None:
    exactness = _claim_of_exactness(trial, name, operation)
    claim = exactness or f"{operation}_fidelity"
    weaker = f"{exactness}=False" if exactness else "`lossy`"
    trial.report(
        f"manifest.{claim}",
        trial.says(claim),
        f"{operation} altered the {name} {sample.specimen.name!r} "
        f"({sample.specimen.why}): {difference}",
        f"keep it exactly, or declare {weaker} and name the loss in the card",
    )


def _judge_preserved(trial: Trial, seen: Observation) -> None:
    if trial.claims.preserves_metadata:
        return
    lost = any(
        next(seen.altered(trial, "metadata", operation), None)
        for operation in _OPERATIONS
        if not _absent(trial, "metadata", operation)
    )
    trial.require(
        lost or any(specimen.core for specimen in seen.refused),
        "manifest.preserves_metadata",
        trial.says("preserves_metadata"),
        f"it is understated: {len(seen.samples)} mappings came back exactly, none was refused",
        "declare preserves_metadata=True, or add the fixture that shows the loss",
    )


def _judge_returned_tags(trial: Trial, seen: Observation) -> None:
    if trial.claims.search_returns_tags:
        return
    hits = [sample for sample in seen.samples if "search" in sample.got]
    lost = next(seen.altered(trial, "tags", "search"), None)
    trial.require(
        lost is not None or not hits,
        "manifest.search_returns_tags",
        trial.says("search_returns_tags"),
        f"it is understated: all {len(hits)} hits carried the stored tags",
        "declare search_returns_tags=True",
    )


CASES = (
    _field_case("content", "C3", "C6", "W3", version=2),
    _field_case("tags", "C3", "C6", "C12", "W3", version=3),
    _field_case("metadata", "C6", "C13", "W2", version=2),
    _field_case("created_at", "C3", "C6", "W2", version=2),
    claim,
)

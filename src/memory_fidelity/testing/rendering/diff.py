"""What changed between two reports, and whether any of it is for the worse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import Final, Literal, get_args

from memory_fidelity.choose import compare
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.testing.rendering.text import WIDTH
from memory_fidelity.testing.rendering.wording import printable
from memory_fidelity.testing.report import CaseResult, Report
from memory_fidelity.testing.verdict import Grade, Outcome, Verdict

__all__ = ["Change", "Effect", "changes", "changes_text", "got_worse"]

Effect = Literal["worse", "better", "different"]
"""What a change means. What is merely *different* is neither gain nor loss."""

_GRADES: Final[dict[Grade, int]] = {
    "contradicted": 0,
    "false claim": 0,
    "unproven": 1,
    "modelled": 2,
    "observed": 2,
    "proved": 3,
}
# A case that is not applicable and one that passes are equally good.
_OUTCOMES: Final[dict[Outcome, int]] = {
    "fail": 0,
    "error": 1,
    "inconclusive": 2,
    "not run": 3,
    "not applicable": 4,
    "pass": 4,
}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that the two reports say differently."""

    subject: str
    """What changed: the verdict, a fact of the manifest, or a case in its lane."""
    before: str
    after: str
    effect: Effect


def changes(before: Report, after: Report) -> tuple[Change, ...]:
    """Return every change: verdict and grade, then the manifest, then lanes and cases.

    A lane, a case or a manifest that is gone is a change for the worse: what
    was shown is no longer shown.
    """
    return tuple(
        change
        for change in (
            *_standing(before, after),
            *_manifest(before.manifest, after.manifest),
            *_cases(before, after),
        )
        if change.before != change.after
    )


def got_worse(found: tuple[Change, ...]) -> bool:
    """Whether any change is for the worse."""
    return any(change.effect == "worse" for change in found)


def changes_text(found: tuple[Change, ...]) -> str:
    """Return one line per change, those for the worse first."""
    order = get_args(Effect)
    ranked = sorted(found, key=lambda change: order.index(change.effect))
    lines = [
        line
        for change in ranked
        for line in wrap(
            f"{change.effect.upper():<9} {printable(change.subject)}: "
            f"{printable(change.before)} -> {printable(change.after)}",
            WIDTH,
            subsequent_indent=" " * 10,
            break_on_hyphens=False,
        )
    ]
    return "\n".join(lines or ["nothing changed"]) + "\n"


def _standing(before: Report, after: Report) -> Iterator[Change]:
    order: list[Verdict] = list(get_args(Verdict))
    gain = order.index(after.verdict) - order.index(before.verdict)
    yield Change("verdict", before.verdict, after.verdict, _effect(gain))
    gain = _GRADES[after.grade] - _GRADES[before.grade]
    yield Change("grade", before.grade, after.grade, _effect(gain))
    yield Change("suite", before.suite, after.suite, "different")


def _manifest(
    before: MemoryAdapterManifest | None, after: MemoryAdapterManifest | None
) -> Iterator[Change]:
    if before is None or after is None:
        yield Change(
            "manifest",
            "absent" if before is None else "declared",
            "absent" if after is None else "declared",
            "better" if before is None else "worse",
        )
        return
    lost = {loss.field for loss in compare(before, after)}
    gained = {loss.field for loss in compare(after, before)}
    old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
    for field in old:
        yield Change(
            f"manifest.{field}",
            _shown(old[field]),
            _shown(new[field]),
            "worse" if field in lost else "better" if field in gained else "different",
        )


def _cases(before: Report, after: Report) -> Iterator[Change]:
    old, new = _results(before), _results(after)
    for name, result in old.items():
        if name in new:
            yield _case(name, result, new[name])
        else:
            yield Change(name, result.outcome, "absent", "worse")
    for name, result in new.items():
        if name not in old:
            fine = _OUTCOMES[result.outcome] == _OUTCOMES["pass"]
            yield Change(name, "absent", result.outcome, "different" if fine else "worse")


def _case(name: str, before: CaseResult, after: CaseResult) -> Change:
    effect = _effect(_OUTCOMES[after.outcome] - _OUTCOMES[before.outcome])
    if before.version == after.version:
        return Change(name, before.outcome, after.outcome, effect)
    old, new = (f"{result.outcome} of version {result.version}" for result in (before, after))
    return Change(name, old, new, effect)


def _results(report: Report) -> dict[str, CaseResult]:
    return {
        f"{lane.lane} {result.case}": result for lane in report.lanes for result in lane.results
    }


def _effect(gain: int) -> Effect:
    if gain == 0:
        return "different"
    return "better" if gain > 0 else "worse"


def _shown(value: object) -> str:
    return ", ".join(value) or "none" if isinstance(value, list) else str(value)

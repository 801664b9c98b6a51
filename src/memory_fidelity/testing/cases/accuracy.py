"""Manifest accuracy: the suite can tell a false manifest from a true one (C17)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from memory_fidelity.testing.case import Case, case
from memory_fidelity.testing.cases import consistency, fidelity, filters, surface
from memory_fidelity.testing.examine import examine
from memory_fidelity.testing.flips import flips, lying_card
from memory_fidelity.testing.relabelled import RelabelledStore
from memory_fidelity.testing.trial import RigFault, Trial, Untried

__all__ = ["CASES"]

_FIELD: Final = {case.id.removeprefix("fidelity."): case for case in fidelity.CASES}

_JUDGES: Final[dict[str, tuple[Case, ...]]] = {
    "adapter": (surface.card,),
    "native_item_fields": (_FIELD["created_at"], _FIELD["metadata"]),
    "dropped_item_fields": (_FIELD["created_at"], _FIELD["metadata"]),
    "supported_filters": (filters.unsupported, filters.supported),
    "search_consistency": (consistency.immediate, consistency.eventual),
    "retrieve_fidelity": (fidelity.claim,),
    "search_fidelity": (fidelity.claim,),
    "search_returns_tags": (_FIELD["tags"],),
    "preserves_metadata": (_FIELD["metadata"],),
}
"""The cases that must name a false claim, by the field that makes it."""


@case("manifest.accuracy", "C17", lanes=("fake",), judges_manifest=True)
async def accuracy(trial: Trial) -> None:
    """With any single claim turned into its opposite, the suite fails and names the claim.

    Every claim is flipped, in both directions, over unchanged behaviour, with a
    card that tells the same lie. A claim that can be flipped unnoticed has not
    been tested over this adapter and this fake.
    """
    if trial.card is None:
        raise trial.fail(
            "C17", "every claim can be tried", "the store has no card", "publish an AdapterCard"
        )
    for flip in flips(trial.claims):
        lie = trial.card if flip.field == "adapter" else lying_card(trial.card, flip)
        falsely = partial(RelabelledStore, manifest=flip.manifest, card=lie)
        if await _named(trial, flip.field, falsely):
            continue
        if await _named(trial, flip.field, trial.setting.declared):
            trial.notes.append(f"{flip.field}: the manifest's own claim is false already")
            continue
        trial.report(
            f"manifest.{flip.field}",
            f"a manifest that falsely says {flip.field}: {flip.what} fails the suite",
            "it passed unnoticed",
            "if that is the truth, say so in the manifest; if not, let the fake model it",
        )


async def _named(trial: Trial, field: str, declared: Callable[[Any], Any] | None) -> bool:
    """Whether the cases that judge a field name it, over stores declared like this."""
    setting = replace(
        trial.setting, declared=declared, known_filters=trial.claims.supported_filters
    )
    for judge in _JUDGES[field]:
        ended = await examine(judge, setting)
        if any(finding.subject in _subjects(field) for finding in ended.findings):
            return True
        if ended.outcome == "not run":
            raise Untried(f"{judge.id} cannot be tried: {ended.reason}")
        if ended.outcome == "error":
            raise RigFault(f"{judge.id}, under another manifest: {ended.reason}")
    return False


def _subjects(field: str) -> set[str]:
    # What is native is not dropped: the two fields make one claim.
    projection = {"native_item_fields", "dropped_item_fields"}
    return {f"manifest.{name}" for name in (projection if field in projection else {field})}


CASES = (accuracy,)

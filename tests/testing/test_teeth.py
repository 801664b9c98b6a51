"""The suite has teeth: it finds every broken adapter and every false claim, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import pytest

from memory_fidelity.fake.behaviour import EVENTUAL, FULL, LOSSY, NATIVE_FIELDS, FakeBehaviour
from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.testing import Report, check_sync
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.examine import Examination, examine
from memory_fidelity.testing.flips import Flip, flips, lying_card
from memory_fidelity.testing.subjects import SUBJECTS, Subject
from memory_fidelity.testing.trial import Setting

Dropped = Literal["created_at", "metadata"]
CREATED_AT: frozenset[Dropped] = frozenset({"created_at"})
METADATA: frozenset[Dropped] = frozenset({"metadata"})
FOLDED = replace(FULL, name="fake-folded", folded_tags=frozenset({"search"}))
PROFILES = {
    "full": FULL, "eventual": EVENTUAL, "lossy": LOSSY, "native": NATIVE_FIELDS, "folded": FOLDED,
}  # fmt: skip


def subjects_of(report: Report) -> set[str]:
    """What the findings of a report name as false."""
    return {
        finding.subject
        for lane in report.lanes
        for result in lane.results
        for finding in result.findings
    }


def unfit(report: Report) -> list[str]:
    """The cases that neither passed nor were inapplicable, with what they say."""
    return [
        f"{result.case}: {result.outcome}: {result.reason or result.findings}"
        for lane in report.lanes
        for result in lane.results
        if result.outcome not in ("pass", "not applicable")
    ]


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=lambda subject: subject.name)
def test_broken_adapter_is_found(subject: Subject) -> None:
    """Each broken adapter is non-conformant, and the message names its false claim."""
    report = check_sync(fake=subject.harness)

    assert report.verdict == "non-conformant"
    assert subject.false_claim in subjects_of(report)


def behaviours() -> Iterator[FakeBehaviour]:
    """Honest behaviours of many kinds, beside those that `test_shapes` makes of every manifest."""
    yield replace(FULL, metadata_as_text=True)
    yield replace(EVENTUAL, metadata_as_text=True, dropped=CREATED_AT, filters=())
    yield replace(FULL, content=frozenset({"text"}))
    yield replace(FULL, content=frozenset({"json"}))
    yield replace(FULL, filters=("odd key", "it's", "clé"))
    yield replace(FULL, tag_match="all")
    yield replace(FULL, tag_case="insensitive")
    yield replace(FULL, key_order=False)
    yield replace(FULL, refuses_nul=True)
    yield replace(FULL, whole_seconds=frozenset({"search"}))
    yield replace(FULL, clipped=frozenset({"search"}))
    yield replace(FULL, absent_in_hits=METADATA)
    yield replace(FULL, absent_in_hits=CREATED_AT | METADATA)
    yield replace(LOSSY, absent_in_hits=METADATA)
    yield FOLDED
    yield replace(FULL, folded_tags=frozenset({"retrieve"}))
    yield replace(LOSSY, folded_tags=frozenset({"retrieve", "search"}))


@pytest.mark.parametrize(
    "behaviour", [pytest.param(each, id=str(n)) for n, each in enumerate(behaviours())]
)
def test_honest_adapter_is_conformant(behaviour: FakeBehaviour) -> None:
    """No honest adapter is accused, whatever shape its manifest has."""
    report = check_sync(fake=lambda: FakeHarness(behaviour))

    assert unfit(report) == []
    assert report.verdict == "conformant"


def false_claims() -> Iterator[tuple[FakeBehaviour, Flip]]:
    """Every flip of every claim of the profiles."""
    for profile in PROFILES.values():
        for flip in flips(profile.manifest()):
            yield profile, flip


def flip_id(behaviour: FakeBehaviour, flip: Flip) -> str:
    """Profile, field and what it falsely says."""
    profile = next(name for name, each in PROFILES.items() if each is behaviour)
    return f"{profile} {flip.field} {flip.what}"


@pytest.mark.parametrize(
    ("behaviour", "flip"), [pytest.param(*each, id=flip_id(*each)) for each in false_claims()]
)
def test_false_claim_is_named(behaviour: FakeBehaviour, flip: Flip) -> None:
    """A manifest with one claim turned round fails the whole suite, by the name of the claim."""
    true_card = behaviour.card()
    card = true_card if flip.field == "adapter" else lying_card(true_card, flip)

    def harness() -> FakeHarness:
        return FakeHarness(behaviour, manifest=flip.manifest, card=card)

    setting = Setting(harness, "fake")

    async def examined() -> list[Examination]:
        return [await examine(case, setting) for case in CASES if "C17" not in case.clauses]

    results = asyncio.run(examined())

    assert "error" not in {result.outcome for result in results}
    assert f"manifest.{flip.field}" in {
        finding.subject for result in results for finding in result.findings
    }


@pytest.mark.parametrize("profile", PROFILES)
def test_every_field_is_flipped(profile: str) -> None:
    """No field of the manifest escapes, in either direction that is coherent."""
    manifest = PROFILES[profile].manifest()
    flipped = {flip.field for flip in flips(manifest)}
    fixed = {"native_item_fields", "dropped_item_fields"}

    assert flipped | fixed == set(type(manifest).model_fields)
    assert flipped & fixed

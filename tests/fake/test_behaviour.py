"""Behaviours and their manifests: every honest shape has a behaviour, and no other has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, product
from typing import Any, NamedTuple, get_args

import pytest
from pydantic import ValidationError

from memory_fidelity.fake.behaviour import EVENTUAL, FULL, LOSSY, NATIVE_FIELDS, FakeBehaviour
from memory_fidelity.manifest import (
    ITEM_FIELDS,
    Fidelity,
    MemoryAdapterManifest,
    MemoryItemField,
    SearchConsistency,
)

BEHAVIOURS = [FULL, EVENTUAL, LOSSY, NATIVE_FIELDS]


class Shape(NamedTuple):
    """Everything in a manifest that is no free text."""

    dropped: frozenset[MemoryItemField]
    consistency: SearchConsistency
    retrieve: Fidelity
    search: Fidelity
    tags: bool
    metadata: bool


def subsets(values: tuple[str, ...]) -> list[frozenset[Any]]:
    """Every subset of the values."""
    sizes = range(len(values) + 1)
    return [frozenset(some) for some in chain(*(combinations(values, size) for size in sizes))]


def manifest_of(shape: Shape, filters: frozenset[str] = frozenset()) -> MemoryAdapterManifest:
    """The manifest that has this shape."""
    return MemoryAdapterManifest(
        adapter="shape",
        native_item_fields=frozenset(ITEM_FIELDS) - shape.dropped,
        dropped_item_fields=shape.dropped,
        supported_filters=filters,
        search_consistency=shape.consistency,
        retrieve_fidelity=shape.retrieve,
        search_fidelity=shape.search,
        search_returns_tags=shape.tags,
        preserves_metadata=shape.metadata,
    )


def coherent_shapes() -> Iterator[Shape]:
    """Every shape that the manifest's own rules let pass."""
    fidelities = get_args(Fidelity)
    every = product(
        subsets(ITEM_FIELDS),
        get_args(SearchConsistency),
        fidelities,
        fidelities,
        (True, False),
        (True, False),
    )
    for values in every:
        shape = Shape(*values)
        try:
            manifest_of(shape)
        except ValidationError:
            continue
        yield shape


def can_be_true(shape: Shape) -> bool:
    """Whether a coherent shape can be true of any adapter.

    The manifest's rules look at fields one by one; what they let pass can
    still be false whatever the adapter does.
    """
    alterable = "created_at" not in shape.dropped or not (
        shape.metadata or "metadata" in shape.dropped
    )
    altered_metadata = "metadata" not in shape.dropped and not shape.metadata
    match shape.retrieve:
        case "full":
            return True
        case "native_fields":
            # With nothing dropped it is in fact full; altered metadata is a lossy native field.
            return bool(shape.dropped) and not altered_metadata
        case "lossy":
            # Id, content and tags are kept exactly or refused (W3): no loss is left to happen.
            return alterable


def all_behaviours() -> Iterator[FakeBehaviour]:
    """Every combination of the toggles that a manifest speaks of."""
    every = product(
        subsets(("created_at", "metadata")),
        subsets(("created_at", "metadata", "tags")),
        (True, False),
        subsets(("retrieve", "search")),
        (True, False),
        get_args(SearchConsistency),
    )
    for dropped, absent, as_text, seconds, clipped, consistency in every:
        yield FakeBehaviour(
            dropped=dropped,
            absent_in_hits=absent,
            metadata_as_text=as_text,
            whole_seconds=seconds,
            clipped=frozenset({"search"} if clipped else ()),
            consistency=consistency,
        )


def shape_of(manifest: MemoryAdapterManifest) -> Shape:
    """The shape of a manifest."""
    return Shape(
        manifest.dropped_item_fields,
        manifest.search_consistency,
        manifest.retrieve_fidelity,
        manifest.search_fidelity,
        manifest.search_returns_tags,
        manifest.preserves_metadata,
    )


def test_every_manifest_that_can_be_true_has_a_behaviour() -> None:
    """The behaviours derive exactly the coherent manifests that can be true of an adapter."""
    honest = {shape for shape in coherent_shapes() if can_be_true(shape)}

    derived = {shape_of(behaviour.manifest()) for behaviour in all_behaviours()}

    assert derived == honest


def test_every_behaviour_has_a_card_that_agrees() -> None:
    """An honest card never disagrees with the honest manifest."""
    faults = [b.card().disagreements(b.manifest()) for b in all_behaviours()]

    assert set(faults) == {()}


def test_honest_card_names_every_loss() -> None:
    """No alteration is left out of the card, and none is added."""
    differing = [b for b in all_behaviours() if b.card().losses != b.losses]

    assert differing == []


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda behaviour: behaviour.name)
def test_card_can_go_with_every_claim(behaviour: FakeBehaviour) -> None:
    """Whatever is claimed over a behaviour, a card can be made that hides it."""
    claims = [manifest_of(shape, frozenset({"user", "odd key"})) for shape in coherent_shapes()]

    faults = [behaviour.card(claim).disagreements(claim) for claim in claims]

    assert set(faults) == {()}


def test_no_filters_without_metadata() -> None:
    """Filters look at metadata, so there are none where it is dropped."""
    behaviour = replace(FULL, dropped=frozenset({"metadata"}))

    assert behaviour.manifest().supported_filters == frozenset()


def test_loss_that_hits_do_not_show_is_declared_for_retrieval_only() -> None:
    """A fixture names only the operations in which the loss can be seen."""
    behaviour = replace(LOSSY, absent_in_hits=frozenset({"metadata", "created_at"}))

    losses = {loss.name: loss.on for loss in behaviour.losses}

    assert losses["metadata-as-text"] == {"retrieve"}
    assert losses["created-at-in-whole-seconds"] == {"retrieve"}


def test_service_without_text_clips_nothing() -> None:
    """A loss of text is not declared where no text is taken."""
    behaviour = replace(FULL, clipped=frozenset({"search"}), content=frozenset({"json"}))

    assert behaviour.manifest().search_fidelity == "full"


def test_altered_tags_of_hits_are_a_loss_and_not_absent() -> None:
    """Hits that show other tags do not return them; they are lossy, by a loss of that name."""
    behaviour = replace(FULL, folded_tags=frozenset({"search"}))
    manifest, card = behaviour.manifest(), behaviour.card()

    assert not manifest.search_returns_tags
    assert (manifest.retrieve_fidelity, manifest.search_fidelity) == ("full", "lossy")
    assert [(loss.name, *loss.on) for loss in card.losses] == [("tags-folded", "search")]
    assert card.absent_in_hits == {}


def test_tags_that_hits_lack_are_not_altered() -> None:
    """A loss is not declared where hits show no tags at all."""
    behaviour = replace(FULL, folded_tags=frozenset({"search"}), absent_in_hits=frozenset({"tags"}))

    assert behaviour.losses == ()
    assert behaviour.card().absent_in_hits == {"tags": []}


def test_filters_on_text_columns_match_across_types() -> None:
    """Where metadata becomes text, 7 and '7' are one filter value, and the card says so."""
    (mapping,) = replace(LOSSY, filters=("n",)).card().filters

    assert mapping.matching == (7, "7")
    assert "7" not in mapping.other


def test_refusal_is_declared_with_the_behaviour() -> None:
    """The card names the refusal only where it happens."""
    assert [refusal.name for refusal in LOSSY.card().refusals] == ["nul-in-text"]
    assert FULL.card().refusals == ()

"""Needs held against manifests: every unmet need at once, and what a move would lose (M11)."""

from __future__ import annotations

import asyncio
import pickle
from itertools import product
from typing import Any, cast, get_args

import pytest
from pydantic import ValidationError

from memory_fidelity import (
    Fidelity,
    InMemoryStore,
    Loss,
    MemoryAdapterManifest,
    Needs,
    SearchConsistency,
    UnmetNeed,
    UnmetNeeds,
    compare,
    require,
    unmet,
)
from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.manifest import ITEM_FIELDS


def _manifest(**changes: Any) -> MemoryAdapterManifest:
    stated: dict[str, Any] = {
        "adapter": "acme",
        "native_item_fields": frozenset(ITEM_FIELDS),
        "dropped_item_fields": frozenset(),
        "supported_filters": frozenset({"kind", "user"}),
        "search_consistency": "immediate",
        "retrieve_fidelity": "full",
        "search_fidelity": "full",
        "search_returns_tags": True,
        "preserves_metadata": True,
    }
    return MemoryAdapterManifest.model_validate(stated | changes)


FULL = _manifest()
BARE = _manifest(
    adapter="bare",
    native_item_fields=frozenset({"id", "content", "tags"}),
    dropped_item_fields=frozenset({"created_at", "metadata"}),
    supported_filters=frozenset(),
    search_consistency="eventual",
    retrieve_fidelity="lossy",
    search_fidelity="lossy",
    search_returns_tags=False,
    preserves_metadata=False,
)
EVERYTHING = Needs(
    metadata=True,
    tags_in_hits=True,
    immediate=True,
    filters=frozenset({"user", "kind"}),
    retrieve="full",
    search="native_fields",
    fields=frozenset(ITEM_FIELDS),
)


def _every_manifest() -> list[MemoryAdapterManifest]:
    shapes = product(
        [frozenset(), frozenset({"metadata"}), frozenset({"created_at"})],
        [frozenset(), frozenset({"user"}), frozenset({"user", "kind"})],
        get_args(SearchConsistency),
        get_args(Fidelity),
        get_args(Fidelity),
        [True, False],
        [True, False],
    )
    return [manifest for shape in shapes if (manifest := _coherent(*shape)) is not None]


def _coherent(
    dropped: frozenset[str],
    filters: frozenset[str],
    consistency: str,
    retrieve: str,
    search: str,
    tags: bool,
    metadata: bool,
) -> MemoryAdapterManifest | None:
    try:
        return _manifest(
            native_item_fields=frozenset(ITEM_FIELDS) - dropped,
            dropped_item_fields=dropped,
            supported_filters=filters,
            search_consistency=consistency,
            retrieve_fidelity=retrieve,
            search_fidelity=search,
            search_returns_tags=tags,
            preserves_metadata=metadata,
        )
    except ValidationError:
        return None


MANIFESTS = _every_manifest()


def _all_that(manifest: MemoryAdapterManifest) -> Needs:
    """The needs of an application that relies on everything the manifest promises."""
    return Needs(
        metadata=manifest.preserves_metadata,
        tags_in_hits=manifest.search_returns_tags,
        immediate=manifest.search_consistency == "immediate",
        filters=manifest.supported_filters,
        retrieve=manifest.retrieve_fidelity,
        search=manifest.search_fidelity,
        fields=manifest.native_item_fields,
    )


@pytest.mark.parametrize(
    ("needs", "expected"),
    [
        pytest.param(
            Needs(metadata=True),
            UnmetNeed("metadata", "preserves_metadata", "True", "False"),
            id="metadata",
        ),
        pytest.param(
            Needs(tags_in_hits=True),
            UnmetNeed("tags", "search_returns_tags", "True", "False"),
            id="tags",
        ),
        pytest.param(
            Needs(immediate=True),
            UnmetNeed("immediate", "search_consistency", "immediate", "eventual"),
            id="immediate",
        ),
        pytest.param(
            Needs(filters=frozenset({"user"})),
            UnmetNeed("filter:user", "supported_filters", "user", "none"),
            id="filter",
        ),
        pytest.param(
            Needs(retrieve="native_fields"),
            UnmetNeed(
                "retrieve=native_fields", "retrieve_fidelity", "native_fields or better", "lossy"
            ),
            id="retrieve",
        ),
        pytest.param(
            Needs(search="full"),
            UnmetNeed("search=full", "search_fidelity", "full", "lossy"),
            id="search",
        ),
        pytest.param(
            Needs(fields=frozenset({"created_at"})),
            UnmetNeed("field:created_at", "native_item_fields", "created_at", "content, id, tags"),
            id="field",
        ),
    ],
)
def test_need_is_unmet(needs: Needs, expected: UnmetNeed) -> None:
    """Each kind of need is decided by the one fact of the manifest that is about it."""
    assert unmet(needs, BARE) == (expected,)


@pytest.mark.parametrize("given", get_args(Fidelity))
@pytest.mark.parametrize("least", get_args(Fidelity))
def test_fidelity_is_a_minimum(given: Fidelity, least: Fidelity) -> None:
    """More fidelity than needed meets the need; less does not."""
    manifest = _manifest(retrieve_fidelity=given)
    rank = ("full", "native_fields", "lossy").index

    assert (unmet(Needs(retrieve=least), manifest) == ()) == (rank(given) <= rank(least))


@pytest.mark.parametrize("manifest", [FULL, BARE], ids=["full", "bare"])
def test_no_needs_are_always_met(manifest: MemoryAdapterManifest) -> None:
    """What an application does not mention, it can do without."""
    assert unmet(Needs(), manifest) == ()


def test_every_unmet_need_is_listed_in_order() -> None:
    """One look tells everything that is missing, and always in the same order."""
    needs = [one.need for one in unmet(EVERYTHING, BARE)]

    assert needs == [
        "metadata",
        "tags",
        "immediate",
        "filter:kind",
        "filter:user",
        "retrieve=full",
        "search=native_fields",
        "field:created_at",
        "field:metadata",
    ]


def test_own_promises_are_met() -> None:
    """Every manifest meets the needs that are read off it."""
    assert [one for one in MANIFESTS if unmet(_all_that(one), one)] == []


def test_compare_agrees_with_unmet() -> None:
    """For every pair of manifests: something is lost exactly if a promise is no longer met."""
    disagreeing = [
        (before, after)
        for before, after in product(MANIFESTS, MANIFESTS)
        if bool(compare(before, after)) != bool(unmet(_all_that(before), after))
    ]

    assert disagreeing == []


def test_compare_lists_every_loss() -> None:
    """A loss names the field of the manifest, and what it said before and says after."""
    assert compare(FULL, BARE) == (
        Loss("native_item_fields", "created_at stored", "created_at dropped"),
        Loss("native_item_fields", "metadata stored", "metadata dropped"),
        Loss("supported_filters", "kind accepted", "kind rejected"),
        Loss("supported_filters", "user accepted", "user rejected"),
        Loss("search_consistency", "immediate", "eventual"),
        Loss("retrieve_fidelity", "full", "lossy"),
        Loss("search_fidelity", "full", "lossy"),
        Loss("search_returns_tags", "True", "False"),
        Loss("preserves_metadata", "True", "False"),
    )


def test_nothing_is_lost_by_gaining() -> None:
    """Moving to a manifest that promises more loses nothing."""
    assert compare(BARE, FULL) == ()


def test_loss_reads_as_a_sentence() -> None:
    """A loss is shown by its field, before and after."""
    assert str(Loss("search_fidelity", "full", "lossy")) == "search_fidelity: full becomes lossy"


def test_require_returns_the_manifest_itself() -> None:
    """A manifest that meets the needs is handed back, the same object."""
    assert require(FULL, EVERYTHING) is FULL


def test_require_returns_the_store_itself() -> None:
    """A store that meets the needs is handed back, the same object, unused."""
    harness = FakeHarness()
    store = asyncio.run(harness.make_store())

    assert require(store, Needs(metadata=True)) is store
    assert harness.calls() == ()


def test_require_lists_every_unmet_need() -> None:
    """The error names the adapter, and each unmet need with what was expected and got."""
    with pytest.raises(UnmetNeeds) as caught:
        require(BARE, Needs(metadata=True, filters=frozenset({"user"})))

    assert str(caught.value) == (
        "bare does not meet: metadata: preserves_metadata: expected True, got False; "
        "filter:user: supported_filters: expected user, got none"
    )


def test_require_refuses_a_store_without_manifest() -> None:
    """Without a manifest nothing can be told, which is no unmet need."""
    store = cast("MemoryAdapterManifest", InMemoryStore())

    with pytest.raises(TypeError, match="expected a store that has a manifest, got InMemoryStore"):
        require(store, Needs())


def test_error_survives_pickling() -> None:
    """A worker process can hand the error to its parent."""
    error = UnmetNeeds("bare", unmet(EVERYTHING, BARE))
    copied = pickle.loads(pickle.dumps(error))  # noqa: S301 - pickled on the line itself

    assert (copied.adapter, copied.unmet, str(copied)) == ("bare", error.unmet, str(error))


@pytest.mark.parametrize(
    "stated",
    [
        pytest.param({"retrieve": "ful"}, id="misspelt fidelity"),
        pytest.param({"filter": ["user"]}, id="misspelt name"),
        pytest.param({"fields": ["price"]}, id="no field of an item"),
    ],
)
def test_needs_are_validated(stated: dict[str, Any]) -> None:
    """A misspelt need is an error; it would otherwise count as met."""
    with pytest.raises(ValidationError):
        Needs.model_validate(stated)

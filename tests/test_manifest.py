"""The manifest: exactly the coherent declarations validate, and output is stable."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import chain, combinations, product
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from memory_fidelity import Fidelity, MemoryAdapterManifest, MemoryItem, SearchConsistency
from memory_fidelity.manifest import ITEM_FIELDS

_SUBSETS = [
    frozenset(chosen)
    for chosen in chain.from_iterable(
        combinations(ITEM_FIELDS, size) for size in range(len(ITEM_FIELDS) + 1)
    )
]
_SHAPES = list(
    product(
        _SUBSETS,
        _SUBSETS,
        get_args(SearchConsistency),
        get_args(Fidelity),
        get_args(Fidelity),
        (True, False),
        (True, False),
    )
)
_SHAPE_FIELDS = (
    "native_item_fields",
    "dropped_item_fields",
    "search_consistency",
    "retrieve_fidelity",
    "search_fidelity",
    "search_returns_tags",
    "preserves_metadata",
)


def _stated(**changes: Any) -> dict[str, Any]:
    return {
        "adapter": "acme",
        "native_item_fields": ["id", "created_at", "metadata", "content", "tags"],
        "dropped_item_fields": [],
        "supported_filters": [],
        "search_consistency": "immediate",
        "retrieve_fidelity": "full",
        "search_fidelity": "full",
        "search_returns_tags": True,
        "preserves_metadata": True,
    } | changes


def _validates(shape: tuple[Any, ...]) -> bool:
    try:
        MemoryAdapterManifest(**_stated(**dict(zip(_SHAPE_FIELDS, shape, strict=True))))
    except ValidationError:
        return False
    return True


def _coherent(shape: tuple[Any, ...]) -> bool:
    """The clauses M2 to M6, said another way: field by field, not set by set."""
    native, dropped, _, retrieve, search, tags_in_hits, metadata_kept = shape
    home = {field: (field in native) + (field in dropped) for field in ITEM_FIELDS}
    classified_once = all(count == 1 for count in home.values())
    anchored = all(field in native for field in ("id", "content", "tags"))
    everything_kept = "created_at" in native and "metadata" in native and metadata_kept
    return (
        classified_once
        and anchored
        and not (metadata_kept and "metadata" in dropped)
        and not (retrieve == "full" and not everything_kept)
        and not (search == "full" and not (everything_kept and tags_in_hits))
    )


def test_exactly_the_coherent_manifests_validate() -> None:
    """All 73,728 shapes over the closed vocabularies are judged as the clauses say (M2 to M6)."""
    misjudged = [shape for shape in _SHAPES if _validates(shape) != _coherent(shape)]

    assert misjudged == []


def test_the_oracle_finds_both_kinds() -> None:
    """The enumeration is of the size that the vocabularies give, with coherent shapes in it."""
    # With everything kept: 3 for retrieval, by 3 for search with tags and 2 without. In each of
    # the other 5 classifications no fidelity is full: 2 by 2, with tags and without.
    expected = 3 * (3 + 2) + 5 * (2 * 2 * 2)

    coherent = sum(map(_coherent, _SHAPES))

    assert len(_SHAPES) == 32 * 32 * 2 * 3 * 3 * 2 * 2
    assert coherent == 2 * expected


def test_the_vocabulary_is_that_of_the_item() -> None:
    """The five field names are those of lionagi's item, and all of them (M2)."""
    assert set(ITEM_FIELDS) == set(MemoryItem.model_fields)


@pytest.mark.parametrize("field", sorted(_stated()))
def test_each_of_the_nine_fields_is_required(field: str) -> None:
    """Nothing is declared by leaving it out (M1)."""
    stated = _stated()
    del stated[field]

    with pytest.raises(ValidationError, match=f"(?s){field}.*Field required"):
        MemoryAdapterManifest(**stated)


def test_the_manifest_has_nine_fields() -> None:
    """The fields are those of the contract, and no more (M1)."""
    assert list(MemoryAdapterManifest.model_fields) == list(_stated())


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"rerank": True}, id="extra field"),
        pytest.param({"adapter": ""}, id="empty name"),
        pytest.param({"native_item_fields": ["id", "embedding"]}, id="unknown item field"),
        pytest.param({"search_consistency": "soon"}, id="unknown consistency"),
        pytest.param({"retrieve_fidelity": "most"}, id="unknown fidelity"),
        pytest.param({"supported_filters": [1]}, id="filter that is not text"),
        pytest.param({"search_returns_tags": None}, id="undecided flag"),
    ],
)
def test_values_outside_the_vocabularies_are_refused(changes: dict[str, Any]) -> None:
    """A manifest is closed: no extra field, no unknown word (M1)."""
    with pytest.raises(ValidationError):
        MemoryAdapterManifest(**_stated(**changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param(
            {"dropped_item_fields": ["tags", "created_at"]},
            "native and dropped item fields must be disjoint: created_at, tags",
            id="disjoint",
        ),
        pytest.param(
            {"native_item_fields": ["id", "content", "tags"]},
            "every MemoryItem field must be classified: created_at, metadata",
            id="classified",
        ),
        pytest.param(
            {
                "native_item_fields": ["id", "created_at", "metadata"],
                "dropped_item_fields": ["tags", "content"],
            },
            "id, content, and tags are required native fields: content, tags",
            id="anchors",
        ),
        pytest.param(
            {
                "native_item_fields": ["id", "content", "tags", "created_at"],
                "dropped_item_fields": ["metadata"],
            },
            "preserved metadata must be a native field",
            id="metadata",
        ),
        pytest.param(
            {"preserves_metadata": False},
            "full retrieve fidelity must preserve every item field",
            id="retrieve",
        ),
        pytest.param(
            {"search_returns_tags": False},
            "full search fidelity must preserve all fields and tags",
            id="search",
        ),
    ],
)
def test_the_refusal_names_what_is_incoherent(changes: dict[str, Any], message: str) -> None:
    """The error of an incoherent manifest says which rule, and which fields, sorted."""
    with pytest.raises(ValidationError, match=message):
        MemoryAdapterManifest(**_stated(**changes))


def test_a_manifest_cannot_be_changed() -> None:
    """It is frozen (M1, M8)."""
    manifest = MemoryAdapterManifest(**_stated())

    with pytest.raises(ValidationError, match="frozen"):
        manifest.search_consistency = "eventual"


def test_equal_manifests_have_one_hash() -> None:
    """A manifest can be a key, whatever order its sets were written in."""
    reordered = _stated(native_item_fields=["tags", "content", "metadata", "created_at", "id"])

    assert hash(MemoryAdapterManifest(**_stated())) == hash(MemoryAdapterManifest(**reordered))


def test_json_lists_sets_in_sorted_order() -> None:
    """Serialised sets are sorted lists, so that files can be compared."""
    manifest = MemoryAdapterManifest(**_stated(supported_filters=["user", "n", "zone"]))

    written = json.loads(manifest.model_dump_json())

    assert written["native_item_fields"] == ["content", "created_at", "id", "metadata", "tags"]
    assert written["supported_filters"] == ["n", "user", "zone"]


def test_json_round_trip_gives_an_equal_manifest() -> None:
    """What was written can be read back."""
    manifest = MemoryAdapterManifest(**_stated(supported_filters=["user", "n"]))

    assert MemoryAdapterManifest.model_validate_json(manifest.model_dump_json()) == manifest


def test_repr_lists_sets_sorted() -> None:
    """A manifest is shown with its sets in sorted order."""
    manifest = MemoryAdapterManifest(**_stated(supported_filters=["user", "zone", "n"]))

    assert "supported_filters={'n', 'user', 'zone'}" in repr(manifest)
    assert "dropped_item_fields={}" in repr(manifest)


def _shown_with_seed(seed: str) -> str:
    stated = _stated(supported_filters=["n", "user", "zone"])
    program = (
        "from memory_fidelity import MemoryAdapterManifest\n"
        f"print(repr(MemoryAdapterManifest(**{stated!r})))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return finished.stdout


def test_repr_does_not_depend_on_the_hash_seed() -> None:
    """A manifest looks the same in every process."""
    assert _shown_with_seed("1") == _shown_with_seed("2")


def test_a_name_of_one_letter_is_a_name() -> None:
    """Only an empty one is none (M1)."""
    assert MemoryAdapterManifest(**_stated(adapter="a")).adapter == "a"


def test_only_what_is_missing_is_named() -> None:
    """A field that is classified is not listed among those that are not (M2)."""
    stated = _stated(native_item_fields=["id", "content", "tags"], dropped_item_fields=["metadata"])

    with pytest.raises(ValidationError, match=r"must be classified: created_at \["):
        MemoryAdapterManifest(**stated)

"""Every false manifest that lies one claim away from a true one (C17)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import ValidationError

from memory_fidelity.card import AdapterCard, FilterMapping, LossFixture
from memory_fidelity.manifest import Fidelity, MemoryAdapterManifest, SearchConsistency

__all__ = ["Flip", "flips", "lying_card"]

INVENTED_FILTER = "mf-invented"


@dataclass(frozen=True, slots=True)
class Flip:
    """One claim turned into its opposite, with the least that keeps the manifest coherent."""

    field: str
    """The manifest field that now lies."""
    what: str
    """What it says now."""
    manifest: MemoryAdapterManifest


def flips(true: MemoryAdapterManifest) -> Iterator[Flip]:
    """Every coherent manifest that differs from a true one in one claim, in both directions."""
    for field, what, changes in _candidates(true):
        for companions in ({}, *_companions(field, true)):
            try:
                flipped = MemoryAdapterManifest(**{**true.model_dump(), **companions, **changes})
            except ValidationError:
                continue  # not coherent on its own; a companion may make it so
            yield Flip(field, what, flipped)
            break


def lying_card(card: AdapterCard, flip: Flip) -> AdapterCard:
    """Return the card that goes with a false manifest, so that behaviour alone betrays it."""
    manifest = flip.manifest
    defaults = {
        name: card.defaults.get(name, 0.0 if name == "created_at" else {})
        for name in manifest.dropped_item_fields
    }
    known = {mapping.key: mapping for mapping in card.filters}
    lossy = "lossy" in (manifest.retrieve_fidelity, manifest.search_fidelity)
    lack_tags = manifest.search_fidelity != "full" and not manifest.search_returns_tags
    absent = {
        name: default
        for name, default in card.absent_in_hits.items()
        if name in manifest.native_item_fields and manifest.search_fidelity != "full"
        and (name != "tags" or lack_tags)
    }  # fmt: skip
    return card.model_copy(
        update={
            "defaults": defaults,
            "absent_in_hits": absent,
            "filters": tuple(
                known.get(key, _invented(key)) for key in sorted(manifest.supported_filters)
            ),
            "losses": (card.losses or (_INVENTED_LOSS,)) if lossy else (),
        }
    )


_INVENTED_LOSS = LossFixture(
    name="invented",
    field="tags",
    why="no such loss; it goes with a false claim",
    sent=["a", "b"],
    expected=["a"],
)


def _invented(key: str) -> FilterMapping:
    return FilterMapping(
        key=key,
        path=f"metadata.{key}",
        meaning="no such filter; it goes with a false claim",
        value="x",
        matching=("x",),
        other=("y",),
        wire="x",
    )


def _candidates(true: MemoryAdapterManifest) -> Iterator[tuple[str, str, dict[str, Any]]]:
    yield "adapter", "another adapter", {"adapter": f"{true.adapter}-by-another-name"}
    for name in ("created_at", "metadata"):
        single = frozenset({name})
        if name in true.native_item_fields:
            yield (
                "dropped_item_fields",
                f"{name} is dropped",
                {
                    "native_item_fields": true.native_item_fields - single,
                    "dropped_item_fields": true.dropped_item_fields | single,
                },
            )
        else:
            yield (
                "native_item_fields",
                f"{name} is native",
                {
                    "native_item_fields": true.native_item_fields | single,
                    "dropped_item_fields": true.dropped_item_fields - single,
                },
            )
    for key in sorted(true.supported_filters):
        without = true.supported_filters - {key}
        yield "supported_filters", f"{key} is unsupported", {"supported_filters": without}
    more = true.supported_filters | {INVENTED_FILTER}
    yield "supported_filters", f"{INVENTED_FILTER} is supported", {"supported_filters": more}
    for other in get_args(SearchConsistency):
        if other != true.search_consistency:
            yield "search_consistency", other, {"search_consistency": other}
    for field in ("retrieve_fidelity", "search_fidelity"):
        for fidelity in get_args(Fidelity):
            if fidelity != getattr(true, field):
                yield field, fidelity, {field: fidelity}
    for field in ("search_returns_tags", "preserves_metadata"):
        opposite = not getattr(true, field)
        yield field, str(opposite), {field: opposite}


def _companions(field: str, true: MemoryAdapterManifest) -> Iterator[dict[str, Any]]:
    """What else must change for a flip to be coherent, least first."""
    weaker_search = {"search_fidelity": "native_fields"}
    weaker = {**weaker_search, "retrieve_fidelity": "native_fields"}
    match field:
        case "dropped_item_fields":
            yield {**weaker, "preserves_metadata": true.preserves_metadata}
            yield {**weaker, "preserves_metadata": False}
        case "search_returns_tags":
            yield weaker_search
        case "preserves_metadata":
            yield weaker
            yield {
                "native_item_fields": true.native_item_fields | {"metadata"},
                "dropped_item_fields": true.dropped_item_fields - {"metadata"},
            }
        case _:
            return

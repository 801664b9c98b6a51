"""The immutable declaration of what one configured adapter keeps (clauses M1 to M6)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, field_serializer, model_validator

__all__ = [
    "ITEM_FIELDS",
    "Fidelity",
    "MemoryAdapterManifest",
    "MemoryItemField",
    "SearchConsistency",
]

MemoryItemField = Literal["id", "created_at", "metadata", "content", "tags"]
"""A field of lionagi's `MemoryItem`."""

SearchConsistency = Literal["immediate", "eventual"]
"""When a stored item becomes visible to search."""

Fidelity = Literal["full", "native_fields", "lossy"]
"""How exactly an operation gives back what was stored."""

ITEM_FIELDS: Final[tuple[MemoryItemField, ...]] = get_args(MemoryItemField)

_ANCHORS: Final = frozenset({"id", "content", "tags"})


class MemoryAdapterManifest(BaseModel):
    """What one configured adapter instance keeps, alters, drops and delays.

    Frozen, closed to extra fields, and coherent (M1 to M6): a manifest that
    contradicts itself is a `pydantic.ValidationError`. Sets are shown and
    serialised in sorted order, so that output is the same in every process.

    A fidelity is `full`: every item field comes back exactly; `native_fields`:
    every native field does, and dropped ones read as the card's defaults, tags
    in hits as `search_returns_tags` says; or `lossy`: some native field is
    altered, as the card's losses say one by one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    adapter: str = Field(
        min_length=1,
        description="Stable identifier of the implementation, for diagnostics and reports.",
    )
    native_item_fields: frozenset[MemoryItemField] = Field(
        description="Item fields that the service stores natively.",
    )
    dropped_item_fields: frozenset[MemoryItemField] = Field(
        description="Item fields that are not persisted; each reads back as its default.",
    )
    supported_filters: frozenset[str] = Field(
        description="The exact keys accepted in `MemoryQuery.filters`.",
    )
    search_consistency: SearchConsistency = Field(
        description="Whether a stored item is visible to search at once.",
    )
    retrieve_fidelity: Fidelity = Field(
        description="Fidelity of direct identity retrieval.",
    )
    search_fidelity: Fidelity = Field(
        description="Fidelity of search hits; may be lower than that of retrieval.",
    )
    search_returns_tags: bool = Field(
        description="Whether the tags of a hit are the stored tags.",
    )
    preserves_metadata: bool = Field(
        description="Whether an arbitrary metadata mapping round-trips exactly.",
    )

    @model_validator(mode="after")
    def coherent_projection(self) -> MemoryAdapterManifest:
        """Refuse a manifest that contradicts itself (M2 to M6)."""
        native, dropped = self.native_item_fields, self.dropped_item_fields
        if native & dropped:
            raise ValueError(
                f"native and dropped item fields must be disjoint: {_listed(native & dropped)}"
            )
        if native | dropped != set(ITEM_FIELDS):
            missing = set(ITEM_FIELDS) - native - dropped
            raise ValueError(f"every MemoryItem field must be classified: {_listed(missing)}")
        if not native >= _ANCHORS:
            raise ValueError(
                f"id, content, and tags are required native fields: {_listed(_ANCHORS - native)}"
            )
        if self.preserves_metadata and "metadata" not in native:
            raise ValueError("preserved metadata must be a native field")
        if self.retrieve_fidelity == "full" and (dropped or not self.preserves_metadata):
            raise ValueError("full retrieve fidelity must preserve every item field")
        if self.search_fidelity == "full" and (
            dropped or not self.search_returns_tags or not self.preserves_metadata
        ):
            raise ValueError("full search fidelity must preserve all fields and tags")
        return self

    @field_serializer("native_item_fields", "dropped_item_fields", "supported_filters")
    def _serialize_sorted(self, value: frozenset[str]) -> list[str]:
        return sorted(value)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        for name, value in super().__repr_args__():
            yield name, _SortedSet(value) if isinstance(value, frozenset) else value


class _SortedSet(frozenset[str]):
    """A set whose repr does not depend on the hash seed."""

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, sorted(self))) + "}"


def _listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names))

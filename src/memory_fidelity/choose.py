"""What an application needs of a store, held against a manifest (M11).

Everything here is decided from manifests alone, before a store is used, and
does no input or output.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from memory_fidelity.manifest import Fidelity, MemoryAdapterManifest, MemoryItemField
from memory_fidelity.store import ExternalMemoryStore

__all__ = ["Loss", "Needs", "UnmetNeed", "UnmetNeeds", "compare", "require", "unmet"]

Choice = TypeVar("Choice", bound=ExternalMemoryStore | MemoryAdapterManifest)

_RANK: Final[dict[Fidelity, int]] = {"lossy": 0, "native_fields": 1, "full": 2}


class Needs(BaseModel):
    """What an application relies on; what it does not mention, it can do without.

    A fidelity is a minimum, in the order full, native_fields, lossy.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    metadata: bool = Field(default=False, description="Any metadata comes back exactly.")
    tags_in_hits: bool = Field(default=False, description="Search hits carry the stored tags.")
    immediate: bool = Field(default=False, description="A stored item can be found at once.")
    filters: frozenset[str] = Field(default=frozenset(), description="Filter keys that it uses.")
    retrieve: Fidelity | None = Field(default=None, description="Least fidelity of retrieval.")
    search: Fidelity | None = Field(default=None, description="Least fidelity of search hits.")
    fields: frozenset[MemoryItemField] = Field(
        default=frozenset(), description="Item fields that must be stored."
    )


@dataclass(frozen=True, slots=True)
class UnmetNeed:
    """One need, and the fact of the manifest that does not meet it."""

    need: str
    """The need, as it is written on the command line, such as `filter:user`."""
    field: str
    """The field of the manifest that decides."""
    expected: str
    """What it would have to say."""
    got: str
    """What it says."""

    def __str__(self) -> str:
        return f"{self.need}: {self.field}: expected {self.expected}, got {self.got}"


class UnmetNeeds(ValueError):
    """A store was chosen that does not give what the application needs (M11).

    `unmet` holds every unmet need, not only the first.
    """

    def __init__(self, adapter: str, unmet: tuple[UnmetNeed, ...]) -> None:
        self.adapter = adapter
        self.unmet = unmet
        super().__init__(f"{adapter} does not meet: " + "; ".join(map(str, unmet)))

    def __reduce__(self) -> tuple[type[UnmetNeeds], tuple[str, tuple[UnmetNeed, ...]]]:
        # Without this, unpickling would take the message for the adapter.
        return type(self), (self.adapter, self.unmet)


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that the first manifest promises and the second does not."""

    field: str
    """The field of the manifest that says so."""
    before: str
    """What the first manifest promises."""
    after: str
    """What the second promises instead."""

    def __str__(self) -> str:
        return f"{self.field}: {self.before} becomes {self.after}"


def unmet(needs: Needs, manifest: MemoryAdapterManifest) -> tuple[UnmetNeed, ...]:
    """Return every need that the manifest does not meet, filters and fields in sorted order."""
    return tuple(_unmet(needs, manifest))


def require(choice: Choice, needs: Needs) -> Choice:
    """Return the same store or manifest, if it meets every need.

    Raises:
        UnmetNeeds: it does not; the error lists every unmet need at once.
        TypeError: it is a store without a manifest, so nothing can be told.
    """
    manifest = choice if isinstance(choice, MemoryAdapterManifest) else _manifest_of(choice)
    if missing := unmet(needs, manifest):
        raise UnmetNeeds(manifest.adapter, missing)
    return choice


def compare(before: MemoryAdapterManifest, after: MemoryAdapterManifest) -> tuple[Loss, ...]:
    """Return what would be lost in moving from one adapter to another.

    Empty if the second promises all that the first does. Two lossy adapters
    may still lose different things: their cards name the losses.
    """
    return tuple(_losses(before, after))


def _manifest_of(store: object) -> MemoryAdapterManifest:
    manifest = getattr(store, "manifest", None)
    if isinstance(manifest, MemoryAdapterManifest):
        return manifest
    raise TypeError(f"require: expected a store that has a manifest, got {type(store).__name__}")


def _unmet(needs: Needs, manifest: MemoryAdapterManifest) -> Iterator[UnmetNeed]:
    if needs.metadata and not manifest.preserves_metadata:
        yield UnmetNeed("metadata", "preserves_metadata", "True", "False")
    if needs.tags_in_hits and not manifest.search_returns_tags:
        yield UnmetNeed("tags", "search_returns_tags", "True", "False")
    if needs.immediate and manifest.search_consistency != "immediate":
        yield UnmetNeed("immediate", "search_consistency", "immediate", manifest.search_consistency)
    for key in sorted(needs.filters - manifest.supported_filters):
        yield UnmetNeed(
            f"filter:{key}", "supported_filters", key, _listed(manifest.supported_filters)
        )
    for name, least, given in (
        ("retrieve", needs.retrieve, manifest.retrieve_fidelity),
        ("search", needs.search, manifest.search_fidelity),
    ):
        if least is not None and _RANK[given] < _RANK[least]:
            better = "" if least == "full" else " or better"
            yield UnmetNeed(f"{name}={least}", f"{name}_fidelity", f"{least}{better}", given)
    for field in sorted(needs.fields - manifest.native_item_fields):
        yield UnmetNeed(
            f"field:{field}", "native_item_fields", field, _listed(manifest.native_item_fields)
        )


def _losses(before: MemoryAdapterManifest, after: MemoryAdapterManifest) -> Iterator[Loss]:
    for field in sorted(before.native_item_fields - after.native_item_fields):
        yield Loss("native_item_fields", f"{field} stored", f"{field} dropped")
    for key in sorted(before.supported_filters - after.supported_filters):
        yield Loss("supported_filters", f"{key} accepted", f"{key} rejected")
    if before.search_consistency == "immediate" != after.search_consistency:
        yield Loss("search_consistency", "immediate", after.search_consistency)
    for name, old, new in (
        ("retrieve_fidelity", before.retrieve_fidelity, after.retrieve_fidelity),
        ("search_fidelity", before.search_fidelity, after.search_fidelity),
    ):
        if _RANK[new] < _RANK[old]:
            yield Loss(name, old, new)
    if before.search_returns_tags and not after.search_returns_tags:
        yield Loss("search_returns_tags", "True", "False")
    if before.preserves_metadata and not after.preserves_metadata:
        yield Loss("preserves_metadata", "True", "False")


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "none"

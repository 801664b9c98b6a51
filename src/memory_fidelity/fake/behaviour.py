"""What one fake service does, as a value, and the manifest and card that say so honestly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from memory_fidelity.card import (
    AdapterCard,
    ContentKind,
    FilterMapping,
    Lifecycle,
    LossFixture,
    Operation,
    Refusal,
)
from memory_fidelity.exact import path_to, same
from memory_fidelity.fake.losses import (
    as_text,
    clipped_content,
    folded_tags,
    metadata_as_text,
    whole_seconds,
)
from memory_fidelity.json_codec import encode
from memory_fidelity.manifest import (
    ITEM_FIELDS,
    Fidelity,
    MemoryAdapterManifest,
    MemoryItemField,
    SearchConsistency,
)

__all__ = ["EVENTUAL", "FULL", "LOSSY", "NATIVE_FIELDS", "FakeBehaviour"]

_DEFAULTS: Final[dict[MemoryItemField, Any]] = {"created_at": 0.0, "metadata": {}, "tags": []}
_TEXT_EXAMPLE: Final[tuple[Any, tuple[Any, ...]]] = ("ada", ("Ada", "ad", 7, None))
_NUMBER_EXAMPLE: Final[tuple[Any, tuple[Any, ...]]] = (7, (7.0, "7", 8, True))
_SAME_VALUE: Final = "The value is the same JSON value, of the same type."
_SAME_TEXT: Final = "The value is the same, once both are made text."


@dataclass(frozen=True, slots=True)
class FakeBehaviour:
    """Everything in which two fakes can differ; a toggle on a dropped field is moot."""

    name: str = "fake"
    """The manifest's `adapter`."""
    dropped: frozenset[Literal["created_at", "metadata"]] = frozenset()
    """Fields that are never sent to the service."""
    absent_in_hits: frozenset[Literal["created_at", "metadata", "tags"]] = frozenset()
    """Fields that the service leaves out of search hits."""
    metadata_as_text: bool = False
    """The service turns every value of metadata into text as it writes it."""
    whole_seconds: frozenset[Operation] = frozenset()
    """Operations whose answer cuts `created_at` to seconds."""
    clipped: frozenset[Operation] = frozenset()
    """Operations whose answer shows only the start of a text."""
    folded_tags: frozenset[Operation] = frozenset()
    """Operations whose answer shows tags without their case."""
    consistency: SearchConsistency = "immediate"
    """Whether a write is indexed as it is made, or queued until the queue is flushed."""
    filters: tuple[str, ...] = ("user", "n")
    """Metadata keys that can be filtered on, as long as metadata is kept."""
    content: frozenset[ContentKind] = frozenset({"text", "json"})
    """Content that the adapter takes."""
    flat_metadata: bool = False
    """Metadata that holds a mapping or a list is refused before transport."""
    refuses_nul: bool = False
    """Text content with a NUL character is refused before transport."""
    key_order: bool = True
    """Mappings keep the order of their keys; otherwise the service sorts them."""
    tag_match: Literal["any", "all"] = "any"
    """How many of a query's tags must match."""
    tag_case: Literal["sensitive", "insensitive"] = "sensitive"
    """How tags are compared."""

    @property
    def native_fields(self) -> frozenset[MemoryItemField]:
        """The fields that reach the service."""
        return frozenset(ITEM_FIELDS) - self.dropped

    @property
    def hit_fields(self) -> frozenset[MemoryItemField]:
        """The fields that a search hit holds."""
        return self.native_fields - self.absent_in_hits

    @property
    def losses(self) -> tuple[LossFixture, ...]:
        """Every alteration that can be seen from outside."""
        return tuple(self._losses())

    def manifest(self) -> MemoryAdapterManifest:
        """Return the one manifest that is true of this behaviour."""
        return MemoryAdapterManifest(
            adapter=self.name,
            native_item_fields=self.native_fields,
            dropped_item_fields=self.dropped,
            supported_filters=frozenset(self.filters if "metadata" in self.native_fields else ()),
            search_consistency=self.consistency,
            retrieve_fidelity=self._fidelity("retrieve", self.native_fields),
            search_fidelity=self._fidelity("search", self.hit_fields),
            search_returns_tags="tags" in self.hit_fields and "search" not in self.folded_tags,
            preserves_metadata=self._preserves_metadata,
        )

    def card(self, manifest: MemoryAdapterManifest | None = None) -> AdapterCard:
        """Return the card of this behaviour.

        Under another manifest it is the card that goes with that claim, true or
        not: it never disagrees with the manifest.
        """
        claim = self.manifest() if manifest is None else manifest
        return AdapterCard(
            adapter=claim.adapter,
            summary="A memory service in this process, made to be judged.",
            content=self.content,
            defaults={name: _DEFAULTS[name] for name in claim.dropped_item_fields},
            absent_in_hits={name: _DEFAULTS[name] for name in self._absent(claim)},
            losses=tuple(self._claimed_losses(claim)),
            refusals=tuple(self._refusals(claim)),
            filters=tuple(self._mapping(key) for key in sorted(claim.supported_filters)),
            ordering="The latest write first; a replaced item counts as written anew.",
            first_page="The latest items of the namespace, up to the limit.",
            text_match=(
                "The text occurs in the content, regardless of case; content other than "
                "text is searched as its JSON text."
            ),
            tag_match=self.tag_match,
            tag_case=self.tag_case,
            key_order=self.key_order,
            lifecycle=_LIFECYCLE,
            verified_on={"fake service": "1"},
        )

    @property
    def _preserves_metadata(self) -> bool:
        altered = self.metadata_as_text or self.flat_metadata
        return "metadata" in self.native_fields and not altered

    def _refusals(self, claim: MemoryAdapterManifest) -> Iterator[Refusal]:
        if self.refuses_nul and "text" in self.content:
            yield _NO_NUL
        if self.flat_metadata and "metadata" in claim.native_item_fields:
            yield _NO_NESTING

    def _losses(self) -> Iterator[LossFixture]:
        if "metadata" in self.native_fields and self.metadata_as_text:
            yield metadata_as_text(self._operations_that_show("metadata"))
        if cut := self.whole_seconds & self._operations_that_show("created_at"):
            yield whole_seconds(cut)
        if self.clipped and "text" in self.content:
            yield clipped_content(self.clipped)
        if folding := self.folded_tags & self._operations_that_show("tags"):
            yield folded_tags(folding)

    def _operations_that_show(self, field: MemoryItemField) -> frozenset[Operation]:
        shown: dict[Operation, frozenset[MemoryItemField]] = {
            "retrieve": self.native_fields,
            "search": self.hit_fields,
        }
        return frozenset(operation for operation, fields in shown.items() if field in fields)

    def _fidelity(self, operation: Operation, fields: frozenset[MemoryItemField]) -> Fidelity:
        if any(operation in loss.on for loss in self.losses):
            return "lossy"
        whole = fields == set(ITEM_FIELDS) and self._preserves_metadata
        return "full" if whole else "native_fields"

    def _absent(self, claim: MemoryAdapterManifest) -> frozenset[MemoryItemField]:
        if claim.search_fidelity == "full":
            return frozenset()
        absent = self.absent_in_hits - claim.dropped_item_fields - {"tags"}
        altered = "tags" in self.hit_fields and "search" in self.folded_tags
        return absent if claim.search_returns_tags or altered else absent | {"tags"}

    def _claimed_losses(self, claim: MemoryAdapterManifest) -> Iterator[LossFixture]:
        fidelities = {"retrieve": claim.retrieve_fidelity, "search": claim.search_fidelity}
        lossy = frozenset(on for on in get_args(Operation) if fidelities[on] == "lossy")
        uncovered = lossy
        for loss in self.losses:
            if loss.field in claim.native_item_fields and loss.on & lossy:
                yield loss.model_copy(update={"on": loss.on & lossy})
                uncovered -= loss.on
        if uncovered:
            yield clipped_content(uncovered)

    def _mapping(self, key: str) -> FilterMapping:
        value, others = _NUMBER_EXAMPLE if key == "n" else _TEXT_EXAMPLE
        return FilterMapping(
            key=key,
            path=path_to("metadata", key),
            meaning=_SAME_TEXT if self.metadata_as_text else _SAME_VALUE,
            value=value,
            matching=tuple(other for other in (value, *others) if self._equal(value, other)),
            other=tuple(other for other in others if not self._equal(value, other)),
            wire=f"{encode(key)}:{encode(value)}",
        )

    def _equal(self, value: object, stored: object) -> bool:
        return as_text(value) == as_text(stored) if self.metadata_as_text else same(value, stored)


_NO_NUL: Final = Refusal(
    name="nul-in-text",
    field="content",
    why="The service ends a text at its first NUL.",
    sample="before\x00after",
)

_NO_NESTING: Final = Refusal(
    name="nested-metadata",
    field="metadata",
    why="The service has one column for each key.",
    sample={"source": {"page": 1}},
)

_LIFECYCLE: Final = Lifecycle(
    connections="None is held: each call goes straight to the service object.",
    concurrency="Safe for tasks of one event loop; no call yields half way through a change.",
    closing="There is nothing to close; the harness ends the service, and twice is safe.",
    timeouts="None: nothing is waited for, except a write that the harness makes hang.",
    retries="None; storing the same item again is safe, since a write replaces whole records.",
    scope="One namespace, fixed at construction.",
    duplicates="The last write of an id replaces the record; another kind's id is refused.",
    invalidation="Any change of the behaviour value that the service was made with.",
)

FULL: Final = FakeBehaviour()
"""Keeps everything, and finds it at once."""

EVENTUAL: Final = FakeBehaviour(name="fake-eventual", consistency="eventual")
"""Keeps everything, and finds it once the index was flushed."""

LOSSY: Final = FakeBehaviour(
    name="fake-lossy",
    metadata_as_text=True,
    whole_seconds=frozenset({"retrieve", "search"}),
    clipped=frozenset({"search"}),
    refuses_nul=True,
)
"""Alters all that may be altered, and refuses what it would cut."""

NATIVE_FIELDS: Final = FakeBehaviour(
    name="fake-native-fields",
    dropped=frozenset({"created_at", "metadata"}),
    absent_in_hits=frozenset({"tags"}),
    content=frozenset({"text"}),
)
"""Keeps id, text and tags only, and shows no tags in hits."""

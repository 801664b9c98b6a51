"""The typed companion of a manifest: everything else that an adapter must state.

The manifest's nine fields are fixed, so what remains (defaults of dropped
fields, named losses, ordering, tag matching, filter mapping, the eight
lifecycle answers) is stated here (L2, Q1, W2). The suite checks each statement
that can be checked, and the documentation page is generated from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_serializer,
    model_validator,
)

from memory_fidelity.exact import same
from memory_fidelity.manifest import MemoryAdapterManifest, MemoryItemField

__all__ = [
    "AdapterCard",
    "ContentKind",
    "FilterMapping",
    "Lifecycle",
    "LossFixture",
    "Operation",
    "Refusal",
]

ContentKind = Literal["text", "json"]
"""What `content` may be: text is `str`, json any other JSON value."""

Operation = Literal["retrieve", "search"]
"""An operation that gives items back."""


class _Statement(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LossFixture(_Statement):
    """One named, declared alteration of a field, with the value that shows it.

    `transform`, where given, is the rule behind the example: the suite takes
    a loss as covered only if the rule predicts exactly what came back. Without
    a rule, the fixture covers its own example and nothing else.
    """

    name: str = Field(min_length=1, description="Stable name of the loss.")
    field: MemoryItemField = Field(description="The item field that is altered.")
    why: str = Field(min_length=1, description="Why the service cannot keep it.")
    sent: Any = Field(description="A value as it was stored.")
    expected: Any = Field(description="The same value as it comes back.")
    on: frozenset[Operation] = Field(
        default=frozenset(("retrieve", "search")),
        min_length=1,
        description="The operations that give the altered value.",
    )
    transform: Callable[[Any], Any] | None = Field(
        default=None, exclude=True, repr=False, description="The rule, from sent to expected."
    )

    @field_serializer("on")
    def _serialize_sorted(self, value: frozenset[str]) -> list[str]:
        return sorted(value)

    def predicts(self, sent: object, got: object) -> bool:
        """Whether this loss turns exactly `sent` into exactly `got`."""
        if same(sent, self.sent):
            return same(got, self.expected)
        return self.transform is not None and same(got, self.transform(sent))


class Refusal(_Statement):
    """One value that is refused with a typed error before transport (W1)."""

    name: str = Field(min_length=1, description="Stable name of the refusal.")
    field: MemoryItemField = Field(description="The item field that is refused.")
    why: str = Field(min_length=1, description="Why it cannot be kept.")
    sample: Any = Field(exclude=True, description="A value that is refused.")

    @model_validator(mode="before")
    @classmethod
    def _without_sample(cls, data: Any, info: ValidationInfo) -> Any:
        # A sample may be anything, so JSON leaves it out; a report must be readable without it.
        if info.mode == "json" and isinstance(data, dict):
            return {"sample": None, **data}
        return data


class FilterMapping(_Statement):
    """What one key of `MemoryQuery.filters` means, with examples (C11, Q2)."""

    key: str = Field(description="The key, as in the manifest.")
    path: str = Field(
        pattern=r"^metadata(\.|\[).+|^created_at$",
        description="The place in the item that it filters on, such as `metadata.user`.",
    )
    meaning: str = Field(min_length=1, description="The comparison, in words.")
    value: Any = Field(description="An example of a filter value.")
    matching: tuple[Any, ...] = Field(min_length=1, description="Stored values that it finds.")
    other: tuple[Any, ...] = Field(min_length=1, description="Stored values that it does not.")
    wire: str = Field(
        min_length=1, description="What of the example must be seen in the call that is sent."
    )


class Lifecycle(_Statement):
    """The eight answers that an application needs before it owns an adapter (L2)."""

    connections: str = Field(min_length=1, description="When connections are created.")
    concurrency: str = Field(min_length=1, description="Is one instance safe for concurrent calls?")
    closing: str = Field(min_length=1, description="How the owner closes it; is twice safe?")
    timeouts: str = Field(min_length=1, description="Connect and request timeouts, and why.")
    retries: str = Field(min_length=1, description="Count, backoff, jitter; what may be retried.")
    scope: str = Field(min_length=1, description="Namespace or collection; fixed when?")
    duplicates: str = Field(min_length=1, description="Writing one id twice; write conflicts.")
    invalidation: str = Field(min_length=1, description="What evidence invalidates the manifest.")


class AdapterCard(_Statement):
    """What one configured adapter states beside its manifest."""

    adapter: str = Field(min_length=1, description="The manifest's `adapter`.")
    summary: str = Field(min_length=1, description="What it stores into, in one sentence.")
    content: frozenset[ContentKind] = Field(
        min_length=1, description="Content that is taken: text is `str`, json any other JSON value."
    )
    defaults: dict[MemoryItemField, Any] = Field(
        default_factory=dict, description="What each dropped field reads back as (W2)."
    )
    absent_in_hits: dict[MemoryItemField, Any] = Field(
        default_factory=dict,
        description="Native fields that search hits lack, and what each reads as there.",
    )
    losses: tuple[LossFixture, ...] = Field(default=(), description="Every declared alteration.")
    refusals: tuple[Refusal, ...] = Field(default=(), description="Values refused by this adapter.")
    filters: tuple[FilterMapping, ...] = Field(default=(), description="One per supported filter.")
    ordering: str = Field(min_length=1, description="The order of search hits.")
    first_page: str = Field(min_length=1, description="What an empty query returns (C9).")
    text_match: str = Field(min_length=1, description="When a text matches.")
    tag_match: Literal["any", "all"] = Field(description="How many of a query's tags must match.")
    tag_case: Literal["sensitive", "insensitive"] = Field(description="How tags are compared.")
    key_order: bool = Field(description="Whether mappings keep the order of their keys.")
    lifecycle: Lifecycle = Field(description="The eight lifecycle answers.")
    verified_on: dict[str, str] = Field(
        min_length=1, description="Service and client versions that it was verified on."
    )

    @field_serializer("content")
    def _serialize_sorted(self, value: frozenset[str]) -> list[str]:
        return sorted(value)

    def disagreements(self, manifest: MemoryAdapterManifest) -> tuple[str, ...]:
        """Every statement in which this card and the manifest cannot both be true."""
        return tuple(self._disagreements(manifest))

    def _disagreements(self, manifest: MemoryAdapterManifest) -> Iterator[str]:
        if self.adapter != manifest.adapter:
            yield f"adapter: the card says {self.adapter!r}, the manifest {manifest.adapter!r}"
        if set(self.defaults) != manifest.dropped_item_fields:
            yield (
                f"dropped_item_fields: the card gives defaults for {sorted(self.defaults)}, "
                f"the manifest drops {sorted(manifest.dropped_item_fields)}"
            )
        if (keys := {mapping.key for mapping in self.filters}) != manifest.supported_filters:
            yield (
                f"supported_filters: the card maps {sorted(keys)}, "
                f"the manifest lists {sorted(manifest.supported_filters)}"
            )
        if len(keys) < len(self.filters):
            yield "supported_filters: the card maps a filter more than once"
        lossy = {loss.field for loss in self.losses}
        if gone := lossy & manifest.dropped_item_fields:
            yield f"dropped_item_fields: the card names losses of {sorted(gone)}, which is dropped"
        if unfit := set(self.absent_in_hits) - (manifest.native_item_fields - {"id"}):
            yield f"native_item_fields: hits cannot lack {sorted(unfit)}, which are not native"
        if "tags" in self.absent_in_hits and manifest.search_returns_tags:
            yield "search_returns_tags: the card says that hits lack tags"
        if self.absent_in_hits and manifest.search_fidelity == "full":
            yield f"search_fidelity: full, but hits lack {sorted(self.absent_in_hits)}"
        for operation, fidelity in (
            ("retrieve", manifest.retrieve_fidelity),
            ("search", manifest.search_fidelity),
        ):
            losses = [loss.name for loss in self.losses if operation in loss.on]
            if fidelity == "lossy" and not losses:
                yield f"{operation}_fidelity: lossy, but the card names no loss on {operation}"
            if fidelity != "lossy" and losses:
                yield f"{operation}_fidelity: {fidelity}, but the card names the losses {losses}"

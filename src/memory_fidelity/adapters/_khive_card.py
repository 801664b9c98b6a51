"""What a khive store declares: its manifest and its card."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any, Final

from memory_fidelity.adapters._khive_calls import MOST_BYTES
from memory_fidelity.adapters._khive_records import MOST_NESTED, Profile
from memory_fidelity.card import AdapterCard, Lifecycle, Refusal
from memory_fidelity.manifest import (
    ITEM_FIELDS,
    Fidelity,
    MemoryAdapterManifest,
    MemoryItemField,
)

__all__ = ["MOST_HITS", "Declared", "card_of", "manifest_of"]

MOST_HITS: Final = 200
"""More than this khive never recalls, whatever it is asked for."""

_VERIFIED_ON: Final = {"khive": "0.8.0", "mcp": "2.3.0", "Python": "3.11.7"}

_PLAIN: Final[frozenset[MemoryItemField]] = frozenset({"id", "content", "tags"})
_UNSET: Final[dict[MemoryItemField, Any]] = {"created_at": 0.0, "metadata": {}}


@dataclass(frozen=True, slots=True)
class Declared:
    """The settings of a store that its declarations speak of; none is secret."""

    profile: Profile
    namespace: str
    embeddings: bool
    timeout: float
    """Seconds, for a process to start and for each reply."""
    concurrency: int

    @property
    def adapter(self) -> str:
        """The name of the adapter in this configuration."""
        name = "khive" if self.profile == "envelope" else "khive-plain"
        return f"{name}-embeddings" if self.embeddings else name

    @property
    def native(self) -> frozenset[MemoryItemField]:
        """The item fields that are kept."""
        return frozenset(ITEM_FIELDS) if self.profile == "envelope" else _PLAIN


def manifest_of(declared: Declared) -> MemoryAdapterManifest:
    """Return the manifest of a store with these settings."""
    keeps_all = declared.profile == "envelope"
    fidelity: Fidelity = "full" if keeps_all else "native_fields"
    return MemoryAdapterManifest(
        adapter=declared.adapter,
        native_item_fields=declared.native,
        dropped_item_fields=frozenset(ITEM_FIELDS) - declared.native,
        supported_filters=frozenset(),
        search_consistency="eventual" if declared.embeddings else "immediate",
        retrieve_fidelity=fidelity,
        search_fidelity=fidelity,
        search_returns_tags=True,
        preserves_metadata=keeps_all,
    )


def card_of(declared: Declared) -> AdapterCard:
    """Return everything else that a store with these settings states."""
    keeps_all = declared.profile == "envelope"
    return AdapterCard(
        adapter=declared.adapter,
        summary=_SUMMARY[declared.profile],
        content=frozenset({"text", "json"}) if keeps_all else frozenset({"text"}),
        defaults={} if keeps_all else _UNSET,
        refusals=_ALL_REFUSALS if keeps_all else _PLAIN_REFUSALS,
        ordering=(
            "With a text, khive's own rank, best first: relevance, salience and age. Without one, "
            "the newest memory first; writing an id again does not make it newer."
        ),
        first_page="The newest items of the namespace, up to the limit.",
        text_match=_TEXT_MATCH,
        tag_match="any",
        tag_case="sensitive",
        key_order=False,
        lifecycle=_lifecycle(declared),
        verified_on=_VERIFIED_ON,
    )


_SUMMARY: Final[dict[Profile, str]] = {
    "envelope": (
        "Memories of a khive service, each with its item's id, time and metadata in one property."
    ),
    "plain": "Memories of a khive service that keep an item's id, text and tags, and nothing else.",
}

_TEXT_MATCH: Final = (
    "khive's recall: the content holds one of the text's words, which are what stands between "
    "blanks and some marks of punctuation, anywhere and in any case; one of them is enough. "
    "Content other than text is searched as its strings and scalars, one a line, without its "
    "keys. Words of one or two letters find nothing. A text without two letters, or whose letters "
    "repeat too much, is refused. At most 200 items are ever found; tags are compared after khive "
    "has chosen some 200 candidates by the text alone, so that in a large namespace an item that "
    "matches both can be missed. A search for tags alone is complete."
)

_REFERENCE_WHY: Final = (
    "khive takes a text that is `$prev`, or begins with `$prev.` or `$prev[`, for the result of "
    "another call, and refuses it."
)
_UTF8: Final = "A request to khive is UTF-8, which cannot carry half of a character."

_PLAIN_REFUSALS: Final = (
    Refusal(
        name="content-bytes", field="content", why="khive keeps text, not bytes.", sample=b"bytes"
    ),
    Refusal(name="content-lone-surrogate", field="content", why=_UTF8, sample="half \ud83d"),
    Refusal(name="content-reference", field="content", why=_REFERENCE_WHY, sample="$prev.id"),
    Refusal(
        name="content-over-request",
        field="content",
        why=f"khive takes {MOST_BYTES} bytes as one request.",
        sample="x" * MOST_BYTES,
    ),
    Refusal(name="tags-reference", field="tags", why=_REFERENCE_WHY, sample=["$prev"]),
    Refusal(name="tags-lone-surrogate", field="tags", why=_UTF8, sample=["whole", "\udc00"]),
)


def _nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"in": value}
    return value


_ALL_REFUSALS: Final = (
    *_PLAIN_REFUSALS,
    Refusal(
        name="content-nan",
        field="content",
        why="JSON has no number that is not finite.",
        sample=[1.0, nan],
    ),
    Refusal(
        name="content-integer-over-64-bits",
        field="content",
        why="khive makes an integer below -2**63 or from 2**64 on a float, and says nothing.",
        sample={"views": 2**64},
    ),
    Refusal(
        name="content-depth",
        field="content",
        why=f"khive reads 64 levels in a request, of which content can have {MOST_NESTED}.",
        sample=_nested(MOST_NESTED + 1),
    ),
    Refusal(
        name="metadata-infinite",
        field="metadata",
        why="JSON has no number that is not finite.",
        sample={"score": float("inf")},
    ),
    Refusal(
        name="metadata-integer-over-64-bits",
        field="metadata",
        why="khive makes an integer below -2**63 or from 2**64 on a float, and says nothing.",
        sample={"views": 2**64},
    ),
    Refusal(
        name="metadata-reference",
        field="metadata",
        why=_REFERENCE_WHY,
        sample={"from": ["$prev[0]"]},
    ),
    Refusal(
        name="metadata-depth",
        field="metadata",
        why=f"khive reads 64 levels in a request, of which metadata can have {MOST_NESTED}.",
        sample=_nested(MOST_NESTED + 1),
    ),
    Refusal(
        name="metadata-tuple",
        field="metadata",
        why="JSON has one kind of list, so a tuple would come back as another type.",
        sample={"pair": (1, 2)},
    ),
    Refusal(
        name="metadata-integer-key",
        field="metadata",
        why="A JSON object has str keys only.",
        sample={"by number": {1: "one"}},
    ),
)


def _lifecycle(declared: Declared) -> Lifecycle:
    seconds = f"{declared.timeout:g} s"
    index = (
        " With embeddings the index is made apart from the write; when, khive does not say."
        if declared.embeddings
        else ""
    )
    return Lifecycle(
        connections=(
            "The first call starts a process of khive, and speaks MCP over its standard input and "
            "output; one request then asks which verbs it has. A process that was lost, or that "
            "did not reply in time, is replaced by the next call, which asks again. Construction "
            "opens nothing."
        ),
        concurrency=(
            f"Yes, within one event loop: up to {declared.concurrency} requests share the process, "
            "and the others wait for their turn. With 64 at once khive left some without a reply. "
            "Processes share a namespace safely."
        ),
        closing=(
            "`await store.close()`, or `async with store`; it ends the process. Twice is safe; any "
            "call afterwards is MemoryAdapterUnavailable."
        ),
        timeouts=(
            f"{seconds} to start and for each reply; then the process is ended, and the call is "
            "MemoryAdapterUnavailable. The default of 40 s leaves khive the 30 s after which it "
            "gives up a database that another process has locked."
        ),
        retries=(
            "None of a call whose outcome is unknown, no backoff and no jitter. A write that khive "
            "refuses because another one of that id came between, so that nothing was written, is "
            "made again, up to 50 times. Reads may be repeated. So may a write of the same item: "
            "it replaces what one that was not acknowledged has left."
        ),
        scope=f"The namespace {declared.namespace!r}, fixed at construction and compared exactly.",
        duplicates=(
            "Writing an id again replaces the whole item; nothing is merged. khive has no key for "
            "an id of the caller's: it is found by an exact query over a property, which looks at "
            "every memory of the namespace (3 ms with a thousand, 17 ms with ten thousand). A "
            "retrieve is two requests, a store two, or four if the id is new. khive keeps no id "
            "unique: writers that race for a new one find that out after their write, agree on the "
            "oldest memory and delete the others, in one more request. A writer that crashes in "
            "between leaves a memory without an id, which no item is made of, or two of one id, of "
            "which the oldest counts until the next write deletes the other; meanwhile a search "
            "for words that only the other has shows that one. khive itself, killed during a "
            "write, may have changed the item and not yet what it is found by: a search for a "
            "text then finds it by its old words, until it is written again."
        ),
        invalidation=(
            "A khive without one of the verbs that are used, or one that turns out to embed where "
            "that is not declared: it is asked when a process starts, and is "
            "MemoryAdapterUnavailable then. That it embeds can be seen only once something in the "
            "namespace was embedded. Programs that change memories of the namespace."
            f"{index} khive's guard against secrets refuses some items, such as a UUID beside the "
            "word `token` in one text: a MemoryAdapterError, and nothing is written. "
            "A search is one request, and one more for each 100 hits, since hits have neither id "
            "nor tags. khive's answer to a recall is cut at 16,000 characters unless told "
            "otherwise, which it is; a cut answer is an error, not a short list."
        ),
    )

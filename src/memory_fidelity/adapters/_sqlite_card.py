"""What a SQLite store declares: its manifest and its card."""

from __future__ import annotations

from math import inf, nan
from typing import Final

from memory_fidelity.adapters._sqlite_schema import Settings
from memory_fidelity.adapters._terms import mapping
from memory_fidelity.card import AdapterCard, Lifecycle, Refusal
from memory_fidelity.manifest import ITEM_FIELDS, MemoryAdapterManifest

__all__ = ["card_of", "manifest_of"]

_VERIFIED_ON: Final = {"SQLite": "3.40.1", "Python": "3.11.7"}

_REFUSALS: Final = (
    Refusal(
        name="content-nan",
        field="content",
        why="JSON has no number that is not finite.",
        sample=[1.0, nan],
    ),
    Refusal(
        name="content-bytes",
        field="content",
        why="JSON has no bytes.",
        sample=b"bytes",
    ),
    Refusal(
        name="content-lone-surrogate",
        field="content",
        why="SQLite keeps text as UTF-8, which cannot carry half of a character.",
        sample="half \ud83d",
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
    Refusal(
        name="tags-lone-surrogate",
        field="tags",
        why="SQLite keeps text as UTF-8, which cannot carry half of a character.",
        sample=["whole", "\udc00"],
    ),
    Refusal(
        name="created-at-infinite",
        field="created_at",
        why="It is kept as a JSON number, which is finite.",
        sample=inf,
    ),
)


def manifest_of(settings: Settings) -> MemoryAdapterManifest:
    """Return the manifest of a store with these settings: nothing altered, nothing dropped."""
    return MemoryAdapterManifest(
        adapter=settings.name,
        native_item_fields=frozenset(ITEM_FIELDS),
        dropped_item_fields=frozenset(),
        supported_filters=settings.filters,
        search_consistency="immediate" if settings.index == "immediate" else "eventual",
        retrieve_fidelity="full",
        search_fidelity="full",
        search_returns_tags=True,
        preserves_metadata=True,
    )


def card_of(settings: Settings) -> AdapterCard:
    """Return everything else that a store with these settings states."""
    deferred = settings.index == "deferred"
    shown = " among those that the last refresh brought into the index" if deferred else ""
    return AdapterCard(
        adapter=settings.name,
        summary=(
            "One SQLite file in this process, each item one row; writes are searchable "
            + ("after an explicit `refresh()`." if deferred else "at once.")
        ),
        content=frozenset({"text", "json"}),
        refusals=_REFUSALS,
        filters=tuple(mapping(key) for key in sorted(settings.filters)),
        ordering="The last write first; writing an id again makes it the newest.",
        first_page=f"The newest items{shown}, up to the limit.",
        text_match=(
            "The text is a substring of the content, when both are folded by `str.casefold`: "
            "`STRASSE` finds `straße`. Everything in it is literal, white space included. "
            "Content other than text is searched as its keys, strings and scalars, one a line. "
            "One or two characters are looked for row by row; more use the index."
        ),
        tag_match="any",
        tag_case="sensitive",
        key_order=True,
        lifecycle=_lifecycle(settings),
        verified_on=_VERIFIED_ON,
    )


def _lifecycle(settings: Settings) -> Lifecycle:
    place = "the database in memory" if settings.in_memory else "the file"
    return Lifecycle(
        connections=(
            "The first call that needs it opens one connection, on one thread that belongs to the "
            "instance; construction opens nothing. A failure to open is reported by that call, "
            "and the next call tries again."
        ),
        concurrency=(
            "Yes: tasks, event loops and threads may share an instance, whose calls are carried "
            "out one at a time in the order in which they came, so that a long scan or a wait "
            "for a lock delays the others. A call that is cancelled before its turn is not "
            "carried out; one under way is carried out whole, and its answer is lost. Processes "
            "may share a file, each with an instance of its own; an instance used before a fork "
            "is refused after it."
        ),
        closing=(
            "`await store.close()`, or `async with store`. It waits for the calls under way. "
            "Closing twice is safe; any call afterwards is MemoryAdapterUnavailable."
        ),
        timeouts=(
            f"{settings.lock_timeout:g} s to wait for another connection's write, after which the "
            "call is MemoryAdapterUnavailable and nothing was written. The default of 5 s is "
            "that of Python's sqlite3, inherited with no measurement behind it. There is no other "
            "timeout: the service is this process and its disk."
        ),
        retries=(
            "None, no backoff and no jitter. Waiting for a lock is SQLite's own and ends with the "
            "timeout above. Reads may be repeated. A write may be repeated with the same item, "
            "because it replaces itself; it becomes the newest again."
        ),
        scope=(
            f"All of {place}, fixed at construction; a relative path is made absolute then. There "
            "is no namespace inside a file. Filter keys are declared at construction; the file "
            "remembers them, and every writer of the file fills them in."
        ),
        duplicates=(
            "Writing an id again replaces the whole item and its index entries in one transaction; "
            "nothing is merged, and the last of several writers wins. An id that belongs to a "
            "record of another kind is refused."
        ),
        invalidation=(
            "A file with another application's stamp, of another format or made with the other "
            "index mode, and a file that was removed or replaced under an open store: each is "
            "MemoryAdapterUnavailable. So is SQLite older than 3.35 or without FTS5."
        ),
    )

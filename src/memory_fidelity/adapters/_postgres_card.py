"""What a PostgreSQL store declares: its manifest and its card."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan
from typing import Final, Literal

from memory_fidelity.adapters._terms import mapping
from memory_fidelity.card import AdapterCard, Lifecycle, Refusal
from memory_fidelity.manifest import ITEM_FIELDS, MemoryAdapterManifest

__all__ = ["Declared", "Profile", "card_of", "manifest_of"]

Profile = Literal["postgres", "postgres-replica", "postgres-remote-apply"]
"""Search on the primary; on a standby; on a standby that every write waits for."""

_VERIFIED_ON: Final = {"PostgreSQL": "18.6", "psycopg": "3.3.9", "Python": "3.11.7"}

_UTF8: Final = "PostgreSQL keeps text as UTF-8, which cannot carry half of a character."

_REFUSALS: Final = (
    Refusal(
        name="content-nan",
        field="content",
        why="JSON has no number that is not finite.",
        sample=[1.0, nan],
    ),
    Refusal(name="content-bytes", field="content", why="JSON has no bytes.", sample=b"bytes"),
    Refusal(name="content-lone-surrogate", field="content", why=_UTF8, sample="half \ud83d"),
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
    Refusal(name="tags-lone-surrogate", field="tags", why=_UTF8, sample=["whole", "\udc00"]),
    Refusal(
        name="created-at-infinite",
        field="created_at",
        why="A time that is not finite is no time, though a float8 could hold it.",
        sample=inf,
    ),
)


@dataclass(frozen=True, slots=True)
class Declared:
    """The settings of a store that its declarations speak of; none is secret."""

    profile: Profile
    namespace: str
    filters: frozenset[str]
    pool_size: int | None
    """`None`: the pools are the application's."""
    timeout: float
    """Seconds, for a connection and for each answer."""


def manifest_of(declared: Declared) -> MemoryAdapterManifest:
    """Return the manifest of a store with these settings: nothing altered, nothing dropped."""
    return MemoryAdapterManifest(
        adapter=declared.profile,
        native_item_fields=frozenset(ITEM_FIELDS),
        dropped_item_fields=frozenset(),
        supported_filters=declared.filters,
        search_consistency="eventual" if declared.profile == "postgres-replica" else "immediate",
        retrieve_fidelity="full",
        search_fidelity="full",
        search_returns_tags=True,
        preserves_metadata=True,
    )


def card_of(declared: Declared) -> AdapterCard:
    """Return everything else that a store with these settings states."""
    return AdapterCard(
        adapter=declared.profile,
        summary=_SUMMARIES[declared.profile],
        content=frozenset({"text", "json"}),
        refusals=_REFUSALS,
        filters=tuple(mapping(key) for key in sorted(declared.filters)),
        ordering="The last write first; writing an id again makes it the newest.",
        first_page=f"The newest items{_SHOWN[declared.profile]}, up to the limit.",
        text_match=(
            "The text is a substring of the content, when both are folded by `str.casefold`, "
            "whatever the locale of the database: `STRASSE` finds `straße`. Everything in it is "
            "literal, white space included. Content other than text is searched as its keys, "
            "strings and scalars, one a line. A trigram index narrows the search; one or two "
            "characters, and in some locales letters beyond ASCII, are looked for row by row."
        ),
        tag_match="any",
        tag_case="sensitive",
        key_order=True,
        lifecycle=_lifecycle(declared),
        verified_on=_VERIFIED_ON,
    )


_SUMMARIES: Final[dict[Profile, str]] = {
    "postgres": (
        "Rows of one table in a PostgreSQL database, each item one row; writes are searchable "
        "at once."
    ),
    "postgres-replica": (
        "Rows of one table on a pair of PostgreSQL servers, each item one row: writes and "
        "retrieval on the primary, search on a streaming standby, where a write shows once the "
        "standby has replayed it."
    ),
    "postgres-remote-apply": (
        "Rows of one table on a pair of PostgreSQL servers, each item one row, with search on "
        "the standby; each write waits until the synchronous standby has replayed it, so it is "
        "searchable at once."
    ),
}

_SHOWN: Final[dict[Profile, str]] = {
    "postgres": "",
    "postgres-replica": " among those that the standby has replayed",
    "postgres-remote-apply": "",
}

_INVALIDATED: Final[dict[Profile, str]] = {
    "postgres": "",
    "postgres-replica": (
        " So is a standby that was promoted or lost: search never falls back to the primary. A "
        "standby that has lost its primary still answers, with what it had replayed by then."
    ),
    "postgres-remote-apply": (
        " So is a standby that was promoted or lost: search never falls back to the primary. So is "
        "a write after which `synchronous_standby_names` is found empty, since nothing waited "
        "for it. The standby that is searched must be among the synchronous ones; that "
        "cannot be seen from here."
    ),
}


def _lifecycle(declared: Declared) -> Lifecycle:
    seconds = f"{declared.timeout:g} s"
    servers = "the server" if declared.profile == "postgres" else "each of the two servers"
    if declared.pool_size is None:
        connections = f"The application's own pool makes them, for {servers}."
        closing = "There is nothing to close here: the pool is its owner's."
    else:
        connections = (
            f"The call that needs one connects, to {servers}; up to {declared.pool_size} stay open "
            "for the next calls, which is as many as a small server spares to one of a dozen "
            "clients (PostgreSQL allows 100 unless told otherwise), and no measurement. "
            "Construction opens nothing. A lost connection is replaced when it is next needed."
        )
        closing = (
            "`await store.close()`, or `async with store`; calls under way end first on "
            "their own. Closing twice is safe; any call afterwards is MemoryAdapterUnavailable."
        )
    return Lifecycle(
        connections=(
            f"{connections} The first call finds the schema, or makes it. Each call after that is "
            "one statement, and one round trip."
        ),
        concurrency=(
            "Yes, within one event loop: each call has a connection to itself, and waits for one "
            "if all are taken. A cancelled call asks the server to cancel; a write may have "
            "happened by then. Processes share a namespace safely."
        ),
        closing=closing,
        timeouts=(
            f"{seconds} to get a connection, and {seconds} for the answer to each statement; then "
            "MemoryAdapterUnavailable, and the connection is dropped. The default of 10 s is a "
            "judgement: a healthy answer takes milliseconds, a failover some seconds, and a turn "
            "of a conversation should not wait longer."
        ),
        retries=(
            "None, no backoff and no jitter. Reads may be repeated. A write may be repeated with "
            "the same item, because it replaces itself; it becomes the newest again."
        ),
        scope=(
            f"The namespace {declared.namespace!r}, fixed at construction and compared exactly, in "
            "the schema `memory_fidelity` of one database. Any key of the metadata can be declared "
            "as a filter later on: all are indexed."
        ),
        duplicates=(
            "Writing an id again replaces the whole item in one statement; nothing is merged, and "
            "the last of several writers wins. An id that belongs to a record of another kind is "
            "refused."
        ),
        invalidation=(
            "A schema `memory_fidelity` that is another application's or of another version, a "
            "database in another encoding than UTF8, a server older than PostgreSQL 14, a primary "
            "that became a standby: each is "
            f"MemoryAdapterUnavailable.{_INVALIDATED[declared.profile]}"
        ),
    )

"""Filters on metadata keys: what is indexed, and what a filter value is compared with."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Final

from memory_fidelity.adapters._sqlite_rows import body_of
from memory_fidelity.json_codec import canonical

__all__ = ["backfill", "index_metadata", "term", "terms", "unindex_metadata"]

_LONGEST: Final = 200


def term(value: Any) -> str:
    """Return the text that stands for a JSON value in the index, and for no other value.

    It is the value's canonical text, or a digest of that where it is long:
    index entries stay small, and no value is too long to be found.
    """
    text = canonical(value)
    # No JSON text starts with a number sign.
    return text if len(text) <= _LONGEST else "#" + sha256(text.encode()).hexdigest()


def terms(metadata: dict[str, Any], keys: Iterable[str]) -> list[tuple[str, str]]:
    """Return the index entries of an item's metadata, one for each of the keys that it has."""
    return [(key, term(metadata[key])) for key in keys if key in metadata]


def index_metadata(
    connection: sqlite3.Connection, seq: int, metadata: dict[str, Any], keys: Iterable[str]
) -> None:
    """Make the item in row `seq` visible to filters on these keys."""
    for key, value in terms(metadata, keys):
        connection.execute("INSERT INTO filter VALUES (?, ?, ?)", (key, value, seq))


def unindex_metadata(
    connection: sqlite3.Connection, seq: int, metadata: dict[str, Any], keys: Iterable[str]
) -> None:
    """Undo `index_metadata`."""
    for key, value in terms(metadata, keys):
        connection.execute(
            "DELETE FROM filter WHERE key = ? AND value = ? AND seq = ?", (key, value, seq)
        )


def backfill(connection: sqlite3.Connection, keys: Iterable[str]) -> None:
    """Index newly declared keys for the items that search shows already."""
    shown = connection.execute(
        "SELECT seq, body FROM memory WHERE kind = 'memory' AND "
        "((SELECT index_mode FROM state) = 'immediate' OR seq <= (SELECT visible FROM state))"
    )
    for seq, body in shown:
        index_metadata(connection, seq, body_of(body).metadata, keys)

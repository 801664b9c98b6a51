"""Filters on metadata keys: what a value is indexed as, and compared with."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Final

from memory_fidelity.card import FilterMapping
from memory_fidelity.exact import path_to
from memory_fidelity.json_codec import canonical

__all__ = ["mapping", "term", "terms"]

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


def mapping(key: str) -> FilterMapping:
    """Return what a filter on a metadata key means, where it compares terms."""
    return FilterMapping(
        key=key,
        path=path_to("metadata", key),
        meaning=(
            "The item has this key, and its value is the same JSON value, whole and typed: "
            "1, 1.0 and true differ, as do -0.0 and 0.0; the order of keys does not count. "
            "null finds null, not an absent key."
        ),
        value=[1, "ada"],
        matching=([1, "ada"],),
        other=(
            [1.0, "ada"],
            [True, "ada"],
            ["ada", 1],
            [1, "Ada"],
            [1],
            [1, "ada", 2],
            '[1,"ada"]',
            "ada",
            None,
        ),
        wire='[1,"ada"]',
    )

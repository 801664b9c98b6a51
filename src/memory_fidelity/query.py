"""Queries, taken strictly: one error names every part that an adapter does not offer.

lionagi lets a query be changed after validation, and ignores what it does not
know, so nothing in one is taken on trust (Q2, Q3, C10).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from memory_fidelity.errors import UnsupportedMemoryItem, UnsupportedMemoryQuery
from memory_fidelity.json_tree import detached_json, detached_text
from memory_fidelity.store import MemoryQuery

__all__ = ["MAX_LIMIT", "Search", "accepted"]

MAX_LIMIT: Final = 2**31 - 1
"""The largest limit that is handed to a service; no list of hits is longer."""


class Search(NamedTuple):
    """A query that was found valid; an absent text is `None`, absent others empty."""

    text: str | None
    tags: tuple[str, ...]
    filters: dict[str, Any]
    limit: int


def accepted(query: MemoryQuery, supported_filters: frozenset[str]) -> Search:
    """Return the query's parts, which share nothing with it, if all can be served.

    Raises:
        UnsupportedMemoryQuery: naming every key that cannot, with a note on each.
    """
    faults: dict[str, str] = {}
    search = Search(
        text=_text(query.text, faults),
        tags=_tags(query.tags, faults),
        filters=_filters(query.filters, supported_filters, faults),
        limit=_limit(query.limit, faults),
    )
    for key in _additions(query):
        faults[key] = "not a part of MemoryQuery"
    if faults:
        rejected = UnsupportedMemoryQuery(faults)
        for key in rejected.rejected_keys:
            rejected.add_note(f"{key}: {faults[key]}")
        raise rejected
    return search


def _additions(query: MemoryQuery) -> set[str]:
    """What a subclass of lionagi's query says beyond it, by name."""
    if type(query) is MemoryQuery:
        return set()
    return {*type(query).model_fields, *(query.model_extra or ())} - MemoryQuery.model_fields.keys()


def _text(text: object, faults: dict[str, str]) -> str | None:
    if text is None:
        return None
    try:
        return detached_text(text, "text") or None
    except UnsupportedMemoryItem as error:
        faults["text"] = error.reason
        return None


def _tags(tags: object, faults: dict[str, str]) -> tuple[str, ...]:
    if tags is None:
        return ()
    if not isinstance(tags, list | tuple):
        faults["tags"] = f"expected a list of str, got {type(tags).__name__}"
        return ()
    try:
        return tuple([detached_text(tag, f"tags[{index}]") for index, tag in enumerate(tags)])
    except UnsupportedMemoryItem as error:
        faults["tags"] = f"{error.path}: {error.reason}"
        return ()


def _filters(filters: object, supported: frozenset[str], faults: dict[str, str]) -> dict[str, Any]:
    if filters is None:
        return {}
    if not isinstance(filters, dict):
        faults["filters"] = f"expected a dict, got {type(filters).__name__}"
        return {}
    accepted: dict[str, Any] = {}
    for key, value in filters.items():
        if type(key) is not str:
            faults["filters"] = f"expected str keys, got {type(key).__name__}"
        elif key not in supported:
            offered = ", ".join(sorted(supported)) or "none"
            faults[key] = f"not a supported filter; supported: {offered}"
        else:
            try:
                accepted[key] = detached_json(value, key)
            except UnsupportedMemoryItem as error:
                faults[key] = f"{error.path}: {error.reason}"
    return accepted


def _limit(limit: object, faults: dict[str, str]) -> int:
    if type(limit) is int and limit >= 0:
        return min(limit, MAX_LIMIT)
    got = "a negative one" if type(limit) is int else type(limit).__name__
    faults["limit"] = f"expected an int of 0 or more, got {got}"
    return 0

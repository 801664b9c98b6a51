"""The faults that every kit's backend is given, as far as it can have them.

All are aimed at the contract of this project, not at that of any kit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

__all__ = ["FAULTS", "as_text", "keeps"]

FAULTS: Final[Mapping[str, str]] = {
    "text.non-ascii-removed": "characters outside ASCII are removed from text",
    "text.truncated": "text is cut after 32 characters",
    "text.trimmed": "white space around text is removed",
    "text.lower-cased": "text is kept in lower case",
    "metadata.integers-as-floats": "integers come back as floats",
    "metadata.as-text": "every value comes back as text",
    "metadata.none-removed": "keys whose value is None are removed",
    "metadata.flattened": "nested mappings become dotted keys",
    "time.to-the-second": "timestamps lose their fraction of a second",
    "write.second-ignored": "a second write with the same identity changes nothing",
    "write.only-first-of-batch": "of several records written at once, one is kept",
    "write.wrong-identity": "the identity acknowledged is not that of the record",
    "write.error-is-success": "a write that failed is acknowledged",
    "delete.ignored": "a record that was deleted stays",
    "read.unknown-is-newest": "an unknown identity is answered with the newest record",
    "read.shared": "two reads of a record return one object",
    "read.error-is-nothing": "a failed retrieval says that there is no such record",
    "search.error-is-nothing": "a failed search says that there is no hit",
    "search.limit-ignored": "a search returns more than its limit",
    "search.limit-zero-is-all": "a search for at most 0 returns everything",
    "search.filter-ignored": "a search with a filter returns everything",
    "search.filter-as-text": "filters compare text: 1 finds '1'",
    "search.hits-twice": "each hit is returned twice",
    "search.hits-without-metadata": "hits lack the metadata that retrieval returns",
    "scope.prefix-leaks": "the namespace 'a' holds what was written to 'ab'",
}
"""What a backend with the fault does, by name."""


def as_text(value: Any) -> Any:
    """Return a value with every leaf as text."""
    match value:
        case Mapping():
            return {key: as_text(each) for key, each in value.items()}
        case list():
            return [as_text(each) for each in value]
        case None:
            return None
        case _:
            return str(value)


def keeps(fault: str | None, text: Any, metadata: Any) -> tuple[Any, Any]:
    """Return what a backend with a fault keeps of a text and its metadata.

    In place of a text, any JSON value may be given: all texts in it are altered.
    """
    for_text = _TEXTS.get(fault or "")
    for_metadata = _METADATA.get(fault or "")
    return (
        text if for_text is None else _texts_in(text, for_text),
        metadata if for_metadata is None else for_metadata(metadata),
    )


def _texts_in(value: Any, alter: Callable[[str], str]) -> Any:
    match value:
        case str():
            return alter(value)
        case Mapping():
            return {key: _texts_in(each, alter) for key, each in value.items()}
        case list():
            return [_texts_in(each, alter) for each in value]
        case _:
            return value


def _integers_as_floats(value: Any) -> Any:
    match value:
        case bool():
            return value
        case int():
            return float(value)
        case Mapping():
            return {key: _integers_as_floats(each) for key, each in value.items()}
        case list():
            return [_integers_as_floats(each) for each in value]
        case _:
            return value


def _without_none(metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in metadata.items() if value is not None}


def _flattened(metadata: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in metadata.items():
        if isinstance(value, Mapping) and value:
            flat |= {f"{key}.{inner}": each for inner, each in _flattened(value).items()}
        else:
            flat[key] = value
    return flat


_TEXTS: Final[Mapping[str, Callable[[str], str]]] = {
    "text.non-ascii-removed": lambda text: text.encode("ascii", "ignore").decode(),
    "text.truncated": lambda text: text[:32],
    "text.trimmed": str.strip,
    "text.lower-cased": str.lower,
}

_METADATA: Final[Mapping[str, Callable[[Any], Any]]] = {
    "metadata.integers-as-floats": _integers_as_floats,
    "metadata.as-text": as_text,
    "metadata.none-removed": _without_none,
    "metadata.flattened": _flattened,
}

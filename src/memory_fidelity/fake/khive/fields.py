"""The fields of each verb as khive lists them, and what it says of those that do not fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from types import NoneType
from typing import Any, Final

__all__ = ["Refused", "checked", "described", "signature"]

_LISTED: Final = {
    "brain.auto_feedback": "query, results, target_id?, signal?, served_by_profile_id?,"
    " serve_attribution?, scorer_run_id?, serve_ledger_id?, namespace?",
    "create": "kind?, name?, entity_kind?, note_kind?, content?, description?, embedding_content?,"
    " tags?, entity_type?, properties?, items?, atomic?, verbose?",
    "delete": "id, kind?, hard?",
    "get": "id, include_deleted?",
    "list": "kind, limit?, offset?, after?, entity_kind?, entity_type?, note_kind?, tags?,"
    " source_id?, target_id?, relations?, min_weight?, max_weight?, event_kind?, event_kinds?,"
    " session_id?, observed?, selected?, thread_id?, direction?, from?, to?, read?, delivered?",
    "memory.recall": "query, limit?, top_k?, min_score?, score_floor?, min_salience?,"
    " memory_type?, created_after?, created_before?, fusion_strategy?, embedding_model?,"
    " include_breakdown?, entity_names?, profile_id?, full_content?, tags?, tag_mode?, namespace?",
    "memory.remember": "content, salience?, decay_factor?, memory_type?, source_id?,"
    " embedding_model?, tags?, namespace?",
    "query": "query, page_size?, limit?",
    "update": "id, kind?, name?, description?, content?, salience?, decay_factor?, relation?,"
    " weight?, properties?, tags?, entity_type?",
    "verbs": "category?, pack?",
    "whoami": "",
}
"""A field with a question mark can be left out."""

_UNLISTED: Final = {"create": frozenset({"salience"}), "memory.recall": frozenset({"config"})}
"""Fields that khive takes, and does not list; each verb takes a namespace, too."""

_TYPES: Final = {
    "config": "struct RecallConfig",
    "content": "a string",
    "full_content": "a boolean",
    "fusion_strategy": "a string",
    "hard": "a boolean",
    "id": "a string",
    "include_deleted": "a boolean",
    "kind": "a string",
    "limit": "u32",
    "memory_type": "a string",
    "min_score": "f64",
    "name": "a string",
    "offset": "u32",
    "query": "a string",
    "results": "a sequence",
    "salience": "f64",
    "tag_mode": "a string",
    "tags": "a sequence of strings",
    "top_k": "usize",
}
_FITS: Final[dict[str, Callable[[Any], bool]]] = {
    "a boolean": lambda value: type(value) is bool,
    "a sequence": lambda value: type(value) is list,
    "a string": lambda value: type(value) is str,
    "f64": lambda value: type(value) in (int, float),
    "struct RecallConfig": lambda value: type(value) is dict,
    "u32": lambda value: type(value) is int and 0 <= value < 2**32,
    "usize": lambda value: type(value) is int and 0 <= value < 2**64,
}
_JSON_TYPES: Final = {
    NoneType: "null",
    bool: "boolean",
    dict: "object",
    float: "number",
    int: "number",
    list: "array",
}
_NAME: Final = re.compile(r"(\w+)(\??)")


class Refused(Exception):
    """A call that was read and refused: khive's error, and its reason where it gives one."""

    def __init__(self, error: Any, reason: str | None = None) -> None:
        super().__init__(error)
        self.error = error
        self.reason = reason


def signature(verb: str, missing: frozenset[str] = frozenset()) -> str:
    """Return the verb with its fields, as khive lists them, less those that it does not have."""
    listed = ", ".join(
        f"{name}{mark}" for name, mark in _NAME.findall(_LISTED[verb]) if name not in missing
    )
    return f"{verb}({listed})"


def described(verb: str, missing: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return what khive tells of a verb to those who ask for help."""
    params = [
        {"name": name, "required": not mark}
        for name, mark in _NAME.findall(_LISTED[verb])
        if name not in missing
    ]
    return {"verb": verb, "params": params}


def checked(
    verb: str, arguments: dict[str, Any], missing: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the arguments that say something: without those that are null, but may be left out.

    Raises:
        Refused: one is unknown or of another type, or one that is needed is not there.
    """
    listed = {name: not mark for name, mark in _NAME.findall(_LISTED[verb]) if name not in missing}
    known = {"namespace", *listed, *_UNLISTED.get(verb, ())}
    # khive's parts differ in how they begin.
    start = "invalid input: " if "." in verb else "invalid input: bad params: "
    for error in _errors(verb, arguments, known, listed):
        raise Refused(error if error.startswith("invalid input") else start + error)
    return {
        name: value
        for name, value in arguments.items()
        if value is not None or listed.get(name, False)
    }


def _errors(
    verb: str, arguments: dict[str, Any], known: set[str], listed: dict[str, bool]
) -> Iterator[str]:
    if verb == "verbs":
        return
    for name in sorted(arguments.keys() - known):
        expected = ", ".join(f"`{each}`" for each in listed)
        if verb == "create":
            yield f"invalid input: create: unknown field `{name}`; allowed: {expected}"
        yield f"unknown field `{name}`, expected one of {expected}"
    if "namespace" in arguments and not isinstance(arguments["namespace"], str):
        yield (
            "invalid input: invalid namespace: expected string when present, got "
            + _JSON_TYPES[type(arguments["namespace"])]
        )
    for name, is_needed in listed.items():
        if is_needed and name not in arguments:
            yield f"missing field `{name}`"
    for name, value in arguments.items():
        if name in _TYPES and (value is not None or listed.get(name, False)):
            yield from _misfit(value, _TYPES[name])


def _misfit(value: Any, expected: str) -> Iterator[str]:
    outer = expected.removesuffix(" of strings")
    if not _FITS[outer](value):
        kind = "value" if type(value) is int and outer in ("u32", "usize") else "type"
        yield f"invalid {kind}: {_described(value)}, expected {outer}"
    elif expected != outer:
        for part in value:
            yield from _misfit(part, "a string")


def _described(value: Any) -> str:
    match value:
        case None:
            return "null"
        case dict():
            return "map"
        case list():
            return "sequence"
        case str():
            return f'string "{value}"'
        case bool():
            return f"boolean `{str(value).lower()}`"
        case int():
            return f"integer `{value}`"
        case _:
            return f"floating point `{value}`"

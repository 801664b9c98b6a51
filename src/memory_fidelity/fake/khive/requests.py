"""The text of a request: calls in khive's JSON form, or one in its own notation."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from .notation import REFERENCE, Call, Malformed, integer, noted_calls

__all__ = ["MOST_BYTES", "Malformed", "calls", "is_chain"]

MOST_BYTES: Final = 1_048_576
_MOST_CALLS: Final = 100
_MOST_NESTED: Final = 64
_JSON: Final = re.compile(r"\s*(?:\{|\[\s*[{\]])")
"""How a request begins that is JSON."""


def calls(text: str) -> list[Call]:
    """Return the calls of one request: verb and arguments, of a chain with references.

    Raises:
        Malformed: it cannot be read, or is more than is taken.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise Malformed(f"ops input is {size} bytes; max is {MOST_BYTES} bytes")
    if not text.strip():
        raise Malformed("request is empty")
    found = _from_json(text) if _JSON.match(text) else noted_calls(text)
    if not found:
        raise Malformed("empty batch not allowed; provide at least one op")
    if len(found) > _MOST_CALLS:
        raise Malformed(f"batch has {len(found)} ops; max is {_MOST_CALLS}")
    return found


def is_chain(text: str, found: list[Call]) -> bool:
    """Whether the calls of a request are one after the other, each given the result before."""
    return len(found) > 1 and not text.lstrip().startswith("[")


def _from_json(text: str) -> list[Call]:
    try:
        given = json.loads(text, parse_constant=_refused, parse_int=integer)
        json.dumps(given, ensure_ascii=False).encode()  # half of a character is none
    except (ValueError, RecursionError) as error:
        raise Malformed(f"invalid JSON form: {error}") from error
    entries = given if isinstance(given, list) else [given]
    found = [_entry(entry) for entry in entries]
    _refuse_depth(given, 1)
    for _, arguments in found:
        for name, value in arguments.items():
            _refuse_references(name, value)
    return found


def _entry(entry: Any) -> Call:
    match entry:
        case {"tool": str() as verb}:
            arguments = entry.get("args", {})
        case _:
            raise Malformed('invalid JSON form: each entry needs a "tool" string')
    if not isinstance(arguments, dict):
        raise Malformed(f'invalid JSON form: "args" must be an object, got {arguments!r}')
    return verb, arguments


def _refused(constant: str) -> Any:
    raise ValueError(constant)


def _refuse_depth(value: Any, depth: int) -> None:
    if isinstance(value, dict | list):
        if depth > _MOST_NESTED:
            raise Malformed(f"container nesting depth {depth} exceeds max {_MOST_NESTED}")
        for part in value.values() if isinstance(value, dict) else value:
            _refuse_depth(part, depth + 1)


def _refuse_references(name: str, value: Any) -> None:
    if isinstance(value, str) and REFERENCE.match(value):
        raise Malformed(
            f'argument "{name}": $prev substitution requires the function-call DSL with the chain '
            "(|) operator; JSON form does not support chains. Use: verb1(...) | "
            f"verb2({name}=$prev.id)"
        )
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            _refuse_references(name, part)

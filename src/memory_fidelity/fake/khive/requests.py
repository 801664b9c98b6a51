"""The text of a request: calls in khive's JSON form, or one in its own notation."""

from __future__ import annotations

import json
import re
from typing import Any, Final

__all__ = ["MOST_BYTES", "Call", "Malformed", "calls"]

MOST_BYTES: Final = 1_048_576
_MOST_CALLS: Final = 100
_MOST_NESTED: Final = 64

_CALL: Final = re.compile(r"\s*([a-z_.]+)\((.*)\)\s*", re.DOTALL)
_NAME: Final = re.compile(r"\s*([a-z_]+)\s*=\s*")
_REFERENCE: Final = re.compile(r"\$prev(\Z|[.\[])")

Call = tuple[str, dict[str, Any]]


class Malformed(ValueError):
    """A request that cannot be read at all; nothing of it is carried out."""


def calls(text: str) -> list[Call]:
    """Return the calls of one request: verb and arguments.

    Raises:
        Malformed: it cannot be read, or is more than is taken.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise Malformed(f"ops input is {size} bytes; max is {MOST_BYTES} bytes")
    found = _from_json(text) if text.lstrip().startswith("[") else [_from_notation(text)]
    if len(found) > _MOST_CALLS:
        raise Malformed(f"batch has {len(found)} ops; max is {_MOST_CALLS}")
    return found


def _from_json(text: str) -> list[Call]:
    try:
        given = json.loads(text, parse_constant=_refused, parse_int=_integer)
        json.dumps(given, ensure_ascii=False).encode()  # half of a character is none
        found = [(call["tool"], call.get("args", {})) for call in given]
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise Malformed("parse-error") from error
    _refuse_depth(given, 1)
    for _, arguments in found:
        for name, value in arguments.items():
            _refuse_references(name, value)
    return found


def _from_notation(text: str) -> Call:
    found = _CALL.fullmatch(text)
    if found is None:
        raise Malformed("expected one call")
    return found[1], _arguments(found[2])


def _arguments(text: str) -> dict[str, Any]:
    """The named arguments of a call; their values are JSON."""
    arguments: dict[str, Any] = {}
    read, place = json.JSONDecoder(parse_int=_integer).raw_decode, 0
    while place < len(text):
        name = _NAME.match(text, place)
        if name is None:
            raise Malformed("expected a named argument")
        try:
            arguments[name[1]], place = read(text, name.end())
        except ValueError as error:
            raise Malformed("expected a value") from error
        if place < len(text):
            if text[place] != ",":
                raise Malformed("expected a comma")
            place += 1
    return arguments


def _refused(constant: str) -> Any:
    raise ValueError(constant)


def _integer(digits: str) -> int | float:
    """What khive reads digits as: beyond 64 bits it is a float."""
    value = int(digits)
    return value if -(2**63) <= value < 2**64 else float(digits)


def _refuse_depth(value: Any, depth: int) -> None:
    if isinstance(value, dict | list):
        if depth > _MOST_NESTED:
            raise Malformed(f"container nesting depth {depth} exceeds max {_MOST_NESTED}")
        for part in value.values() if isinstance(value, dict) else value:
            _refuse_depth(part, depth + 1)


def _refuse_references(name: str, value: Any) -> None:
    if isinstance(value, str) and _REFERENCE.match(value):
        raise Malformed(
            f'argument "{name}": $prev substitution requires the function-call DSL with the chain '
            "(|) operator; JSON form does not support chains. Use: verb1(...) | "
            f"verb2({name}=$prev.id)"
        )
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            _refuse_references(name, part)

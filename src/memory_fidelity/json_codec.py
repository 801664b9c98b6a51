"""JSON text that gives back exactly the value that went in.

For adapters whose service keeps text: key order, -0.0 and integers of any size
survive. CPython refuses to print or to read integers of thousands of digits,
to bound the time that it takes; those go through `decimal`, which is fast at
it, and the interpreter's own limit stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final, NamedTuple, NoReturn

from pydantic_core import from_json

__all__ = ["canonical", "decode", "encode"]


def encode(value: Any) -> str:
    """Return a JSON value as text, as `detached_json` takes it.

    Raises:
        ValueError: a float that is not finite.
        TypeError: something that JSON cannot say.
    """
    try:
        return _WRITER.encode(value)
    except ValueError:
        return _written(value, _WRITER.encode, sort=False)


def canonical(value: Any) -> str:
    """Return the one text that all equal JSON values share, and no other value has.

    Types count (`1`, `1.0` and `true` are three values), the order of keys does not.

    Raises:
        ValueError: a float that is not finite.
        TypeError: something that JSON cannot say.
    """
    try:
        return _SORTED_WRITER.encode(value)
    except ValueError:
        return _written(value, _SORTED_WRITER.encode, sort=True)


def decode(text: str) -> Any:
    """Return the value that `encode` made the text from, built anew.

    Raises:
        ValueError: the text is not JSON; `NaN` and `Infinity` are not.
    """
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError:
        # Nested deeply, or with an integer of thousands of digits, or no JSON at all.
        return _PATIENT_READER.decode(text)


class _Verbatim(NamedTuple):
    """A piece of the text that is already written."""

    text: str


def _written(root: Any, write: Callable[[Any], str], *, sort: bool) -> str:
    """Write what the fast writer refused: somewhere in it is a very large integer."""
    written: list[str] = []
    # An explicit stack: a call for each level would need more of them than Python allows.
    todo: list[Any] = [root]
    while todo:
        match todo.pop():
            case _Verbatim(text):
                written.append(text)
            case dict() as members:
                written.append("{")
                todo.append(_Verbatim("}"))
                todo += reversed(_members(members, write, sort=sort))
            case list() as members:
                written.append("[")
                todo.append(_Verbatim("]"))
                todo += reversed([part for each in members for part in (_COMMA, each)][1:])
            case int() as number if not isinstance(number, bool):
                written.append(str(Decimal(number)))
            case value:
                written.append(write(value))
    return "".join(written)


def _members(mapping: dict[str, Any], write: Callable[[Any], str], *, sort: bool) -> list[Any]:
    """The pieces between the braces of an object, some of which are still to be written."""
    keys = sorted(mapping) if sort else mapping
    return [part for key in keys for part in (_COMMA, _Verbatim(write(key) + ":"), mapping[key])][
        1:
    ]


def _refuse_constant(name: str) -> NoReturn:
    raise json.JSONDecodeError(f"expected a JSON value, got {name}", name, 0)


_COMMA: Final = _Verbatim(",")
_WRITER: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
)
_SORTED_WRITER: Final = json.JSONEncoder(
    ensure_ascii=False,
    allow_nan=False,
    check_circular=False,
    separators=(",", ":"),
    sort_keys=True,
)
_PATIENT_READER: Final = json.JSONDecoder(
    parse_constant=_refuse_constant, parse_int=lambda digits: int(Decimal(digits))
)

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
from typing import Any, Final, NoReturn

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


def _written(value: Any, write: Callable[[Any], str], *, sort: bool) -> str:
    """Write what the fast writer refused: somewhere in it is a very large integer."""
    match value:
        case dict():
            members = sorted(value.items()) if sort else value.items()
            inside = (f"{write(key)}:{_written(each, write, sort=sort)}" for key, each in members)
            return "{" + ",".join(inside) + "}"
        case list():
            return "[" + ",".join(_written(each, write, sort=sort) for each in value) + "]"
        case int() if not isinstance(value, bool):
            return str(Decimal(value))
        case _:
            return write(value)


def _refuse_constant(name: str) -> NoReturn:
    raise json.JSONDecodeError(f"expected a JSON value, got {name}", name, 0)


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

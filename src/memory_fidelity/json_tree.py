"""JSON values, taken strictly: a private copy of exactly what JSON can say.

Serialisers disagree about everything else: they turn tuples into lists, keys
into strings, NaN into null. What is not a JSON value is refused here, by path,
so that no serialiser gets to guess.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, Final

from memory_fidelity.errors import UnsupportedMemoryItem
from memory_fidelity.exact import path_to

__all__ = ["MAX_DEPTH", "detached_json", "detached_text"]

MAX_DEPTH: Final = 500
"""Containers inside one another, at most. CPython's JSON reader stops below 1000."""


def detached_json(value: object, path: str) -> Any:
    """Return a deep copy of a JSON value that shares nothing mutable with it.

    Taken as they are: `None`, `bool`, `int` of any size, finite `float`, `str`
    of whole characters, and `list` and `dict` of these with `str` keys, nested
    at most `MAX_DEPTH` deep. Subclasses are not: they would come back as
    another type.

    Raises:
        UnsupportedMemoryItem: anything else, with the path of the first one.
    """
    try:
        return _copy(value, MAX_DEPTH)
    except (_NotJson, UnicodeEncodeError, RecursionError):
        where, reason = _first_fault(path, value)
    raise UnsupportedMemoryItem(where, reason)


def detached_text(value: object, path: str) -> str:
    """Return the text itself, if it is text that every encoding can carry.

    Raises:
        UnsupportedMemoryItem: not exactly a `str`, or one with lone surrogates.
    """
    if type(value) is str and (value.isascii() or _is_whole(value)):
        return value
    raise UnsupportedMemoryItem(path, _text_fault(value))


class _NotJson(Exception):
    """Something in the tree is not a JSON value; where is looked up afterwards."""


def _copy(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind is str:
        if not value.isascii():
            value.encode()
        return value
    if kind is int or kind is bool or value is None:
        return value
    if kind is float:
        if not isfinite(value):
            raise _NotJson
        return value
    if not depth:
        raise _NotJson
    if kind is dict:
        copied = {}
        for key, member in value.items():
            if type(key) is not str:
                raise _NotJson
            if not key.isascii():
                key.encode()
            copied[key] = _copy(member, depth - 1)
        return copied
    if kind is list:
        # A comprehension would take a second frame per level before Python 3.12.
        members = []
        for member in value:
            members.append(_copy(member, depth - 1))
        return members
    raise _NotJson


def _first_fault(path: str, root: object) -> tuple[str, str]:
    """The first place that is not JSON, in document order, and what is wrong there."""
    todo: list[tuple[str, Any, int]] = [(path, root, 0)]
    while todo:
        here, value, depth = todo.pop()
        kind = type(value)
        if kind is str:
            if not _is_whole(value):
                return here, _text_fault(value)
        elif kind is float:
            if not isfinite(value):
                return here, f"expected a finite float, got {value}"
        elif kind is dict or kind is list:
            if depth == MAX_DEPTH:
                return here, f"expected at most {MAX_DEPTH} levels of nesting, got more"
            if kind is dict:
                for key in value:
                    if type(key) is not str:
                        return here, f"expected str keys, got {type(key).__name__}"
                    if not _is_whole(key):
                        return here, f"in a key: {_text_fault(key)}"
                members = list(value.items())
            else:
                members = list(enumerate(value))
            todo += [(path_to(here, step), member, depth + 1) for step, member in members[::-1]]
        elif not (kind is int or kind is bool or value is None):
            return here, f"expected a JSON value, got {kind.__name__}"
    return path, "nested too deep for this call stack"


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _text_fault(value: object) -> str:
    if type(value) is not str:
        return f"expected str, got {type(value).__name__}"
    return "expected whole characters, got a lone surrogate"

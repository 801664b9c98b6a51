"""Was a value kept exactly? Typed comparison, with every difference named by path.

Python's `==` hides losses: `1 == 1.0 == True`, `-0.0 == 0.0`, one instant in
two time zones. Here two values are the same only if their types are, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any
from unicodedata import normalize

from lionagi.protocols.memory import MemoryItem

from memory_fidelity.manifest import ITEM_FIELDS, MemoryItemField

__all__ = ["Difference", "differences", "item_differences", "path_to", "same"]

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where what came back is not what was sent."""

    path: str
    sent: str
    got: str

    def __str__(self) -> str:
        return f"{self.path}: sent {self.sent}, got {self.got}"


def same(sent: object, got: object, *, key_order: bool = False) -> bool:
    """Whether the two values are equal in type and in value, at every depth.

    NaN is the same as NaN. With `key_order`, mappings must list their keys in
    the same order.
    """
    return next(_walk("", sent, got, key_order), None) is None


def differences(
    path: str, sent: object, got: object, *, key_order: bool = False
) -> tuple[Difference, ...]:
    """Every difference between the two values, in document order."""
    return tuple(_walk(path, sent, got, key_order))


def item_differences(
    sent: MemoryItem,
    got: MemoryItem,
    fields: Collection[MemoryItemField] = ITEM_FIELDS,
    *,
    key_order: bool = False,
) -> tuple[Difference, ...]:
    """Every difference between two items in `fields`, in the item's field order.

    The equality of lionagi's items compares ids only, so it says nothing.
    """
    return tuple(
        difference
        for field in ITEM_FIELDS
        if field in fields
        for difference in _walk(field, getattr(sent, field), getattr(got, field), key_order)
    )


def path_to(parent: str, step: str | int) -> str:
    """The path of a child: `metadata.user`, `tags[0]`, `metadata['a.b']`."""
    if isinstance(step, str) and step.isidentifier():
        return f"{parent}.{step}" if parent else step
    return f"{parent}[{step!r}]"


def _walk(path: str, sent: object, got: object, key_order: bool) -> Iterator[Difference]:
    # An explicit stack: values nested hundreds deep are part of the corpus.
    todo: list[tuple[str, Any, Any]] = [(path, sent, got)]
    while todo:
        here, a, b = todo.pop()
        if a is b:
            continue
        if type(a) is not type(b):
            yield _difference(here, a, b)
            continue
        match a:
            case dict():
                yield from _key_differences(here, a, b, key_order)
                todo += [(path_to(here, _step(k)), a[k], b[k]) for k in reversed(a) if k in b]
            case list() | tuple():
                if len(a) != len(b):
                    yield _difference(here, a, b)
                    continue
                steps = range(len(a) - 1, -1, -1)
                todo += [(path_to(here, i), a[i], b[i]) for i in steps]
            case _:
                if not _same_leaf(a, b):
                    yield _difference(here, a, b)


def _key_differences(
    path: str, sent: dict[Any, Any], got: dict[Any, Any], key_order: bool
) -> Iterator[Difference]:
    # 1, 1.0 and True are one dictionary key; their types are compared apart.
    typed_sent = [(type(key), key) for key in sent]
    typed_got = [(type(key), key) for key in got]
    for key in _without(typed_sent, typed_got):
        yield Difference(path_to(path, _step(key)), _shown(sent[key]), "nothing")
    for key in _without(typed_got, typed_sent):
        yield Difference(path_to(path, _step(key)), "nothing", _shown(got[key]))
    if key_order and typed_sent != typed_got and set(typed_sent) == set(typed_got):
        yield Difference(path, f"keys in the order {list(sent)}", f"{list(got)}")


def _without(keys: Iterable[tuple[type, Any]], others: Iterable[tuple[type, Any]]) -> Iterator[Any]:
    known = set(others)
    return (key for typed in keys if typed not in known for key in typed[1:])


def _same_leaf(a: Any, b: Any) -> bool:
    match a:
        case float():
            if math.isnan(a) or math.isnan(b):
                return math.isnan(a) and math.isnan(b)
            return a == b and math.copysign(1.0, a) == math.copysign(1.0, b)
        case set() | frozenset():
            return len(a) == len(b) and _each_in(a, b) and _each_in(b, a)
        case datetime() | time():
            return bool(a == b) and a.utcoffset() == b.utcoffset()
        case _:
            return bool(a == b)


def _each_in(members: Iterable[object], others: Collection[object]) -> bool:
    return all(any(same(member, other) for other in others) for member in members)


def _step(key: object) -> str | int:
    return key if isinstance(key, str | int) else repr(key)


def _difference(path: str, sent: object, got: object) -> Difference:
    if type(sent) is not type(got):
        return Difference(path, _typed(sent), _typed(got))
    before, after = _shown(sent), _shown(got)
    if normalize("NFC", before) == normalize("NFC", after):
        # Composed and decomposed text look alike on a screen.
        before, after = _shown(sent, ascii), _shown(got, ascii)
    return Difference(path, before, after)


def _typed(value: object) -> str:
    return f"{type(value).__name__} {_shown(value)}"


def _shown(value: object, show: Callable[[object], str] = repr) -> str:
    try:
        text = show(value)
    except ValueError:  # an int beyond the interpreter's limit of printed digits
        text = hex(value) if isinstance(value, int) else f"a {type(value).__name__}"
    except RecursionError:
        text = f"a deeply nested {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text)} characters)"

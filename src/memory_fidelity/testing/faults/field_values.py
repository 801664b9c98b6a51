"""Faults in values and their types: numbers, truths, nothings, and texts taken for them."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.altering import (
    Change,
    altered,
    in_leaves,
    in_lists,
    in_mappings,
    no_trees,
)
from memory_fidelity.testing.faults.declared import no_metadata
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, fault
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "first_types", "values"]

_VALUES: Final[tuple[Any, ...]] = (
    1, -7, 2**40, 2**53 + 7, 2**63, 2**64, -(2**70), 3.0, -0.0, 1 / 3, 1e22, 5e-324, 1.5, 0, 0.0,
    True, False, None, "", [], {}, [[]], [None, 4], [5, "5", 5.5, None], {"empty": {}}, "8", "8.25",
    "yes", "off", "true", "None", "null", "[3, 4]", '{"a": 1}', "2024-02-29",
    "2024-02-29T12:00:00+00:00", "NaN", "0017", "1e5",
)  # fmt: skip


async def values(bench: Bench) -> None:
    """Store values of every type, in metadata and as content, and read each back."""
    items = []
    for number, value in enumerate(_VALUES):
        metadata = {"v": value, "l": [value, {"w": value}]}
        whole = {"content": metadata} if "json" in bench.store.card.content else {}
        items.append(bench.item(number, metadata=metadata, **whole))
    await bench.stored(items)
    for item in items:
        await bench.saw(f"retrieve {item.id.int % 10_000}", bench.store.retrieve(item.id))
    await bench.saw("search", bench.store.search(MemoryQuery(limit=len(items))))


async def first_types(bench: Bench) -> None:
    """Store values of other types under the same key, one after another."""
    values = (4, 4.5, "4", True, None, "five", [4])
    items = [bench.item(n, metadata={"size": value}) for n, value in enumerate(values)]
    await bench.stored(items)
    await bench.saw("search", bench.store.search(MemoryQuery(limit=len(items))))


def _integer(value: float) -> Any:
    return int(value) if value.is_integer() else value


def _parsed(text: str) -> Any:
    with suppress(ValueError):
        return json.loads(text)
    return text


def _number(text: str) -> Any:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def _moment(text: str) -> Any:
    if "T" in text:
        with suppress(ValueError):
            return datetime.fromisoformat(text).timestamp()
    return text


def _day(text: str) -> Any:
    with suppress(ValueError):
        return datetime.fromisoformat(text).isoformat()
    return text


def _among(meant: Mapping[str, Any]) -> Callable[[str], Any]:
    return lambda text: meant.get(text, text)


def _single(value: float) -> float:
    with suppress(OverflowError):
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    return value


def _signed(bits: int) -> Callable[[int], int]:
    return lambda value: (value + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def _double(value: int) -> Any:
    with suppress(OverflowError):
        return int(float(value)) if abs(value) > 2**53 else value
    return value


def _with_float(value: int) -> Any:
    with suppress(OverflowError):
        return float(value)
    return value


def _digits(value: int) -> Any:
    return str(value) if abs(value) < 10**400 else value


def _without(unwanted: Callable[[Any], bool]) -> Change:
    return in_mappings(lambda tree: {k: v for k, v in tree.items() if not unwanted(v)})


_LEAVES: Final[dict[str, tuple[type, Callable[[Any], Any], str]]] = {
    "int-as-float": (int, _with_float, "An integer becomes a float"),
    "int-as-text": (int, _digits, "An integer becomes text"),
    "int-as-double": (int, _double, "An integer beyond 53 bits is read as a double"),
    "int-in-32-bits": (int, _signed(32), "An integer keeps 32 bits"),
    "int-in-64-bits": (int, _signed(64), "An integer keeps 64 bits"),
    "float-as-int": (float, _integer, "A float that is whole becomes an integer"),
    "float-as-text": (float, repr, "A float becomes text"),
    "float-in-12-digits": (float, lambda n: float(f"{n:.12g}"), "A float keeps twelve digits"),
    "float-in-15-digits": (float, lambda n: float(f"{n:.15g}"), "A float keeps fifteen digits"),
    "float-in-32-bits": (float, _single, "A float is kept in single precision"),
    "float-unsigned-zero": (float, lambda n: n or 0.0, "Negative zero loses its sign"),
    "float-underflows": (float, lambda n: n if abs(n) > 1e-300 else n * 0, "A float underflows"),
    "truth-as-int": (bool, int, "A truth value becomes 0 or 1"),
    "truth-as-text": (bool, str, "A truth value becomes text"),
    "null-as-empty": (type(None), lambda _: "", "Nothing becomes an empty text"),
    "null-as-text": (type(None), str, "Nothing becomes the text None"),
    "text-as-number": (str, _number, "A text that looks like a number becomes one"),
    "text-as-json": (str, _parsed, "A text that looks like JSON is parsed"),
    "text-as-null": (str, _among({"null": None}), "A text that reads null becomes nothing"),
    "text-as-truth": (
        str,
        _among({"true": True, "false": False}),
        "A text that looks like a truth value becomes one",
    ),
    "text-as-yaml-truth": (
        str,
        _among({"no": False, "yes": True, "off": False, "on": True}),
        "A text that reads yes or no becomes a truth value",
    ),
    "text-as-moment": (str, _moment, "A text that looks like a time becomes a number of seconds"),
    "text-as-day": (str, _day, "A text that looks like a date is made a time"),
    "empty-text-as-null": (str, lambda text: text or None, "An empty text becomes nothing"),
}
"""What becomes of a leaf of one type, by name."""

_CONTAINERS: Final[dict[str, tuple[Change, str]]] = {
    "null-removed": (_without(lambda v: v is None), "A key whose value is nothing is removed"),
    "falsy-removed": (_without(lambda v: not v), "A key whose value is false is removed"),
    "empty-text-removed": (_without(lambda v: v == ""), "A key whose value is no text is removed"),
    "empty-list-removed": (_without(lambda v: v == []), "A key whose list is empty is removed"),
    "empty-mapping-removed": (
        _without(lambda v: v == {}),
        "A key whose mapping is empty is removed",
    ),
    "null-removed-from-lists": (
        in_lists(lambda many: [one for one in many if one is not None]),
        "Nothing is removed from lists",
    ),
    "list-of-texts": (
        in_lists(lambda many: [str(one) for one in many] if len(many) > 1 else many),
        "Members of a list become text",
    ),
}


class _FirstTypes(FaultyStore):
    """The first value under a key of metadata fixes its type; later ones are cast to it."""

    async def store(self, item: MemoryItem) -> Any:
        types: dict[str, type] = self.shared.memory
        cast = {}
        for key, value in item.metadata.items() if type(item.metadata) is dict else ():
            kind = types.setdefault(key, type(value)) if type(key) is str else type(value)
            cast[key] = value
            if type(value) in (int, float, str) and kind in (int, float, str):
                with suppress(ValueError, OverflowError):
                    cast[key] = kind(value)
        return await self.inner.store(item.model_copy(update={"metadata": cast} if cast else {}))


def _of_metadata(name: str) -> Fault:
    change, story = _changes()[name]
    return altered("metadata", name, change, f"{story}, in metadata.", probe=values)


def _of_trees(name: str) -> Fault:
    change, story = _changes()[name]
    whole = f"tree-{name}"
    return altered(
        "content", whole, change, f"{story}, in content.", probe=values, unless=no_trees
    )  # fmt: skip


def _changes() -> dict[str, tuple[Change, str]]:
    leaves = {name: (in_leaves(kind, how), what) for name, (kind, how, what) in _LEAVES.items()}
    return {**leaves, **_CONTAINERS}


_IN_TREES: Final = (
    "int-as-float", "float-as-int", "float-in-12-digits", "float-unsigned-zero", "truth-as-int",
    "text-as-number", "null-removed", "int-as-double",
)  # fmt: skip

FAULTS: Final[tuple[Fault, ...]] = (
    *map(_of_metadata, (*_LEAVES, *_CONTAINERS)),
    *map(_of_trees, _IN_TREES),
    fault(
        "metadata.first-type-wins",
        _FirstTypes,
        case="fidelity.metadata",
        names="manifest.preserves_metadata",
        probe=first_types,
        unless=no_metadata,
    ),
)

"""Faults in the shape of mappings and lists, in metadata and as content (C3, C13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from memory_fidelity.exact import same
from memory_fidelity.json_codec import canonical
from memory_fidelity.store import MemoryQuery
from memory_fidelity.testing.faults.altering import (
    Change,
    Place,
    altered,
    in_lists,
    in_mappings,
    no_order,
    no_trees,
)
from memory_fidelity.testing.faults.declared import no_metadata
from memory_fidelity.testing.faults.fault import Fault, any_of
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "shapes"]

_SHAPES: Final[tuple[dict[str, Any], ...]] = (
    {}, {"y": 1, "b": 2}, {"at": {"line": 3, "file": {"name": "f"}}}, {"at.line": 3},
    {"names": ["bo"]}, {"names": ["bo", "al", "bo"]}, {"names": []}, {"rows": [[1, 2], [3]]},
    {"rows": [{"a": 1}, {"b": 2}]}, {"numbers": [3, 1, 2]}, {"numbers": [*range(150)]},
    {f"column {n}": n for n in range(80)}, {"deep": [[[[[[[[[[[[12]]]]]]]]]]]]},
    {"deep": {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {"i": {"j": 1}}}}}}}}}}},
    {"single": "v", "many": {"one": "v"}},
)  # fmt: skip


async def shapes(bench: Bench) -> None:
    """Store mappings and lists of many shapes, in metadata and as content, and read each back."""
    trees = "json" in bench.store.card.content
    items = [
        bench.item(n, shape if trees else None, metadata=shape) for n, shape in enumerate(_SHAPES)
    ]
    await bench.stored(items)
    for item in items:
        await bench.saw(f"retrieve {item.id.int % 10_000}", bench.store.retrieve(item.id))
    await bench.saw("search", bench.store.search(MemoryQuery(limit=len(items))))


def _flattened(tree: dict[str, Any]) -> dict[str, Any]:
    def leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
        if type(value) is dict and value:
            for key, member in value.items():
                yield from leaves(member, f"{path}.{key}" if path else key)
        else:
            yield path, value

    return dict(leaves(tree, "")) if tree else tree


def _nested(tree: dict[str, Any]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for key, member in tree.items():
        first, dot, rest = key.partition(".")
        inner = nested.setdefault(first, {}) if dot else None
        if type(inner) is dict:
            inner[rest] = member
        else:
            nested[key] = member
    return nested


def _members(kind: type | tuple[type, ...], change: Change) -> Change:
    """Change the members of the outermost mapping that are of one kind."""

    def walk(tree: Any) -> Any:
        if type(tree) is not dict:
            return tree
        return {k: change(v) if isinstance(v, kind) else v for k, v in tree.items()}

    return walk


def _without_trees(tree: Any) -> Any:
    if type(tree) is not dict:
        return tree
    return {key: member for key, member in tree.items() if not isinstance(member, dict | list)}


def _unique(many: list[Any]) -> list[Any]:
    return [one for n, one in enumerate(many) if not any(same(one, other) for other in many[:n])]


def _ordered(many: list[Any]) -> list[Any]:
    return sorted(many, key=canonical)


def _joined(many: list[Any]) -> Any:
    return ",".join(many) if many and all(type(one) is str for one in many) else many


def _flat(many: list[Any]) -> list[Any]:
    return [inner for one in many for inner in (one if type(one) is list else [one])]


def _shallow(levels: int) -> Change:
    def walk(value: Any, left: int = levels) -> Any:
        if type(value) is dict:
            return {key: walk(member, left - 1) for key, member in value.items()} if left else None
        if type(value) is list:
            return [walk(member, left - 1) for member in value] if left else None
        return value

    return walk


def _as_set(many: list[Any]) -> Any:
    return {*many} if many and all(type(one) is str for one in many) else many


_SHAPED: Final[dict[str, tuple[Change, str]]] = {
    "flattened": (
        lambda tree: _flattened(tree) if type(tree) is dict else tree,
        "Nested mappings become dotted keys",
    ),
    "unflattened": (in_mappings(_nested), "A key with a dot becomes a nested mapping"),
    "mappings-as-text": (_members(dict, canonical), "A nested mapping becomes its JSON text"),
    "lists-as-text": (_members(list, canonical), "A list becomes its JSON text"),
    "lists-joined": (in_lists(_joined), "A list of texts becomes one text with commas"),
    "lists-unwrapped": (
        in_lists(lambda many: many[0] if len(many) == 1 else many),
        "A list of one becomes its member",
    ),
    "texts-wrapped": (_members(str, lambda text: [text]), "A single text becomes a list of one"),
    "lists-unique": (in_lists(_unique), "Members of a list that are equal become one"),
    "lists-sorted": (in_lists(_ordered), "Lists are sorted"),
    "lists-flat": (in_lists(_flat), "A list in a list is taken apart"),
    "lists-cut": (in_lists(lambda many: many[:100]), "Lists are cut after a hundred members"),
    "trees-removed": (_without_trees, "A key whose value is a mapping or a list is removed"),
    "depth-cut": (_shallow(8), "What is nested deeper than eight levels becomes nothing"),
    "keys-cut-at-64": (
        in_mappings(lambda tree: dict([*tree.items()][:64])),
        "Mappings are cut after 64 keys",
    ),
    "keys-sorted": (in_mappings(lambda tree: dict(sorted(tree.items()))), "Keys are sorted"),
}
"""What becomes of a tree when it is written, by name."""

_READ: Final[dict[str, tuple[Change, str]]] = {
    "lists-as-tuples": (in_lists(tuple), "Lists come back as tuples"),
    "lists-as-sets": (in_lists(_as_set), "Lists of texts come back as sets"),
    "pairs": (lambda tree: [*tree.items()] if tree else tree, "A mapping comes back as its pairs"),
    "none": (lambda tree: tree or None, "An empty mapping comes back as None"),
    "as-json-text": (canonical, "A mapping comes back as its JSON text"),
}
"""What becomes of a mapping when it is read, by name."""

_IN_HITS: Final = ("flattened", "trees-removed", "lists-joined")
_IN_TREES: Final = (
    "unflattened", "lists-unwrapped", "lists-sorted", "lists-unique", "depth-cut", "keys-sorted",
    "keys-cut-at-64", "mappings-as-text",
)  # fmt: skip


def _of_metadata(name: str, place: Place = "write") -> Fault:
    change, story = {**_SHAPED, **_READ}[name]
    suffix, where = ("-in-hits", " of hits") if place == "hits" else ("", "")
    unless = any_of(no_metadata, no_order) if name == "keys-sorted" else no_metadata
    return altered(
        "metadata", f"{name}{suffix}", change, f"{story}, in metadata{where}.",
        probe=shapes, place=place, unless=unless,
    )  # fmt: skip


def _of_trees(name: str, place: Place = "write") -> Fault:
    change, story = {**_SHAPED, **_READ}[name]
    unless = any_of(no_trees, no_order) if name == "keys-sorted" else no_trees
    return altered(
        "content", f"tree-{name}", change, f"{story}, in content.",
        probe=shapes, place=place, unless=unless,
    )  # fmt: skip


FAULTS: Final[tuple[Fault, ...]] = (
    *(_of_metadata(name) for name in _SHAPED),
    *(_of_metadata(name, "reads") for name in _READ),
    *(_of_metadata(name, "hits") for name in _IN_HITS),
    *(_of_trees(name) for name in _IN_TREES),
    _of_trees("lists-as-tuples", "reads"),
    altered(
        "metadata", "lost-in-hits", lambda _: {}, "Hits have no metadata, though retrieve has it.",
        probe=shapes, place="hits",
    ),
    altered(
        "metadata", "never-kept", lambda _: {}, "Metadata is always empty.",
        probe=shapes, names="manifest.native_item_fields",
    ),
)  # fmt: skip

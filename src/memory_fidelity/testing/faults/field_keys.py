"""Faults in the keys of metadata: renamed, swallowed, left in, added (C13, Q6)."""

from __future__ import annotations

import re
from typing import Any, Final
from unicodedata import normalize

from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.altering import Change, altered, in_keys, in_mappings
from memory_fidelity.testing.faults.fault import Fault
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "keys"]

_RESERVED: Final = (
    "id", "_id", "content", "tags", "created_at", "updated_at", "text", "document", "score",
    "type", "kind", "source", "user_id", "namespace", "timestamp", "embedding",
)  # fmt: skip
"""Keys that services take for columns of their own."""

_MAPPINGS: Final[tuple[dict[str, Any], ...]] = (
    {"Size": 1, "size": 2}, {"two words": 1}, {"with-hyphen": 1}, {" edges ": 1}, {"a.b.c": 1},
    {"na\u00efve": 1, "nai\u0308ve": 2}, {"$set": 1}, {"$": 1}, {"_own": 1}, {"": 1}, {'"q"': 1},
    {"l" * 299: 1}, {"7": 1}, {"camelCase": 1}, {"x": {"Inner": 1, "_inner": 2, "$in": 3}},
    {name: f"a {name}" for name in _RESERVED},
)  # fmt: skip


async def keys(bench: Bench) -> None:
    """Store keys that services rename or take for their own, and read each back."""
    items = [bench.item(n, metadata=each) for n, each in enumerate(_MAPPINGS)]
    await bench.stored(items)
    for item in items:
        await bench.saw(f"retrieve {item.id.int % 10_000}", bench.store.retrieve(item.id))
    await bench.saw("search", bench.store.search(MemoryQuery(limit=len(items))))


def _without_key(pattern: str) -> Change:
    return in_mappings(lambda tree: {k: v for k, v in tree.items() if not re.search(pattern, k)})


def _first_of_alike(tree: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, str] = {}
    for key in tree:
        kept.setdefault(key.casefold(), key)
    return {key: member for key, member in tree.items() if kept[key.casefold()] == key}


_KEYS: Final[dict[str, tuple[Change, str]]] = {
    "lower-cased": (in_keys(str.lower), "Keys of metadata are made lower case."),
    "trimmed": (in_keys(str.strip), "Keys of metadata lose the white space at their edges."),
    "composed": (
        in_keys(lambda key: normalize("NFC", key)), "Keys of metadata are composed (NFC)."
    ),
    "ascii-only": (
        in_keys(lambda key: key.encode("ascii", "ignore").decode()),
        "Keys of metadata lose what is not ASCII.",
    ),
    "spaces-as-underscores": (
        in_keys(lambda key: key.replace(" ", "_")), "Spaces in keys of metadata are replaced."
    ),
    "hyphens-as-underscores": (
        in_keys(lambda key: key.replace("-", "_")), "Hyphens in keys of metadata are replaced."
    ),
    "dots-as-underscores": (
        in_keys(lambda key: key.replace(".", "_")), "Dots in keys of metadata are replaced."
    ),
    "quotes-removed": (
        in_keys(lambda key: re.sub("['\"]", "", key)), "Quotes in keys of metadata are removed."
    ),
    "cut": (in_keys(lambda key: key[:255]), "Keys of metadata are cut after 255 characters."),
    "alike-merged": (
        in_mappings(_first_of_alike), "Of keys that differ in case only the first is kept."
    ),
    "dollar-removed": (_without_key(r"^\$"), "Keys that start with a dollar are removed."),
    "underscore-removed": (_without_key("^_"), "Keys that start with an underscore are removed."),
    "dotted-removed": (_without_key(r"\."), "Keys with a dot are removed."),
    "empty-removed": (_without_key("^$"), "An empty key is removed."),
    "odd-removed": (_without_key(r"[^\w.$ -]"), "Keys that are no names are removed."),
    "long-removed": (_without_key("^.{256}"), "Keys of more than 255 characters are removed."),
}  # fmt: skip
"""What becomes of the keys of metadata when they are written, by name."""


def _of_keys(name: str) -> Fault:
    change, story = _KEYS[name]
    return altered("metadata", f"keys-{name}", change, story, probe=keys)


def _reserved(name: str) -> Fault:
    def change(tree: Any) -> Any:
        return {key: member for key, member in tree.items() if key != name}

    return altered(
        "metadata", f"reserved-{name}", change,
        f"The key {name} of metadata is taken for the service's own.", probe=keys,
    )  # fmt: skip


def _overwritten(tree: dict[str, Any]) -> dict[str, Any]:
    return tree | {name: None for name in ("id", "score") if name in tree}


_LION_CLASS: Final = f"{MemoryItem.__module__}.{MemoryItem.__qualname__}"

_ADDED: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "lion-class-left": (
        {"lion_class": _LION_CLASS}, "The name of the class is left in the metadata."
    ),
    "updated-at-added": ({"updated_at": 1767323045.25}, "The service adds the time of writing."),
    "id-added": ({"_id": "8f00"}, "The service adds an identity of its own."),
}  # fmt: skip
"""What comes back in the metadata of every item, and was never stored."""


def _added(name: str) -> Fault:
    more, story = _ADDED[name]
    return altered(
        "metadata", name, lambda tree: tree | more, story, probe=keys, place="reads"
    )  # fmt: skip


FAULTS: Final[tuple[Fault, ...]] = (
    *map(_of_keys, _KEYS),
    *map(_reserved, _RESERVED),
    *map(_added, _ADDED),
    altered(
        "metadata", "reserved-overwritten", _overwritten,
        "Keys that the service reserves come back with its own values.",
        probe=keys, place="reads",
    ),
    altered(
        "metadata", "score-added-in-hits", lambda tree: tree | {"score": 0.5},
        "Hits have their score in the metadata.", probe=keys, place="hits",
    ),
)  # fmt: skip

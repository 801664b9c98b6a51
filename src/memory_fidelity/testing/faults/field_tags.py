"""Faults in tags: which are kept, in which order, and what each becomes (C3, C12, W3)."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any, Final
from unicodedata import normalize

from memory_fidelity.store import MemoryQuery
from memory_fidelity.testing.faults.altering import Change, Place, altered
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, fault
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "tags"]

_TAGS: Final[tuple[list[str], ...]] = (
    [], ["single"], ["q", "p"], ["p", "q", "p"], ["Mixed", "mixed"], ["two words"], [" edge"],
    ["p,q"], ["", "p"], ["na\u00efve", "nai\u0308ve"], ["\u0442\u0435\u0433", "p"], ["12", "0.5"],
    ["false", "null"], ["#p", "@q"], ["p/q", "r:s"], ["'p'", '"q"', "r\\s"], ["{{p}} q"],
    ["p &amp; q", "<i>"], ["p\x00q"], ["p\x02q"], ["p\tq  r"], ["z" * 4_000], ["*", "p*"],
    [f"number {n}" for n in range(90)], ["x-y", "x_y"],
)  # fmt: skip


async def tags(bench: Bench) -> None:
    """Store lists of tags that services rewrite, and read each back."""
    items = [bench.item(n, tags=each) for n, each in enumerate(_TAGS)]
    await bench.stored(items)
    for item in items:
        await bench.saw(f"retrieve {item.id.int % 10_000}", bench.store.retrieve(item.id))
    await bench.saw("search", bench.store.search(MemoryQuery(limit=len(items))))
    await bench.saw("search p", bench.store.search(MemoryQuery(tags=["p"], limit=len(items))))


def _each(change: Callable[[str], Any]) -> Change:
    return lambda many: [change(one) for one in many]


def _kept(wanted: Callable[[str], object]) -> Change:
    return lambda many: [one for one in many if wanted(one)]


def _split(pattern: str) -> Change:
    return lambda many: [part for one in many for part in re.split(pattern, one)]


def _replaced(old: str, new: str) -> Change:
    return _each(lambda tag: re.sub(old, new, tag))


def _first_of_alike(many: list[str]) -> list[str]:
    return [*{tag.casefold(): tag for tag in reversed(many)}.values()][::-1]


def _number(tag: str) -> Any:
    return int(tag) if tag.isdecimal() else tag


_CHANGES: Final[dict[str, tuple[Change, str]]] = {
    "unique": (lambda many: [*dict.fromkeys(many)], "Tags are kept once each"),
    "sorted": (sorted, "Tags are sorted"),
    "reversed": (lambda many: many[::-1], "Tags come in reverse"),
    "comma-split": (_split(","), "A tag with a comma becomes several"),
    "word-split": (_split(" "), "A tag with a space becomes several"),
    "lower-cased": (_each(str.lower), "Tags are made lower case"),
    "case-merged": (_first_of_alike, "Of tags that differ in case only the first is kept"),
    "trimmed": (_each(str.strip), "Tags lose the white space at their edges"),
    "collapsed": (_replaced(r"\s+", " "), "White space in tags becomes one space"),
    "slugs": (_replaced(r" ", "-"), "Spaces in tags become hyphens"),
    "composed": (_each(lambda tag: normalize("NFC", tag)), "Tags are composed (NFC)"),
    "ascii-only": (
        _each(lambda tag: tag.encode("ascii", "ignore").decode()),
        "Tags lose what is not ASCII",
    ),
    "ascii-kept": (_kept(str.isascii), "Tags that are not ASCII are removed"),
    "empty-removed": (_kept(bool), "Empty tags are removed"),
    "words-kept": (_kept(re.compile(r"^[\w-]+$").match), "Tags that are no words are removed"),
    "long-removed": (_kept(lambda tag: len(tag) < 256), "Tags of more than 255 are removed"),
    "cut": (_each(lambda tag: tag[:255]), "Tags are cut after 255 characters"),
    "nul-cut": (_each(lambda tag: tag.partition("\x00")[0]), "Tags end at their first NUL"),
    "control-removed": (_replaced(r"[\x01-\x08\x0e-\x1f]", ""), "Tags lose control characters"),
    "marks-removed": (_replaced(r"^[#@]", ""), "Tags lose the mark at their start"),
    "quotes-removed": (_replaced("['\"]", ""), "Tags lose their quotes"),
    "backslashes-removed": (_replaced(r"\\", ""), "Tags lose their backslashes"),
    "operators-removed": (_replaced(r"[/:|*]", " "), "Signs in tags become spaces"),
    "html-unescaped": (_each(unescape), "Tags are read as HTML"),
    "template-filled": (_replaced(r"\{\{.*?\}\}", ""), "Tags lose what looks like a placeholder"),
    "many-cut": (lambda many: many[:64], "Tags are cut after 64"),
}
"""What becomes of tags when they are written, by name."""

_READ: Final[dict[str, tuple[Change, str]]] = {
    "none": (lambda many: many or None, "No tags come back as None"),
    "tuple": (tuple, "Tags come back as a tuple"),
    "set": (set, "Tags come back as a set"),
    "joined": (lambda many: [",".join(many)] if many else many, "Tags come back joined by commas"),
    "unwrapped": (lambda many: many[0] if len(many) == 1 else many, "One tag comes back as itself"),
    "numbers": (_each(_number), "Tags that look like numbers come back as numbers"),
    "default-added": (lambda many: [*many, "memory"], "A tag of the service's own is added"),
}
"""What becomes of tags when they are read, by name."""

_HITS: Final[dict[str, tuple[Change, str]]] = {
    "lost": (lambda _: [], "There are no tags"),
    "first-only": (lambda many: many[:1], "There is the first tag only"),
    "cut-at-10": (lambda many: many[:10], "There are ten tags at most"),
    "nothing": (lambda _: None, "There is None for tags"),
}
_IN_HITS: Final = ("lower-cased", "sorted", "unique", "ascii-kept")
_ON_RETRIEVE: Final = ("sorted", "lower-cased", "many-cut")


class _MatchingInHits(FaultyStore):
    """Hits show those of their tags that were asked for."""

    async def search(self, query: MemoryQuery) -> Any:
        hits = await self.inner.search(query)
        if not query.tags:
            return hits
        return [
            hit.model_copy(update={"tags": [tag for tag in hit.tags if tag in query.tags]})
            for hit in hits
        ]


def _tags(name: str, place: Place, suffix: str = "", where: str = "", **more: Any) -> Fault:
    change, story = {**_CHANGES, **_READ, **_HITS}[name]
    whole = f"{name}{suffix}"
    return altered("tags", whole, change, f"{story}{where}.", probe=tags, place=place, **more)


FAULTS: Final[tuple[Fault, ...]] = (
    *(_tags(name, "write") for name in _CHANGES),
    *(_tags(name, "reads") for name in _READ),
    *(_tags(name, "retrieve", "-on-retrieve", ", on retrieve") for name in _ON_RETRIEVE),
    *(_tags(name, "hits", "-in-hits", ", in hits") for name in (*_HITS, *_IN_HITS)),
    altered(
        "tags", "never-kept", lambda _: [], "Tags are indexed, and never come back.",
        probe=tags, place="reads", names="manifest.native_item_fields",
    ),
    fault(
        "tags.matching-only-in-hits", _MatchingInHits, case="fidelity.tags",
        names="manifest.search_returns_tags", probe=tags,
    ),
)  # fmt: skip

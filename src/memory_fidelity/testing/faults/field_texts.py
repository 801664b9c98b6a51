"""Faults in texts: in content, in the values of metadata, and in what hits show (C3, C6, C13)."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any, Final
from unicodedata import category, normalize
from urllib.parse import unquote

from memory_fidelity.store import MemoryQuery
from memory_fidelity.testing.faults.altering import (
    Change,
    Place,
    altered,
    in_texts,
    no_text,
    no_trees,
)
from memory_fidelity.testing.faults.fault import Fault
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "texts"]

_TextChange = Callable[[str], Any]

_SAMPLES: Final = (
    "  padded\t", "two   gaps", "first\r\nsecond\rthird\n", "Loud AND quiet", "nai\u0308ve",
    "na\u00efve", "behind  ",
    "\ufb01ne \uff21", "\U0001f98a tail", "\u043f\u0440\u0438\u0432\u0435\u0442", "x\x00y",
    "x\x02y\x7f", "x\u200dy", "\ufeffmark", "no\u00a0break", "Tom &lt;3 &amp; Jerry", "50%25 off",
    "say \\n twice", "{{name}} owes ${sum}", "she said \u201cyes\u201d \u2014", "z" * 6_000,
    "\u00df" * 70_000, "", "12", "2.50", "1e3", "NaN", "true", "no", "null", "[1, 2]",
    "2025-11-30", "2025-11-30T10:20:30+00:00", "don't", "<i>it</i>", "https://example.org/a?b=c",
    "-- comment", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "None", "a,b", "\u2028line",
)  # fmt: skip


async def texts(bench: Bench) -> None:
    """Store texts that services rewrite, as content and in metadata, and read each back."""
    kinds = bench.store.card.content
    whole = [[text] if "text" not in kinds else text for text in _SAMPLES]
    items = [bench.item(n, text, metadata={"t": [text]}) for n, text in enumerate(whole)]
    if "json" in kinds:
        items += [bench.item(100 + n, {"in": [text]}) for n, text in enumerate(_SAMPLES)]
    await bench.stored(items)
    for item in items:
        await bench.saw(f"retrieve {item.id.int % 10_000}", bench.store.retrieve(item.id))
    await bench.saw("search", bench.store.search(MemoryQuery(limit=len(items))))


def _cut(limit: int) -> _TextChange:
    return lambda text: text[:limit]


def _cut_in_bytes(limit: int) -> _TextChange:
    return lambda text: text.encode()[:limit].decode(errors="ignore")


def _cut_after_five(text: str) -> str:
    # Five code points are one and a half of some characters.
    return text[:5] if not text.isascii() else text


def _without(categories: str) -> _TextChange:
    return lambda text: "".join(one for one in text if category(one) not in categories.split())


def _ascii(text: str) -> str:
    return text.encode("ascii", "ignore").decode()


def _replaced(old: str, new: str) -> _TextChange:
    return lambda text: re.sub(old, new, text)


def _unaccented(text: str) -> str:
    return "".join(one for one in normalize("NFD", text) if category(one) != "Mn")


def _read_as_latin(text: str) -> str:
    return text.encode().decode("latin-1")


_TEXTS: Final[dict[str, tuple[_TextChange, str]]] = {
    "cut-at-255": (_cut(255), "is cut after 255 characters"),
    "cut-at-4000": (_cut(4_000), "is cut after 4,000 characters"),
    "cut-at-65535-bytes": (_cut_in_bytes(65_535), "is cut after 65,535 bytes of UTF-8"),
    "cut-at-65535": (_cut(65_535), "is cut after 65,535 characters"),
    "cut-in-a-character": (
        _cut_after_five,
        "that is not ASCII is cut in the middle of a character",
    ),
    "trimmed": (str.strip, "loses the white space at its edges"),
    "trimmed-of-spaces": (_replaced(r" +$", ""), "loses spaces at its end"),
    "chomped": (_replaced(r"\n\Z", ""), "loses the line end at its end"),
    "collapsed": (_replaced(r"\s+", " "), "has each run of white space made one space"),
    "unix-lines": (_replaced(r"\r\n", "\n"), "has its line ends made those of Unix"),
    "universal-lines": (_replaced(r"\r\n?", "\n"), "has every line end made a line feed"),
    "lower-cased": (str.lower, "is made lower case"),
    "case-folded": (str.casefold, "is case-folded"),
    "composed": (lambda text: normalize("NFC", text), "is composed (NFC)"),
    "decomposed": (lambda text: normalize("NFD", text), "is decomposed (NFD)"),
    "compatible": (lambda text: normalize("NFKC", text), "has ligatures taken apart (NFKC)"),
    "unaccented": (_unaccented, "loses its accents"),
    "ascii-only": (_ascii, "loses what is not ASCII"),
    "ascii-or-mark": (
        lambda text: text.encode("ascii", "replace").decode(),
        "has a question mark for what is not ASCII",
    ),
    "bmp-only": (
        _replaced("[\U00010000-\U0010ffff]", "\ufffd"),
        "has a mark for what is beyond 16 bits",
    ),
    "mis-decoded": (_read_as_latin, "is written as UTF-8 and read as Latin-1"),
    "nul-cut": (lambda text: text.partition("\x00")[0], "ends at its first NUL"),
    "nul-removed": (_replaced("\x00", ""), "loses its NULs"),
    "control-removed": (_replaced(r"[\x01-\x08\x0e-\x1f]", ""), "loses its control characters"),
    "invisible-removed": (_without("Cf"), "loses invisible characters"),
    "mark-removed": (lambda text: text.removeprefix("\ufeff"), "loses the mark at its start"),
    "separators-are-lines": (_replaced("[\u2028\u2029]", "\n"), "has separators made line feeds"),
    "spaces-are-plain": (_replaced("\u00a0", " "), "has its no-break spaces made plain"),
    "typewritten": (_replaced("[\u201c\u201d]", '"'), "has its curly quotes made straight"),
    "html-unescaped": (unescape, "is read as HTML"),
    "html-escaped": (_replaced("<", "&lt;"), "has its angle brackets escaped"),
    "url-decoded": (unquote, "is read as a part of an address"),
    "backslashes-read": (_replaced(r"\\n", "\n"), "has its backslashes read as escapes"),
    "backslashes-removed": (_replaced(r"\\", ""), "loses its backslashes"),
    "template-filled": (_replaced(r"\{\{.*?\}\}", ""), "loses what looks like a placeholder"),
}
"""What becomes of a text, by name, with the end of a sentence that says so."""

_IN_HITS: Final = ("cut-at-255", "trimmed", "lower-cased", "ascii-only", "html-escaped")
_IN_RETRIEVE: Final = ("cut-at-4000", "mis-decoded")
_IN_METADATA: Final = (
    "cut-at-255", "cut-at-65535-bytes", "trimmed", "composed", "ascii-only", "universal-lines",
    "html-unescaped", "nul-cut", "control-removed",
)  # fmt: skip
_IN_TREES: Final = ("trimmed", "composed", "ascii-only", "nul-cut", "html-unescaped")
_IN_METADATA_OF_HITS: Final = ("cut-at-255", "lower-cased")
_SUFFIX: Final[dict[Place, str]] = {"write": "", "retrieve": "-on-retrieve", "hits": "-in-hits"}
_WHERE: Final[dict[Place, str]] = {"write": "", "retrieve": " by retrieve", "hits": " in hits"}


def _in_content(change: _TextChange) -> Change:
    return lambda value: change(value) if type(value) is str else value


def _of_content(name: str, place: Place) -> Fault:
    change, what = _TEXTS[name]
    return altered(
        "content", f"{name}{_SUFFIX[place]}", _in_content(change),
        f"Text content {what}{_WHERE[place]}.", probe=texts, place=place,
        case="fidelity.claim" if place == "retrieve" else None, unless=no_text,
    )  # fmt: skip


def _of_trees(name: str) -> Fault:
    change, what = _TEXTS[name]
    in_tree = in_texts(change)
    return altered(
        "content", f"tree-text-{name}",
        lambda value: value if type(value) is str else in_tree(value),
        f"A text inside a tree {what}, in content.", probe=texts, unless=no_trees,
    )  # fmt: skip


def _of_metadata(name: str, place: Place) -> Fault:
    change, what = _TEXTS[name]
    return altered(
        "metadata", f"text-{name}{_SUFFIX[place]}", in_texts(change),
        f"A text in metadata {what}{_WHERE[place]}.", probe=texts, place=place,
    )  # fmt: skip


FAULTS: Final[tuple[Fault, ...]] = (
    *(_of_content(name, "write") for name in _TEXTS),
    *(_of_content(name, "hits") for name in _IN_HITS),
    *(_of_content(name, "retrieve") for name in _IN_RETRIEVE),
    *map(_of_trees, _IN_TREES),
    *(_of_metadata(name, "write") for name in _IN_METADATA),
    *(_of_metadata(name, "hits") for name in _IN_METADATA_OF_HITS),
)

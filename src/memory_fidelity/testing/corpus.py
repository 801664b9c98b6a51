"""Named values that break memory services, each with the reason why it is here.

A *core* value is ordinary data: an adapter that takes its kind may not refuse
it and still claim to keep that field. Any other value may be refused with a
typed error before transport, but never altered in silence.

What breaks a text breaks it anywhere, so every text is also a member of a
mapping and a tag, and every mapping is content, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from memory_fidelity.card import ContentKind

__all__ = ["CORPUS_VERSION", "Specimen", "SpecimenField", "specimens"]

CORPUS_VERSION: Final = 7
"""Raised whenever a value is added, removed or changed."""

SpecimenField = Literal["content", "tags", "metadata", "created_at"]


@dataclass(frozen=True, slots=True)
class Specimen:
    """One value of one item field."""

    name: str
    field: SpecimenField
    value: Any
    why: str
    core: bool = True

    @property
    def kind(self) -> ContentKind:
        """The kind of content that it is, were it content."""
        return "text" if isinstance(self.value, str) else "json"


def specimens(field: SpecimenField) -> tuple[Specimen, ...]:
    """Return every value of one field, built anew, so that no run can spoil another's."""
    match field:
        case "content":
            return (*_named("content", _texts()), *_named("content", _trees()))
        case "tags":
            return tuple(_named("tags", _tags()))
        case "metadata":
            return tuple(_named("metadata", _metadata()))
        case "created_at":
            return tuple(_named("created_at", _times()))


_RESERVED: Final = (
    "data", "document", "embedding", "hash", "key", "kind", "memory", "metadata", "name",
    "namespace", "role", "score", "source", "text", "timestamp", "type", "updated_at", "user_id",
    "value", "vector", "version",
)  # fmt: skip
"""Names that services use for columns of their own."""

_Row = tuple[str, Any, str] | tuple[str, Any, str, bool]


def _named(field: SpecimenField, rows: Iterator[_Row]) -> Iterator[Specimen]:
    for name, value, why, *core in rows:
        yield Specimen(name, field, value, why, *core)


def _texts() -> Iterator[_Row]:
    yield "plain", "The quick brown fox", "ordinary text"
    yield "empty", "", "emptiness is taken for absence"
    yield "one-letter", "a", "shorter than a token or a trigram"
    yield "spaces-at-the-edges", "  two spaces each side  ", "trimmed on the way"
    yield "whitespace", " \t ", "taken for an empty text"
    yield "lines", "one\ntwo\r\nthree\rfour", "line ends are normalised"
    yield "upper-and-lower", "MiXeD CaSe", "folded by an analyser"
    yield "composed", "caf\u00e9", "normalised to another form"
    yield "decomposed", "cafe\u0301", "normalised to another form"
    yield "emoji", "\U0001f469\u200d\U0001f680 \U0001f44d\U0001f3fd", "cut between code points"
    yield "right-to-left", "\u0634\u0627\u0644\u0648\u0645 \u05d0\u05d1", "stripped as non-ASCII"
    yield "ideographs", "\u8a18\u61b6\u306e\u5fe0\u5b9f\u6027", "stripped as non-ASCII"
    yield "invisible", "a\ufeffb\u200bc\u2028d", "removed as invisible"
    yield "byte-order-mark", "\ufeffmarked", "the mark at the start is removed"
    yield "no-break-spaces", "a\u00a0b\u202fc\u3000d", "made plain spaces"
    yield "typographic", "\u201cso\u201d \u2013 it\u2019s\u2026", "made typewriter's signs"
    yield "compatibility", "\ufb01 \uff21 \u00b2", "normalised to plainer characters"
    yield "line-end-at-the-end", "one\n", "chomped"
    yield "percent-encoded", "a%20b+c", "read as a part of an address"
    yield "escapes", r"a\nb \u0041 \x41", "read as escapes"
    yield "quotes", 'it\'s "quoted" \\ and `ticked`', "ends a literal of a query language"
    yield "markup", "<b>&amp;</b> {{x}} ${y} %s", "interpreted as a template"
    yield "looks-like-json", '{"id": null, "tags": ["x"]}', "parsed into an object"
    yield "looks-like-a-number", "007", "turned into a number"
    yield "looks-like-a-fraction", "1.50", "turned into a number"
    yield "looks-like-a-power", "1e3", "turned into a number"
    yield "looks-like-no-number", "NaN", "turned into a number that is none"
    yield "looks-like-a-refusal", "no", "turned into a truth value, as in YAML"
    yield "looks-like-a-date", "2026-01-02", "turned into a date"
    yield "looks-like-a-time", "2026-01-02T03:04:05Z", "turned into a time"
    yield "looks-like-null", "null", "turned into nothing"
    yield "looks-like-a-truth", "true", "turned into a truth value"
    yield (
        "looks-like-an-identity",
        "about 6ba7b810-9dad-41d1-80b4-00c04fd430c8",
        "taken for the record that it names",
    )
    yield "looks-like-sql", "'); DELETE FROM memory; --", "executed"
    yield "looks-like-a-condition", "zz' OR '1'='1", "widens a query to everything"
    yield "looks-like-a-search", "user:beta OR -zzz", "read as columns and operators"
    yield "wildcards", "a*b a%b a_b a?b", "read as a pattern"
    yield "words-in-one", "ERP_System not-Verified", "cut into words, each of which is enough"
    yield "long", "0123456789abcdef" * 256, "cut at a column's width"
    yield "looks-like-a-reference", "$prev.id", "replaced by an earlier result", False
    yield "very-long", "\u00e9" * 70_000, "counted in bytes against a limit of 65,535", False
    yield "nul", "before\x00after", "ends a string in C", False
    yield "control-characters", "a\x01b\x1fc\x7f", "removed or refused", False
    yield "noncharacter", "a\uffffb\U0010ffff", "removed or refused", False


def _trees() -> Iterator[_Row]:
    yield "null", None, "taken for a missing value"
    yield "true", True, "turned into 1"
    yield "zero", 0, "taken for a missing value"
    yield "negative-zero", -0.0, "loses its sign"
    yield "fraction", 0.1, "rounded"
    yield "empty-list", [], "taken for a missing value"
    yield "empty-object", {}, "taken for a missing value"
    yield "object", {"b": [1, 2.0, "3"], "a": {"n": None}}, "turned into text, or re-ordered"
    yield "objects-in-a-list", [{"x": 1}, {"x": 1.5}, {"x": "1"}], "cast to one type"
    yield "mappings", _core(_metadata()), "altered as metadata is, in a column of another type"
    for name, value, why, *core in _metadata():
        if core:
            yield f"mapping-{name}", value, why, False
    yield "digits-beyond-limits", 7**6_000, "more digits than an interpreter prints", False
    yield "deep", _nested(60), "deeper than a parser's limit", False


def _tags() -> Iterator[_Row]:
    yield "none", [], "an empty list is taken for a missing one"
    yield "one", ["alpha"], "a list of one is turned into its member"
    yield "order", ["b", "c", "a"], "sorted"
    yield "case", ["Alpha", "alpha", "ALPHA"], "folded into one"
    yield "non-ascii", ["\u00fcber", "\u8a18\u61b6", "\U0001f44d"], "stripped"
    yield "spaces", ["two words", " edge "], "trimmed or split"
    yield (
        "punctuation",
        ["conv-550e8400-e29b", "a/b:c", "x|y{z}", "@me*", "#x"],
        "read as operators",
    )
    yield "quotes", ["it's", '"both"', "back\\slash"], "ends a literal of a query language"
    yield "numbers", ["1", "1.0", "true"], "turned into numbers"
    yield (
        "texts",
        [text for text in _short_texts().values() if _is_word(text)],
        "altered as texts are",
    )
    yield "many", [f"tag-{n}" for n in range(100)], "cut at a maximum"
    yield "duplicates", ["a", "b", "a"], "made unique", False
    yield "references", ["$prev", "$prev.id"], "replaced by an earlier result", False
    yield "inner-space", ["a\tb", "two  spaces", "x\r\ny\nz"], "normalised or split", False
    yield "comma", ["red,blue", "red"], "split at the separator", False
    yield "empty-text", ["", "x"], "removed", False
    yield "nul", ["a\x00b"], "ends a string in C", False
    yield "control-characters", ["a\x01b\x1fc\x7f"], "removed or refused", False
    yield "long", ["x" * 5_000], "cut at a column's width", False


def _metadata() -> Iterator[_Row]:
    yield "empty", {}, "turned into nothing"
    yield "flat", {"user": "alice", "n": 3, "ratio": 0.5}, "ordinary provenance"
    yield "nested", {"source": {"doc": "a.txt", "pages": [1, 2]}}, "flattened or turned into text"
    yield "null-value", {"a": None, "b": 1}, "the key is removed"
    yield "falsy-values", {"n": 0, "f": False, "s": "", "l": [], "o": {}}, "taken for missing"
    yield "number-types", {"i": 1, "f": 1.0, "b": True, "s": "1"}, "made one type"
    yield "mixed-list", {"l": [1, "1", None, 1.5, [2], {"k": 3}, "1"]}, "cast to one type"
    yield "list-of-texts", {"l": ["b", "a", "c"]}, "joined into one text, or sorted"
    yield "negative-zero", {"z": -0.0}, "loses its sign"
    yield "floats", {"a": 1e16, "b": 5e-324, "c": 1.7976931348623157e308}, "printed as integers"
    yield (
        "digits",
        {"f": 0.1 + 0.2, "i": 1767323045678, "m": -(10**15) - 1},
        "rounded, or cut to 32 bits",
    )
    yield "texts", _short_texts(), "altered as texts are"
    yield "first-types", {"x": 1, "ver": "128.0."}, "fixes the type that others are cast to"
    yield "other-types", {"x": 1.5, "ver": "stable"}, "cast to the type of an earlier record"
    yield "date-like", {"due": "2026-01-02T03:04:05Z"}, "turned into a date"
    yield (
        "reserved-names",
        {"id": "ext-7", "_id": "mine", "content": "shadow", "tags": "x", "created_at": "y"},
        "overwrites the service's own columns",
    )
    yield "more-reserved", {name: f"my {name}" for name in _RESERVED}, "swallowed"
    yield "dotted-keys", {"a.b": 1, "a": {"b": 2}}, "read as a path"
    yield "odd-keys", {"my key": 1, "cl\u00e9": 2, "it's": 3, "x-y": 4}, "refused as a name"
    yield "keys-alike", {"User": 1, "user": 2, " user": 3, "_user": 4}, "made one key"
    yield "decomposed-keys", {"cafe\u0301": 1, "caf\u00e9": 2}, "normalised to another form"
    yield "key-order", {"z": 1, "a": 2, "m": 3}, "sorted"
    yield "long-value", {"k": "x" * 300}, "left out of the index"
    yield (
        "wide",
        {"l": list(range(300)), **{f"k{n}": n for n in range(100)}},
        "cut at a maximum",
        False,
    )
    yield "very-long-value", {"k": "\u00e9" * 70_000}, "cut at a column's width", False
    yield "long-key", {"k" * 300: 1}, "cut at a column's width", False
    yield (
        "control-characters",
        {"t": "a\x01b\x1fc\x7f\uffff\U0010ffff"},
        "removed or refused",
        False,
    )
    yield "references", {"t": "$prev[0]"}, "replaced by an earlier result", False
    yield "dollar-keys", {"$gt": 1, "$ref": "x"}, "read as an operator", False
    yield "empty-key", {"": 1}, "refused as a name", False
    yield "nul-in-key", {"a\x00b": 1}, "ends a name in C", False
    yield "nul-in-value", {"t": "x\x00y"}, "fails later, in every query", False
    yield "beyond-double", {"n": 2**53 + 1}, "read as a double", False
    yield "beyond-signed-64", {"n": 2**63}, "read as a double", False
    yield "huge-integer", {"n": -(10**40)}, "read as a double, or refused", False
    yield "deep", {"d": _nested(40)}, "deeper than a parser's limit", False


def _times() -> Iterator[_Row]:
    yield "microseconds", 1767323045.678901, "rounded to milliseconds"
    yield "any-double", 1735689600.1234567, "rounded to microseconds"
    yield "whole-second", 1767236400.0, "moved by a time zone"
    yield "last-minute-of-a-year", 1767225540.0, "moved to another day"
    yield "clocks-change", 1774746000.0, "moved by an hour"
    yield "epoch", 0.0, "taken for a missing value"
    yield "before-1970", -86400.5, "refused, or taken for unsigned"
    yield "far-future", 4102444800.25, "beyond 32 bits"
    yield "fraction", 0.1, "rounded to a second"
    yield "negative-zero", -0.0, "loses its sign", False
    yield "beyond-dates", 1e300, "no date in any calendar", False


def _core(rows: Iterator[_Row]) -> dict[str, Any]:
    return {name: value for name, value, _, *core in rows if not core}


def _short_texts() -> dict[str, str]:
    return {name: text for name, text in _core(_texts()).items() if len(text) <= 300}


def _is_word(text: str) -> bool:
    """Whether a text is a tag that any service could keep: no edges, lines or separators."""
    return bool(text) and text == text.strip() and "," not in text and not set("\r\n") & set(text)


def _nested(levels: int) -> Any:
    tree: Any = "bottom"
    for level in range(levels):
        tree = [tree] if level % 2 else {"down": tree}
    return tree

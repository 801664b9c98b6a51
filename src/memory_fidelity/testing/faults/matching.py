"""Faults in what a text or a tag matches (Q1, Q2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from memory_fidelity.card import AdapterCard
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.fault import Fault, Shared, always, fault
from memory_fidelity.testing.faults.probe import Bench
from memory_fidelity.testing.faults.rewriting import Rewriting, Sifting

__all__ = ["FAULTS", "labels", "texts"]


async def texts(bench: Bench) -> None:
    """Search for texts that hold odd characters, and for syntax."""
    texts = ["Bob's 5% (off) tea", 'a "big_one" \\ here', "na\u00efve \u8336", "tagged"]
    # One word with one such character, for services to which one of several words is enough.
    texts += ["o'clock", "5%off", "back\\slash"]
    if "text" not in bench.store.card.content:
        contents: list[Any] = [{"text": text} for text in texts]
    else:
        contents = list(texts)
    items = [bench.item(n, each, tags=[f"t{n}", "t"]) for n, each in enumerate(contents)]
    await bench.stored(items)
    for text in (*texts, "*", "%", "_", "  ", '"', "t OR x", "tags:t1", "off tea", "nowhere"):
        await bench.saw(f"text {text}", bench.store.search(MemoryQuery(text=text)))
        beside = MemoryQuery(text=text, tags=["t0"])
        await bench.saw(f"text {text} and tag", bench.store.search(beside))


async def labels(bench: Bench) -> None:
    """Search for tags, alone, together, in part and in another case, and at a small limit."""
    tags = [
        ["Red", "blue"],
        ["red-ish", "blue"],
        ["green, red", "it's"],
        ["blue", "two words", "gr\u00fcn"],
    ]
    await bench.stored(bench.item(n, tags=each) for n, each in enumerate(tags))
    queries = (
        ["Red"], ["red"], ["Red", "blue"], ["blue", "blue"], ["bl"], ["Red", "it's"], ["ish"],
        ["green, red"], ["it's"], ["two words"], ["x' OR 1=1 --"], ["green", "Red"], ["*"],
        ["gr\u00fcn"],
    )  # fmt: skip
    for wanted in queries:
        for parts in ({}, {"text": "probe"}, {"limit": 1}):
            query = MemoryQuery(tags=wanted, **parts)
            await bench.saw(f"tags {wanted} {parts}", bench.store.search(query))


Change = Callable[[MemoryQuery], dict[str, Any]]
Choice = Callable[[MemoryItem, MemoryQuery], bool]


def _rewriting(story: str, change: Change) -> Callable[[Any, Shared], Rewriting]:
    """A store that hands on another query."""

    class Rewritten(Rewriting):
        def rewritten(self, query: MemoryQuery) -> dict[str, Any]:
            return change(query)

    Rewritten.__doc__ = story
    return Rewritten


def _text(story: str, change: Callable[[str], str | None]) -> Callable[[Any, Shared], Rewriting]:
    """A store that hands on another text."""
    return _rewriting(story, lambda query: {"text": change(query.text)} if query.text else {})


def _tags(
    story: str, change: Callable[[list[str]], list[str] | None]
) -> Callable[[Any, Shared], Rewriting]:
    """A store that hands on other tags."""
    return _rewriting(story, lambda query: {"tags": change(query.tags)} if query.tags else {})


def _choosing(story: str, fits: Choice) -> Callable[[Any, Shared], Sifting]:
    """A store that compares tags by itself."""

    class Chosen(Sifting):
        def more(self, query: MemoryQuery) -> dict[str, Any]:
            return {"tags": None} if query.tags else {}

        def fits(self, item: MemoryItem, query: MemoryQuery) -> bool:
            return fits(item, query)

    Chosen.__doc__ = story
    return Chosen


def _both(item: MemoryItem, query: MemoryQuery) -> bool:
    return {*(query.tags or ())} <= {*item.tags}


def _either(item: MemoryItem, query: MemoryQuery) -> bool:
    return bool({*(query.tags or ())} & {*item.tags})


def _counted(item: MemoryItem, query: MemoryQuery) -> bool:
    wanted = query.tags or []
    return len({*wanted} & {*item.tags}) == len(wanted)


def _folded(item: MemoryItem, query: MemoryQuery) -> bool:
    return bool(
        {tag.casefold() for tag in query.tags or ()} & {tag.casefold() for tag in item.tags}
    )


def _starts(item: MemoryItem, query: MemoryQuery) -> bool:
    return any(tag.startswith(tuple(query.tags or ())) for tag in item.tags)


def _contains(item: MemoryItem, query: MemoryQuery) -> bool:
    return any(part in tag for tag in item.tags for part in query.tags or ())


class _Quoted(Rewriting):
    """A lone quote in a text is a syntax error of the service."""

    async def found(self, query: MemoryQuery) -> Any:
        if query.text and query.text.count('"') % 2:
            raise SyntaxError("unterminated string")
        return await self.inner.search(query)


class _QuotedTag(Rewriting):
    """An apostrophe in a tag is a syntax error of the service."""

    async def found(self, query: MemoryQuery) -> Any:
        if any("'" in tag for tag in query.tags or ()):
            raise SyntaxError("unterminated string")
        return await self.inner.search(query)


class _OncePerTag(Rewriting):
    """An item is found once for each of its tags that matches."""

    async def found(self, query: MemoryQuery) -> Any:
        hits = await self.inner.search(query)
        tags = [*dict.fromkeys(query.tags or ())]
        matching = [max(1, sum(tag in hit.tags for tag in tags)) for hit in hits]
        return [hit for hit, times in zip(hits, matching, strict=True) for _ in range(times)]


class _NoText(Rewriting):
    """Text is looked for in a field that is not indexed, and never found."""

    async def found(self, query: MemoryQuery) -> Any:
        return [] if query.text else await self.inner.search(query)


class _LimitFirst(Rewriting):
    """Candidates are cut to the limit before they are filtered by tag."""

    async def found(self, query: MemoryQuery) -> Any:
        hits = await self.inner.search(query)
        if not query.tags:
            return hits
        page = {hit.id for hit in await self.with_parts(query, tags=None)}
        return [hit for hit in hits if hit.id in page]


def _column(query: MemoryQuery) -> dict[str, Any]:
    column, _, value = (query.text or "").partition(":")
    return {"text": None, "tags": [value]} if column == "tags" else {}


def _ascii(text: str) -> str:
    return text.encode("ascii", "ignore").decode()


def _matches_all(_manifest: MemoryAdapterManifest, card: AdapterCard) -> str | None:
    return "card says that tags match all of them" if card.tag_match == "all" else None


def _matches_any(_manifest: MemoryAdapterManifest, card: AdapterCard) -> str | None:
    return "card says that tags match any of them" if card.tag_match == "any" else None


def _matches_any_case(_manifest: MemoryAdapterManifest, card: AdapterCard) -> str | None:
    return "card says that tags match in any case" if card.tag_case == "insensitive" else None


def _no_text(_manifest: MemoryAdapterManifest, card: AdapterCard) -> str | None:
    return None if "text" in card.content else "card says that content is never text"


_LITERAL: Final = "search.literal"
_FOUND: Final = "search.found"
_TEXTS: Final[dict[str, tuple[Any, str, str]]] = {
    "star-is-all": (
        _text("A star stands for everything.", lambda text: None if text == "*" else text),
        _LITERAL, "Q2",
    ),
    "percent-is-all": (
        _text("`%` stands for everything.", lambda text: None if text == "%" else text),
        _LITERAL, "Q2",
    ),
    "blank-is-none": (
        _text("A text of white space is taken for none.", lambda text: text.strip() and text),
        _LITERAL, "Q2",
    ),
    "column-is-obeyed": (
        _rewriting("A column before the text is searched.", _column), _LITERAL, "Q2",
    ),
    "quote-is-syntax": (_Quoted, _LITERAL, "E2"),
    "ascii": (_text("Query text loses what is not ASCII.", _ascii), _FOUND, "Q1"),
    "escaped-twice": (
        _text("Quotes are doubled, although the text is bound.", lambda t: t.replace("'", "''")),
        _FOUND, "Q1",
    ),
    "percent-escaped": (
        _text("`%` is escaped, although it is a literal.", lambda text: text.replace("%", r"\%")),
        _FOUND, "Q1",
    ),
    "backslash-lost": (
        _text("A backslash is taken for an escape.", lambda text: text.replace("\\", "")),
        _FOUND, "Q1",
    ),
    "nothing": (_NoText, "search.typed", "Q1"),
    "ignored-beside-tags": (
        _rewriting("Text is ignored beside tags.", lambda q: {"text": None} if q.tags else {}),
        "search.predicates", "Q1",
    ),
}  # fmt: skip
_NEEDING_TEXT: Final = {*list(_TEXTS)[:3], "ascii", "backslash-lost"}

_TAGS: Final = {
    "any-is-all": (_choosing("All tags have to match.", _both), _matches_all),
    "all-is-any": (_choosing("One tag is enough.", _either), _matches_any),
    "counted": (_choosing("A tag that is asked for twice has to match twice.", _counted), None),
    "folded": (_choosing("Tags match in any case.", _folded), _matches_any_case),
    "prefix": (_choosing("The start of a tag matches it.", _starts), None),
    "part": (_choosing("A part of a tag matches it.", _contains), None),
    "first-only": (_tags("Of several tags the first is sent.", lambda tags: tags[:1]), None),
    "lowered": (_tags("Tags are sent in lower case.", lambda t: [*map(str.lower, t)]), None),
    "split": (
        _tags("Tags are cut at white space.", lambda tags: " ".join(tags).split()),
        None,
    ),
    "comma-split": (
        _tags(
            "Tags are sent as one text, which is cut at commas.", lambda t: ",".join(t).split(",")
        ),
        None,
    ),
    "ascii": (_tags("Tags lose what is not ASCII.", lambda tags: [*map(_ascii, tags)]), None),
    "once-per-tag": (_OncePerTag, None),
    "quote-is-syntax": (_QuotedTag, None),
}

FAULTS: Final[tuple[Fault, ...]] = (
    *[
        fault(
            f"text.{name}", make, case=case, names=clause, probe=texts,
            unless=_no_text if name in _NEEDING_TEXT else always,
        )
        for name, (make, case, clause) in _TEXTS.items()
    ],
    *[
        fault(
            f"tags.{name}", make, case="search.tags", names=("Q1", "C7"), probe=labels,
            unless=unless or always,
        )
        for name, (make, unless) in _TAGS.items()
    ],
    fault(
        "tags.injected",
        _tags("A comment in a tag ends the predicate.", lambda t: None if "--" in t[0] else t),
        case=_LITERAL, names="Q2", probe=labels,
    ),
    fault(
        "tags.ignored-beside-text",
        _rewriting("Tags are ignored beside a text.", lambda q: {"tags": None} if q.text else {}),
        case="search.predicates", names="Q1", probe=labels,
    ),
    fault(
        "tags.after-limit", _LimitFirst, case="search.predicates", names="Q1", probe=labels
    ),
)  # fmt: skip

"""Matching: tags, predicates together, and that what is searched for is data (Q1, Q2, C12)."""

from __future__ import annotations

from memory_fidelity.errors import MemoryAdapterError
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.case import case
from memory_fidelity.testing.endings import Raised, described
from memory_fidelity.testing.trial import Trial

__all__ = ["CASES"]


@case("search.tags", "Q1", "C12", version=2, judges_manifest=True)
async def tags(trial: Trial) -> None:
    """Tags match as the card says: any or all of them, with or without case, whole.

    Separators and query operators inside a tag are part of the tag.
    """
    if trial.card is None:
        raise trial.fail(
            "Q1", "tag matching is documented", "the store has no card", "publish an AdapterCard"
        )
    odd = [
        "conv-550e",
        "a|b",
        "x:y",
        "a, b",
        "two words",
        "@me*",
        '"q"',
        "it's",
        "\u00fcber",
        "\u8a18\u61b6",
    ]
    left = trial.item("left", tags=[f"L{trial.mark}", f"Both{trial.mark}"])
    right = trial.item("right", tags=[f"R{trial.mark}", f"Both{trial.mark}", *odd])
    for item in (left, right):
        await trial.stored(item)
    await trial.indexed()

    async def matches(*wanted: str) -> str:
        hits = await trial.found(MemoryQuery(tags=list(wanted), limit=100))
        names = {left.id: "left", right.id: "right"}
        return " ".join(sorted(names[hit.id] for hit in hits if hit.id in names))

    any_of = trial.card.tag_match == "any"
    folded = trial.card.tag_case == "insensitive"
    expectations = [
        ([f"L{trial.mark}"], "left", "one tag"),
        ([f"Both{trial.mark}"], "left right", "a tag of both"),
        ([f"L{trial.mark}", f"R{trial.mark}"], "left right" if any_of else "", "two tags"),
        (
            [f"L{trial.mark}", f"Both{trial.mark}"],
            "left right" if any_of else "left",
            "two tags of one item",
        ),
        ([f"L{trial.mark}"] * 2, "left", "one tag, twice"),
        ([f"both{trial.mark}".lower()], "left right" if folded else "", "another case"),
        ([trial.mark], "", "a part of a tag"),
        (["Bot"], "", "the start of a tag"),
        *(([tag], "right", f"the tag {tag!r}") for tag in odd),
    ]
    for wanted, expected, name in expectations:
        got = await matches(*wanted)
        trial.require(
            got == expected,
            "Q1",
            f"card says tags match {trial.card.tag_match} of them, case {trial.card.tag_case}",
            f"{name}: expected {expected or 'nothing'}, found {got or 'nothing'}",
            "compare whole tags as data, or state in the card how they match",
        )


@case("search.predicates", "Q1", "Q2", "C8", version=2)
async def predicates(trial: Trial) -> None:
    """Predicates are applied before the limit, and together.

    A service that cuts its candidates first and filters them afterwards loses
    matches, the more the bigger it grows.
    """
    items = [
        trial.item(f"common {trial.mark} {letter}", tags=[f"common{trial.mark}"])
        for letter in "abcdefghijklm"
    ]
    # Neither the oldest nor the newest, nor the shortest: no order finds it by chance.
    rare = items[6]
    rare.tags = [f"rare{trial.mark}"]
    for item in items:
        await trial.stored(item)
    await trial.indexed()
    for parts in (
        {"tags": [f"rare{trial.mark}"]},
        {"tags": [f"rare{trial.mark}"], "text": trial.mark},
    ):
        hits = [hit.id for hit in await trial.found(MemoryQuery(limit=1, **parts))]
        trial.require(
            hits == [rare.id],
            "Q1",
            "every hit matches every part of the query, and a match is found at any limit",
            f"{' and '.join(sorted(parts))}: expected the one item that matches, "
            f"got {'nothing' if not hits else 'another'}",
            "make every predicate part of the native query, before the limit",
        )
    if not await _finds_absent(trial):
        trial.require(
            not await trial.found(MemoryQuery(text=_absent(trial), tags=rare.tags)),
            "Q1",
            "every hit matches every part of the query",
            "a text that finds nothing alone was ignored beside a tag",
            "make every predicate part of the native query, before the limit",
        )


def _absent(trial: Trial) -> str:
    return f"absent{trial.mark}"


async def _finds_absent(trial: Trial) -> bool:
    """Whether search by text finds what does not match, as one does that only ranks."""
    return bool(await trial.found(MemoryQuery(text=_absent(trial))))


_LITERALS = (
    '"', "'", "\\", "*", "%", "_", "?", "(", ")", "a OR b", "NOT x", "NEAR(a b)", "content:x",
    "-x", "^x", "a\nb", "   ", "'; DROP TABLE memory; --", "{{x}}", "$prev.id", "[0 TO 9]",
)  # fmt: skip


@case("search.literal", "Q1", "Q2", "E2")
async def literal(trial: Trial) -> None:
    """Query text and tags are data: syntax of the service's query language is never obeyed.

    Quotes, wildcards, operators and column prefixes end in native syntax
    errors, or search what was never meant to be searched.
    """
    secret = f"secret{trial.mark}"
    item = trial.item("plain words", tags=[secret], metadata={"secret": secret})
    await trial.stored(item)
    await trial.indexed()
    # A search that ranks everything, that looks into tags, or into the JSON of a tree,
    # finds it without any syntax.
    blind = not await trial.found(MemoryQuery(text=secret))
    choosy = blind and "text" in trial.kinds and not await _finds_absent(trial)
    for text in _LITERALS:
        await _judge_literal(trial, "text", text, MemoryQuery(text=text), item if choosy else None)
        await _judge_literal(trial, "tag", text, MemoryQuery(tags=[text]), item)
    for column in ("tags", "metadata", "secret"):
        text = f"{column}:{secret}"
        await _judge_literal(trial, "text", text, MemoryQuery(text=text), item if blind else None)


async def _judge_literal(
    trial: Trial, part: str, value: str, query: MemoryQuery, unmatched: MemoryItem | None
) -> None:
    outcome = await trial.attempt(trial.store.search(query))
    if isinstance(outcome, Raised):
        trial.require(
            isinstance(outcome.error, MemoryAdapterError),
            "E2",
            f"any {part} can be searched for, or is refused with a typed error",
            f"{part} {value!r}: search raised {described(outcome)}",
            f"escape or bind the {part}, so that it is a literal",
        )
    elif unmatched is not None and isinstance(outcome, list):
        trial.require(
            unmatched.id not in {getattr(hit, "id", None) for hit in outcome},
            "Q2",
            f"the {part} of a query is a literal, and never widens it",
            f"{part} {value!r} was obeyed: it found an item that does not hold it",
            f"escape or bind the {part}, so that it is a literal",
        )


@case("search.found", "Q1", "E2", version=3)
async def verbatim(trial: Trial) -> None:
    """An item is found by the very text that was stored, whatever characters it holds.

    Text that is escaped twice, or stripped of what is not ASCII, finds nothing;
    a single word with a single one of them shows it where one word of several,
    or a part of it, is enough.
    """
    texts = [
        f"it's 100% {trial.mark}a (and) [b]",
        f"it's{trial.mark}d",
        f"100%{trial.mark}e",
    ]
    if "text" in trial.kinds:  # what is searched in a tree is its JSON, which escapes these
        texts.append(f'"quoted_name" back\\slash {trial.mark}b')
        texts.append(f'"quoted"{trial.mark}f')
        texts.append(f"back\\slash{trial.mark}g")
        texts.append(f"caf\u00e9 \u8a18\u61b6 {trial.mark}c")
        texts.append(f"na\u00efvet\u00e4ten{trial.mark}h")
    for text in texts:
        item = trial.item(text)
        await trial.stored(item)
        await trial.indexed()
        trial.require(
            item.id in await trial.found_ids(MemoryQuery(text=text)),
            "Q1",
            "search by the whole text of an item finds it",
            f"text {text!r} was stored, and is not found",
            "escape or bind the text once, and keep every character of it",
        )


CASES = (tags, predicates, literal, verbatim)

"""Queries: types, limits, the empty query, malformed ones (C7 to C9, Q3, Q4, Q6, Q7)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from memory_fidelity.errors import MemoryAdapterError, UnsupportedMemoryQuery
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.case import case
from memory_fidelity.testing.endings import Raised, described
from memory_fidelity.testing.harness import Journal
from memory_fidelity.testing.trial import Trial

__all__ = ["CASES"]


async def _several(trial: Trial, count: int, tag: str | None = None) -> list[MemoryItem]:
    items = [trial.item(f"item {n} {trial.mark}", tags=[tag or trial.mark]) for n in range(count)]
    for item in items:
        await trial.stored(item)
    await trial.indexed()
    return items


@case("search.typed", "C7", "Q1", "Q6")
async def typed(trial: Trial) -> None:
    """Search by text and by tag finds the item, and every hit is a plain `MemoryItem`."""
    item, _ = await _several(trial, 2)
    for name, query in (
        ("text", MemoryQuery(text=f"item 0 {trial.mark}")),
        ("tags", MemoryQuery(tags=[trial.mark])),
    ):
        hits = await trial.found(query)
        trial.require(
            item.id in {hit.id for hit in hits},
            "Q1",
            f"search by {name} finds what was stored",
            f"{len(hits)} hits, and the item is not among them",
            f"map {name} to a native query that finds it",
        )
        for hit in hits:
            trial.require(
                type(hit) is MemoryItem,
                "C7",
                "every hit is a MemoryItem and nothing more",
                f"a hit is a {type(hit).__name__}",
                "build a plain MemoryItem for each hit",
            )
        trial.require(
            len({hit.id for hit in hits}) == len(hits),
            "C7",
            "every hit is another item",
            "an item was returned twice by one search",
            "return each item once",
        )


@case("search.limit", "C8", "Q1")
async def limit(trial: Trial) -> None:
    """A limit of N gives at most N hits, and all of them when there are no more than N.

    Services cut listings at a default of ten, and some ignore the limit.
    """
    await _several(trial, 25)
    for asked in (1, 2, 24, 25, 26, 10**30):
        hits = await trial.found(MemoryQuery(tags=[trial.mark], limit=asked))
        expected = min(asked, 25)
        trial.require(
            len(hits) <= expected,
            "C8",
            f"limit={asked:g} gives at most {expected} hits",
            f"{len(hits)} hits came back",
            "pass the limit on, and cut what comes back",
        )
        trial.require(
            len(hits) >= expected,
            "C8",
            "a limit is the caller's, not the service's default",
            f"25 items match; limit={asked:g} gave {len(hits)}",
            "pass the limit on, and page where the service caps it",
        )
    for name, parts in _shapes(trial):
        hits = await trial.found(MemoryQuery(limit=2, **parts))
        trial.require(
            len(hits) <= 2,
            "C8",
            f"{name}, limit=2 gives at most 2 hits",
            f"{len(hits)} hits came back",
            "pass the limit on with every kind of query, and cut what comes back",
        )


def _shapes(trial: Trial) -> Iterator[tuple[str, dict[str, Any]]]:
    """Queries of each shape; adapters answer them by different native calls."""
    yield "with a text", {"text": trial.mark}
    yield "with a tag", {"tags": [trial.mark]}
    yield "with a text and a tag", {"text": trial.mark, "tags": [trial.mark]}
    yield "with no predicate", {}


@case("search.limit.zero", "C8", "Q3", needs=(Journal,), live_without=True)
async def limit_zero(trial: Trial) -> None:
    """A limit of 0 is `[]`, without a call to the service.

    Given to services, zero means everything, one hit, an error or a panic.
    """
    await _several(trial, 3)
    before = len(trial.calls())
    for name, parts in _shapes(trial):
        outcome = await trial.attempt(trial.store.search(MemoryQuery(limit=0, **parts)))
        trial.require(
            type(outcome) is list and not outcome,
            "C8",
            "limit=0 gives []",
            f"{name}, search gave {described(outcome)}",
            "answer a limit of 0 in the adapter",
        )
    trial.require(
        len(trial.calls()) == before,
        "C8",
        "limit=0 reaches no transport",
        f"{len(trial.calls()) - before} calls were made",
        "answer a limit of 0 in the adapter",
    )


@case("search.limit.negative", "C8", "Q3", "E1")
async def limit_negative(trial: Trial) -> None:
    """A negative limit is `UnsupportedMemoryQuery(["limit"])`, without a call.

    Given to services it means all, all but the last, or a native error.
    """
    await _several(trial, 3)
    before = len(trial.calls())
    for asked, (name, parts) in product((-1, -5), _shapes(trial)):
        outcome = await trial.attempt(trial.store.search(MemoryQuery(limit=asked, **parts)))
        rejected = isinstance(outcome, Raised) and isinstance(outcome.error, UnsupportedMemoryQuery)
        trial.require(
            rejected and outcome.error.rejected_keys == ("limit",),  # type: ignore[union-attr]  # narrowed by `rejected`
            "C8",
            "a negative limit raises UnsupportedMemoryQuery naming limit",
            f"{name}, limit={asked}: search gave {described(outcome)}",
            "check the limit before transport",
        )
    trial.require(
        len(trial.calls()) == before,
        "C8",
        "a refused query reaches no transport",
        f"{len(trial.calls()) - before} calls were made",
        "check the limit before transport",
    )


@case("search.empty", "C9", "Q4", version=2)
async def empty(trial: Trial) -> None:
    """An empty query gives the documented first page, up to the limit.

    Empty text, empty tags and empty filters are absent predicates. A wildcard
    in their place would be another scope, or a literal.
    """
    items = {item.id for item in await _several(trial, 5)}
    for name, parts in _empty_queries():
        page = await trial.attempt(trial.store.search(MemoryQuery(limit=3, **parts)))
        trial.require(
            isinstance(page, list) and len(page) == 3,
            "C9",
            f"{name} gives the first page",
            f"5 items are stored; limit=3 gave {described(page)}",
            "list the store's own records when there is no predicate",
        )
        everything = await trial.found_ids(MemoryQuery(limit=1_000, **parts))
        trial.require(
            items <= everything,
            "C9",
            f"{name} is no predicate",
            f"{len(items - everything)} of 5 stored items are not listed",
            "list the store's own records when there is no predicate",
        )


def _empty_queries() -> Iterator[tuple[str, dict[str, Any]]]:
    yield "an empty query", {}
    yield "an empty text", {"text": ""}
    yield "an empty list of tags", {"tags": []}
    yield "an empty mapping of filters", {"filters": {}}
    yield "empty text, tags and filters", {"text": "", "tags": [], "filters": {}}


_MALFORMED: tuple[tuple[str, object], ...] = (
    ("limit", "x"),
    ("limit", None),
    ("limit", 1.5),
    ("text", 5),
    ("text", b"x"),
    ("tags", [1]),
    ("tags", [None]),
    ("tags", "ab"),
    ("filters", [1]),
    ("filters", {1: "x"}),
)


@case("search.malformed", "E2", "Q2")
async def malformed(trial: Trial) -> None:
    """A query that was changed after validation is refused with a typed error.

    lionagi does not validate assignment: `query.limit = "x"` succeeds.
    """
    for field, value in _MALFORMED:
        query = MemoryQuery()
        setattr(query, field, value)
        before = len(trial.calls())
        outcome = await trial.attempt(trial.store.search(query))
        trial.require(
            isinstance(outcome, Raised)
            and isinstance(outcome.error, MemoryAdapterError)
            and len(trial.calls()) == before,
            "E2",
            "a malformed query is refused with a typed error before transport",
            f"{field}={value!r}: search gave {described(outcome)}",
            f"check {field} before transport, and raise UnsupportedMemoryQuery([{field!r}])",
        )


@case("search.calls", "Q7", needs=(Journal,))
async def calls(trial: Trial) -> None:
    """The number of calls of a search does not grow with the number of hits.

    Rehydrating hits one by one turns one ranked call into N + 1, and changes
    latency, failure and rate limits behind the caller's back.
    """
    await _several(trial, 1, f"one{trial.mark}")
    await _several(trial, 12, f"many{trial.mark}")
    spent = []
    for name in ("one", "many"):
        before = len(trial.calls())
        await trial.found(MemoryQuery(tags=[f"{name}{trial.mark}"], limit=50))
        spent.append(len(trial.calls()) - before)
    trial.require(
        spent[1] - spent[0] < 6,
        "Q7",
        "hits are not read again one by one",
        f"1 hit took {spent[0]} calls, 12 hits took {spent[1]}",
        "build items from the hits, or read them in one declared batch",
    )


@case("search.pure", "R4", "Q6")
async def pure(trial: Trial) -> None:
    """Searching changes nothing that is stored, and nothing of the query.

    Some services write access counts and times into the metadata they return.
    """
    item = trial.item(f"pure {trial.mark}", tags=[trial.mark], metadata={"k": 1})
    await trial.stored(item)
    await trial.indexed()
    before = await trial.retrieved(item.id)
    for name, parts in _shapes(trial):
        query = MemoryQuery(**parts)
        await trial.found(query)
        trial.require(
            trial.is_same(vars(MemoryQuery(**parts)), vars(query)),
            "R4",
            "searching leaves the caller's query as it was",
            f"{name}, the query is not the same after the search",
            "build the native query from copies, and change nothing of the caller's",
        )
    after = await trial.retrieved(item.id)
    trial.require(
        before is not None and after is not None and trial.is_same(vars(before), vars(after)),
        "R4",
        "searching changes nothing stored",
        "an item read differently after it was searched for",
        "keep the service's bookkeeping out of the item's fields",
    )


CASES = (
    typed,
    limit,
    limit_zero,
    limit_negative,
    empty,
    malformed,
    calls,
    pure,
)

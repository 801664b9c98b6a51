"""Closing: twice, before any use, and what it leaves of this store and of others (L4)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from memory_fidelity.errors import (
    MemoryAdapterError,
    UnsupportedMemoryItem,
    UnsupportedMemoryQuery,
)
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.case import case
from memory_fidelity.testing.endings import Raised, described
from memory_fidelity.testing.trial import Trial

__all__ = ["CASES"]

_NOTHING_TO_CLOSE = "the store has no close, so there is nothing to close"


@case("close.twice", "L4")
async def twice(trial: Trial) -> None:
    """A store that has `close` can be closed twice, whether it was used or not.

    The owner closes in a `finally`, and so does a context manager around it. A
    store that connects late has nothing to close before its first use.
    """
    unused = await trial.new_store()
    for what, store in (("a store in use", trial.store), ("a store never used", unused)):
        for count in ("first", "second"):
            if not await _close(trial, store, f"the {count} close of {what}"):
                trial.notes.append(_NOTHING_TO_CLOSE)
                return


async def _close(trial: Trial, store: Any, what: str) -> bool:
    """Close the store, if it can be closed."""
    close: Callable[[], Awaitable[None]] | None = getattr(store, "close", None)
    if close is None:
        return False
    outcome = await trial.timely(what, close())
    trial.require(
        not isinstance(outcome, Raised),
        "L4",
        "closing is safe over a service that works, and closing twice is, too",
        f"{what} gave {described(outcome)}",
        "let close do nothing where there is nothing left to close",
    )
    return True


@case("close.use", "L4", "E2", "E3")
async def use(trial: Trial) -> None:
    """After it was closed a store raises a typed error, or works as before.

    An empty answer of a store that is closed reads as "there is nothing", and
    a write that it acknowledges is lost.
    """
    await trial.prove_shared()
    known = trial.item(f"before the close {trial.mark}", tags=[trial.mark])
    await trial.stored(known)
    await trial.indexed()
    if not await _close(trial, trial.store, "close"):
        trial.notes.append(_NOTHING_TO_CLOSE)
        return
    item = trial.item("after the close")
    got = await trial.timely("retrieve after close", trial.store.retrieve(known.id))
    _judge_use(trial, "retrieve", got, trial.is_content_of(known, got))
    query = MemoryQuery(tags=[trial.mark])
    hits = await trial.timely("search after close", trial.store.search(query))
    found = isinstance(hits, list) and known.id in {getattr(hit, "id", None) for hit in hits}
    _judge_use(trial, "search", hits, found)
    stored = await trial.timely("store after close", trial.store.store(item))
    kept = await trial.attempt((await trial.new_store()).retrieve(item.id))
    _judge_use(trial, "store", stored, stored == item.id and trial.is_content_of(item, kept))


def _judge_use(trial: Trial, verb: str, outcome: object, is_right: bool) -> None:
    error = outcome.error if isinstance(outcome, Raised) else None
    refused = isinstance(error, MemoryAdapterError) and not isinstance(
        error, UnsupportedMemoryItem | UnsupportedMemoryQuery
    )
    trial.require(
        refused or is_right,
        "L4" if error is None else "E2",
        "a closed store raises a typed error, or answers rightly",
        f"{verb} after close gave {described(outcome)}",
        "raise MemoryAdapterUnavailable from every call of a closed store",
    )


@case("close.others", "L4")
async def others(trial: Trial) -> None:
    """Closing one store leaves what it wrote, and every other store over the service.

    A client that was handed in belongs to whoever made it, and stores that
    share one must not close it for each other.
    """
    await trial.prove_shared()
    other = await trial.new_store()
    known = trial.item(f"before the close {trial.mark}", tags=[trial.mark])
    await trial.stored(known)
    await trial.attempt(other.retrieve(known.id))
    if not await _close(trial, trial.store, "close"):
        trial.notes.append(_NOTHING_TO_CLOSE)
        return
    await _judge_left(trial, "a store in use", other, known)
    await _judge_left(trial, "a store made afterwards", await trial.new_store(), known)


async def _judge_left(trial: Trial, whose: str, store: Any, known: MemoryItem) -> None:
    name = f"{whose}, once another was closed: "
    item = trial.item("by another store")
    got = await trial.timely(f"{name}retrieve", store.retrieve(known.id))
    stored = await trial.timely(f"{name}store", store.store(item))
    await trial.indexed()
    hits = await trial.timely(f"{name}search", store.search(MemoryQuery(tags=[trial.mark])))
    found = isinstance(hits, list) and known.id in {getattr(hit, "id", None) for hit in hits}
    right = {
        "retrieve": (got, trial.is_content_of(known, got)),
        "store": (stored, stored == item.id),
        "search": (hits, found),
    }
    for verb, (outcome, is_right) in right.items():
        trial.require(
            is_right,
            "L4",
            "closing a store leaves the service and every other store as they were",
            f"{name}{verb} gave {described(outcome)}",
            "close only what this store opened itself",
        )


CASES = (twice, use, others)

"""Consistency: when search sees a write, and that retrieval always does (C14, R3, Q5)."""

from __future__ import annotations

from typing import Any

from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.case import case
from memory_fidelity.testing.endings import Raised, described
from memory_fidelity.testing.harness import DelaysIndex
from memory_fidelity.testing.trial import RigFault, Trial

__all__ = ["CASES"]


def _immediate_only(manifest: MemoryAdapterManifest) -> str | None:
    eventual = manifest.search_consistency == "eventual"
    return "manifest says search_consistency='eventual'" if eventual else None


def _eventual_only(manifest: MemoryAdapterManifest) -> str | None:
    immediate = manifest.search_consistency == "immediate"
    return "manifest says search_consistency='immediate'" if immediate else None


def _queries(trial: Trial) -> tuple[tuple[str, MemoryQuery], ...]:
    return (
        ("text", MemoryQuery(text=trial.mark)),
        ("tags", MemoryQuery(tags=[trial.mark])),
        ("an empty query", MemoryQuery(limit=1_000)),
    )


def _needle(trial: Trial) -> MemoryItem:
    return trial.item(f"needle {trial.mark}", tags=[trial.mark])


@case(
    "consistency.immediate",
    "C14",
    version=2,
    judges_manifest=True,
    inapplicable=_immediate_only,
)
async def immediate(trial: Trial) -> None:
    """A stored item is found at once, by text, by tag and in the listing, by every store."""
    await trial.prove_shared()
    other = await trial.new_store()
    for n in range(3):
        item = _needle(trial)
        await trial.stored(item)
        for name, query in _queries(trial):
            trial.require(
                item.id in await trial.found_ids(query),
                "manifest.search_consistency",
                trial.says("search_consistency"),
                f"write {n + 1} was acknowledged, and a search by {name} missed it",
                "wait for the index before acknowledging, or declare 'eventual'",
            )
    await _judge_found_by(trial, other, item)
    newer = trial.item("needle, replaced", tags=[f"again{trial.mark}"], id=item.id)
    if isinstance(await trial.attempt(trial.store.store(newer)), Raised):
        return  # an id can be written once only
    trial.require(
        item.id in await trial.found_ids(MemoryQuery(tags=newer.tags)),
        "manifest.search_consistency",
        trial.says("search_consistency"),
        "a second write of an item was acknowledged, and a search by its new tag missed it",
        "wait for the index before acknowledging, or declare 'eventual'",
    )


async def _judge_found_by(trial: Trial, other: Any, item: MemoryItem) -> None:
    hits = await trial.attempt(other.search(MemoryQuery(tags=[trial.mark])))
    trial.require(
        isinstance(hits, list) and item.id in {hit.id for hit in hits},
        "manifest.search_consistency" if trial.claims.search_consistency == "immediate" else "C14",
        "a write that search shows is shown by every store over the service",
        "another store missed what the first one had found by its tag",
        "let every store search what the service has",
    )


async def _prove_control(trial: Trial) -> None:
    """Store an item and read it back once the index is visible.

    An adapter that retrieves through its index is to be found, not taken for a
    harness that keeps nothing.
    """
    item = trial.item("control")
    stored = await trial.attempt(trial.store.store(item))
    await trial.indexed()
    got = await trial.attempt(trial.store.retrieve(item.id))
    if isinstance(stored, Raised) or not isinstance(got, MemoryItem):
        raise RigFault(f"an ordinary item did not come back: {described(got)}")


@case(
    "consistency.eventual",
    "C14",
    "Q5",
    "R3",
    version=3,
    control=False,
    judges_manifest=True,
    needs=(DelaysIndex,),
    inapplicable=_eventual_only,
)
async def eventual(trial: Trial) -> None:
    """While the index is held back search misses the item, retrieval does not; then both find it.

    If nothing is ever missed, the claim is understated, or the fake does not
    model the delay that the adapter must live with. One way of searching that
    misses the item is enough: others may have no index to wait for.
    """
    await _prove_control(trial)
    await trial.rigged(trial.control(DelaysIndex).delay_index())  # type: ignore[type-abstract]
    item = _needle(trial)
    await trial.stored(item)
    await _judge_fresh(trial, item)
    queries = list(_queries(trial))
    found = [name for name, query in queries if item.id in await trial.found_ids(query)]
    trial.require(
        len(found) < len(queries),
        "manifest.search_consistency",
        trial.says("search_consistency"),
        "it is understated: with the index held back, a search found the item by "
        + ", ".join(found),
        "declare 'immediate', or let the harness hold the index back",
    )
    if found:
        trial.notes.append(f"stronger than claimed for a search by {', '.join(found)}")
    await _judge_converged(trial, item)


@case(
    "consistency.converges",
    "C14",
    "Q5",
    "R3",
    version=2,
    control=False,
    judges_manifest=True,
    inapplicable=_eventual_only,
)
async def converges(trial: Trial) -> None:
    """Once the index is visible search finds the item, which retrieval did all along.

    On a live service `eventual` means "may": finding it early is no fault.
    """
    await _prove_control(trial)
    await trial.prove_shared()
    other = await trial.new_store()
    item = _needle(trial)
    await trial.stored(item)
    await _judge_fresh(trial, item)
    if item.id in await trial.found_ids(MemoryQuery(tags=[trial.mark])):
        trial.notes.append("stronger than claimed: the item was found before the index converged")
    await _judge_converged(trial, item)
    await _judge_found_by(trial, other, item)


async def _judge_fresh(trial: Trial, item: MemoryItem) -> None:
    got = await trial.retrieved(item.id)
    trial.require(
        got is not None and trial.is_same(item.content, got.content),
        "R3",
        "an acknowledged item can be retrieved at once, whatever the index does",
        "retrieve gave nothing, or another content, before the index converged",
        "read by identity from where the write went, not through the index",
    )


async def _judge_converged(trial: Trial, item: MemoryItem) -> None:
    await trial.indexed()
    for name, query in _queries(trial):
        trial.require(
            item.id in await trial.found_ids(query),
            "C14",
            "an item is found once the index is visible",
            f"a search by {name} still missed it",
            "index every acknowledged item",
        )


@case("consistency.retrieve", "R3", "Q5")
async def retrieve(trial: Trial) -> None:
    """Retrieval is never stale: it gives the last acknowledged version.

    An index, a cache or a replica that lags may serve search, never identity.
    A second store over the same service has read before each write, and must
    see what the first one wrote: it shares the service, not a memory.
    """
    await trial.prove_shared()
    first = trial.item("version 1", tags=[trial.mark])
    other = await trial.new_store()
    for store in (trial.store, other):
        await trial.attempt(store.retrieve(first.id))
    await trial.stored(first)
    await _judge_seen(trial, other, first)
    await trial.indexed()
    for n in range(2, 5):
        newer = trial.item(f"version {n}", tags=[trial.mark], id=first.id)
        if not isinstance(await trial.attempt(trial.store.store(newer)), type(first.id)):
            trial.notes.append("an id can be written once only")
            return
        got = await trial.retrieved(first.id)
        trial.require(
            got is not None and trial.is_same(newer.content, got.content),
            "R3",
            "retrieve gives the last acknowledged version",
            f"after version {n} was acknowledged, an older one, or none, came back",
            "read by identity from where the write went",
        )
        await _judge_seen(trial, other, newer)


async def _judge_seen(trial: Trial, other: Any, item: MemoryItem) -> None:
    for whose, store in (("the store itself", trial.store), ("another store", other)):
        got = await trial.attempt(store.retrieve(item.id))
        trial.require(
            isinstance(got, MemoryItem) and trial.is_same(item.content, got.content),
            "R3",
            "an acknowledged write is read by every store over the service",
            f"{whose}, which had read the id before, gave nothing or another version",
            "acknowledge what the service has taken, and cache no answer",
        )


CASES = (immediate, eventual, converges, retrieve)

"""Writes: refused before transport, detached, concurrent, and the card's examples (W1, W2, R4)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from enum import IntEnum
from typing import Any
from uuid import UUID

from memory_fidelity.card import LossFixture, Operation
from memory_fidelity.errors import MemoryAdapterError
from memory_fidelity.exact import differences
from memory_fidelity.manifest import ITEM_FIELDS, MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.case import case
from memory_fidelity.testing.endings import Raised, described
from memory_fidelity.testing.harness import Journal
from memory_fidelity.testing.trial import Trial

__all__ = ["CASES"]


class _Grade(IntEnum):
    GOOD = 1


class _SpecialItem(MemoryItem):
    """A subclass, as applications write them."""


class _Text(str):
    """A subclass of str."""

    __slots__ = ()


def _hostile(trial: Trial) -> Iterator[tuple[str, MemoryItem]]:
    """Items that lionagi accepts, or that were changed after it validated them."""
    for name, value in (
        ("a tuple", (1, 2)),
        ("a set", {1}),
        ("bytes", b"\xff"),
        ("bytes that can change", bytearray(b"text")),
        ("a model", MemoryQuery(text="text")),
        ("a UUID", UUID(int=5)),
        ("a decimal", Decimal("1.10")),
        ("a datetime", datetime(2026, 1, 2, 3, 4, 5, 678901, UTC)),
        ("NaN", float("nan")),
        ("infinity", float("inf")),
        ("an integer key", {1: "one"}),
        ("an IntEnum", _Grade.GOOD),
        ("a subclass of str", _Text("text")),
        ("a lone surrogate", "\ud800"),
        ("two halves of a pair", "\ud83d" + "\ude00"),
    ):
        yield f"{name} in metadata", trial.item("hostile", metadata={"k": [value]})
        yield f"{name} as content", _changed(trial, content=value)
    yield "an integer as created_at", _changed(trial, created_at=1767323045)
    yield "a text as created_at", _changed(trial, created_at="2026-01-02")
    yield "a text as id", _changed(trial, id="550e8400-e29b-41d4-a716-446655440000")
    yield "a tuple as tags", _changed(trial, tags=("a",))
    yield "nothing as tags", _changed(trial, tags=None)
    yield "nothing as metadata", _changed(trial, metadata=None)
    yield "NaN as created_at", trial.item("hostile", created_at=float("nan"))
    yield "infinity as created_at", trial.item("hostile", created_at=float("inf"))
    yield "numbers as tags", _changed(trial, tags=[1, 2])
    yield "a text as tags", _changed(trial, tags="abc")
    yield "a lone surrogate as a tag", _changed(trial, tags=["\udfff"])
    yield "a text as metadata", _changed(trial, metadata="abc")
    yield "another class's name in metadata", _changed(trial, metadata={"lion_class": "Other"})
    yield "a subclass of MemoryItem", _SpecialItem(content="special")
    for refusal in trial.card.refusals if trial.card else ():
        change: dict[str, Any] = {refusal.field: refusal.sample}
        yield f"as the card says, {refusal.name}", trial.item("refused").model_copy(update=change)


def _changed(trial: Trial, **fields: Any) -> MemoryItem:
    # lionagi validates neither assignment nor copies, and copies take frozen fields, too.
    return trial.item("hostile").model_copy(update=fields)


@case("store.hostile", "W1", "C6", "E2", needs=(Journal,), live_without=True)
async def hostile(trial: Trial) -> None:
    """What cannot be kept exactly is refused with a typed error before any call.

    Tuples, NaN, bytes, numeric keys and changed items pass lionagi's own
    model. Serialisers then guess; each guess is a silent loss. What the card
    says is refused must be refused.
    """
    for name, item in _hostile(trial):
        before = len(trial.calls())
        outcome = await trial.attempt(trial.store.store(item))
        sent = len(trial.calls()) - before
        if not isinstance(outcome, Raised):
            await _judge_kept(trial, name, item)
            trial.require(
                not name.startswith("as the card says"),
                "card.refusals",
                f"{name}, is refused before transport",
                "it was stored",
                "refuse the value, or remove the statement from the card",
            )
            continue
        trial.require(
            isinstance(outcome.error, MemoryAdapterError),
            "E2",
            "an item that cannot be kept is refused with MemoryAdapterError",
            f"{name}: store raised {described(outcome)}",
            "raise UnsupportedMemoryItem with the path and the reason",
        )
        trial.require(
            sent == 0,
            "W1",
            "an item is validated before any call to the service",
            f"{name}: refused after {sent} calls",
            "validate the whole item first",
        )


async def _judge_kept(trial: Trial, name: str, item: MemoryItem) -> None:
    got = await trial.attempt(trial.store.retrieve(item.id))
    native = ITEM_FIELDS if trial.manifest is None else trial.manifest.native_item_fields
    exact = type(got) is type(item) and all(
        trial.is_same(sent, back) or trial.covers(field, sent, back, "retrieve")
        for field in native
        for sent, back in [(getattr(item, field), getattr(got, field))]
    )
    trial.require(
        exact,
        "C6",
        "a value is kept exactly, or refused before transport",
        f"{name}: acknowledged, then {described(got)} came back that is not the same",
        "refuse it with UnsupportedMemoryItem before transport",
    )


def _detachments() -> Iterator[tuple[str, Callable[[MemoryItem], None]]]:
    yield "tags", lambda item: item.tags.append("changed")
    yield "metadata", lambda item: item.metadata.update(changed=True)
    yield "nested metadata", lambda item: item.metadata["nested"].update(changed=True)


@case("retrieve.detached", "R4", "C3", judges_manifest=True)
async def detached(trial: Trial) -> None:
    """Results are the caller's own: changing one changes nothing stored.

    Nor does changing the item after it was stored. A store that hands out its
    own objects lets one part of an application rewrite what another remembers.
    """
    names = {"tags"}
    if trial.claims.preserves_metadata:
        names |= {"metadata", "nested metadata"}
    for name, change in _detachments():
        if name not in names:
            continue
        metadata = {"nested": {"n": 1}} if trial.claims.preserves_metadata else {}
        item = trial.item(f"detached {name}", tags=[trial.mark], metadata=metadata)
        await trial.stored(item)
        first = await trial.retrieved(item.id)
        if first is None or not _is_alike(trial, item, first):
            continue  # a loss, which is for the cases on fidelity to report
        change(item)
        await _judge_unchanged(trial, first, f"the {name} of the item that was stored")
        change(first)
        fresh = await trial.retrieved(item.id)
        trial.require(
            fresh is not None and not trial.is_same(vars(fresh), vars(first)),
            "R4",
            "changing a result changes nothing stored",
            f"changing the {name} of a retrieved item changed the next one, too",
            "build a new item, with copies of everything mutable, for every result",
        )
        await trial.indexed()
        for hit in await trial.found(MemoryQuery(tags=[trial.mark])):
            if fresh is not None and hit.id == item.id and _is_alike(trial, fresh, hit):
                change(hit)
                await _judge_unchanged(trial, fresh, f"the {name} of a search hit")


def _is_alike(trial: Trial, sent: MemoryItem, got: MemoryItem) -> bool:
    """Whether what came back can be changed in the same way as what was sent."""
    return type(got.tags) is list and trial.is_same(sent.metadata, got.metadata)


async def _judge_unchanged(trial: Trial, expected: MemoryItem, what: str) -> None:
    got = await trial.retrieved(expected.id)
    trial.require(
        got is not None and trial.is_same(vars(expected), vars(got)),
        "R4",
        "what is stored shares nothing with the caller",
        f"changing {what} changed what is stored",
        "copy what comes in and what goes out, to every depth",
    )


@case("store.concurrent", "L2", "R3")
async def concurrent(trial: Trial) -> None:
    """Twenty stores at once all land; read at once, each item comes back as its own, and is found.

    Interleaved reads and writes of one file or one connection lose some.
    """
    items = [trial.item(f"concurrent {n}", tags=[trial.mark]) for n in range(20)]
    outcomes = await asyncio.gather(*(trial.attempt(trial.store.store(item)) for item in items))
    for outcome in outcomes:
        if isinstance(outcome, Raised) and not isinstance(outcome.error, MemoryAdapterError):
            trial.report(
                "E2",
                "concurrent calls succeed, or fail with a typed error",
                f"store raised {described(outcome)}",
                "serialise calls that the client cannot take at once",
            )
    acknowledged = [
        item
        for item, outcome in zip(items, outcomes, strict=True)
        if not isinstance(outcome, Raised)
    ]
    trial.require(
        bool(acknowledged),
        "L2",
        "concurrent stores are acknowledged",
        "none of twenty was",
        "serialise calls that the client cannot take at once",
    )
    results = await asyncio.gather(
        *(trial.attempt(trial.store.retrieve(item.id)) for item in acknowledged)
    )
    for item, got in zip(acknowledged, results, strict=True):
        trial.require(
            isinstance(got, MemoryItem) and trial.is_same(item.content, got.content),
            "R3",
            "every acknowledged item can be retrieved",
            "an item of twenty stored and read at once is missing, or came back as another",
            "serialise calls that the client cannot take at once",
        )
    await trial.indexed()
    missing = {item.id for item in acknowledged} - await trial.found_ids(
        MemoryQuery(tags=[trial.mark], limit=100)
    )
    trial.require(
        not missing,
        "C14",
        "every acknowledged item is found once the index is visible",
        f"{len(missing)} of twenty stored at once are not found",
        "serialise what the index cannot take at once",
    )


def _nothing_lossy(manifest: MemoryAdapterManifest) -> str | None:
    lossy = "lossy" in (manifest.retrieve_fidelity, manifest.search_fidelity)
    return None if lossy else "manifest says that neither retrieve nor search is lossy"


@case("card.losses", "W2", "C6", judges_manifest=True, inapplicable=_nothing_lossy)
async def losses(trial: Trial) -> None:
    """Each loss that the card names happens exactly as its fixture says.

    A fixture that no longer happens is out of date; one that predicts another
    value misinforms whoever reads it.
    """
    if trial.card is None or not trial.card.losses:
        raise trial.fail(
            "card.losses",
            "every loss of a lossy adapter is a named fixture",
            "the card names none",
            "name each loss in the card, with a value that shows it",
        )
    for loss in trial.card.losses:
        item = _changed(trial, **{loss.field: loss.sent})
        await trial.stored(item)
        await trial.indexed()
        hits = await trial.found(MemoryQuery(limit=1_000))
        results: dict[Operation, MemoryItem | None] = {
            "retrieve": await trial.retrieved(item.id),
            "search": next((hit for hit in hits if hit.id == item.id), None),
        }
        for operation in sorted(loss.on):
            _judge_loss(trial, loss, operation, results[operation])


def _judge_loss(
    trial: Trial, loss: LossFixture, operation: Operation, got: MemoryItem | None
) -> None:
    if got is None:
        observed = f"{operation} did not give the item"
    else:
        back = getattr(got, loss.field)
        if trial.is_same(loss.expected, back):
            return
        observed = (
            f"{operation} gave it back exactly as it was stored"
            if trial.is_same(loss.sent, back)
            else str(differences(loss.field, loss.expected, back)[0])
        )
    trial.report(
        "card.losses",
        f"card says that {operation} alters {loss.field} by the loss {loss.name!r}",
        observed,
        "correct the fixture, or remove it",
    )


CASES = (hostile, detached, concurrent, losses)

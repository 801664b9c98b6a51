"""Failures: outages, refused writes, malformed payloads (C15, C16, E2 to E5, W4, W5)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from memory_fidelity.errors import (
    MemoryAdapterError,
    MemoryAdapterUnavailable,
    UnsupportedMemoryItem,
    UnsupportedMemoryQuery,
)
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.case import case
from memory_fidelity.testing.endings import Raised, described
from memory_fidelity.testing.harness import (
    BreaksCalls,
    CorruptsResponses,
    Journal,
    PlantsForeignRecord,
    RejectsWrites,
    WithholdsIdentity,
)
from memory_fidelity.testing.trial import RigFault, Trial

__all__ = ["CASES"]


def _operations(
    trial: Trial, store: Any, known: MemoryItem
) -> Iterator[tuple[str, Callable[[], Awaitable[Any]]]]:
    yield "store", lambda: store.store(trial.item("during an outage"))
    yield "retrieve", lambda: store.retrieve(known.id)
    yield "search", lambda: store.search(MemoryQuery(text="outage"))
    yield "a search by tag", lambda: store.search(MemoryQuery(tags=["outage"]))
    yield "an empty search", lambda: store.search(MemoryQuery())


def _judge_unavailable(trial: Trial, name: str, outcome: object) -> None:
    error = outcome.error if isinstance(outcome, Raised) else None
    trial.require(
        isinstance(error, MemoryAdapterUnavailable),
        "C15" if error is None else "E2",
        "in an outage every operation raises MemoryAdapterUnavailable",
        f"{name} gave {described(outcome)}",
        "translate every failure of the transport; answer nothing in its place",
    )
    trial.require(
        error is None
        or not isinstance(error, MemoryAdapterUnavailable)
        or error.__cause__ is not None,
        "E2",
        "the native error is the cause of the typed one",
        f"{name}: MemoryAdapterUnavailable has no __cause__",
        "raise the typed error `from` the native one",
    )


async def _begin_outage(trial: Trial) -> None:
    """Make the service unavailable, and see that a write does not land in it all the same."""
    await trial.rigged(trial.harness.make_transport_unavailable())
    probe = trial.item("probe of the outage")
    await trial.timely("store", trial.store.store(probe))
    if await _landed(trial, probe):
        raise RigFault("the service was to be unavailable, and it took a write")


async def _landed(trial: Trial, item: MemoryItem) -> bool:
    """Whether the service itself holds the item, as far as the harness can tell."""
    if not isinstance(trial.harness, PlantsForeignRecord):
        return False
    return await trial.attempt(trial.harness.holds(item.id)) is True


@case("outage.connected", "C15", "E2", "E3")
async def connected(trial: Trial) -> None:
    """When the service goes away, every operation of a store in use raises.

    An empty list or `None` in place of an answer tells the application that
    there is nothing, and it acts on that.
    """
    known = trial.item("before the outage")
    await trial.stored(known)
    await _begin_outage(trial)
    for name, call in _operations(trial, trial.store, known):
        _judge_unavailable(trial, name, await trial.timely(name, call()))


@case("outage.connecting", "C15", "E3")
async def connecting(trial: Trial) -> None:
    """When the service cannot be reached, the first operation that needs it raises.

    The store itself was made before: an adapter that connects in its
    constructor fails where nobody expects an operation's error.
    """
    await trial.prove_shared()
    known = trial.item("never stored")
    count = len(list(_operations(trial, trial.store, known)))
    stores = [await trial.new_store() for _ in range(count)]
    await _begin_outage(trial)
    for number, store in enumerate(stores):
        name, call = list(_operations(trial, store, known))[number]
        first = f"as the first call, {name}"
        _judge_unavailable(trial, first, await trial.timely(first, call()))


@case("outage.fallback", "E5", "C15")
async def fallback(trial: Trial) -> None:
    """Nothing written or read during an outage comes from a store of the adapter's own.

    A fallback to memory splits the state: what was acknowledged is in this
    process only, and gone with it.
    """
    await _begin_outage(trial)
    item = trial.item(f"fallback {trial.mark}", tags=[trial.mark])
    query = MemoryQuery(tags=[trial.mark])
    stored = await trial.timely("store", trial.store.store(item))
    got = await trial.timely("retrieve", trial.store.retrieve(item.id))
    hits = await trial.timely("search", trial.store.search(query))
    trial.require(
        isinstance(stored, Raised),
        "E5",
        "there is no fallback: a write that the service did not take is not acknowledged",
        "store returned an id during an outage",
        "raise MemoryAdapterUnavailable",
    )
    trial.require(
        isinstance(got, Raised) and isinstance(hits, Raised),
        "E5",
        "there is no fallback: what the service cannot answer is not answered",
        f"retrieve gave {described(got)}, search gave {described(hits)}",
        "raise MemoryAdapterUnavailable",
    )


@case("outage.midway", "E3", "C15", "E2", needs=(BreaksCalls, Journal), version=2)
async def midway(trial: Trial) -> None:
    """When the connection breaks during a call, the call raises, and the store recovers.

    The request may have been served: a write may have landed, so its error
    must not look like a refusal. An adapter may try again itself, if that is
    safe; then the journal shows more calls than an undisturbed operation makes.
    """
    control = trial.control(BreaksCalls)  # type: ignore[type-abstract]  # protocol
    known = trial.item("before the break")
    await trial.stored(known)
    answered: dict[str, object] = {}
    raised = False
    for name, call in _operations(trial, trial.store, known):
        before = len(trial.calls())
        undisturbed = await trial.attempt(call())
        usual = len(trial.calls()) - before
        await trial.rigged(control.break_next_call())
        before = len(trial.calls())
        outcome = await trial.timely(f"{name}, broken midway,", call())
        raised = raised or isinstance(outcome, Raised)
        if isinstance(outcome, Raised) or (undisturbed and not outcome):
            _judge_unavailable(trial, f"{name}, broken midway,", outcome)
        elif len(trial.calls()) - before > usual:
            trial.notes.append(f"{name}: tried again after the break")
        else:
            answered[name] = outcome
        await _judge_recovered(trial, name, known)
    if answered and not raised:
        raise RigFault(f"{', '.join(answered)} were to be broken midway, and were answered")
    for name, outcome in answered.items():
        _judge_unavailable(trial, f"{name}, broken midway,", outcome)


async def _judge_recovered(trial: Trial, name: str, known: MemoryItem) -> None:
    got = await trial.timely(f"after {name} was broken, retrieve", trial.store.retrieve(known.id))
    trial.require(
        isinstance(got, MemoryItem),
        "E3",
        "a broken call does not break the store",
        f"after {name} was broken, retrieve gave {described(got)}",
        "drop the broken connection, and connect again on the next call",
    )


@case("write.once", "W5", "E3", needs=(BreaksCalls,))
async def once(trial: Trial) -> None:
    """After a write was broken midway, storing the same item again leaves one record.

    The first attempt may have landed. A retry under a new identity makes two.
    """
    control = trial.control(BreaksCalls)  # type: ignore[type-abstract]
    item = trial.item(f"once {trial.mark}", tags=[trial.mark])
    await trial.rigged(control.break_next_call())
    await trial.attempt(trial.store.store(item))
    again = await trial.attempt(trial.store.store(item))
    await trial.indexed()
    hits = await trial.found(MemoryQuery(tags=[trial.mark]))
    trial.require(
        len(hits) <= 1,
        "W5",
        "one item is one record, however often it was written",
        f"{len(hits)} records after one broken and one whole write",
        "write under the item's id",
    )
    trial.require(
        isinstance(again, Raised) or len(hits) == 1,
        "W5",
        "an acknowledged write is found",
        "the second write was acknowledged, and nothing is found",
        "acknowledge only what was written",
    )


@case("write.rejected", "C16", "W4", "E2", needs=(RejectsWrites, Journal))
async def rejected(trial: Trial) -> None:
    """A write that the service refuses raises `MemoryAdapterError`, and gives no id."""
    control = trial.control(RejectsWrites)  # type: ignore[type-abstract]
    await trial.rigged(control.reject_next_write())
    await _judge_failed_write(trial, "the service refused the write")


@case("write.identity", "W4", "C2", "C16", needs=(WithholdsIdentity, Journal))
async def identity(trial: Trial) -> None:
    """A success reply without a usable identity is a failed write.

    The record may or may not exist; nobody knows under which id.
    """
    control = trial.control(WithholdsIdentity)  # type: ignore[type-abstract]
    await trial.rigged(control.withhold_next_identity())
    await _judge_failed_write(trial, "the reply held no identity", chained=False)


async def _judge_failed_write(trial: Trial, what: str, *, chained: bool = True) -> None:
    before = len(trial.calls())
    item = trial.item("refused")
    outcome = await trial.timely(f"{what}; store", trial.store.store(item))
    if len(trial.calls()) == before:
        raise RigFault("the write did not reach the transport, so nothing was refused")
    if chained and await _landed(trial, item):
        raise RigFault("the write was to be refused, and it landed")
    error = outcome.error if isinstance(outcome, Raised) else None
    trial.require(
        isinstance(error, MemoryAdapterError)
        and not isinstance(error, UnsupportedMemoryItem | UnsupportedMemoryQuery),
        "C16",
        "a failed write raises MemoryAdapterError and returns no id",
        f"{what}; store gave {described(outcome)}",
        "check the reply of every write",
    )
    trial.require(
        not chained or error is None or error.__cause__ is not None,
        "E2",
        "the native error is the cause of the typed one",
        f"{what}; the error has no __cause__",
        "raise the typed error `from` the native one",
    )


@case("payload.malformed", "E4", "E2", needs=(CorruptsResponses,), version=2)
async def malformed(trial: Trial) -> None:
    """A malformed payload is `MemoryAdapterError` with the native error as its cause.

    Skipping what cannot be read returns silently fewer results; building an
    item from it returns an empty one.
    """
    control = trial.control(CorruptsResponses)  # type: ignore[type-abstract]
    item = trial.item(f"malformed {trial.mark}", tags=[trial.mark])
    await trial.stored(item)
    await trial.indexed()
    calls: dict[str, Callable[[], Awaitable[Any]]] = {
        "retrieve": lambda: trial.store.retrieve(item.id),
        "search": lambda: trial.store.search(MemoryQuery(tags=[trial.mark])),
    }
    whole = []
    for name, call in calls.items():
        await trial.rigged(control.corrupt_next_response())
        outcome = await trial.timely(f"{name}, answered with no record,", call())
        got = outcome[:1] if isinstance(outcome, list) else [outcome]
        if any(isinstance(one, MemoryItem) and one.content == item.content for one in got):
            whole.append((name, outcome))
        else:
            _judge_malformed(trial, name, outcome)
    if len(whole) == len(calls):
        raise RigFault("the replies were to be malformed, and held the item")
    for name, outcome in whole:  # the other reply was malformed, so this answer is invented
        _judge_malformed(trial, name, outcome)


def _judge_malformed(trial: Trial, name: str, outcome: object) -> None:
    error = outcome.error if isinstance(outcome, Raised) else None
    trial.require(
        isinstance(error, MemoryAdapterError) and error.__cause__ is not None,
        "E4",
        "a malformed payload raises MemoryAdapterError, with the native error as its cause",
        f"{name} gave {described(outcome)}"
        + (", without a cause" if error is not None and error.__cause__ is None else ""),
        "parse every reply strictly, and translate what the parser raises",
    )


CASES = (
    connected,
    connecting,
    fallback,
    midway,
    once,
    rejected,
    identity,
    malformed,
)

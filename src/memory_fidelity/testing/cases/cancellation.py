"""Cancellation: it passes through, and leaves nothing half open (E6)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.case import case
from memory_fidelity.testing.endings import described
from memory_fidelity.testing.harness import HangsCalls, HangsReads, Journal
from memory_fidelity.testing.trial import RigFault, Trial

__all__ = ["CASES"]

_PATIENCE = 5.0
"""Seconds in which a call must have reached the transport; it takes milliseconds."""

_LOOK = 0.002
"""The part of the patience in which a call that does not hang would have ended."""


@case("cancel.store", "E6", needs=(HangsCalls, Journal), version=2)
async def store(trial: Trial) -> None:
    """A cancelled write raises `CancelledError`, and the store goes on working.

    Translating cancellation makes a task that cannot be stopped; a connection
    left in the middle of a reply answers the next call with it.
    """
    control = trial.control(HangsCalls)  # type: ignore[type-abstract]  # protocol
    known = await _known(trial)
    await trial.rigged(control.hang_next_write())
    call = trial.store.store(trial.item("cancelled"))
    await _judge_cancelled(trial, "store", call, control.resume)
    await _judge_working(trial, "store", known)


@case("cancel.retrieve", "E6", needs=(HangsReads, Journal))
async def retrieve(trial: Trial) -> None:
    """A cancelled retrieval raises `CancelledError`, and the store goes on working.

    `None` in place of it says that the item does not exist; the reply that
    nobody waited for must not answer the next call.
    """
    control = trial.control(HangsReads)  # type: ignore[type-abstract]  # protocol
    known, other = await _known(trial), trial.item("asked for, and given up")
    await trial.stored(other)
    await trial.rigged(control.hang_next_read())
    call = trial.store.retrieve(other.id)
    await _judge_cancelled(trial, "retrieve", call, control.resume)
    await _judge_working(trial, "retrieve", known)


@case("cancel.search", "E6", needs=(HangsReads, Journal))
async def search(trial: Trial) -> None:
    """A cancelled search raises `CancelledError`, and the store goes on working.

    No hits in place of it says that nothing matches; the reply that nobody
    waited for must not answer the next call.
    """
    control = trial.control(HangsReads)  # type: ignore[type-abstract]  # protocol
    known, other = await _known(trial), trial.item("asked for, and given up", tags=["given-up"])
    await trial.stored(other)
    await trial.indexed()
    await trial.rigged(control.hang_next_read())
    call = trial.store.search(MemoryQuery(tags=["given-up"]))
    await _judge_cancelled(trial, "search", call, control.resume)
    await _judge_working(trial, "search", known)


async def _known(trial: Trial) -> MemoryItem:
    known = trial.item(f"before the cancellation {trial.mark}", tags=[trial.mark])
    await trial.stored(known)
    return known


async def _judge_cancelled(
    trial: Trial,
    verb: str,
    call: Coroutine[Any, Any, Any],
    resume: Callable[[], Awaitable[None]],
) -> None:
    """Cancel a call once it has reached the transport, which answers again afterwards."""
    before = len(trial.calls())
    task = asyncio.ensure_future(call)
    try:
        async with asyncio.timeout(_PATIENCE):
            # Waits for a fact, not for time; a journal in a thread has no event to wait for.
            while len(trial.calls()) == before and not task.done():  # noqa: ASYNC110 - see above
                await asyncio.sleep(0)  # noqa: TID251 - gives way to the call
    except TimeoutError:
        task.cancel()
        raise RigFault(f"the {verb} did not reach the transport, so nothing hung") from None
    await asyncio.wait([task], timeout=trial.setting.patience * _LOOK)
    if task.done():
        raise RigFault(f"{verb} was to hang, and ended: {described(await trial.attempt(task))}")
    task.cancel()
    await asyncio.wait([task], timeout=trial.setting.patience)
    ended = task.done()
    await trial.rigged(resume())
    outcome = (await asyncio.gather(task, return_exceptions=True))[0] if ended else None
    task.cancel()
    trial.require(
        isinstance(outcome, asyncio.CancelledError),
        "E6",
        "cancellation passes through",
        f"{verb}, cancelled, " + (f"gave {described(outcome)}" if ended else "went on waiting"),
        "let CancelledError out",
    )


async def _judge_working(trial: Trial, verb: str, known: MemoryItem) -> None:
    """See that every verb gives its own answer, and not that of the cancelled call."""
    item = trial.item("after the cancellation", tags=["after"])
    read = await trial.timely(f"after a cancelled {verb}, retrieve", trial.store.retrieve(known.id))
    stored = await trial.timely(f"after a cancelled {verb}, store", trial.store.store(item))
    await trial.indexed()
    query = MemoryQuery(tags=[trial.mark])
    hits = await trial.timely(f"after a cancelled {verb}, search", trial.store.search(query))
    got = await trial.timely(f"after a cancelled {verb}, retrieve", trial.store.retrieve(item.id))
    found = [getattr(hit, "id", None) for hit in hits] if isinstance(hits, list) else hits
    right = {
        "retrieve": trial.is_content_of(known, read) and trial.is_content_of(item, got),
        "store": stored == item.id,
        "search": found == [known.id],
    }
    trial.require(
        all(right.values()),
        "E6",
        "a cancelled call leaves no half-open state",
        f"after a cancelled {verb}, {_wrong(right)} gave something else than was stored",
        "drop the connection of a cancelled call, or finish its reply",
    )


def _wrong(right: dict[str, bool]) -> str:
    return ", ".join(verb for verb, is_right in right.items() if not is_right)


CASES = (store, retrieve, search)

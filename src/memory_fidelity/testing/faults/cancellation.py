"""Faults in what becomes of a cancelled call, and of the calls after it (E6)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final
from uuid import UUID

from memory_fidelity.errors import MemoryAdapterUnavailable
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.fault import Fault, fault
from memory_fidelity.testing.faults.instead import (
    Called,
    Concern,
    Ending,
    Instead,
    forged,
    native,
    nothing,
    plain,
    retrieving,
    searching,
    storing,
)
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "cancelled_retrieve", "cancelled_search", "cancelled_store"]

_PATIENCE: Final = 0.25


async def cancelled_store(bench: Bench) -> None:
    """Cancel a write, and make one call of each sort."""
    await _start(bench)
    await bench.harness.hang_next_write()
    await _cancel(bench, bench.store.store(bench.item(3)))


async def cancelled_retrieve(bench: Bench) -> None:
    """Cancel a retrieval, and make one call of each sort."""
    await _start(bench)
    await bench.harness.hang_next_read()
    await _cancel(bench, bench.store.retrieve(bench.item(2).id))


async def cancelled_search(bench: Bench) -> None:
    """Cancel a search, and make one call of each sort."""
    await _start(bench)
    await bench.harness.hang_next_read()
    await _cancel(bench, bench.store.search(MemoryQuery(tags=["u"])))


async def _start(bench: Bench) -> None:
    await bench.stored([bench.item(1, tags=["t"]), bench.item(2, tags=["u"])])


async def _cancel(bench: Bench, call: Any) -> None:
    before = len(bench.harness.calls())
    task = asyncio.ensure_future(call)
    async with asyncio.timeout(5):
        # Waits for a fact, not for time; a journal in a thread has no event to wait for.
        while len(bench.harness.calls()) == before and not task.done():  # noqa: ASYNC110 - see above
            await asyncio.sleep(0)  # noqa: TID251 - gives way to the call
    task.cancel()
    await asyncio.wait([task], timeout=_PATIENCE)
    bench.note("ended", task.done())
    await bench.harness.resume()
    bench.note("outcome", (await asyncio.gather(task, return_exceptions=True))[0])
    await bench.saw("retrieve", bench.store.retrieve(bench.item(1).id))
    await bench.stored([bench.item(4, tags=["v"])])
    await bench.saw("search", bench.store.search(MemoryQuery(tags=["t"])))


class _Translated(Instead):
    """Ends a cancelled call in something else."""

    caught = asyncio.CancelledError


class _WaitsOn(_Translated):
    """Goes on waiting for the reply of a call that was cancelled."""

    def __init__(self, *arguments: Any, concern: Concern) -> None:
        super().__init__(*arguments, concern=concern, ending=nothing)

    async def _made(self, verb: str, ask: Callable[[Any], Awaitable[Any]], argument: Any) -> Any:
        if not self._concern(Called(verb, argument)):
            return await ask(argument)
        task = asyncio.ensure_future(ask(argument))
        while not task.done():
            try:
                await asyncio.shield(task)
            except asyncio.CancelledError:
                continue
        return await task


class _HalfOpen(_Translated):
    """Lets the cancellation out, and keeps what the call left behind."""

    left: Called | None = None

    def __init__(self, *arguments: Any, concern: Concern) -> None:
        super().__init__(*arguments, concern=concern, ending=self._leave)

    async def _leave(self, call: Called) -> Any:
        self.left = call
        raise asyncio.CancelledError

    async def store(self, item: MemoryItem) -> Any:
        """Store, unless something was left."""
        return await self._after("store", item, super().store)

    async def retrieve(self, item_id: UUID) -> Any:
        """Retrieve, unless something was left."""
        return await self._after("retrieve", item_id, super().retrieve)

    async def search(self, query: MemoryQuery) -> Any:
        """Search, unless something was left."""
        return await self._after("search", query, super().search)

    async def _after(self, verb: str, argument: Any, ask: Callable[[Any], Awaitable[Any]]) -> Any:
        if self.left is None:
            return await ask(argument)
        return await self.after(self.left, Called(verb, argument), ask)

    async def after(self, left: Called, call: Called, ask: Callable[[Any], Awaitable[Any]]) -> Any:
        """What a later call ends in."""
        return await ask(call.argument)


class _LateReply(_HalfOpen):
    """The reply of a cancelled call is given to the next one of its sort."""

    async def after(self, left: Called, call: Called, ask: Callable[[Any], Awaitable[Any]]) -> Any:
        got = await ask(left.argument if left.verb == call.verb else call.argument)
        if left.verb == call.verb:
            self.left = None
        return got


class _Dead(_HalfOpen):
    """After a cancelled call the connection is closed, and every call fails."""

    async def after(self, left: Called, call: Called, ask: Callable[[Any], Awaitable[Any]]) -> Any:
        raise MemoryAdapterUnavailable("connection is closed") from OSError("closed")


class _Locked(_HalfOpen):
    """After a cancelled call its lock is held, and every call waits for it."""

    async def after(self, left: Called, call: Called, ask: Callable[[Any], Awaitable[Any]]) -> Any:
        await asyncio.Event().wait()


_ENDINGS: Final[dict[str, tuple[Ending, str]]] = {
    "nothing": (nothing, "gives nothing"),
    "plain": (plain, "raises an ordinary error"),
    "native": (native, "raises the client's own error"),
    "forged": (forged, "gives what the service never answered"),
}
_LEFT: Final[dict[str, tuple[Callable[..., Any], str]]] = {
    "waits-on": (_WaitsOn, "E6"),
    "late-reply": (_LateReply, "E6"),
    "dead": (_Dead, "E6"),
    "locked": (_Locked, "E3"),
}
_VERBS: Final[dict[str, tuple[Concern, Any]]] = {
    "store": (storing, cancelled_store),
    "retrieve": (retrieving, cancelled_retrieve),
    "search": (searching, cancelled_search),
}


def _of(verb: str) -> tuple[Fault, ...]:
    concern, probe = _VERBS[verb]
    named = partial(fault, case=f"cancel.{verb}", probe=probe)
    return (
        *(
            named(
                f"cancel.{verb}-{end}",
                partial(_Translated, concern=concern, ending=ending),
                names="E6",
                story=f"A cancelled {verb} {does}.",
            )
            for end, (ending, does) in _ENDINGS.items()
        ),
        *(
            named(
                f"cancel.{verb}-{left}",
                partial(make, concern=concern),
                names=names,
                story=f"{make.__doc__} It is a {verb} that was cancelled.",
            )
            for left, (make, names) in _LEFT.items()
        ),
    )


FAULTS: Final = tuple(each for verb in _VERBS for each in _of(verb))

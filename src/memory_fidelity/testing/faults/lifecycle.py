"""Faults in closing, and in what is left of this store and of others (L4)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final
from uuid import UUID

from memory_fidelity.errors import MemoryAdapterError, MemoryAdapterUnavailable
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, Shared, fault
from memory_fidelity.testing.faults.instead import (
    Called,
    Concern,
    Ending,
    forged,
    hanging,
    native,
    nothing,
    retrieving,
    searching,
    storing,
)
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "closings"]


async def closings(bench: Bench) -> None:
    """Close a store twice, and one that was never used; call it, and others."""
    known, other, unused = bench.item(1, tags=["t"]), await bench.new_store(), bench.new_store()
    await bench.stored([known])
    await bench.saw("other retrieves", other.retrieve(known.id))
    await bench.saw("close an unused one", (await unused).close())
    await bench.saw("close", bench.store.close())
    await bench.saw("close again", bench.store.close())
    new = await bench.new_store()
    for number, store in enumerate((bench.store, other, new), start=2):
        await bench.saw(f"{number} retrieves", store.retrieve(known.id))
        await bench.saw(f"{number} searches", store.search(MemoryQuery(tags=["t"])))
        await bench.saw(f"{number} stores", store.store(bench.item(number)))
        await bench.saw(f"{number} is read", new.retrieve(bench.item(number).id))


class _Closing(FaultyStore):
    """Knows whether it was used and closed."""

    used = False
    closed = False

    async def close(self) -> None:
        """Close, with what goes wrong in it."""
        await self.wrong()
        self.closed = True
        await super().close()

    async def wrong(self) -> None:
        """What goes wrong in closing."""

    async def store(self, item: MemoryItem) -> Any:
        """Store, and know of it."""
        return await self.made(Called("store", item), self.inner.store)

    async def retrieve(self, item_id: UUID) -> Any:
        """Retrieve, and know of it."""
        return await self.made(Called("retrieve", item_id), self.inner.retrieve)

    async def search(self, query: MemoryQuery) -> Any:
        """Search, and know of it."""
        return await self.made(Called("search", query), self.inner.search)

    async def made(self, call: Called, ask: Callable[[Any], Awaitable[Any]]) -> Any:
        """Make the call."""
        self.used = True
        return await ask(call.argument)


class _TwiceNative(_Closing):
    """Closing a second time raises the client's own error."""

    async def wrong(self) -> None:
        if self.closed:
            raise RuntimeError("client has been closed")


class _TwiceTyped(_Closing):
    """Closing a second time raises a typed error."""

    async def wrong(self) -> None:
        if self.closed:
            raise MemoryAdapterError("the store is closed")


class _TwiceHangs(_Closing):
    """Closing a second time waits for a worker that has ended."""

    async def wrong(self) -> None:
        if self.closed:
            await asyncio.Event().wait()


class _UnusedNative(_Closing):
    """Closing a store that never connected raises the client's own error."""

    async def wrong(self) -> None:
        if not self.used:
            raise AttributeError("'NoneType' object has no attribute 'close'")


class _UsedAfter(_Closing):
    """Ends a call of a closed store in something else."""

    def __init__(self, inner: Any, shared: Shared, *, concern: Concern, ending: Ending) -> None:
        super().__init__(inner, shared)
        self._concern = concern
        self._ending = ending

    async def made(self, call: Called, ask: Callable[[Any], Awaitable[Any]]) -> Any:
        if self.closed and self._concern(call):
            return await self._ending(call)
        return await super().made(call, ask)


class _SharedClient(_Closing):
    """Closing a store closes the client that it shares with all others."""

    async def wrong(self) -> None:
        self.shared.memory["closed"] = True

    async def made(self, call: Called, ask: Callable[[Any], Awaitable[Any]]) -> Any:
        if "closed" in self.shared.memory and not self.closed:
            self.used = True
            return await self.after(call)
        return await super().made(call, ask)

    async def after(self, _call: Called) -> Any:
        """What a call of another store ends in."""
        raise MemoryAdapterUnavailable("client has been closed") from OSError("closed")


class _SharedPool(_SharedClient):
    """Closing a store ends the pool, and calls of all others wait for a connection."""

    async def after(self, call: Called) -> Any:
        return await hanging(call)


class _SharedEmpty(_SharedClient):
    """Closing a store empties the cache that all others answer from."""

    async def after(self, call: Called) -> Any:
        return call.argument.id if call.verb == "store" else await nothing(call)


class _OthersInUse(_SharedClient):
    """Closing a store closes the connections of all that were in use, and of no new one."""

    connected = False

    async def made(self, call: Called, ask: Callable[[Any], Awaitable[Any]]) -> Any:
        if not self.used:
            self.connected = "closed" not in self.shared.memory
        return await super().made(call, ask)

    async def after(self, call: Called) -> Any:
        if self.connected:
            return await super().after(call)
        return await getattr(self.inner, call.verb)(call.argument)


class _Cleared(_Closing):
    """Closing a store removes what was written through it."""

    async def wrong(self) -> None:
        self.shared.memory.setdefault("gone", set()).update(self.shared.memory.get("written", ()))

    async def made(self, call: Called, ask: Callable[[Any], Awaitable[Any]]) -> Any:
        got = await super().made(call, ask)
        gone = self.shared.memory.get("gone", set())
        if call.verb == "store":
            self.shared.memory.setdefault("written", set()).add(got)
        if call.verb == "search":
            return [hit for hit in got if hit.id not in gone]
        return None if call.verb == "retrieve" and call.argument in gone else got


_ENDINGS: Final[dict[str, tuple[Ending, str, str]]] = {
    "nothing": (nothing, "gives nothing", "L4"),
    "forged": (forged, "gives what the service never answered", "L4"),
    "native": (native, "raises the client's own error", "E2"),
    "hanging": (hanging, "never ends", "E3"),
}
_VERBS: Final[dict[str, Concern]] = {
    "retrieve": retrieving,
    "search": searching,
    "store": storing,
}


def _after(verb: str, end: str) -> Fault:
    ending, does, names = _ENDINGS[end]
    make = partial(_UsedAfter, concern=_VERBS[verb], ending=ending)
    return fault(
        f"closed.{verb}-{end}", make, case="close.use", names=names, probe=closings,
        story=f"After close {verb} {does}.",
    )  # fmt: skip


def _closed(name: str, make: Any, case: str, names: str = "L4") -> Fault:
    return fault(f"close.{name}", make, case=case, names=names, probe=closings)


FAULTS: Final = (
    _closed("twice-native", _TwiceNative, "close.twice"),
    _closed("twice-typed", _TwiceTyped, "close.twice"),
    _closed("twice-hangs", _TwiceHangs, "close.twice", "E3"),
    _closed("unused-native", _UnusedNative, "close.twice"),
    *(_after(verb, end) for verb in _VERBS for end in _ENDINGS),
    _closed("shared-client", _SharedClient, "close.others"),
    _closed("shared-pool", _SharedPool, "close.others", "E3"),
    _closed("shared-empty", _SharedEmpty, "close.others"),
    _closed("others-in-use", _OthersInUse, "close.others"),
    _closed("cleared", _Cleared, "close.others"),
)

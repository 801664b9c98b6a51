"""Faults in outages: before the first call, in use, and midway (C15, E2, E3, E5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final
from uuid import UUID

from memory_fidelity.errors import MemoryAdapterUnavailable
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, Shared, fault
from memory_fidelity.testing.faults.instead import (
    Concern,
    Ending,
    Instead,
    forged,
    hanging,
    listing,
    native,
    nothing,
    plain,
    retrieving,
    searching,
    searching_by_tag,
    storing,
    unchained,
)
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "broken", "first_calls", "in_use"]

_VERBS: Final[dict[str, tuple[Concern, str]]] = {
    "retrieve": (retrieving, "retrieve"),
    "search": (searching, "search"),
    "store": (storing, "store"),
}
_SEARCHES: Final[dict[str, tuple[Concern, str]]] = {
    "search-by-tag": (searching_by_tag, "a search by tag"),
    "listing": (listing, "a search without a predicate"),
}
_ENDINGS: Final[dict[str, tuple[Ending, str, str]]] = {
    "nothing": (nothing, "gives nothing", "C15"),
    "forged": (forged, "gives what the service never answered", "C15"),
    "native": (native, "raises the client's own error", "E2"),
    "plain": (plain, "raises an error that does not say unavailable", "E2"),
    "unchained": (unchained, "raises the right error without its cause", "E2"),
    "hanging": (hanging, "never ends", "E3"),
}


async def in_use(bench: Bench) -> None:
    """Call a store that was in use when the service went away."""
    await bench.stored([bench.item(1, tags=["t"])])
    await bench.harness.make_transport_unavailable()
    await _every_call(bench, bench.store)
    await bench.saw("retrieve what was refused", bench.store.retrieve(bench.item(2).id))


async def first_calls(bench: Bench) -> None:
    """Call stores that were never used before the service went away."""
    stores = [await bench.new_store() for _ in range(5)]
    await bench.harness.make_transport_unavailable()
    for store in stores:
        await _every_call(bench, store)
    await bench.saw("listing first", stores[0].search(MemoryQuery()))


async def broken(bench: Bench) -> None:
    """Break each sort of call midway, and make one more."""
    known = bench.item(1, tags=["t"])
    await bench.stored([known])
    calls: dict[str, Callable[[], Any]] = {
        "store": lambda: bench.store.store(bench.item(2)),
        "retrieve": lambda: bench.store.retrieve(known.id),
        "search": lambda: bench.store.search(MemoryQuery(tags=["t"])),
    }
    for verb, call in calls.items():
        await bench.harness.break_next_call()
        await bench.saw(f"broken {verb}", call())
        await bench.saw("then", bench.store.retrieve(known.id))


async def _every_call(bench: Bench, store: Any) -> None:
    known = bench.item(1)
    await bench.saw("retrieve", store.retrieve(known.id))
    await bench.saw("search", store.search(MemoryQuery(text="probe")))
    await bench.saw("search by tag", store.search(MemoryQuery(tags=["t"])))
    await bench.saw("listing", store.search(MemoryQuery()))
    await bench.saw("store", store.store(bench.item(2)))


class _Unused(Instead):
    """Goes wrong until a first call was answered."""

    used = False

    def applies(self, error: BaseException) -> bool:
        return super().applies(error) and not self.used

    def answered(self) -> None:
        self.used = True


class _Lost(Instead):
    """Goes wrong in the call in which an open connection is lost."""

    connected = False

    def applies(self, error: BaseException) -> bool:
        if not super().applies(error):
            return False
        connected, self.connected = self.connected, False
        return connected

    def answered(self) -> None:
        self.connected = True


class _KeptDead(FaultyStore):
    """The connection that was lost is kept, and every later call fails."""

    dead = False

    async def store(self, item: MemoryItem) -> Any:
        """Store, unless the connection was lost."""
        return await self._alive(self.inner.store, item)

    async def retrieve(self, item_id: UUID) -> Any:
        """Retrieve, unless the connection was lost."""
        return await self._alive(self.inner.retrieve, item_id)

    async def search(self, query: MemoryQuery) -> Any:
        """Search, unless the connection was lost."""
        return await self._alive(self.inner.search, query)

    async def _alive(self, ask: Any, argument: Any) -> Any:
        if self.dead:
            raise MemoryAdapterUnavailable("connection is closed") from OSError("closed")
        try:
            return await ask(argument)
        except MemoryAdapterUnavailable:
            self.dead = True
            raise


class _Memory(FaultyStore):
    """In an outage items are kept in the process, and found there."""

    def __init__(self, inner: Any, shared: Shared) -> None:
        super().__init__(inner, shared)
        self._kept: dict[UUID, MemoryItem] = {}

    async def store(self, item: MemoryItem) -> Any:
        """Keep what the service does not take."""
        try:
            return await self.inner.store(item)
        except MemoryAdapterUnavailable:
            self._kept[item.id] = item
            return item.id

    async def retrieve(self, item_id: UUID) -> Any:
        """Read what was kept."""
        try:
            return await self.inner.retrieve(item_id)
        except MemoryAdapterUnavailable:
            if item_id not in self._kept:
                raise
            return self._kept[item_id]

    async def search(self, query: MemoryQuery) -> Any:
        """Search what was kept."""
        try:
            return await self.inner.search(query)
        except MemoryAdapterUnavailable:
            tags = {*(query.tags or ())}
            if not (hits := [each for each in self._kept.values() if tags & {*each.tags}]):
                raise
            return hits


class _Queue(_Memory):
    """In an outage a write is put into a queue, and acknowledged."""

    async def retrieve(self, item_id: UUID) -> Any:
        """Ask the service alone."""
        return await self.inner.retrieve(item_id)

    async def search(self, query: MemoryQuery) -> Any:
        """Ask the service alone."""
        return await self.inner.search(query)


class _Journalled(_Memory):
    """A write that failed is kept, and read in place of an answer of the service."""

    async def store(self, item: MemoryItem) -> Any:
        """Keep it, and say that it failed."""
        try:
            return await self.inner.store(item)
        except MemoryAdapterUnavailable:
            self._kept[item.id] = item
            raise


class _LastWritten(_Memory):
    """In an outage the items that this store wrote before are read from its own copy."""

    async def store(self, item: MemoryItem) -> Any:
        """Keep a copy of what the service took."""
        stored = await self.inner.store(item)
        self._kept[item.id] = item
        return stored

    async def search(self, query: MemoryQuery) -> Any:
        """Ask the service alone."""
        return await self.inner.search(query)


def _ending(family: str, verb: str, end: str) -> Fault:
    make, case, probe, when = _FAMILIES[family]
    concern, called = (_VERBS | _SEARCHES)[verb]
    ending, does, names = _ENDINGS[end]
    return fault(
        f"{family}.{verb}-{end}",
        partial(make, concern=concern, ending=ending),
        case=case,
        names=names,
        probe=probe,
        story=f"{when} {called} {does}.",
    )


_FAMILIES: Final = {
    "outage": (Instead, "outage.connected", in_use, "In an outage"),
    "connecting": (_Unused, "outage.connecting", first_calls, "Before it was ever connected"),
    "midway": (_Lost, "outage.midway", broken, "When the connection is lost"),
}


def _endings() -> Iterator[Fault]:
    for verb in _VERBS:
        for end in _ENDINGS:
            yield from (_ending(family, verb, end) for family in _FAMILIES)
    for verb in _SEARCHES:
        yield from (_ending("outage", verb, end) for end in ("nothing", "native"))
        yield _ending("connecting", verb, "nothing")


def _fallback(name: str, make: Any, case: str = "outage.fallback", names: str = "E5") -> Fault:
    return fault(f"fallback.{name}", make, case=case, names=names, probe=in_use)


FAULTS: Final = (
    *_endings(),
    _fallback("memory", _Memory),
    _fallback("queue", _Queue),
    _fallback("journal", _Journalled),
    _fallback("last-written", _LastWritten, "outage.connected", "C15"),
    fault("midway.kept-dead", _KeptDead, case="outage.midway", names="E3", probe=broken),
)

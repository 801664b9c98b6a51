"""Faults in what is made of a reply: refused, unidentified, malformed (C16, E4, W4, W5)."""

from __future__ import annotations

from functools import partial
from typing import Any, Final
from uuid import UUID

from memory_fidelity.errors import (
    MemoryAdapterError,
    MemoryAdapterUnavailable,
    UnsupportedMemoryItem,
    UnsupportedMemoryQuery,
)
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, fault
from memory_fidelity.testing.faults.instead import (
    Called,
    Concern,
    Ending,
    Instead,
    forged,
    hanging,
    native,
    nothing,
    retrieving,
    searching,
    storing,
    unchained,
)
from memory_fidelity.testing.faults.probe import Bench, identity

__all__ = ["FAULTS", "refused", "rewritten", "unidentified", "unreadable"]

_REFUSALS: Final = (MemoryAdapterUnavailable, UnsupportedMemoryItem, UnsupportedMemoryQuery)


async def refused(bench: Bench) -> None:
    """Write an item that the service refuses."""
    await bench.harness.reject_next_write()
    await bench.saw("store", bench.store.store(bench.item(1)))
    await bench.saw("retrieve", bench.store.retrieve(bench.item(1).id))


async def unidentified(bench: Bench) -> None:
    """Write an item, and get no identity for it."""
    await bench.harness.withhold_next_identity()
    await bench.saw("store", bench.store.store(bench.item(1)))


async def unreadable(bench: Bench) -> None:
    """Read and search where the reply is no record."""
    item = bench.item(1, tags=["t"])
    await bench.stored([item])
    await bench.harness.corrupt_next_response()
    await bench.saw("retrieve", bench.store.retrieve(item.id))
    await bench.harness.corrupt_next_response()
    await bench.saw("search", bench.store.search(MemoryQuery(tags=["t"])))


async def rewritten(bench: Bench) -> None:
    """Write an item again after its first write was broken, and find all records."""
    item = bench.item(1, tags=["t"])
    await bench.harness.break_next_call()
    await bench.saw("store", bench.store.store(item))
    await bench.stored([item])
    hits = await bench.saw("search", bench.store.search(MemoryQuery(tags=["t"])))
    bench.note("records", len(hits))


class _Unread(Instead):
    """Does not look into a reply that says that something is wrong."""

    caught = MemoryAdapterError

    def applies(self, error: BaseException) -> bool:
        return super().applies(error) and not isinstance(error, _REFUSALS)


class _Unidentified(_Unread):
    """Does not see that a reply holds no identity."""

    def applies(self, error: BaseException) -> bool:
        # An identity that is missing is found by the adapter itself, not by its client.
        own = error.__cause__ is None or isinstance(error.__cause__, ValueError)
        return super().applies(error) and own


class _Cached(_Unread):
    """What this store wrote is given where the reply cannot be read."""

    def __init__(self, *arguments: Any, **chosen: Any) -> None:
        super().__init__(*arguments, **chosen, ending=self._remembered)
        self._kept: dict[UUID, MemoryItem] = {}

    async def store(self, item: MemoryItem) -> Any:
        """Keep a copy of what the service took."""
        stored = await super().store(item)
        self._kept[item.id] = item
        return stored

    async def _remembered(self, call: Called) -> Any:
        return self._kept.get(call.argument)


class _RetriedUnderNewId(FaultyStore):
    """A write that was broken is tried again under an id of its own."""

    async def store(self, item: MemoryItem) -> Any:
        """Store, and once more."""
        try:
            return await self.inner.store(item)
        except MemoryAdapterUnavailable as error:
            return await self.again(item, error)

    async def again(self, item: MemoryItem, _error: MemoryAdapterUnavailable) -> Any:
        """Store under another id, and acknowledge the first."""
        other = identity(item.id.int % 1_000 + 5_000)
        await self.inner.store(item.model_copy(update={"id": other}))
        return item.id


class _RetriedBehind(_RetriedUnderNewId):
    """A write that was broken raises, and is written all the same under an id of its own."""

    async def again(self, item: MemoryItem, error: MemoryAdapterUnavailable) -> Any:
        """Store under another id, and raise what happened first."""
        await super().again(item, error)
        raise error


async def _other_id(_call: Called) -> Any:
    return identity(9_999)


async def _unsupported(call: Called) -> Any:
    raise UnsupportedMemoryItem("content", "the service refused it") from call.error


async def _empty_item(call: Called) -> Any:
    item = MemoryItem(
        id=call.argument if call.verb == "retrieve" else identity(9_998), content="", created_at=0.0
    )
    return item if call.verb == "retrieve" else [item]


async def _unparsed(call: Called) -> Any:
    raise ValueError("Expecting ',' delimiter: line 1 column 9") from call.error


def _refused(name: str, ending: Ending, story: str, names: str = "C16") -> Fault:
    make = partial(_Unread, concern=storing, ending=ending)
    return fault(
        f"refused.{name}", make, case="write.rejected", names=names, probe=refused,
        story=f"A write that the service refused {story}.",
    )  # fmt: skip


def _nameless(name: str, ending: Ending, story: str, names: str = "C16") -> Fault:
    make = partial(_Unidentified, concern=storing, ending=ending)
    return fault(
        f"unidentified.{name}", make, case="write.identity", names=names, probe=unidentified,
        story=f"A write whose reply holds no identity {story}.",
    )  # fmt: skip


def _malformed(
    name: str, ending: Ending, story: str, concern: Concern = retrieving, names: str = "E4"
) -> Fault:
    make = partial(_Unread, concern=concern, ending=ending)
    return fault(
        f"malformed.{name}", make, case="payload.malformed", names=names, probe=unreadable,
        story=f"A reply that cannot be read {story}.",
    )  # fmt: skip


FAULTS: Final = (
    _refused("acknowledged", forged, "is acknowledged"),
    _refused("other-id", _other_id, "is acknowledged under some id"),
    _refused("none", nothing, "gives `None`"),
    _refused("native", native, "raises the client's own error"),
    _refused("unsupported", _unsupported, "is said to be one that was never sent"),
    _refused("unchained", unchained, "raises an error without a cause", "E2"),
    _refused("hanging", hanging, "is waited for without end", "E3"),
    _nameless("acknowledged", forged, "is acknowledged"),
    _nameless("other-id", _other_id, "is acknowledged under an id made up"),
    _nameless("none", nothing, "gives `None`"),
    _nameless("native", native, "raises the client's own error"),
    _nameless("hanging", hanging, "is waited for without end", "E3"),
    _malformed("retrieve-skipped", nothing, "is taken for no item"),
    _malformed("retrieve-coerced", _empty_item, "becomes an empty item"),
    _malformed("retrieve-native", _unparsed, "raises the parser's own error in retrieval"),
    _malformed("retrieve-unchained", unchained, "raises without its cause in retrieval"),
    _malformed("retrieve-hanging", hanging, "is waited for without end", names="E3"),
    _malformed("search-skipped", nothing, "is left out of the hits", searching),
    _malformed("search-coerced", _empty_item, "becomes an empty hit", searching),
    _malformed("search-native", _unparsed, "raises the parser's own error in a search", searching),
    _malformed("search-unchained", unchained, "raises without its cause in a search", searching),
    fault(
        "malformed.cached", partial(_Cached, concern=retrieving), case="payload.malformed",
        names="E4", probe=unreadable, story=str(_Cached.__doc__),
    ),
    fault(
        "retry.new-id", _RetriedUnderNewId, case="write.once", names="W5", probe=rewritten
    ),
    fault("retry.behind", _RetriedBehind, case="write.once", names="W5", probe=rewritten),
)  # fmt: skip

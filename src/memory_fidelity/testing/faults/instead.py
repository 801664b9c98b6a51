"""What broken adapters do in place of an error that they should let out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple
from uuid import UUID

from memory_fidelity.errors import MemoryAdapterError, MemoryAdapterUnavailable
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.fault import FaultyStore, Shared

__all__ = [
    "Called",
    "Concern",
    "Ending",
    "Instead",
    "every_call",
    "forged",
    "hanging",
    "listing",
    "native",
    "nothing",
    "plain",
    "retrieving",
    "searching",
    "searching_by_tag",
    "storing",
    "unchained",
]

_FORGED: Final = UUID("7d1f0c5e-3b1d-4e61-9a0e-5f3c2b7a9d10")
"""An id as a broken adapter makes one up, the same in every run of a probe."""


class Called(NamedTuple):
    """A call that ended in an error: its verb, what it was given, and the error."""

    verb: str
    argument: Any
    error: BaseException | None = None


Concern = Callable[[Called], bool]
"""Whether a fault concerns a call."""

Ending = Callable[[Called], Awaitable[Any]]
"""What a call ends in, in place of its error."""


async def nothing(call: Called) -> Any:
    """`None`, or no hits."""
    return [] if call.verb == "search" else None


async def forged(call: Called) -> Any:
    """An answer that the service never gave."""
    if call.verb == "store":
        return call.argument.id
    item = MemoryItem(id=_FORGED, content="", created_at=0.0)
    return item if call.verb == "retrieve" else [item]


async def native(call: Called) -> Any:
    """The client's own error."""
    raise ConnectionError(f"{call.verb}: connection reset by peer") from call.error


async def plain(call: Called) -> Any:
    """A typed error that does not say that the service is unavailable."""
    raise MemoryAdapterError(f"{call.verb} failed") from call.error


async def unchained(call: Called) -> Any:
    """The right error without what caused it."""
    right = call.error if isinstance(call.error, MemoryAdapterError) else None
    raise type(right or MemoryAdapterUnavailable("-"))(f"{call.verb} failed") from None


async def hanging(_call: Called) -> Any:
    """No end."""
    await asyncio.Event().wait()


def every_call(_call: Called) -> bool:
    """Concern every call."""
    return True


def storing(call: Called) -> bool:
    """Concern writes."""
    return call.verb == "store"


def retrieving(call: Called) -> bool:
    """Concern retrieval."""
    return call.verb == "retrieve"


def searching(call: Called) -> bool:
    """Concern searches."""
    return call.verb == "search"


def searching_by_tag(call: Called) -> bool:
    """Concern searches with tags."""
    return searching(call) and bool(call.argument.tags)


def listing(call: Called) -> bool:
    """Concern searches without any predicate."""
    return searching(call) and not _predicates(call.argument)


class Instead(FaultyStore):
    """Ends calls that raised a certain error in another way."""

    caught: type[BaseException] = MemoryAdapterUnavailable

    def __init__(self, inner: Any, shared: Shared, *, concern: Concern, ending: Ending) -> None:
        """Take which calls are concerned, and what they end in."""
        super().__init__(inner, shared)
        self._concern = concern
        self._ending = ending

    async def store(self, item: MemoryItem) -> Any:
        """Store, or end otherwise."""
        return await self._made("store", self.inner.store, item)

    async def retrieve(self, item_id: UUID) -> Any:
        """Retrieve, or end otherwise."""
        return await self._made("retrieve", self.inner.retrieve, item_id)

    async def search(self, query: MemoryQuery) -> Any:
        """Search, or end otherwise."""
        return await self._made("search", self.inner.search, query)

    def applies(self, error: BaseException) -> bool:
        """Whether this error is one that goes wrong."""
        return isinstance(error, self.caught)

    def answered(self) -> None:
        """Take notice of a call that was answered."""

    async def _made(self, verb: str, ask: Callable[[Any], Awaitable[Any]], argument: Any) -> Any:
        try:
            got = await ask(argument)
        except BaseException as error:
            call = Called(verb, argument, error)
            if not (self.applies(error) and self._concern(call)):
                raise
        else:
            self.answered()
            return got
        return await self._ending(call)


def _predicates(query: MemoryQuery) -> bool:
    return bool(query.text or query.tags or query.filters)

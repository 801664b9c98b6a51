"""What an adapter author gives the suite: a harness, and controls for the fake lane.

The harness has exactly the five methods of the contract. Forcing a failure is
the business of a harness over a fake transport, so each control is a protocol
of one purpose, implemented by the same object where it can be. A control that
is missing on the fake lane leaves its cases *not run* and the verdict
*incomplete*.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable
from uuid import UUID

from memory_fidelity.store import ExternalMemoryStore

__all__ = [
    "BreaksCalls",
    "Call",
    "CorruptsResponses",
    "DelaysIndex",
    "HangsCalls",
    "HangsReads",
    "HarnessFactory",
    "Journal",
    "MemoryAdapterHarness",
    "NamesService",
    "OpensScopes",
    "PlantsForeignRecord",
    "RejectsWrites",
    "ServiceMissing",
    "WithholdsIdentity",
]


class ServiceMissing(Exception):
    """The service of a harness cannot be had on this machine; the text says why.

    A harness raises it while it is made, or from `make_store`. Its cases are
    then *not run*, for that reason, and the verdict is *incomplete*: an engine
    that is not there proves nothing, and is nobody's fault.
    """


@runtime_checkable
class MemoryAdapterHarness(Protocol):
    """A disposable service for one case: made fresh, used once, closed."""

    async def make_store(self) -> ExternalMemoryStore:
        """Return a new adapter over the harness's service, through its public constructor."""
        ...

    async def reset(self) -> None:
        """Forget every record; stores already made see an empty service."""
        ...

    async def make_search_index_visible(self) -> None:
        """Return once everything that was acknowledged can be found by search."""
        ...

    async def make_transport_unavailable(self) -> None:
        """From now on the service cannot be reached, by connected stores or by new ones."""
        ...

    async def close(self) -> None:
        """Release everything that the harness and its stores hold."""
        ...


HarnessFactory = Callable[[], MemoryAdapterHarness]
"""Makes a harness; called once per case, so it opens nothing itself."""


@runtime_checkable
class NamesService(Protocol):
    """Tells what a lane ran on; evidence for one version is none for another."""

    @property
    def service(self) -> Mapping[str, str]:
        """Versions of the service and of its client, by name."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    """One request that reached the transport, as it was sent."""

    operation: str
    """What was asked of the service: a verb, or a statement's first word."""
    text: str
    """The request as text, with the values that it carried."""


@runtime_checkable
class Journal(Protocol):
    """Shows what reached the transport."""

    def calls(self) -> tuple[Call, ...]:
        """Every request so far, oldest first; a request that failed is one, too."""
        ...


@runtime_checkable
class PlantsForeignRecord(Protocol):
    """Puts a record of another kind where the adapter could take it for its own."""

    async def plant_foreign_record(self) -> UUID:
        """Write a native record that is no memory item, and return its identity."""
        ...

    async def holds(self, identity: UUID) -> bool:
        """Whether the service itself holds a record of this identity, of any kind."""
        ...


@runtime_checkable
class OpensScopes(Protocol):
    """Makes stores whose items are kept apart from those of the other stores."""

    async def open_scope(self, name: str) -> ExternalMemoryStore:
        """Return a new adapter over the same service, in a scope of exactly this name.

        That is another namespace, collection or file than the one of
        `make_store`. A name is made of `a` to `z`, digits, `-` and `_`.
        """
        ...


@runtime_checkable
class RejectsWrites(Protocol):
    """Makes the service refuse a write."""

    async def reject_next_write(self) -> None:
        """The next write reaches the service and is refused by it."""
        ...


@runtime_checkable
class WithholdsIdentity(Protocol):
    """Makes the service acknowledge a write without saying which record it wrote."""

    async def withhold_next_identity(self) -> None:
        """The next write is answered with success and no usable identity."""
        ...


@runtime_checkable
class CorruptsResponses(Protocol):
    """Makes the service answer with a payload that is not a record."""

    async def corrupt_next_response(self) -> None:
        """The next read or search is answered with a malformed payload."""
        ...


@runtime_checkable
class BreaksCalls(Protocol):
    """Breaks the connection while a call is under way."""

    async def break_next_call(self) -> None:
        """The next call reaches the service, and the connection is lost before the reply."""
        ...


@runtime_checkable
class HangsCalls(Protocol):
    """Leaves a write unanswered, so that it can be cancelled."""

    async def hang_next_write(self) -> None:
        """The next write reaches the service, which does not answer it for now."""
        ...

    async def resume(self) -> None:
        """The service answers again."""
        ...


@runtime_checkable
class HangsReads(Protocol):
    """Leaves a read unanswered, so that it can be cancelled."""

    async def hang_next_read(self) -> None:
        """The next retrieve or search reaches the service, which does not answer it for now."""
        ...

    async def resume(self) -> None:
        """The service answers again; the same as for a write that hangs."""
        ...


@runtime_checkable
class DelaysIndex(Protocol):
    """Holds the search index back, for stores that declare `eventual`."""

    async def delay_index(self) -> None:
        """New writes stay out of search until the harness makes the index visible.

        Where the index cannot be delayed, there is nothing to do: a manifest
        that says `eventual` is found out by that.
        """
        ...

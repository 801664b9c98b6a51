"""One deliberate fault: a store in which one thing is wrong, and the case that must find it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Any
from uuid import UUID

from memory_fidelity.card import AdapterCard
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.probe import Probe

__all__ = ["Fault", "FaultyStore", "Shared", "Unless", "always", "any_of", "fault"]

Unless = Callable[[MemoryAdapterManifest, AdapterCard], str | None]
"""The reason, derived from what an adapter declares, why a fault cannot be put into it."""


@dataclass(slots=True)
class Shared:
    """What the faulty stores of one harness have in common."""

    harness: Any
    memory: dict[Any, Any] = field(default_factory=dict)
    """What the fault remembers, as a broken adapter would in a client that its stores share."""
    scopes: dict[str, Any] = field(default_factory=dict)
    """The last honest store that was made in each scope, by name; `make_store` has an empty one."""


class FaultyStore:
    """A store that does what another one does; a fault replaces one part of it."""

    def __init__(self, inner: Any, shared: Shared) -> None:
        """Take the store that does the work."""
        self.inner = inner
        self.shared = shared

    @property
    def manifest(self) -> Any:
        """What the inner store claims."""
        return self.inner.manifest

    @property
    def card(self) -> Any:
        """What the inner store states beside it."""
        return self.inner.card

    async def store(self, item: MemoryItem) -> Any:
        """Store into the inner store."""
        return await self.inner.store(item)

    async def retrieve(self, item_id: UUID) -> Any:
        """Retrieve from the inner store."""
        return await self.inner.retrieve(item_id)

    async def search(self, query: MemoryQuery) -> Any:
        """Search the inner store."""
        return await self.inner.search(query)

    async def close(self) -> None:
        """Close the inner store, if it can be closed."""
        if (close := getattr(self.inner, "close", None)) is not None:
            await close()


@dataclass(frozen=True, slots=True)
class Fault:
    """One behaviour wrong, and everything else as the adapter does it."""

    name: str
    """Stable, public, `family.fault`, such as `limit.zero-is-all`."""
    story: str
    """What such an adapter does, in one sentence."""
    case: str
    """The id of the case that must find it."""
    names: tuple[str, ...]
    """What that case must call false: clauses, or `manifest.<field>`; one of them."""
    make: Callable[[Any, Shared], Any]
    """Puts the fault around one store."""
    probe: Probe
    """Calls that give something else with the fault than without it."""
    unless: Unless
    """Says why there is nothing to spoil in an adapter."""

    @property
    def family(self) -> str:
        """What kind of behaviour is wrong."""
        return self.name.partition(".")[0]

    def over(self, harness: Any) -> Callable[[Any, str], Any]:
        """Return what puts the fault around each store of one harness, told its scope."""
        shared = Shared(harness)

        def put(store: Any, scope: str) -> Any:
            shared.scopes[scope] = store
            return self.make(store, shared)

        return put


def always(_manifest: MemoryAdapterManifest, _card: AdapterCard) -> None:
    """Say that the fault can be put into any adapter."""
    return


def any_of(*reasons: Unless) -> Unless:
    """Return the first reason that holds."""

    def first(manifest: MemoryAdapterManifest, card: AdapterCard) -> str | None:
        return next(filter(None, (reason(manifest, card) for reason in reasons)), None)

    return first


def fault(
    name: str,
    make: Callable[[Any, Shared], Any],
    *,
    case: str,
    names: str | tuple[str, ...],
    probe: Probe,
    unless: Unless = always,
    story: str | None = None,
) -> Fault:
    """Return a fault; the first line of the docstring of `make` tells the story, unless given."""
    return Fault(
        name=name,
        story=story or cleandoc(make.__doc__ or "").partition("\n")[0],
        case=case,
        names=(names,) if isinstance(names, str) else names,
        make=make,
        probe=probe,
        unless=unless,
    )

"""A harness for a store that has none: whatever it writes to is its own affair."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import Any

from memory_fidelity.store import MemoryStore
from memory_fidelity.testing.harness import HarnessFactory, MemoryAdapterHarness

__all__ = ["BareStore", "harnessed"]


class BareStore:
    """The five methods around one store, which is all that there is of its service."""

    def __init__(self, store: Any) -> None:
        """Take the store."""
        self._store = store

    async def make_store(self) -> Any:
        """Return the store; another one might be over another service."""
        return self._store

    async def reset(self) -> None:
        """Do nothing: a bare store offers no way to forget."""

    async def make_search_index_visible(self) -> None:
        """Do nothing: a bare store does not tell when its index has caught up."""

    async def make_transport_unavailable(self) -> None:
        """Do nothing: a bare store shows no transport."""

    async def close(self) -> None:
        """Close the store, if it can be closed."""
        close: Callable[[], Awaitable[None]] | None = getattr(self._store, "close", None)
        if close is not None and isawaitable(closing := close()):
            await closing


def harnessed(factory: Callable[[], Any]) -> HarnessFactory:
    """Return a factory of harnesses: as it is, or around the memory stores that it makes.

    What it makes is looked at when it is made; anything else is left to whoever
    asks for a harness to refuse.
    """

    def made() -> Any:
        one = factory()
        if not isinstance(one, MemoryAdapterHarness) and isinstance(one, MemoryStore):
            return BareStore(one)
        return one

    made.__module__, made.__qualname__ = factory.__module__, factory.__qualname__
    return made

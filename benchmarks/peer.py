"""What every measured store is called through, and what its answers say."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Protocol
from uuid import UUID

from memory_fidelity import MemoryItem

__all__ = ["READS", "Facts", "Opener", "Operation", "Peer"]

Operation = Literal[
    "bulk load",
    "store",
    "retrieve",
    "first page",
    "text",
    "text, no hit",
    "tags",
    "filter",
    "filter, no hit",
]
"""What is timed."""

READS: Final = frozenset({"retrieve", "page", "text", "tags", "filter"})
"""The kinds of read that a store may offer."""


class Facts(NamedTuple):
    """What an answer says about one item, in the same types for every store."""

    id: UUID
    content: str
    tags: list[str]
    metadata: dict[str, Any]


class Peer(Protocol):
    """A store under measurement: an opened one, with nothing between it and the caller.

    The answers are in the store's own types, for rebuilding them would be
    timed as the store's own work; `facts` reads them afterwards.
    """

    reads: frozenset[str]
    """The kinds of read that the store itself offers; the others are not called."""

    async def store_many(self, items: Sequence[MemoryItem]) -> object:
        """Write the items in the fastest way that the store has for many."""
        ...

    async def store(self, item: MemoryItem) -> object:
        """Write one item."""
        ...

    async def retrieve(self, item_id: UUID) -> Any:
        """Read one item by identity; `None` if there is none."""
        ...

    async def page(self, limit: int) -> Sequence[Any]:
        """Read the newest items, whatever they hold."""
        ...

    async def text(self, needle: str, limit: int) -> Sequence[Any]:
        """Read items whose content holds a text, whatever its case."""
        ...

    async def tags(self, tag: str, limit: int) -> Sequence[Any]:
        """Read items with a tag."""
        ...

    async def filter(self, key: str, value: str, limit: int) -> Sequence[Any]:
        """Read items with a value at the top of their metadata."""
        ...

    def facts(self, answer: Any) -> Facts:
        """Say what one answer holds."""
        ...

    async def close(self) -> None:
        """Release everything."""
        ...


Opener = Callable[[Path], Awaitable[Peer]]
"""Opens a store whose files are in a directory of its own."""

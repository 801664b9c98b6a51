"""Stores that search for something else than they were asked for."""

from __future__ import annotations

from typing import Any

from memory_fidelity.errors import UnsupportedMemoryQuery
from memory_fidelity.query import MAX_LIMIT, accepted
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.fault import FaultyStore

__all__ = ["Rewriting", "Sifting"]


class Rewriting(FaultyStore):
    """Hands on another query than it was given; one that must be refused stays as it is."""

    def rewritten(self, query: MemoryQuery) -> dict[str, Any]:
        """The parts of a valid query that are replaced."""
        return {}

    async def search(self, query: MemoryQuery) -> Any:
        """Search for something else."""
        if not self.is_valid(query):
            return await self.inner.search(query)
        return await self.found(query)

    async def found(self, query: MemoryQuery) -> Any:
        """The answer to a valid query."""
        return await self.with_parts(query, **self.rewritten(query))

    async def with_parts(self, query: MemoryQuery, **parts: Any) -> list[MemoryItem]:
        """Search for a query with other parts."""
        hits: list[MemoryItem] = await self.inner.search(query.model_copy(update=parts))
        return hits

    def is_valid(self, query: MemoryQuery) -> bool:
        """Whether an honest store would answer."""
        try:
            accepted(query, self.manifest.supported_filters)
        except UnsupportedMemoryQuery:
            return False
        return True


class Sifting(Rewriting):
    """Asks for more than it was asked for, and chooses among the hits by itself."""

    def more(self, query: MemoryQuery) -> dict[str, Any]:
        """The parts of the wider query; with none of them, there is nothing to choose."""
        return {}

    def fits(self, item: MemoryItem, query: MemoryQuery) -> bool:
        """Whether an item is shown."""
        return True

    async def found(self, query: MemoryQuery) -> Any:
        """What fits among more hits."""
        wider = self.more(query)
        if not wider or not query.limit:
            return await self.inner.search(query)
        hits = await self.with_parts(query, limit=MAX_LIMIT, **wider)
        # As it is stored: a hit need not show every field.
        whole = [(hit, await self.inner.retrieve(hit.id)) for hit in hits]
        fitting = [hit for hit, item in whole if item is not None and self.fits(item, query)]
        return fitting[: query.limit]

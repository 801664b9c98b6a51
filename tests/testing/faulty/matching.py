"""A store with one thing wrong: how tags are counted."""

from __future__ import annotations

from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.relabelled import RelabelledStore


class CountsTags(RelabelledStore):
    """All tags are taken to match if as many match as were asked for."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """A count, which repeated tags spoil."""
        hits = await self.inner.search(query)
        tags = query.tags if isinstance(query.tags, list) else []
        return [hit for hit in hits if len({*tags} & {*hit.tags}) == len(tags)] if tags else hits

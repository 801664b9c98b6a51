"""Stores with one thing wrong each: queries and filters."""

from __future__ import annotations

from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.relabelled import RelabelledStore


class DefaultLimit(RelabelledStore):
    """The service's own page size of ten."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Ten hits at most."""
        return (await self.inner.search(query))[:10]


class ZeroIsAll(RelabelledStore):
    """A limit of 0 reaches the service, and means everything."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Everything."""
        if query.limit == 0:
            query = MemoryQuery(text=query.text, limit=1_000)
        return await self.inner.search(query)


class NegativeSlices(RelabelledStore):
    """A negative limit leaves out the last ones."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """A slice."""
        if type(query.limit) is int and query.limit < 0:
            return (await self.inner.search(MemoryQuery(limit=1_000)))[: query.limit]
        return await self.inner.search(query)


class EmptyIsNothing(RelabelledStore):
    """An empty query finds nothing."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Nothing without a predicate."""
        hits = await self.inner.search(query)
        return hits if query.text or query.tags or query.filters else []


class LimitFirst(RelabelledStore):
    """Candidates are cut before they are filtered."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Filter the newest few."""
        hits = await self.inner.search(query)
        newest = {hit.id for hit in await self.inner.search(MemoryQuery(limit=3))}
        return [hit for hit in hits if hit.id in newest or not query.tags]


class ObeysSyntax(RelabelledStore):
    """Query text is obeyed as a column filter, and quotes are syntax errors."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Parse the text."""
        if query.text == '"':
            raise SyntaxError("unterminated string")
        column, _, value = (query.text or "").partition(":")
        if column == "tags":
            query = MemoryQuery(tags=[value])
        return await self.inner.search(query)


class Rehydrating(RelabelledStore):
    """Each hit is read again."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """N + 1 calls."""
        hits = await self.inner.search(query)
        read = [await self.inner.retrieve(hit.id) for hit in hits]
        return [item for item in read if item is not None]


class CountingAccess(RelabelledStore):
    """Searching writes into what is stored."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Count each hit."""
        hits = await self.inner.search(query)
        for hit in hits:
            count = hit.metadata.get("access_count", 0) + 1
            await self.inner.store(
                hit.model_copy(update={"metadata": hit.metadata | {"access_count": count}})
            )
        return hits


class FirstKeyOnly(RelabelledStore):
    """Only the first rejected key is named."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Look at one key at a time."""
        for key in query.filters or {}:
            await self.inner.search(query.model_copy(update={"filters": {key: "x"}, "limit": 0}))
        return await self.inner.search(query)


class NativeFilterError(RelabelledStore):
    """A filter value ends in a native error."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Raise what a client raises."""
        if isinstance(query.filters, dict) and dict in map(type, query.filters.values()):
            raise TypeError("unhashable type: 'dict'")
        return await self.inner.search(query)


class LimitsTagsOnly(RelabelledStore):
    """The limit is handed on with tags, and forgotten with a text."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Every hit for a text."""
        if type(query.limit) is int and query.limit > 0 and query.text and not query.tags:
            query = query.model_copy(update={"limit": 1_000})
        return await self.inner.search(query)


class ZeroTags(RelabelledStore):
    """A limit of 0 means everything where there are tags."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Everything with the tags."""
        if query.limit == 0 and query.tags:
            query = query.model_copy(update={"limit": 1_000})
        return await self.inner.search(query)


class NegativeTags(RelabelledStore):
    """A negative limit means everything where there are tags."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Everything with the tags."""
        if type(query.limit) is int and query.limit < 0 and query.tags:
            query = query.model_copy(update={"limit": 1_000})
        return await self.inner.search(query)

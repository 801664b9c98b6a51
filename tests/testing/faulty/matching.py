"""Stores with one thing wrong each: what a query matches, by text, tag and filter."""

from __future__ import annotations

from typing import Any

from memory_fidelity.exact import same
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.relabelled import RelabelledStore


def narrowed(query: MemoryQuery) -> dict[str, Any]:
    """The filters of a query, if the fake supports them all; of any other query, none."""
    filters = query.filters
    ours = isinstance(filters, dict) and set(filters) <= {"user", "n"} and query.limit > 0
    return filters if ours and filters else {}


class Rewriting(RelabelledStore):
    """Hands on another query than it was given."""

    def rewritten(self, query: MemoryQuery) -> dict[str, Any]:
        """The parts that are replaced."""
        return {}

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Search for something else."""
        return await self.inner.search(query.model_copy(update=self.rewritten(query)))


class Wildcard(Rewriting):
    """A star stands for everything."""

    def rewritten(self, query: MemoryQuery) -> dict[str, Any]:
        """No text."""
        return {"text": None} if query.text == "*" else {}


class InjectableTags(Rewriting):
    """A quote and a comment in a tag end the predicate."""

    def rewritten(self, query: MemoryQuery) -> dict[str, Any]:
        """No tags."""
        return {"tags": None} if query.tags and "--" in str(query.tags[0]) else {}


class AsciiText(Rewriting):
    """Query text loses what is not ASCII."""

    def rewritten(self, query: MemoryQuery) -> dict[str, Any]:
        """ASCII."""
        text = query.text
        return {"text": text.encode("ascii", "ignore").decode()} if type(text) is str else {}


class EscapesTwice(Rewriting):
    """Quotes in query text are doubled, although the text is bound."""

    def rewritten(self, query: MemoryQuery) -> dict[str, Any]:
        """Doubled quotes."""
        return {"text": query.text.replace("'", "''")} if type(query.text) is str else {}


class TextOrTags(Rewriting):
    """Query text is ignored where there are tags."""

    def rewritten(self, query: MemoryQuery) -> dict[str, Any]:
        """Tags only."""
        return {"text": None} if query.tags and isinstance(query.tags, list) else {}


class TextOrFilters(Rewriting):
    """Filters are ignored where there is a text."""

    def rewritten(self, query: MemoryQuery) -> dict[str, Any]:
        """Text only."""
        return {"filters": None} if query.text and narrowed(query) else {}


class FirstFilter(Rewriting):
    """Of several filters the first is applied."""

    def rewritten(self, query: MemoryQuery) -> dict[str, Any]:
        """One filter."""
        filters = narrowed(query)
        return {"filters": dict([*filters.items()][:1])} if filters else {}


class FalsyFilters(Rewriting):
    """A filter whose value is falsy is none."""

    def rewritten(self, query: MemoryQuery) -> dict[str, Any]:
        """Filters that are true."""
        filters = narrowed(query)
        return {"filters": {key: value for key, value in filters.items() if value}}


class FoldedKeys(Rewriting):
    """Filter keys are taken in any case."""

    def rewritten(self, query: MemoryQuery) -> dict[str, Any]:
        """Lower case."""
        filters = query.filters
        if not isinstance(filters, dict) or set(map(type, filters)) != {str}:
            return {}
        return {"filters": {key.lower(): value for key, value in filters.items()}}


class AbsentKeys(RelabelledStore):
    """A filter finds items that lack its key."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Look at the keys that are there."""
        filters, hits = narrowed(query), await self.inner.search(query)
        if not filters:
            return hits
        every = await self.inner.search(query.model_copy(update={"filters": None}))
        return [
            hit
            for hit in every
            if all(same(hit.metadata.get(key, value), value) for key, value in filters.items())
        ]


class FiltersAfterLimit(RelabelledStore):
    """The filters are applied to a page that the limit has cut."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Filter the page."""
        hits = await self.inner.search(query)
        if not narrowed(query):
            return hits
        page = await self.inner.search(query.model_copy(update={"filters": None}))
        kept = {hit.id for hit in page}
        return [hit for hit in hits if hit.id in kept]


class OncePerTag(RelabelledStore):
    """An item is found once for each tag that matches."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """A join without a distinct."""
        hits = await self.inner.search(query)
        joined = isinstance(query.tags, list) and len(query.tags) > 1
        return (
            [hit for hit in hits for tag in query.tags or () if tag in hit.tags] if joined else hits
        )


class CountsTags(RelabelledStore):
    """All tags are taken to match if as many match as were asked for."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """A count, which repeated tags spoil."""
        hits = await self.inner.search(query)
        tags = query.tags if isinstance(query.tags, list) else []
        return [hit for hit in hits if len({*tags} & {*hit.tags}) == len(tags)] if tags else hits


class TagPrefix(RelabelledStore):
    """The start of a tag matches it."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Look at how tags start."""
        hits = await self.inner.search(query)
        if not query.tags or not isinstance(query.tags, list) or query.text or query.filters:
            return hits
        every = await self.inner.search(MemoryQuery(limit=1_000))
        starts = tuple(tag for tag in query.tags if type(tag) is str)
        return [hit for hit in every if any(tag.startswith(starts) for tag in hit.tags)]

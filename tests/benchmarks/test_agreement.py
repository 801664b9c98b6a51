"""A store that answers wrongly is not timed."""

from __future__ import annotations

import asyncio
from itertools import islice
from uuid import UUID

import pytest
from benchmarks.agreement import Disagreement, check_agreement
from benchmarks.corpus import Corpus
from benchmarks.peers import OfLionagi

from memory_fidelity import InMemoryStore, MemoryItem

# Enough for more than one page of hits.
_SIZE = 1_000


class Forgetful(OfLionagi):
    """A store that loses everything."""

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Return nothing."""
        return None


class Altering(OfLionagi):
    """A store that loses tags."""

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Return the item without its tags."""
        item = await super().retrieve(item_id)
        return item and item.model_copy(update={"tags": []})


class Limitless(OfLionagi):
    """A store that cannot count."""

    async def tags(self, tag: str, limit: int) -> list[MemoryItem]:
        """Return one hit too many."""
        return await super().tags(tag, limit + 1)


class Careless(OfLionagi):
    """A store that ignores filters."""

    async def filter(self, key: str, value: str, limit: int) -> list[MemoryItem]:
        """Return the first items, whatever they hold."""
        return await super().text("", limit)


class Deaf(OfLionagi):
    """A store without an index of texts."""

    async def text(self, needle: str, limit: int) -> list[MemoryItem]:
        """Return nothing."""
        return []


@pytest.mark.parametrize(
    ("broken", "question"),
    [
        pytest.param(Forgetful, "retrieve", id="forgetful"),
        pytest.param(Altering, "retrieve", id="altering"),
        pytest.param(Limitless, "tags", id="limitless"),
        pytest.param(Careless, "filter", id="careless"),
        pytest.param(Deaf, "text", id="deaf"),
    ],
)
def test_wrong_answers_are_named(broken: type[OfLionagi], question: str) -> None:
    """By the store and by the question that it answers wrongly."""
    corpus = Corpus(7)

    async def scenario() -> None:
        peer = broken(InMemoryStore())
        await peer.store_many(list(islice(corpus.items(), _SIZE)))
        await check_agreement({"the broken one": peer}, corpus, _SIZE)

    with pytest.raises(Disagreement, match=rf"the broken one: {question}"):
        asyncio.run(scenario())

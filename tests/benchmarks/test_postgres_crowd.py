"""Many tasks at once: who is asked, how often, and what is counted."""

from __future__ import annotations

import asyncio
from collections import Counter
from uuid import UUID

from benchmarks.corpus import Corpus
from benchmarks.peers import OfLionagi
from benchmarks.postgres.crowd import TASKS, crowded

from memory_fidelity import InMemoryStore, MemoryItem


class Meeting(OfLionagi):
    """A store that answers a retrieval once all tasks have asked for one."""

    def __init__(self) -> None:
        super().__init__(InMemoryStore())
        self.all_here = asyncio.Barrier(TASKS)
        self.asked: Counter[UUID] = Counter()

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Wait for the others."""
        self.asked[item_id] += 1
        await self.all_here.wait()
        return None


def test_all_tasks_ask_at_once_and_each_question_is_asked_once() -> None:
    """By every store alike, the uncounted round included."""
    corpus = Corpus(7)

    async def scenario() -> tuple[Meeting, Meeting, int]:
        peers = {"a": Meeting(), "b": Meeting()}
        timings = await crowded(peers, corpus.items(), 10, corpus, rounds=2, calls=2 * TASKS)
        return peers["a"], peers["b"], len(timings["retrieve"]["a"].rounds)

    first, second, counted = asyncio.run(scenario())

    assert first.asked == second.asked == Counter(corpus.identities(10, 3 * 2 * TASKS))
    assert counted == 2

"""What the contract itself costs: the base class over a service that does nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import islice
from statistics import median
from time import process_time_ns
from typing import ClassVar, Final
from uuid import UUID

from benchmarks.corpus import FILTER_KEYS, Corpus
from benchmarks.rounds import without_collector
from memory_fidelity import MemoryAdapter, MemoryItem, MemoryQuery, Record, Search
from memory_fidelity.adapters.sqlite import SqliteMemoryStore

__all__ = ["layer_costs"]

_HITS: Final = 10
_ROUNDS: Final = 9


class Idle(MemoryAdapter):
    """Answers at once, with records made beforehand."""

    # As for the SQLite store, whose every answer is decoded anew.
    fresh_records: ClassVar[bool] = True

    def __init__(self, items: list[MemoryItem]) -> None:
        declared = SqliteMemoryStore(":memory:", filters=FILTER_KEYS)
        super().__init__(declared.manifest, declared.card)
        self._records = {item.id: self.admit(item) for item in items}
        self._page = list(self._records.values())[:_HITS]

    async def native_store(self, record: Record) -> UUID:
        return record.id

    async def native_retrieve(self, item_id: UUID) -> Record | None:
        return self._records.get(item_id)

    async def native_search(self, search: Search) -> list[Record]:
        return self._page


class IdleShared(Idle):
    """The same, for a service whose records might be shared, so that each is copied."""

    fresh_records: ClassVar[bool] = False


def layer_costs(seed: int, calls: int = 2_000) -> dict[str, float]:
    """Return microseconds of processor time per item, by operation."""
    items = list(islice(Corpus(seed).items(), calls))
    query = MemoryQuery(text="word", tags=["tag"], filters={"owner": "nobody"}, limit=_HITS)

    async def measured() -> dict[str, float]:
        idle, shared = Idle(items), IdleShared(items)

        async def store() -> None:
            for item in items:
                await idle.store(item)

        async def retrieve() -> None:
            for item in items:
                await idle.retrieve(item.id)

        async def search() -> None:
            for _ in range(calls // _HITS):
                await idle.search(query)

        async def retrieve_copied() -> None:
            for item in items:
                await shared.retrieve(item.id)

        with without_collector():
            return {
                "store": await _cost(store, calls),
                "retrieve": await _cost(retrieve, calls),
                "search, per hit": await _cost(search, calls),
                "retrieve, copied": await _cost(retrieve_copied, calls),
            }

    return asyncio.run(measured())


async def _cost(work: Callable[[], Awaitable[None]], items: int) -> float:
    spent = []
    for _ in range(_ROUNDS):
        started = process_time_ns()
        await work()
        spent.append((process_time_ns() - started) / items / 1e3)
    return median(spent)

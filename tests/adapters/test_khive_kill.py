"""A khive that is killed at any moment of a write load loses no acknowledged write."""

from __future__ import annotations

import asyncio
import random
from typing import Final, NamedTuple
from uuid import UUID

from tests.adapters.khive_scene import Lane
from tests.adapters.khive_wire import Wire, wired

from memory_fidelity import (
    MemoryAdapterUnavailable,
    MemoryItem,
    item_differences,
    memory_query,
)

_ROUNDS: Final[dict[Lane, int]] = {"fake": 5, "live": 50}
_LONGEST: Final = 0.1
"""Seconds from the first acknowledgement to the kill, at most."""
_VERSIONS: Final = UUID(int=0, version=4)
"""The item that one writer writes again and again, and the other never does."""


class Loaded(NamedTuple):
    """What was seen of all rounds."""

    wrong: list[str]
    """What was lost, half there, or twice there."""
    acknowledged: int
    """Writes that were."""


def _id(n: int) -> UUID:
    return UUID(int=n, version=4)


def _item(name: str, n: int, item_id: UUID | None = None) -> MemoryItem:
    return MemoryItem(
        id=item_id or _id(n),
        created_at=float(n),
        content=f"word{n:04} of {name}",
        tags=[name, f"n{n}"],
        metadata={"n": n, "by": name},
    )


class Round:
    """One namespace, into which two writers write the same ids until the process of one is killed.

    Each has a khive of its own, both on one database.
    """

    def __init__(self, wire: Wire, number: int) -> None:
        """Give each writer its store."""
        self._wire = wire
        self._namespace = f"round-{number}"
        self._store = wire.store(namespace=self._namespace)
        self._rival = wire.store(namespace=self._namespace)
        self.acknowledged: dict[str, int] = {"one": 0, "other": 0}
        """The latest number that each writer was acknowledged."""
        self._version = 0
        self._first = asyncio.Event()
        self._is_over = False

    async def play(self, moment: float) -> None:
        """Write, and kill one khive so many seconds after the first acknowledgement."""
        await self._store.retrieve(_VERSIONS)
        khive = self._wire.pipe.processes[-1]
        async with asyncio.TaskGroup() as writers:
            load = writers.create_task(self._loaded())
            writers.create_task(self._rivalled())
            await self._first.wait()
            # Not a wait for anything: the moment of the kill is what is varied.
            await asyncio.wait([load], timeout=moment)
            khive.kill()

    async def wrong(self) -> list[str]:
        """What is not as it should be, told by the store whose khive was killed."""
        numbers = range(1, self._newest + 2)
        got = {n: await self._store.retrieve(_id(n)) for n in numbers}
        version = await self._store.retrieve(_VERSIONS)
        at_least = 0 if version is None else int(version.created_at)
        found = await self._store.search(memory_query(limit=10_000))
        return [
            *(f"{n} is lost" for n in range(1, self._newest + 1) if got[n] is None),
            *(f"{n} is not whole" for n in numbers if not _is_one_of(got[n], self._written(n))),
            *([f"version {self._version} is lost"] if at_least < self._version else []),
            *([] if _is_one_of(version, _versions(at_least)) else [f"{at_least} is not whole"]),
            *([] if _same(found, [*got.values(), version]) else ["search shows something else"]),
            *[f"{n} is not found" for n in numbers[:-1] if not await self._is_found(n)],
            *await self._found_by_old_words([*got.values(), version]),
        ]

    async def _is_found(self, n: int) -> bool:
        hits = await self._store.search(memory_query(text=f"word{n:04}", limit=10_000))
        return any(hit.id == _id(n) and _is_one_of(hit, self._written(n)) for hit in hits)

    async def _found_by_old_words(self, retrieved: list[MemoryItem | None]) -> list[str]:
        """What is wrong with that which is found by the words of a memory that is just begun.

        khive changes a memory first, and what it is found by next. A kill may
        come between: then a write that nobody was acknowledged is done, and
        is found by the old words until it is stored anew.
        """
        shown = await self._store.search(memory_query(text="progress"))
        return [
            *(f"{item.content} was acknowledged" for item in shown if self._has_heard_of(item)),
            *(f"{item.content} is not whole" for item in shown if not _is_among(item, retrieved)),
        ]

    def _has_heard_of(self, item: MemoryItem) -> bool:
        latest = self._version if item.id == _VERSIONS else self.acknowledged["one"]
        return item.created_at <= latest

    def _written(self, n: int) -> list[MemoryItem]:
        return [_item(name, n) for name in self.acknowledged]

    @property
    def _newest(self) -> int:
        return max(self.acknowledged.values())

    async def stored_anew(self) -> list[str]:
        """What is wrong after each id was stored once more."""
        wrong = []
        for n in range(1, self._newest + 2):
            item = _item("the last", n)
            await self._store.store(item)
            records = await self._wire.native_ids(item.id, self._namespace)
            if len(records) != 1 or not _is_one_of(await self._store.retrieve(item.id), [item]):
                wrong.append(f"{n}, stored anew, has {len(records)} records, or is another")
        return wrong

    async def _loaded(self) -> None:
        """Store until the process is gone; every fifth time, also write over one item."""
        try:
            for n in range(1, 100_000):
                await self._store.store(_item("one", n))
                self.acknowledged["one"] = n
                self._first.set()
                if n % 5 == 0:
                    await self._store.store(_item("one", n, _VERSIONS))
                    self._version = n
        except MemoryAdapterUnavailable:
            self._is_over = True

    async def _rivalled(self) -> None:
        """Store the same ids, undisturbed, until the other is gone."""
        n = 0
        while not self._is_over:
            n += 1
            await self._rival.store(_item("other", n))
            self.acknowledged["other"] = n


def _versions(n: int) -> list[MemoryItem]:
    return [_item("one", n, _VERSIONS)]


def _is_one_of(got: MemoryItem | None, items: list[MemoryItem]) -> bool:
    return got is None or any(not item_differences(item, got) for item in items)


def _is_among(item: MemoryItem, others: list[MemoryItem | None]) -> bool:
    return any(other is not None and not item_differences(item, other) for other in others)


def _same(found: list[MemoryItem], retrieved: list[MemoryItem | None]) -> bool:
    """Whether these are the same items, each once."""
    items = [item for item in retrieved if item is not None]
    return len(found) == len(items) and all(_is_among(item, retrieved) for item in found)


async def _killed(wire: Wire, rounds: int) -> Loaded:
    moments = random.Random(rounds)
    wrong, writes = list[str](), 0
    for number in range(rounds):
        played = Round(wire, number)
        await played.play(moments.uniform(0, _LONGEST))
        found = [*await played.wrong(), *await played.stored_anew()]
        wrong += [f"round {number}: {each}" for each in found]
        writes += sum(played.acknowledged.values())
    return Loaded(wrong, writes)


def test_kills_of_khive_lose_nothing(lane: Lane) -> None:
    """Items are whole or not there, each is there once, and what is left over never shows."""
    loaded = wired(lane, lambda wire: _killed(wire, _ROUNDS[lane]))

    assert loaded.wrong == []
    assert loaded.acknowledged >= _ROUNDS[lane]

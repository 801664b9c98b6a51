"""Whose turn it is, and which calls are counted."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Sequence
from itertools import islice
from typing import Any

from benchmarks.corpus import Corpus
from benchmarks.peer import Peer
from benchmarks.peers import OfLionagi
from benchmarks.rounds import Plan, interleaved, load, without_collector

from memory_fidelity import InMemoryStore, MemoryItem


class Diary(OfLionagi):
    """A store that writes down which call came to whom, in one diary for several."""

    def __init__(self, name: str, diary: list[tuple[str, Any]]) -> None:
        super().__init__(InMemoryStore())
        self._name = name
        self._diary = diary

    async def store_many(self, items: Sequence[MemoryItem]) -> None:
        """Write down the ids."""
        self._diary.append((self._name, [item.id for item in items]))

    async def text(self, needle: str, limit: int) -> list[MemoryItem]:
        """Write down the text."""
        self._diary.append((self._name, needle))
        return []


async def _ask(peer: Peer, needle: str) -> object:
    return await peer.text(needle, 10)


def test_turns_rotate() -> None:
    """Each store is asked the same, and each is first in turn."""
    diary: list[tuple[str, Any]] = []
    peers = {name: Diary(name, diary) for name in "ab"}
    plan = Plan(rounds=1, blocks=2, calls=1)

    asyncio.run(interleaved(peers, _ask, ["one", "two", "three"], plan))

    assert diary == [
        ("a", "one"),
        ("b", "one"),
        ("b", "two"),
        ("a", "two"),
        ("a", "three"),
        ("b", "three"),
    ]


def test_first_turn_is_not_counted() -> None:
    """A round holds its blocks times its calls; the warm-up is in none."""
    plan = Plan(rounds=3, blocks=2, calls=4)
    peers = {"a": Diary("a", [])}

    timings = asyncio.run(interleaved(peers, _ask, ["word"] * plan.all_calls, plan))

    assert [len(calls) for calls in timings["a"].rounds] == [8, 8, 8]


def test_slow_store_is_cut_short() -> None:
    """A store out of patience makes one call in a turn, and is still in every round."""
    plan = Plan(rounds=2, blocks=1, calls=5, patience=0.0)
    peers = {"a": Diary("a", [])}

    timings = asyncio.run(interleaved(peers, _ask, ["word"] * plan.all_calls, plan))

    assert [len(calls) for calls in timings["a"].rounds] == [1, 1]


def test_load_gives_every_item_to_every_store() -> None:
    """All rounds and chunks together are the whole size, once, in order."""
    diary: list[tuple[str, Any]] = []
    peers = {name: Diary(name, diary) for name in "ab"}
    corpus = Corpus(7)

    timings = asyncio.run(load(peers, corpus.items(), 11, Plan(rounds=3, chunk=2)))

    loaded = {name: [each for who, ids in diary if who == name for each in ids] for name in "ab"}
    every = [item.id for item in islice(corpus.items(), 11)]
    assert loaded == {"a": every, "b": every}
    assert max(len(ids) for _, ids in diary) == 2
    assert [len(timing.rounds) for timing in timings.values()] == [3, 3]


def test_collector_is_back_afterwards() -> None:
    """It rests while calls are timed, and only then."""
    with without_collector():
        during = gc.isenabled()

    assert (during, gc.isenabled(), gc.get_freeze_count()) == (False, True, 0)

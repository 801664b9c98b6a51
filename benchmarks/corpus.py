"""What is stored and what is asked: seeded, the same for every store and in every run."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final
from uuid import UUID

from memory_fidelity import MemoryItem

__all__ = ["FILTER_KEYS", "Corpus"]

FILTER_KEYS: Final = ("owner", "kind")
"""The metadata keys that every store is told to index, where it can be told."""

_WORDS: Final = 2_000
_WORDS_PER_ITEM: Final = 29
_TAGS: Final = 100
_OWNERS: Final = 50
_KINDS: Final = ("decision", "fact", "note", "plan", "question", "quote", "result", "task")
_CONSONANTS: Final = "bcdfghjklmnprstvwz"
_VOWELS: Final = "aeiou"
# Odd, so that multiplying by it is a permutation of 128-bit numbers.
_SCATTER: Final = 0x9E3779B97F4A7C15F39CC0605CEDC835


class Corpus:
    """An endless sequence of items of about 200 characters, and the questions to ask of it.

    The vocabulary is fixed, so that every word, tag and owner has more hits in
    a larger store.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        random = Random(seed)
        made = dict.fromkeys(_word(random) for _ in range(3 * _WORDS))
        self._words = list(made)[:_WORDS]
        joined = " ".join(self._words)
        self._absent = [word for word in list(made)[_WORDS:] if word not in joined]
        self._tags = [f"tag-{number:02}" for number in range(_TAGS)]
        self._owners = [f"owner-{number:02}" for number in range(_OWNERS)]

    def items(self) -> Iterator[MemoryItem]:
        """Yield the items in their order, anew from the first at each call."""
        random = Random(self._seed)
        index = 0
        while True:
            yield MemoryItem(
                id=self.identity(index),
                content=" ".join(random.choices(self._words, k=_WORDS_PER_ITEM)),
                tags=random.sample(self._tags, 3),
                created_at=1_750_000_000.0 + index / 7,
                metadata={
                    "owner": random.choice(self._owners),
                    "kind": random.choice(_KINDS),
                    "turn": index,
                    "score": random.random(),
                    "source": {"page": random.randrange(500), "marks": ["seen", None]},
                },
            )
            index += 1

    def identity(self, index: int) -> UUID:
        """Return the id of the item at an index, without making the items before it."""
        return UUID(int=(index + 1 + self._seed) * _SCATTER % 2**128, version=4)

    def identities(self, size: int, count: int) -> list[UUID]:
        """Return ids of stored items, drawn at random from the first `size`."""
        random = Random(self._seed + 1)
        return [self.identity(random.randrange(size)) for _ in range(count)]

    def needles(self, count: int) -> list[str]:
        """Return words that items hold."""
        return Random(self._seed + 2).choices(self._words, k=count)

    def absent_needles(self, count: int) -> list[str]:
        """Return words of the same make that no item holds."""
        return Random(self._seed + 3).choices(self._absent, k=count)

    def tags(self, count: int) -> list[str]:
        """Return tags that items hold."""
        return Random(self._seed + 4).choices(self._tags, k=count)

    def owners(self, count: int) -> list[str]:
        """Return owners that items have."""
        return Random(self._seed + 5).choices(self._owners, k=count)

    def absent_owners(self, count: int) -> list[str]:
        """Return owners that no item has."""
        return [f"nobody-{number:02}" for number in range(count)]


def _word(random: Random) -> str:
    syllables = random.choices((2, 3, 4), weights=(3, 4, 2))[0]
    return "".join(
        random.choice(_CONSONANTS)
        + random.choice(_VOWELS)
        + (random.choice(_CONSONANTS) if random.random() < 0.2 else "")
        for _ in range(syllables)
    )

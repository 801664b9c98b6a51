"""What the benchmarks store and ask: seeded, and what it says it is."""

from __future__ import annotations

from itertools import islice
from statistics import mean

from benchmarks.corpus import FILTER_KEYS, Corpus

from memory_fidelity import same


def test_same_seed_makes_same_items() -> None:
    """A run can be repeated, item by item."""
    first, second = (
        [item.model_dump() for item in islice(Corpus(7).items(), 20)] for _ in range(2)
    )

    assert same(first, second)


def test_other_seed_makes_other_items() -> None:
    """The seed counts, for content and for ids."""
    first, second = (next(Corpus(seed).items()) for seed in (7, 8))

    assert first.content != second.content
    assert first.id != second.id


def test_items_are_of_the_declared_make() -> None:
    """About 200 characters, three different tags, five metadata keys, the filtered ones too."""
    items = list(islice(Corpus(7).items(), 200))

    assert 180 < mean(len(item.content) for item in items) < 220
    assert {len(set(item.tags)) for item in items} == {3}
    assert {len(item.metadata) for item in items} == {5}
    assert all(set(FILTER_KEYS) <= item.metadata.keys() for item in items)


def test_identities_are_those_of_the_items() -> None:
    """The ids to retrieve are found without making the items, and are all there."""
    corpus = Corpus(7)
    made = {item.id for item in islice(corpus.items(), 50)}

    assert set(corpus.identities(50, 100)) <= made
    assert len(made) == 50


def test_questions_have_hits() -> None:
    """In a thousand items there is each word, tag and owner that is asked for."""
    corpus = Corpus(7)
    items = list(islice(corpus.items(), 1_000))
    contents = " ".join(item.content for item in items)

    assert all(needle in contents for needle in corpus.needles(50))
    assert set(corpus.tags(50)) <= {tag for item in items for tag in item.tags}
    assert set(corpus.owners(50)) <= {item.metadata["owner"] for item in items}


def test_absent_questions_have_none() -> None:
    """Words that are asked for in vain lie in no item, not even inside another word."""
    corpus = Corpus(7)
    items = list(islice(corpus.items(), 1_000))
    contents = " ".join(item.content for item in items)

    assert not any(needle in contents for needle in corpus.absent_needles(50))
    assert set(corpus.absent_owners(50)).isdisjoint(item.metadata["owner"] for item in items)

"""Whether all stores give the same, right answers: found out before anything is timed."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final
from uuid import UUID

from benchmarks.corpus import Corpus
from benchmarks.peer import Facts, Peer
from memory_fidelity import MemoryItem

__all__ = ["Disagreement", "check_agreement"]

_LIMIT: Final = 10
_QUESTIONS: Final = 3

_Question = tuple[str, tuple[str, ...]]
"""The kind of read, and its arguments."""


class Disagreement(AssertionError):
    """A store answers otherwise than the items say, so its times would mean nothing."""


async def check_agreement(peers: Mapping[str, Peer], corpus: Corpus, size: int) -> None:
    """Ask every store questions whose answers the items give.

    Retrieval is compared in full. A search without a limit has to find the right
    set of items, in whatever order the store has; one with a limit, the right number.

    Raises:
        Disagreement: naming the store, the question and both answers.
    """
    samples, answers = _right_answers(corpus, size)
    for name, peer in peers.items():
        for sample in samples:
            found = await peer.retrieve(sample.id)
            _expect(name, f"retrieve {sample.id}", sample, _facts(peer, found))
        unknown = corpus.identity(-1)
        _expect(name, f"retrieve {unknown}", None, _facts(peer, await peer.retrieve(unknown)))
        page = await peer.page(_LIMIT)
        _expect(name, "hits on the first page", min(size, _LIMIT), len(page))
        for question, right in answers.items():
            if question[0] in peer.reads:
                await _check_search(name, peer, question, right)


def _right_answers(corpus: Corpus, size: int) -> tuple[list[Facts], dict[_Question, set[UUID]]]:
    """Find out by looking at every item, one at a time."""
    answers: dict[_Question, set[UUID]] = {
        **{("text", (word,)): set() for word in corpus.needles(_QUESTIONS)},
        **{("text", (word,)): set() for word in corpus.absent_needles(_QUESTIONS)},
        **{("tags", (tag,)): set() for tag in corpus.tags(_QUESTIONS)},
        **{("filter", ("owner", owner)): set() for owner in corpus.owners(_QUESTIONS)},
        **{("filter", ("owner", owner)): set() for owner in corpus.absent_owners(_QUESTIONS)},
    }
    samples = []
    for index, item in enumerate(islice(corpus.items(), size)):
        if index % (size // _QUESTIONS + 1) == 0:
            samples.append(Facts(item.id, item.content, item.tags, item.metadata))
        for question, right in answers.items():
            if _holds(item, *question):
                right.add(item.id)
    return samples, answers


def _holds(item: MemoryItem, kind: str, wanted: tuple[str, ...]) -> bool:
    match kind, wanted:
        case "text", (needle,):
            return needle in item.content
        case "tags", (tag,):
            return tag in item.tags
        case _, (key, value):
            return bool(item.metadata[key] == value)
    raise AssertionError(f"expected a question, got {kind} {wanted}")


async def _check_search(name: str, peer: Peer, question: _Question, right: set[UUID]) -> None:
    kind, wanted = question
    ask: Any = getattr(peer, kind)
    # One more than there are, so that a hit too many would show.
    hits = [peer.facts(hit).id for hit in await ask(*wanted, len(right) + 1)]
    _expect(name, f"{kind} {wanted}", sorted(right), sorted(hits))
    page = await ask(*wanted, _LIMIT)
    _expect(name, f"{kind} {wanted}, hits on a page", min(len(right), _LIMIT), len(page))


def _facts(peer: Peer, answer: Any) -> Facts | None:
    return None if answer is None else peer.facts(answer)


def _expect(name: str, question: str, expected: object, got: object) -> None:
    if got != expected:
        raise Disagreement(f"{name}: {question}: expected {expected}, got {got}")

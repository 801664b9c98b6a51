"""One run: every store at every size, and what belongs to no size."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.agreement import check_agreement
from benchmarks.corpus import Corpus
from benchmarks.figures import Timing
from benchmarks.footprint import Footprint, footprint
from benchmarks.peer import Operation, Peer
from benchmarks.peers import RAW_DIRECT, chosen
from benchmarks.rounds import Plan, interleaved, load, without_collector
from memory_fidelity import MemoryItem

__all__ = ["Measured", "Report", "SizeMeasured", "call_timings", "measure_size"]

_LIMIT: Final = 10
"""Hits that a search asks for."""

Report = Callable[[str], None]
"""Says what is going on."""


@dataclass(frozen=True, slots=True)
class SizeMeasured:
    """What was measured with so many items: by operation, then by store."""

    timings: Mapping[Operation, Mapping[str, Timing]]
    footprints: Mapping[str, Footprint]


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything that one run measured."""

    sizes: Mapping[int, SizeMeasured]
    layer: Mapping[str, float]
    """Microseconds of processor time per item."""
    imports: Mapping[str, float]
    """Milliseconds."""
    suite: Mapping[str, float]
    """Seconds."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A kind of read, and what to ask."""

    kind: str
    call: Callable[[Peer, Any], Awaitable[object]]
    arguments: Callable[[Corpus, int, int], Sequence[Any]]
    """Of the corpus, the number of stored items, and the number of questions."""


def _text(peer: Peer, needle: str) -> Awaitable[object]:
    return peer.text(needle, _LIMIT)


def _page(peer: Peer, limit: int) -> Awaitable[object]:
    return peer.page(limit)


def _filter(peer: Peer, owner: str) -> Awaitable[object]:
    return peer.filter("owner", owner, _LIMIT)


_READS: Final[dict[Operation, _Read]] = {
    "retrieve": _Read(
        "retrieve",
        lambda peer, identity: peer.retrieve(identity),
        lambda corpus, size, count: corpus.identities(size, count),
    ),
    "first page": _Read("page", _page, lambda _corpus, _size, count: [_LIMIT] * count),
    "text": _Read("text", _text, lambda corpus, _, count: corpus.needles(count)),
    "text, no hit": _Read("text", _text, lambda corpus, _, count: corpus.absent_needles(count)),
    "tags": _Read(
        "tags",
        lambda peer, tag: peer.tags(tag, _LIMIT),
        lambda corpus, _, count: corpus.tags(count),
    ),
    "filter": _Read("filter", _filter, lambda corpus, _, count: corpus.owners(count)),
    "filter, no hit": _Read(
        "filter", _filter, lambda corpus, _, count: corpus.absent_owners(count)
    ),
}


def measure_size(size: int, seed: int, plan: Plan, scratch: Path, report: Report) -> SizeMeasured:
    """Measure every store with so many items, in files that are removed afterwards.

    Raises:
        Disagreement: the stores do not answer alike.
    """
    corpus = Corpus(seed)
    with TemporaryDirectory(dir=scratch) as place:
        timings = asyncio.run(_timings(size, corpus, plan, Path(place), report))
    footprints = {}
    # What the hop is left out of has the same files and the same connection.
    for name in [name for name in chosen(size) if name != RAW_DIRECT]:
        report(f"{size:,} items: footprint of {name}")
        with TemporaryDirectory(dir=scratch) as place:
            footprints[name] = footprint(name, size, seed, Path(place), plan.processes)
    return SizeMeasured(timings, footprints)


async def _timings(
    size: int, corpus: Corpus, plan: Plan, place: Path, report: Report
) -> dict[Operation, dict[str, Timing]]:
    items = corpus.items()
    timings: dict[Operation, dict[str, Timing]] = {}
    async with AsyncExitStack() as closing:
        peers = {}
        for number, (name, entry) in enumerate(chosen(size).items()):
            directory = place / str(number)
            directory.mkdir()
            peers[name] = await entry.open(directory)
            closing.push_async_callback(peers[name].close)
        report(f"{size:,} items: bulk load")
        with without_collector():
            timings["bulk load"] = await load(peers, items, size, plan)
        return timings | await call_timings(peers, items, size, corpus, plan, report)


async def call_timings(
    peers: Mapping[str, Peer],
    more: Iterator[MemoryItem],
    size: int,
    corpus: Corpus,
    plan: Plan,
    report: Report,
) -> dict[Operation, dict[str, Timing]]:
    """Compare the answers of loaded stores; then time single calls, and writes of `more` items.

    Raises:
        Disagreement: the stores do not answer alike.
    """
    timings: dict[Operation, dict[str, Timing]] = {}
    report(f"{size:,} items: comparing answers")
    await check_agreement(peers, corpus, size)
    for operation, read in _READS.items():
        report(f"{size:,} items: {operation}")
        asked = {name: peer for name, peer in peers.items() if read.kind in peer.reads}
        arguments = read.arguments(corpus, size, plan.all_calls)
        with without_collector():
            timings[operation] = await interleaved(asked, read.call, arguments, plan)
    report(f"{size:,} items: store")
    items = list(islice(more, plan.all_calls))
    with without_collector():
        # Last, because a store that is cut short holds fewer items than the others.
        timings["store"] = await interleaved(
            peers, lambda peer, item: peer.store(item), items, plan
        )
    return timings

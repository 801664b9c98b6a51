"""Memory, disk and reopening, each in a fresh process so that no store sees another's memory.

python -m benchmarks.footprint load STORE SIZE SEED DIRECTORY
python -m benchmarks.footprint reopen STORE SIZE SEED DIRECTORY
"""

from __future__ import annotations

import asyncio
import gc
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from typing import Any, Final

import psutil  # type: ignore[import-untyped]  # psutil ships no types

from benchmarks.corpus import Corpus
from benchmarks.peers import PEERS

__all__ = ["Footprint", "footprint"]

_CHUNK: Final = 1_000
_QUESTIONS: Final = 200
_LIMIT: Final = 10


@dataclass(frozen=True, slots=True)
class Footprint:
    """What a store takes up, and how soon it is there again."""

    growth: float
    """By how many MiB the process grew, from before opening to after loading, or to after
    opening a loaded file and searching in it: the greater of the two."""
    disk: float
    """Bytes per item of all files, after closing."""
    reopened: float | None
    """Milliseconds to open the loaded file and read one item; `None` if nothing is kept."""


def footprint(store: str, size: int, seed: int, directory: Path, processes: int) -> Footprint:
    """Measure one store in processes of its own; the directory is its own, too.

    Reopening is the median of several processes.
    """
    loaded = _child("load", store, size, seed, directory)
    disk = sum(file.stat().st_size for file in directory.iterdir())
    if not disk:
        return Footprint(loaded["growth"], 0.0, None)
    again = [_child("reopen", store, size, seed, directory) for _ in range(processes)]
    return Footprint(
        growth=max(figures["growth"] for figures in [loaded, *again]),
        disk=disk / size,
        reopened=median(figures["reopened"] for figures in again),
    )


def _child(phase: str, store: str, size: int, seed: int, directory: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.footprint"]
    done = subprocess.run(  # noqa: S603 - our own module
        [*command, phase, store, str(size), str(seed), str(directory)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


async def loading(store: str, size: int, corpus: Corpus, directory: Path) -> dict[str, float]:
    """Load a store, and say by how much this process grew."""
    items = corpus.items()
    # What the items themselves take up while they pass through is not the store's.
    passing = list(islice(corpus.items(), _CHUNK))
    del passing
    before = _resident()
    peer = await PEERS[store].open(directory)
    for start in range(0, size, _CHUNK):
        await peer.store_many(list(islice(items, min(_CHUNK, size - start))))
    growth = _resident() - before
    await peer.close()
    return {"growth": growth / 2**20}


async def reopening(store: str, size: int, corpus: Corpus, directory: Path) -> dict[str, float]:
    """Open a loaded store, read one item, then search; say how long it took and what it took up."""
    (first,) = corpus.identities(size, 1)
    before = _resident()
    started = perf_counter_ns()
    peer = await PEERS[store].open(directory)
    found = await peer.retrieve(first)
    reopened = (perf_counter_ns() - started) / 1e6
    if found is None or peer.facts(found).id != first:
        raise AssertionError(f"{store}: reopen: expected the item {first}, got {found}")
    for identity in corpus.identities(size, _QUESTIONS):
        await peer.retrieve(identity)
    if "text" in peer.reads:
        for needle in corpus.needles(_QUESTIONS):
            await peer.text(needle, _LIMIT)
    if "tags" in peer.reads:
        for tag in corpus.tags(_QUESTIONS):
            await peer.tags(tag, _LIMIT)
    growth = _resident() - before
    await peer.close()
    return {"growth": growth / 2**20, "reopened": reopened}


def _resident() -> int:
    gc.collect()
    resident: int = psutil.Process().memory_info().rss
    return resident


_Phase = Callable[[str, int, Corpus, Path], Awaitable[dict[str, float]]]
_PHASES: Final[dict[str, _Phase]] = {"load": loading, "reopen": reopening}


def main(phase: str, store: str, size: str, seed: str, directory: str) -> None:
    """Measure one phase in this process, and print the figures as JSON."""
    PEERS[store].prepare()

    async def measured() -> Any:
        return await _PHASES[phase](store, int(size), Corpus(int(seed)), Path(directory))

    print(json.dumps(asyncio.run(measured())))


if __name__ == "__main__":
    main(*sys.argv[1:])

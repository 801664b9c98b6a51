"""Every measured store answers alike, or comparing their times would mean nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import islice
from pathlib import Path
from typing import TypeVar

import pytest
from benchmarks.agreement import check_agreement
from benchmarks.corpus import Corpus
from benchmarks.peer import Peer
from benchmarks.peers import IN_MEMORY, OURS, PEERS, RAW, RAW_DIRECT, chosen

from memory_fidelity import MemoryItem

Answer = TypeVar("Answer")

_SIZE = 300
_CORPUS = Corpus(7)
_SEARCHING = [OURS, RAW, RAW_DIRECT]

# LangGraph's stores come with the extra `bench`. `make bench` compares the answers of every store
# before it times any of them, so theirs are checked there.
every_peer = pytest.mark.parametrize("name", [name for name in PEERS if "LangGraph" not in name])


def _with(name: str, directory: Path, ask: Callable[[Peer], Awaitable[Answer]]) -> Answer:
    async def scenario() -> Answer:
        peer = await PEERS[name].open(directory)
        try:
            return await ask(peer)
        finally:
            await peer.close()

    return asyncio.run(scenario())


def _item(content: str, **parts: object) -> MemoryItem:
    fields: dict[str, object] = {"content": content, "tags": ["t"], "metadata": {"owner": "o"}}
    return MemoryItem.model_validate(fields | parts)


@every_peer
def test_loaded_store_answers_as_the_items_say(name: str, tmp_path: Path) -> None:
    """Retrieval in full, and every kind of search that the store has."""
    items = list(islice(_CORPUS.items(), _SIZE))

    async def agrees(peer: Peer) -> bool:
        await peer.store_many(items)
        await check_agreement({name: peer}, _CORPUS, _SIZE)
        return True

    assert _with(name, tmp_path, agrees)


@every_peer
def test_items_stored_one_by_one_are_found_alike(name: str, tmp_path: Path) -> None:
    """Both ways of writing lead to the same store."""
    items = list(islice(_CORPUS.items(), 30))

    async def agrees(peer: Peer) -> bool:
        await asyncio.gather(*[peer.store(item) for item in items])
        await check_agreement({name: peer}, _CORPUS, 30)
        return True

    assert _with(name, tmp_path, agrees)


@pytest.mark.parametrize("name", _SEARCHING)
@pytest.mark.parametrize("bulk", [True, False], ids=["many", "one"])
def test_writing_an_id_again_replaces_it(name: str, bulk: bool, tmp_path: Path) -> None:
    """The floor has the same duty as our store: nothing of the older version is left."""
    old = _item("an old text")
    new = _item("a new text", id=old.id, tags=["other"], metadata={"kind": "k"})

    async def found(peer: Peer) -> list[int]:
        await peer.store(old)
        await (peer.store_many([new]) if bulk else peer.store(new))
        answers = [
            await peer.text("old", 9),
            await peer.tags("t", 9),
            await peer.filter("owner", "o", 9),
            await peer.text("new", 9),
            await peer.tags("other", 9),
            await peer.filter("kind", "k", 9),
        ]
        return [len(hits) for hits in answers]

    assert _with(name, tmp_path, found) == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("name", _SEARCHING)
def test_last_of_several_with_one_id_stays(name: str, tmp_path: Path) -> None:
    """Also within one bulk load."""
    first = _item("first")
    last = _item("last", id=first.id)

    async def found(peer: Peer) -> list[str]:
        await peer.store_many([first, last])
        return [peer.facts(hit).content for hit in await peer.tags("t", 9)]

    assert _with(name, tmp_path, found) == ["last"]


@pytest.mark.parametrize("name", _SEARCHING)
@pytest.mark.parametrize("needle", ["fox", "O", 'x"y', "STRASSE", "quick brown fox"])
def test_texts_are_found_newest_first(name: str, needle: str, tmp_path: Path) -> None:
    """Whatever their case, and also where the index is of no help."""
    content = 'The quick brown fox of straße x"y'
    items = [_item(content), _item("elsewhere"), _item(content)]

    async def found(peer: Peer) -> list[object]:
        await peer.store_many(items)
        return [peer.facts(hit).id for hit in await peer.text(needle, 9)]

    assert _with(name, tmp_path, found) == [items[2].id, items[0].id]


def test_slow_stores_are_left_out_of_large_sizes() -> None:
    """What scans all items, or holds them in memory, is measured up to a size only."""
    assert list(chosen(1_000_000)) == _SEARCHING
    assert IN_MEMORY in chosen(100_000)

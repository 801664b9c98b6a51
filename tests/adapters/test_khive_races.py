"""Two processes that store one id at one moment leave one record, and are both acknowledged."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AsyncExitStack
from typing import Final, NamedTuple
from uuid import UUID

from tests.adapters.khive_scene import Lane
from tests.adapters.khive_wire import NAMESPACE, Wire, wired
from tests.adapters.khive_writers import writing

_ROUNDS: Final[dict[Lane, int]] = {"fake": 10, "live": 100}


class Raced(NamedTuple):
    """What was seen of all rounds."""

    wrong: list[str]
    """Each round that left anything but one record with the text of one of its writers."""
    made: int
    """How many memories were begun."""


def _id(number: int) -> UUID:
    return UUID(int=number, version=4)


async def _raced(wire: Wire, ids: Iterable[UUID]) -> Raced:
    """Have two writers store each id in its turn, both told before either is heard."""
    reader = wire.store()
    wrong = []
    async with AsyncExitStack() as opened:
        writers = [
            await opened.enter_async_context(writing(NAMESPACE, wire.pipe.command))
            for _ in range(2)
        ]
        for number, item_id in enumerate(ids):
            texts = [f"{number}-by-{name}" for name in ("the-first", "the-second")]
            for writer, text in zip(writers, texts, strict=True):
                writer.tell(item_id, text)
            said = [await writer.said() for writer in writers]
            records = len(await wire.native_ids(item_id))
            kept = await reader.retrieve(item_id)
            is_one = kept is not None and kept.content in texts
            if said != [str(item_id)] * 2 or records != 1 or not is_one:
                wrong.append(f"round {number}: said {said}, left {records} records, kept {kept}")
    made = sum(request == ["memory.remember"] for request in wire.requests())
    return Raced(wrong, made)


def test_a_new_id_gets_one_record(lane: Lane) -> None:
    """Each round; and in some both had begun to make one, or this would prove nothing (W5)."""
    rounds = _ROUNDS[lane]

    raced = wired(lane, lambda wire: _raced(wire, map(_id, range(rounds))))

    assert raced.wrong == []
    assert raced.made > rounds


def test_a_known_id_keeps_its_record(lane: Lane) -> None:
    """Writes over it at one moment are both done, and the last one stays (W5)."""
    raced = wired(lane, lambda wire: _raced(wire, [_id(0)] * _ROUNDS[lane]))

    assert raced.wrong == []

"""Faults in the types of metadata values: B01 to B15."""

from __future__ import annotations

from datetime import UTC, datetime
from math import inf, nan
from typing import Any

from tests.public_faults.bench import Bench, Ending

from memory_fidelity import MemoryItem
from memory_fidelity.exact import differences, same


async def not_finite(bench: Bench) -> Ending:
    """B01: the key of a number that is not finite."""
    return await _each(bench, {"score": nan, "src": "notes"}, {"a": inf}, {"l": [1.0, -inf]})


async def empty_mapping(bench: Bench) -> Ending:
    """B02: an empty mapping, and one inside another."""
    return await _each(bench, {}, {"inner": {}})


async def unsigned_integer(bench: Bench) -> Ending:
    """B05: integers beyond 64 bits, either way; a service may keep some and not others."""
    values = (2**63, 2**64, -(2**63) - 1, 2**53 + 1)
    endings = {await _each(bench, {"n": value}) for value in values}
    (other,) = endings - {"preserved"} or {"preserved"}
    return other


async def first_type_wins(bench: Bench) -> Ending:
    """B07: one key, and another type in each record."""
    bench.needs("metadata")
    return await _each(
        bench, {"x": 1}, {"x": 1.5}, {"x": "5"}, {"x": True}, {"x": None}, {"x": 2**53 + 1}
    )


async def falsy(bench: Bench) -> Ending:
    """B08: what is false in a condition."""
    return await _each(bench, {"n": 0, "flag": False, "s": ""}, {"f": 0.0, "l": [], "none": None})


async def infinite_is_not_null(bench: Bench) -> Ending:
    """B10: infinity beside a null."""
    return await _each(bench, {"a": inf, "b": None}, {"a": [nan, None]})


async def python_only(bench: Bench) -> Ending:
    """B11: a time and a tuple, which JSON has not."""
    due = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
    naive = datetime.fromisoformat("2026-01-02T03:04:05.678901")
    return await _each(bench, {"due": naive, "pair": (1, 2)}, {"due": due}, {"pair": [(1, 2)]})


async def guessed_dates(bench: Bench) -> Ending:
    """B12: a text like a date, and then one that is none."""
    bench.needs("metadata")
    first = MemoryItem(content="a", metadata={"ver": "128.0."})
    await bench.store.store(first)
    await bench.store.store(MemoryItem(content="c", metadata={"ver": "2026-01-02"}))
    ending = await bench.stores_or_refuses(MemoryItem(content="b", metadata={"ver": "stable"}))
    await bench.keeps(first)
    return ending


async def hits_without_metadata(bench: Bench) -> Ending:
    """B13: metadata and tags of a hit, against those of the retrieved item."""
    item = MemoryItem(content="m", metadata={"sku": "A1"}, tags=["shop"])
    await bench.store.store(item)
    kept = await bench.store.retrieve(item.id)
    (hit,) = await bench.search(tags=["shop"])
    assert kept is not None
    if same(hit.metadata, item.metadata):
        assert not differences("metadata", kept.metadata, hit.metadata)
        return "preserved"
    assert bench.manifest.search_fidelity != "full"
    return await bench.keeps(item)


async def replaced_with_metadata(bench: Bench) -> Ending:
    """B15: a second write of one id with the same metadata."""
    bench.needs("metadata")
    first = MemoryItem(content="v1", metadata={"category": "hobby", "prio": 2})
    second = MemoryItem(id=first.id, content="v2", metadata={"category": "hobby", "prio": 2})
    await bench.store.store(first)
    return await bench.stores_or_refuses(second)


async def _each(bench: Bench, *values: dict[str, Any]) -> Ending:
    """Store each mapping in an item; the ending of all of them, which must be one."""
    endings = [
        await bench.stores_or_refuses(MemoryItem(content="m", metadata=value)) for value in values
    ]
    assert len(set(endings)) == 1, f"expected one ending for one kind of value, got {endings}"
    return endings[0]

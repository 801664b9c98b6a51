"""Calls that are answered otherwise where a fault is planted: what shows that it is active."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from benchmarks.kits.door import Door, Record

__all__ = ["PROBES", "observed"]

Probe = Callable[[Door], Awaitable[Any]]


async def observed(fault: str, door: Door) -> str:
    """Return what the probe of a fault sees at a door, as text."""
    try:
        return repr(await PROBES[fault](door))
    except Exception as error:  # noqa: BLE001 - that a call fails is an observation, too
        return f"raises {type(error).__name__}"


def _text(text: str) -> Probe:
    async def probe(door: Door) -> Any:
        await door.write(Record("k", text))
        found = await door.read("k")
        return found and found.text

    return probe


def _metadata(key: str, metadata: Mapping[str, Any]) -> Probe:
    async def probe(door: Door) -> Any:
        await door.write(Record("k", metadata=metadata))
        found = await door.read("k")
        return found and found.metadata.get(key, "no such key")

    return probe


async def _time(door: Door) -> Any:
    await door.write(Record("k"))
    found = await door.read("k")
    return found and found.time


async def _second_write(door: Door) -> Any:
    await door.write(Record("k", "one"))
    await door.write(Record("k", "two"))
    found = await door.read("k")
    return found and found.text


async def _batch(door: Door) -> Any:
    await door.write(Record("k", "one"), Record("l", "two"))
    found = await door.read("l")
    return found and found.text


async def _identity(door: Door) -> Any:
    return [key == "k" for key in await door.write(Record("k"))]


async def _failed_write(door: Door) -> Any:
    await door.write(Record("k"))
    door.break_storage()
    await door.write(Record("l"))
    return "acknowledged"


async def _deleted(door: Door) -> Any:
    await door.write(Record("k"))
    await door.delete("k")
    found = await door.read("k")
    return found and found.text


async def _unknown(door: Door) -> Any:
    await door.write(Record("k"))
    found = await door.read("no such key")
    return found and found.text


async def _shared(door: Door) -> Any:
    await door.write(Record("k", metadata={"kind": "x"}))
    first, second = await door.read("k"), await door.read("k")
    if first is None or second is None:
        return None
    first.metadata["planted"] = True
    return second.metadata.get("planted", "apart")


async def _failed_read(door: Door) -> Any:
    await door.write(Record("k"))
    door.break_storage()
    return await door.read("k")


async def _failed_search(door: Door) -> Any:
    await door.write(Record("k"))
    door.break_storage()
    return await door.search()


def _limited(limit: int) -> Probe:
    async def probe(door: Door) -> Any:
        for key in ("k", "l", "m"):
            await door.write(Record(key, f"text {key}"))
        return len(await door.search(limit=limit))

    return probe


def _filtered(metadata: Mapping[str, Any], filters: Mapping[str, Any]) -> Probe:
    async def probe(door: Door) -> Any:
        await door.write(Record("k", metadata=metadata))
        return [hit.key for hit in await door.search(filters)]

    return probe


async def _hits(door: Door) -> Any:
    await door.write(Record("k"))
    return [hit.key for hit in await door.search()]


async def _hit_metadata(door: Door) -> Any:
    await door.write(Record("k", metadata={"kind": "x"}))
    return [hit.metadata.get("kind") for hit in await door.search()]


async def _other_scope(door: Door) -> Any:
    await door.write(Record("k", scope="ab"))
    found = await door.read("k", scope="a")
    return found and found.text


PROBES: Final[Mapping[str, Probe]] = {
    "text.non-ascii-removed": _text("naïve ☃"),
    "text.truncated": _text("thirty-two characters are not enough for this"),
    "text.trimmed": _text(" space around "),
    "text.lower-cased": _text("Upper Case"),
    "metadata.integers-as-floats": _metadata("n", {"n": 1}),
    "metadata.as-text": _metadata("n", {"n": 1}),
    "metadata.none-removed": _metadata("n", {"n": None, "m": 1}),
    "metadata.flattened": _metadata("a", {"a": {"b": 1}}),
    "time.to-the-second": _time,
    "write.second-ignored": _second_write,
    "write.only-first-of-batch": _batch,
    "write.wrong-identity": _identity,
    "write.error-is-success": _failed_write,
    "delete.ignored": _deleted,
    "read.unknown-is-newest": _unknown,
    "read.shared": _shared,
    "read.error-is-nothing": _failed_read,
    "search.error-is-nothing": _failed_search,
    "search.limit-ignored": _limited(1),
    "search.limit-zero-is-all": _limited(0),
    "search.filter-ignored": _filtered({"kind": "x"}, {"kind": "y"}),
    "search.filter-as-text": _filtered({"n": 1}, {"n": "1"}),
    "search.hits-twice": _hits,
    "search.hits-without-metadata": _hit_metadata,
    "scope.prefix-leaks": _other_scope,
}
"""By the name of the fault."""

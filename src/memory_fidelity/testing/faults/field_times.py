"""Faults in `created_at`: rounded, moved, counted in another unit, replaced (C3, W2)."""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from math import floor
from typing import Any, Final

from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.altering import Change, altered
from memory_fidelity.testing.faults.declared import no_times
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, fault
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "times"]

_TIMES: Final = (
    1767322999.987654, 1700000000.1234567, 1700000100.0, 0.0, -0.0, -12345.75, 5e9 + 0.125, 0.3,
    1e200,
)  # fmt: skip

_CONSTANT: Final = 1700000000.0


async def times(bench: Bench) -> None:
    """Store times that services round or move, and read each back."""
    items = [bench.item(n, created_at=each) for n, each in enumerate(_TIMES)]
    await bench.stored(items)
    for item in items:
        await bench.saw(f"retrieve {item.id.int % 10_000}", bench.store.retrieve(item.id))
    await bench.saw("search", bench.store.search(MemoryQuery(limit=len(items))))


def _rounded(digits: int) -> Change:
    return lambda time: round(time, digits)


def _single(time: float) -> float:
    with suppress(OverflowError):
        return float(struct.unpack("<f", struct.pack("<f", time))[0])
    return time


def _in_32_bits(time: float) -> float:
    return (time + 2**31) % 2**32 - 2**31 if abs(time) < 2**53 else time


def _as_date(change: Callable[[datetime], Any]) -> Change:
    """What is no date in the calendar stays as it is."""

    def made(time: float) -> Any:
        with suppress(ValueError, OverflowError, OSError):
            return change(datetime.fromtimestamp(time, UTC))
        return time

    return made


_WRITTEN: Final[dict[str, tuple[Change, str]]] = {
    "in-seconds": (lambda time: float(floor(time)), "Times are cut to seconds"),
    "in-rounded-seconds": (lambda time: float(round(time)), "Times are rounded to seconds"),
    "in-milliseconds": (_rounded(3), "Times are rounded to milliseconds"),
    "in-microseconds": (_rounded(6), "Times are rounded to microseconds"),
    "in-minutes": (lambda time: time - time % 60, "Times are cut to minutes"),
    "in-dates": (_as_date(lambda day: day.timestamp()), "Times go through a date of the calendar"),
    "in-single-precision": (_single, "Times are kept in single precision"),
    "in-32-bits": (_in_32_bits, "Times beyond 32 bits start anew"),
    "an-hour-later": (lambda time: time + 3600, "Times are an hour late"),
    "in-another-zone": (lambda time: time - 5.5 * 3600, "Times are written in local time"),
    "in-thousands": (lambda time: time * 1000, "Times come back in milliseconds"),
    "unsigned": (lambda time: max(time, 0.0), "Times before 1970 become 1970"),
    "unsigned-zero": (lambda time: time or 0.0, "Negative zero loses its sign"),
    "zero-as-missing": (lambda time: time or _CONSTANT, "Zero is taken for no time"),
    "far-future-limited": (lambda time: min(time, 2.0**32), "Times after 2106 become 2106"),
}
"""What becomes of a time when it is written, by name."""

_READ: Final[dict[str, tuple[Change, str]]] = {
    "int-when-whole": (
        lambda time: int(time) if time.is_integer() else time,
        "Times that are whole come back as integers",
    ),
    "as-text": (_as_date(datetime.isoformat), "Times come back as texts"),
    "as-datetime": (_as_date(lambda moment: moment), "Times come back as datetime"),
    "none-for-zero": (lambda time: time or None, "Zero comes back as None"),
}
"""What becomes of a time when it is read, by name."""


class _WhenWritten(FaultyStore):
    """The time of writing replaces the item's own."""

    async def store(self, item: MemoryItem) -> Any:
        if type(item.created_at) is not float:
            return await self.inner.store(item)
        self.shared.memory["clock"] = self.shared.memory.get("clock", _CONSTANT) + 1
        dated = item.model_copy(update={"created_at": self.shared.memory["clock"]})
        return await self.inner.store(dated)


FAULTS: Final[tuple[Fault, ...]] = (
    *(
        altered("created_at", name, change, f"{story}.", probe=times)
        for name, (change, story) in _WRITTEN.items()
    ),
    *(
        altered("created_at", name, change, f"{story}.", probe=times, place="reads")
        for name, (change, story) in _READ.items()
    ),
    altered(
        "created_at", "in-seconds-in-hits", lambda time: float(floor(time)),
        "Hits show seconds.", probe=times, place="hits",
    ),
    altered(
        "created_at", "in-milliseconds-in-hits", _rounded(3), "Hits show milliseconds.",
        probe=times, place="hits", case="fidelity.claim",
    ),
    altered(
        "created_at", "in-seconds-on-retrieve", lambda time: float(floor(time)),
        "Retrieve shows seconds.", probe=times, place="retrieve", case="fidelity.claim",
    ),
    altered(
        "created_at", "lost-in-hits", lambda _: _CONSTANT, "Hits all have one time.",
        probe=times, place="hits",
    ),
    altered(
        "created_at", "never-kept", lambda _: _CONSTANT, "The time is the same for every item.",
        probe=times, place="reads", names="manifest.native_item_fields",
    ),
    fault(
        "created_at.when-written", _WhenWritten, case="fidelity.created_at",
        names="manifest.retrieve_fidelity", probe=times, unless=no_times,
    ),
)  # fmt: skip

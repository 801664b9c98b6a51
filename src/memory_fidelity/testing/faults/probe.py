"""Differential probes: the same calls with and without a fault, and what each of them gave."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final
from uuid import UUID

from memory_fidelity.errors import UnsupportedMemoryQuery
from memory_fidelity.store import MemoryItem
from memory_fidelity.testing.examine import closed
from memory_fidelity.testing.harness import HarnessFactory
from memory_fidelity.testing.own_loop import in_own_loop

__all__ = ["Bench", "Inert", "Probe", "Probing", "identity", "shown"]

PATIENCE: Final = 0.25
"""Seconds after which a call of a probe is taken to hang; it takes milliseconds."""

Wrapping = Callable[[Any], Callable[[Any, str], Any]]
"""Given a harness, what to put around each of its stores, told the name of its scope."""


_SHOWN: Final = 160
"""Characters that are shown of a line in which a fault is seen."""

_BEFORE: Final = 24
"""Characters of them before the first difference."""

_ENDED: Final = "the probe ended early"


class Inert(Exception):
    """A fault changes nothing that its probe can see, or the probe itself is not repeatable."""


class Bench:
    """What a probe works with: stores that may be faulty, and a transcript of what they gave.

    Identities, times and texts are the same in every run, so that two transcripts
    over one kind of store differ only if the stores do.
    """

    def __init__(self, harness: Any, wrap: Callable[[Any, str], Any]) -> None:
        """Take a harness of its own, and what to put around its stores."""
        self.harness = harness
        self.transcript: list[str] = []
        self._wrap = wrap
        self.store: Any = None

    async def open(self) -> None:
        """Make the store under the probe."""
        self.store = await self.new_store()

    async def new_store(self) -> Any:
        """Return one more store over the same service."""
        return self._wrap(await self.harness.make_store(), "")

    async def scope(self, name: str) -> Any:
        """Return a store over the same service in the scope of this name."""
        return self._wrap(await self.harness.open_scope(name), name)

    async def saw(self, what: str, call: Awaitable[Any]) -> Any:
        """Write down what a call gave or raised, and return what it gave.

        An error is returned, too: a probe goes on to its end.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                got = await call
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:  # noqa: BLE001 - faults raise what clients raise
            got = error
        self.note(what, got)
        return got

    def note(self, what: str, value: object) -> None:
        """Write down a value."""
        self.transcript.append(f"{what}: {shown(value)}")

    def item(self, number: int, content: Any = None, **fields: Any) -> MemoryItem:
        """An item that is the same in every run."""
        text = f"probe {number}" if content is None else content
        if content is None and "text" not in self.store.card.content:
            text = {"text": text}
        return MemoryItem(
            **{"id": identity(number), "content": text, "created_at": 1767323045.25, **fields}
        )

    async def stored(self, items: Iterable[MemoryItem]) -> None:
        """Store items, each noted, and make them searchable."""
        for item in items:
            await self.saw(f"store {item.id.int % 10_000}", self.store.store(item))
        await self.harness.make_search_index_visible()


Probe = Callable[[Bench], Awaitable[None]]
"""Makes calls; what they gave is written into the bench's transcript."""


class Probing:
    """The transcripts of honest stores, each made twice, against which faults are held."""

    def __init__(self, factory: HarnessFactory) -> None:
        """Take what makes the harnesses."""
        self._factory = factory
        self._honest: dict[Probe, list[str]] = {}

    def difference(self, probe: Probe, wrapping: Wrapping) -> tuple[str, str]:
        """Return the first line that differs: without the fault, and with it.

        Raises:
            Inert: no line differs, or honest stores do not give the same twice.
        """
        honest = self._honest_transcript(probe)
        faulty = self._transcript(probe, wrapping)
        for without, having in zip(honest, faulty, strict=False):
            if without != having:
                return _around_difference(without, having)
        if len(honest) != len(faulty):
            return f"{len(honest)} lines", f"{len(faulty)} lines"
        raise Inert(f"{_name(probe)}: all {len(honest)} lines are the same with and without it")

    def _honest_transcript(self, probe: Probe) -> list[str]:
        if probe not in self._honest:
            first, second = (self._transcript(probe, _bare) for _ in range(2))
            if first != second:
                lines = next(pair for pair in zip(first, second, strict=False) if len({*pair}) > 1)
                raise Inert(f"{_name(probe)} is not repeatable: {lines[0]}, then {lines[1]}")
            if first[-1:] and first[-1].startswith(_ENDED):
                raise Inert(f"{_name(probe)} over an honest store: {first[-1]}")
            self._honest[probe] = first
        return self._honest[probe]

    def _transcript(self, probe: Probe, wrapping: Wrapping) -> list[str]:
        ended = in_own_loop(lambda: _probed(self._factory, probe, wrapping))
        if ended is None:
            raise Inert(f"{_name(probe)}: the thread of the probe could not be stopped")
        return ended


def identity(number: int) -> UUID:
    """The id of the item of this number."""
    return UUID(int=0x8F000000_0000_4000_8000_000000000000 + number)


def shown(value: object) -> str:
    """Return a text that is the same for values that are the same, types included."""
    match value:
        case MemoryItem():
            fields = ", ".join(f"{name}={one!r}" for name, one in vars(value).items())
            return f"{type(value).__name__}({fields})"
        case list():
            return f"[{'; '.join(map(shown, value))}]"
        case UnsupportedMemoryQuery():
            return f"{type(value).__name__} {value.rejected_keys}"
        case BaseException():
            return f"{type(value).__name__} from {type(value.__cause__).__name__}"
    return f"{type(value).__name__} {value!r}"


def _around_difference(one: str, other: str) -> tuple[str, str]:
    """What was called, and what it gave from shortly before the first difference on."""
    called = one.partition(": ")[0]
    pairs = zip(one, other, strict=False)
    alike = min(len(one), len(other))
    start = next((n for n, pair in enumerate(pairs) if len({*pair}) > 1), alike)
    if start <= len(called) + _BEFORE:
        return one[:_SHOWN], other[:_SHOWN]
    first, second = (f"{called}: ...{line[start - _BEFORE :]}"[:_SHOWN] for line in (one, other))
    return first, second


def _bare(_harness: Any) -> Callable[[Any, str], Any]:
    return lambda store, _scope: store


def _name(probe: Probe) -> str:
    return f"probe {getattr(probe, '__name__', probe)}"


async def _probed(factory: HarnessFactory, probe: Probe, wrapping: Wrapping) -> list[str]:
    harness = factory()
    bench = Bench(harness, wrapping(harness))
    try:
        await bench.open()
        await probe(bench)
    except Exception as error:  # noqa: BLE001 - what a faulty store gives may be no answer at all
        bench.note(_ENDED, error)
    finally:
        await closed(harness)
    return bench.transcript

"""How fast is fast enough, for the SQLite store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from benchmarks.bounds import Target
from benchmarks.figures import ratio
from benchmarks.measuring import Measured
from benchmarks.peer import Operation
from benchmarks.peers import IN_MEMORY, LANGGRAPH_ASYNC, OURS, RAW

__all__ = ["TARGETS"]

_SMALL: Final = 100_000
_LARGE: Final = 1_000_000

Figure = Callable[[Measured], float]


def _times_raw(operation: Operation) -> Figure:
    def figure(measured: Measured) -> float:
        timings = measured.sizes[_SMALL].timings[operation]
        return ratio(timings[OURS], timings[RAW]).middle

    return figure


def _times_faster(operation: Operation, than: str) -> Figure:
    def figure(measured: Measured) -> float:
        timings = measured.sizes[_SMALL].timings[operation]
        return ratio(timings[than], timings[OURS]).middle

    return figure


def _times_smaller(operation: Operation) -> Figure:
    def figure(measured: Measured) -> float:
        large, small = (measured.sizes[size].timings[operation] for size in (_LARGE, _SMALL))
        return large[OURS].p50 / small[OURS].p50

    return figure


def _reopened(measured: Measured) -> float:
    reopened = measured.sizes[_LARGE].footprints[OURS].reopened
    if reopened is None:
        raise KeyError("reopened")
    return reopened


def _layer(operation: str) -> Figure:
    return lambda measured: measured.layer[operation]


def _suite(target: str) -> Figure:
    return lambda measured: measured.suite[target]


def _imported(measured: Measured) -> float:
    return measured.imports["memory_fidelity"]


def _grown(measured: Measured) -> float:
    return measured.sizes[_LARGE].footprints[OURS].growth


_AS_RAW: Final[dict[Operation, float]] = {
    "store": 1.3,
    "bulk load": 1.4,
    "retrieve": 1.5,
    "text": 1.2,
    "tags": 1.4,
    "filter": 1.4,
}
_FASTER: Final[dict[Operation, float]] = {"text": 40, "tags": 400, "filter": 500}
_LARGER: Final[dict[Operation, float]] = {"text": 5, "tags": 5, "filter": 5}


def _targets() -> Iterator[Target[Measured]]:
    for operation, bound in _AS_RAW.items():
        yield Target(f"{operation}, 100k: time of {RAW}", "×", bound, _times_raw(operation))
    for operation, bound in _FASTER.items():
        name = f"{operation}, 100k: faster than {IN_MEMORY}"
        yield Target(name, "×", bound, _times_faster(operation, IN_MEMORY), at_least=True)
    name = f"retrieve, 100k: faster than {LANGGRAPH_ASYNC}"
    yield Target(name, "×", 3, _times_faster("retrieve", LANGGRAPH_ASYNC), at_least=True)
    for operation, bound in _LARGER.items():
        yield Target(f"{operation}, 1M: time at 100k", "×", bound, _times_smaller(operation))
    yield Target("memory, 1M: growth", "MiB", 16, _grown)
    yield Target("reopen and first read, 1M", "ms", 10, _reopened)
    for part in ("store", "retrieve", "search, per hit"):
        yield Target(f"contract layer: {part}", "µs", 10, _layer(part))
    yield Target("import beyond lionagi", "ms", 250, _imported)
    yield Target("suite: fake", "s", 1, _suite("fake"))
    yield Target("suite: sqlite", "s", 2, _suite("sqlite"))


TARGETS: Final = tuple(_targets())

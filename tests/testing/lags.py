"""Lags made by hand, and a store that lags in a time of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from uuid import UUID

from memory_fidelity import Record, Search
from memory_fidelity.fake import EVENTUAL, FakeBehaviour, FakeMemoryStore, FakeService
from memory_fidelity.fake.transport import FakeTransport
from memory_fidelity.testing.lag import Lag, Sighting
from memory_fidelity.testing.lag_report import LagReport, lag_report
from memory_fidelity.testing.runner import Declarations

STORE_TAKES = 1.0
SEARCH_TAKES = 0.25


class LaggingStore(FakeMemoryStore):
    """Shows each item after so many searches have missed it, and moves a clock by what it does."""

    def __init__(self, misses: Iterable[int], behaviour: FakeBehaviour = EVENTUAL) -> None:
        self._service = FakeService(behaviour)
        self.wire = FakeTransport(self._service)
        super().__init__(self.wire, behaviour)
        self._misses: Iterator[int] = iter(misses)
        self._left = 0
        self._now = 1000.0

    def clock(self) -> float:
        """Seconds of logical time."""
        return self._now

    async def native_store(self, record: Record) -> UUID | str | None:
        """Write it, and begin to count its misses."""
        self._now += STORE_TAKES
        self._left = next(self._misses)
        return await super().native_store(record)

    async def native_search(self, search: Search) -> Iterable[Record]:
        """Search, after a flush if the misses are over."""
        if self._left == 0:
            self._service.flush()
        self._left -= 1
        self._now += SEARCH_TAKES
        return await super().native_search(search)


def lag(
    *bounds: tuple[float, float | None], planned: int | None = None, deadline: float = 5
) -> Lag:
    """Lags between the bounds given, each of a search that took a tenth of a millisecond."""
    return Lag(
        planned=planned or len(bounds),
        deadline=deadline,
        sightings=tuple(
            Sighting(searches=1 + (after > 0 and by is not None), after=after, by=by, last=0.0001)
            for after, by in bounds
        ),
    )


def report(measured: Lag, declared: Declarations | None = None) -> LagReport:
    """A report on a measurement, of a target that declares nothing unless told."""
    return lag_report(
        measured,
        target="acme",
        harness="acme.testing:AcmeHarness",
        declared=declared or Declarations(),
        when=datetime(2026, 1, 2, tzinfo=UTC),
        reproduce="memory-fidelity lag acme",
    )

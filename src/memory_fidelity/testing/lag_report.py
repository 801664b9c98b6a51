"""The report of one measurement of lag: the data that every rendering is made from."""

from __future__ import annotations

import platform
from bisect import bisect_left
from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import version
from math import floor, inf, isfinite, log10
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from memory_fidelity.manifest import SearchConsistency
from memory_fidelity.testing.lag import Lag
from memory_fidelity.testing.report import Environment
from memory_fidelity.testing.runner import Declarations

__all__ = ["FoundBy", "LagReport", "Quantile", "lag_report", "round_times"]

_PACKAGES: Final = ("lionagi", "memory-fidelity", "pydantic")
_SHARES: Final = {"min": 0.0, "median": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}
_SERIES: Final = (
    (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8),
    (1, 1.5, 2, 3, 5, 7),
    (1, 2, 5),
    (1,),
)
"""Round numbers in each power of ten, from many to few."""

_ROWS: Final = 12


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Quantile(_Part):
    """The lag of one write, the nearest by rank; in seconds from the acknowledgement."""

    name: str = Field(description="`min`, `median`, `p90`, `p99` or `max`.")
    share: float = Field(ge=0, le=1, description="The share of writes that lagged no longer.")
    least: float = Field(ge=0, description="The lag is not below this.")
    most: float | None = Field(description="Nor above this; null if it lies behind the deadline.")


class FoundBy(_Part):
    """The empirical distribution at one time."""

    seconds: float = Field(ge=0, description="Seconds from the acknowledgement.")
    least: int = Field(ge=0, description="Writes that had been found by then.")
    most: int = Field(ge=0, description="The same, and those that no search then or later missed.")


class LagReport(_Part):
    """How long writes to one store take to be found, and what that was measured on."""

    schema_version: Literal[1] = Field(default=1, description="Version of this format.")
    target: str = Field(description="What was measured, as the command line took it.")
    harness: str = Field(description="Where its harness is found: `module:qualified name`.")
    adapter: str | None = Field(description="The manifest's `adapter`; null without a manifest.")
    declared: SearchConsistency | None = Field(
        description="The manifest's `search_consistency`; null without a manifest."
    )
    service: dict[str, str] = Field(
        description="Versions of the service and its client, as far as the harness names them."
    )
    environment: Environment = Field(description="What it ran on.")
    when: datetime = Field(description="When it started, in UTC.")
    reproduce: str = Field(description="The command that measures the same again.")
    lag: Lag = Field(description="The sighting of each write.")
    quantiles: tuple[Quantile, ...] = Field(description="Five lags, from the least to the worst.")
    found: tuple[FoundBy, ...] = Field(description="The distribution, at round times.")


def lag_report(
    lag: Lag, *, target: str, harness: str, declared: Declarations, when: datetime, reproduce: str
) -> LagReport:
    """Return the report on a measurement, with what this process and the harness say it ran on."""
    manifest = declared.manifest
    counts = ((seconds, lag.found_by(seconds)) for seconds in round_times(lag, most=_ROWS))
    return LagReport(
        target=target,
        harness=harness,
        adapter=manifest.adapter if manifest else None,
        declared=manifest.search_consistency if manifest else None,
        service=dict(declared.service),
        environment=Environment(
            python=platform.python_version(),
            system=platform.system(),
            packages={name: version(name) for name in _PACKAGES},
        ),
        when=when,
        reproduce=reproduce,
        lag=lag,
        quantiles=tuple(_quantile(lag, name, share) for name, share in _SHARES.items()),
        found=tuple(FoundBy(seconds=at, least=least, most=most) for at, (least, most) in counts),
    )


def round_times(lag: Lag, *, most: int) -> list[float]:
    """Return round times that span the measured lags, as many as there is room for.

    The first is before every write was seen, the last one after all of those
    that were; where some were not, the deadline is added.
    """
    seen = [by for by in lag.seen_by() if 0 < by < inf]
    end = [lag.deadline] if lag.seen < lag.writes else []
    if not seen:
        return end or [0.0]
    spans = [_spanning(seen[0], seen[-1], series) for series in _SERIES]
    times = next((span for span in spans if len(span) <= most), spans[-1])
    return sorted({*times, *end})


def _quantile(lag: Lag, name: str, share: float) -> Quantile:
    least, most = lag.quantile(share)
    return Quantile(name=name, share=share, least=least, most=most if isfinite(most) else None)


def _spanning(least: float, greatest: float, series: tuple[float, ...]) -> list[float]:
    times = list(_rising(floor(log10(least)) - 1, greatest, series))
    start = bisect_left(times, least) - 1
    return times[start : bisect_left(times, greatest) + 1]


def _rising(power: int, greatest: float, series: tuple[float, ...]) -> Iterator[float]:
    """Round times from a power of ten up to the first that is not below the greatest."""
    while True:
        for number in series:
            # By way of text, so that 2 * 10 ** -4 is the float that is written 0.0002.
            time = float(f"{number}e{power}")
            yield time
            if time >= greatest:
                return
        power += 1

"""What an experiment gave on a real service: run where it can be had, else as committed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, TypeAdapter

from memory_fidelity.testing.harness import (
    HarnessFactory,
    MemoryAdapterHarness,
    ServiceMissing,
)
from memory_fidelity.testing.targets import BrokenTarget, harness, lanes

__all__ = ["Committed", "Experiment", "live_or_committed"]

Experiment = Callable[[MemoryAdapterHarness], Awaitable[dict[str, int]]]
"""Tries something out on a disposable service, and returns counts that are the same in each run."""


class Committed(BaseModel):
    """What an experiment gave when it was last written down."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    when: date
    service: dict[str, str]
    """Versions of the service and its client, by name."""
    gave: dict[str, int]


_FILE: Final = TypeAdapter(dict[str, Committed])


async def live_or_committed(
    target: str, experiment: Experiment, committed: Path | str
) -> dict[str, int]:
    """Return what the experiment gives on the live service of a target.

    Where the service or its client cannot be had, that is what the file says
    of the target; where it can, the experiment runs, and must give the same.
    So a lesson shows the same on each machine, and a file that is wrong is
    found out wherever there is a service. `target` is a built-in name or a
    `module:Harness`; the harness is closed here.

    Raises:
        AssertionError: the experiment gave something else than the file says.
        KeyError: the file says nothing of the target.
        OSError, pydantic.ValidationError: the file cannot be read.
        UnknownTarget, BrokenTarget, ValueError: there is no such live harness.
    """
    expected = _said(Path(committed), target)
    try:
        got = await _given(_live(target), experiment)
    except ServiceMissing:
        return expected
    except BrokenTarget as error:
        if not isinstance(error.__cause__, ImportError):
            raise
        return expected
    if got != expected:
        raise AssertionError(f"{committed}: {target}: expected {expected}, got {got}")
    return got


def _said(committed: Path, target: str) -> dict[str, int]:
    return _FILE.validate_json(committed.read_bytes())[target].gave


async def _given(factory: HarnessFactory, experiment: Experiment) -> dict[str, int]:
    service = factory()
    try:
        return await experiment(service)
    finally:
        await service.close()


def _live(target: str) -> HarnessFactory:
    place = target if ":" in target else lanes(target).get("live")
    if place is None:
        raise ValueError(f"{target}: expected a target with a live lane, got one without")
    return harness(place)

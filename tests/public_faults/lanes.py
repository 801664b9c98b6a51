"""Every adapter that there is, in every lane that it has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from tests.example_http.card_index import LiveCardIndex, RiggedCardIndex
from tests.example_service.pinboard import LivePinboard, RiggedPinboard

from memory_fidelity.testing import HarnessFactory
from memory_fidelity.testing.targets import harness, installed, lanes

__all__ = ["LANES", "Lane", "Service"]

Service: TypeAlias = Literal["khive", "postgres"]
"""What a lane needs that a machine may not have."""


@dataclass(frozen=True, slots=True)
class Lane:
    """How one adapter is reached."""

    name: str
    factory: HarnessFactory
    needs: Service | None = None
    """The service that must be on this machine."""


def _lanes() -> Iterator[Lane]:
    for target in installed():
        for lane, place in lanes(target).items():
            yield Lane(f"{target}-{lane}", harness(place), _service(target, lane))
    yield Lane("pinboard-fake", RiggedPinboard)
    yield Lane("pinboard-live", LivePinboard)
    yield Lane("card-index-fake", RiggedCardIndex)
    yield Lane("card-index-live", LiveCardIndex)


def _service(target: str, lane: str) -> Service | None:
    if lane == "fake":
        return None
    services: tuple[Service, ...] = get_args(Service)
    return next((service for service in services if target.startswith(service)), None)


LANES: Final = tuple(_lanes())
"""All that can be reached with what is installed."""

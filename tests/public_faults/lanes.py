"""Every adapter that there is, in every lane that it has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from tests.example_http.card_index import LiveCardIndex, RiggedCardIndex
from tests.example_service.pinboard import LivePinboard, RiggedPinboard

from memory_fidelity.testing import HarnessFactory
from memory_fidelity.testing.targets import harness, installed, lanes

__all__ = ["LANES", "Lane"]


@dataclass(frozen=True, slots=True)
class Lane:
    """How one adapter is reached."""

    name: str
    factory: HarnessFactory
    needs_servers: bool = False


def _lanes() -> Iterator[Lane]:
    for target in installed():
        for lane, place in lanes(target).items():
            needs = lane == "live" and target.startswith("postgres")
            yield Lane(f"{target}-{lane}", harness(place), needs)
    yield Lane("pinboard-fake", RiggedPinboard)
    yield Lane("pinboard-live", LivePinboard)
    yield Lane("card-index-fake", RiggedCardIndex)
    yield Lane("card-index-live", LiveCardIndex)
    if find_spec("fastmcp") is not None:
        from tests.fake.test_khive_store import LiveStandIn

        yield Lane("khive-stand-in-live", LiveStandIn)


LANES: Final = tuple(_lanes())
"""All that can be reached with what is installed."""

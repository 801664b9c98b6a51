"""What a comparison found, as it is written to `results.json` and read again."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict

from memory_fidelity.testing.kills import Killing

__all__ = ["Comparison", "Judged", "KitResult", "OwnVerdict", "Seen", "Told", "Trial"]

Told = Literal["caught", "not caught"]


class _Written(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Seen(_Written):
    """What the probe of a fault saw: in the backend as published, in the one that carries faults
    and has none, and in the one with the fault."""

    without: str
    carrier: str
    with_fault: str

    @property
    def active(self) -> bool:
        """Whether the fault, and nothing but the fault, makes a difference."""
        return self.without == self.carrier != self.with_fault


class Trial(_Written):
    """One run of a kit's tests."""

    passed: int
    failed: tuple[str, ...]
    set_aside: int
    """Skipped, or failed as expected."""
    says: str
    """The kit's own conclusion."""


class Judged(_Written):
    """One fault before one kit."""

    told: Told
    seen: Seen
    trial: Trial
    beyond: str | None
    """Why the kit's documentation promises nothing about it, if that is so."""


class KitResult(_Written):
    """Everything about one kit."""

    title: str
    backend: str
    what_runs: str
    python: str
    versions: dict[str, str]
    plain: Trial
    """Its tests over the backend as published."""
    carrier: Trial
    """Its tests over the backend that carries faults and has none."""
    judged: dict[str, Judged]
    left_out: dict[str, str]
    """Faults that cannot be put into this backend, and why."""
    switched_off: dict[str, Trial]
    """Its tests with everything switched off, by the way of doing so."""

    @property
    def caught(self) -> int:
        """How many faults made a test fail."""
        return sum(each.told == "caught" for each in self.judged.values())


class OwnVerdict(_Written):
    """A fault of the same kind before this project's suite."""

    fault: str
    case: str
    killing: Killing
    active: tuple[str, str] | None


class Comparison(_Written):
    """All kits, and our suite beside them."""

    when: date
    kits: dict[str, KitResult]
    suite: dict[str, OwnVerdict]

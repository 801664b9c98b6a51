"""Lies about one field of a manifest, in the direction that is wanted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from memory_fidelity.card import AdapterCard
from memory_fidelity.manifest import Fidelity, MemoryAdapterManifest, MemoryItemField
from memory_fidelity.testing.faults.claims import Claims, Lie, Telling, Weaken, claims
from memory_fidelity.testing.faults.fault import Fault, Shared, Unless, always, fault
from memory_fidelity.testing.flips import Flip, flips, lying_card

__all__ = [
    "Wanted", "claimed", "claims_dropped", "claims_native", "flipped", "gains", "lie_about",
    "loses", "overstated", "says", "told", "understated",
]  # fmt: skip

_STRENGTH: Final[tuple[Fidelity, ...]] = ("lossy", "native_fields", "full")

Wanted = Callable[[MemoryAdapterManifest, MemoryAdapterManifest], bool]
"""Whether a false manifest lies in the direction that a fault is about; the true one is first."""


def flipped(
    true: MemoryAdapterManifest, field: str, fits: Callable[[MemoryAdapterManifest], bool]
) -> Flip | None:
    """Return the first coherent manifest that is false in one field, and fits."""
    return next((flip for flip in flips(true) if flip.field == field and fits(flip.manifest)), None)


def told(true: MemoryAdapterManifest, card: AdapterCard, flip: Flip | None) -> Claims:
    """Return a flip with the card that tells the same lie, or what is true without one."""
    return (true, card) if flip is None else (flip.manifest, lying_card(card, flip))


def _gain(field: str, true: MemoryAdapterManifest, false: MemoryAdapterManifest) -> int:
    return _STRENGTH.index(getattr(false, field)) - _STRENGTH.index(getattr(true, field))


def lie_about(field: str, wanted: Wanted) -> Lie:
    """Flip one field where that lies in the wanted direction, and say what is true elsewhere."""

    def lie(true: MemoryAdapterManifest, card: AdapterCard) -> Claims:
        return told(true, card, flipped(true, field, partial(wanted, true)))

    return lie


def _unless_flipped(field: str, wanted: Wanted) -> Unless:
    def reason(true: MemoryAdapterManifest, _card: AdapterCard) -> str | None:
        if flipped(true, field, partial(wanted, true)):
            return None
        value = getattr(true, field)
        said = sorted(value) if isinstance(value, frozenset) else value
        return f"manifest says {field}={said!r}, and nothing less can be claimed"

    return reason


def overstated(
    name: str, field: str, wanted: Wanted, story: str, *, case: str,
    retrieved: Weaken | None = None, found: Weaken | None = None,
) -> Fault:  # fmt: skip
    """A claim that is too strong: over a weaker adapter, where the claim is the strongest."""
    lie = lie_about(field, wanted)

    def make(inner: Any, shared: Shared) -> Telling:
        if flipped(inner.manifest, field, partial(wanted, inner.manifest)):
            return Telling(inner, shared, lie)
        return Telling(inner, shared, lie, retrieved, found)

    names = ("manifest.native_item_fields",) if "item_fields" in field else (f"manifest.{field}",)
    return fault(f"manifest.{name}", make, case=case, names=names, probe=claims, story=story)


def understated(name: str, field: str, wanted: Wanted, story: str, *, case: str) -> Fault:
    """A claim that is too weak, over an adapter that does what it did."""
    make = partial(Telling, lie=lie_about(field, wanted))
    names = f"manifest.{field}"
    return fault(
        f"manifest.{name}", make, case=case, names=names, probe=claims,
        unless=_unless_flipped(field, wanted), story=story,
    )  # fmt: skip


def claims_native(field: MemoryItemField) -> Wanted:
    """Want a claim that a dropped field is native."""
    return lambda true, false: field in false.native_item_fields - true.native_item_fields


def claims_dropped(field: MemoryItemField) -> Wanted:
    """Want a claim that a native field is dropped."""
    return lambda true, false: field in false.dropped_item_fields - true.dropped_item_fields


def says(field: str, value: object) -> Wanted:
    """Want a claim of this value."""
    return lambda true, false: getattr(false, field) == value


def gains(field: str) -> Wanted:
    """Want a claim of more fidelity."""
    return lambda true, false: _gain(field, true, false) > 0


def loses(field: str) -> Wanted:
    """Want a claim of less fidelity."""
    return lambda true, false: _gain(field, true, false) < 0


def claimed(
    name: str, lie: Lie, story: str, *, case: str, field: str, unless: Unless = always,
    weaken: Weaken | None = None,
) -> Fault:  # fmt: skip
    """Return the fault that this is declared, over an adapter that may be weaker."""
    make = partial(Telling, lie=lie, retrieved=weaken, found=weaken)
    return fault(
        f"manifest.{name}", make, case=case, names=f"manifest.{field}", probe=claims,
        unless=unless, story=story,
    )  # fmt: skip

"""What a store publishes of itself, as far as it can be read; the cases judge the rest."""

from __future__ import annotations

from typing import Final, Protocol, runtime_checkable

from memory_fidelity.card import AdapterCard
from memory_fidelity.manifest import MemoryAdapterManifest

__all__ = ["CarriesCard", "card_of", "manifest_of"]

_SETS: Final = ("native_item_fields", "dropped_item_fields", "supported_filters")


@runtime_checkable
class CarriesCard(Protocol):
    """A store that states more than its manifest."""

    @property
    def card(self) -> AdapterCard:
        """What the store states beside its manifest."""
        ...


def manifest_of(store: object) -> MemoryAdapterManifest | None:
    """Return the manifest, if it has all nine fields, and sets where sets belong.

    Pydantic can be got around, and what lacks a field cannot be compared with.
    """
    manifest = getattr(store, "manifest", None)
    if not isinstance(manifest, MemoryAdapterManifest):
        return None
    whole = set(vars(manifest)) >= set(MemoryAdapterManifest.model_fields)
    readable = whole and all(isinstance(getattr(manifest, name), frozenset) for name in _SETS)
    return manifest if readable else None


def card_of(store: object) -> AdapterCard | None:
    """Return the card, if it is one."""
    card = store.card if isinstance(store, CarriesCard) else None
    return card if isinstance(card, AdapterCard) else None

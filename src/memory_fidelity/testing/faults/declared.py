"""Why there is nothing to spoil in an adapter: what it declares not to keep."""

from __future__ import annotations

from memory_fidelity.card import AdapterCard
from memory_fidelity.manifest import MemoryAdapterManifest

__all__ = ["no_metadata", "no_times"]


def no_metadata(manifest: MemoryAdapterManifest, _card: AdapterCard) -> str | None:
    """Return the reason, if metadata is not preserved."""
    lost = not manifest.preserves_metadata
    return "manifest says that metadata is not preserved" if lost else None


def no_times(manifest: MemoryAdapterManifest, _card: AdapterCard) -> str | None:
    """Return the reason, if there is no time to spoil."""
    dropped = "created_at" in manifest.dropped_item_fields
    return "manifest says that created_at is dropped" if dropped else None

"""Deliberate faults: each one behaviour wrong, and all else right."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from memory_fidelity.testing.faults import (
    cancellation,
    cards,
    consistency,
    declarations,
    field_holes,
    field_keys,
    field_mappings,
    field_tags,
    field_texts,
    field_times,
    field_values,
    filter_keys,
    filters,
    hits,
    identities,
    items,
    lifecycle,
    limits,
    listings,
    matching,
    outages,
    replacing,
    replies,
    scopes,
    surface,
    writes,
)
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, Shared, fault

__all__ = ["FAULTS", "Fault", "FaultyStore", "Shared", "fault"]

FAULTS: Final[Mapping[str, Fault]] = MappingProxyType(
    {
        each.name: each
        for each in (
            *limits.FAULTS,
            *identities.FAULTS,
            *writes.FAULTS,
            *replacing.FAULTS,
            *hits.FAULTS,
            *listings.FAULTS,
            *matching.FAULTS,
            *filters.FAULTS,
            *filter_keys.FAULTS,
            *scopes.FAULTS,
            *outages.FAULTS,
            *replies.FAULTS,
            *consistency.FAULTS,
            *cancellation.FAULTS,
            *declarations.FAULTS,
            *surface.FAULTS,
            *items.FAULTS,
            *cards.FAULTS,
            *field_texts.FAULTS,
            *field_values.FAULTS,
            *field_mappings.FAULTS,
            *field_keys.FAULTS,
            *field_tags.FAULTS,
            *field_times.FAULTS,
            *field_holes.FAULTS,
            *lifecycle.FAULTS,
        )
    }
)
"""Every fault, by name."""

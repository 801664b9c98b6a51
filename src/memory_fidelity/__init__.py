"""What an external memory service keeps, alters, drops and delays: declared and executed."""

from __future__ import annotations

from memory_fidelity.adapter import MemoryAdapter, Record, Search
from memory_fidelity.card import AdapterCard, FilterMapping, Lifecycle, LossFixture, Refusal
from memory_fidelity.choose import (
    Loss,
    Needs,
    UnmetNeed,
    UnmetNeeds,
    compare,
    require,
    unmet,
)
from memory_fidelity.errors import (
    MemoryAdapterError,
    MemoryAdapterUnavailable,
    UnsupportedMemoryItem,
    UnsupportedMemoryQuery,
)
from memory_fidelity.exact import Difference, differences, item_differences, same
from memory_fidelity.manifest import (
    Fidelity,
    MemoryAdapterManifest,
    MemoryItemField,
    SearchConsistency,
)
from memory_fidelity.store import (
    ExternalMemoryStore,
    InMemoryStore,
    MemoryItem,
    MemoryQuery,
    MemoryStore,
    memory_query,
)
from memory_fidelity.visibility import FirstSight, NotYetSearchable, until_searchable

__version__ = "0.1.0"

__all__ = [
    "AdapterCard",
    "Difference",
    "ExternalMemoryStore",
    "Fidelity",
    "FilterMapping",
    "FirstSight",
    "InMemoryStore",
    "Lifecycle",
    "Loss",
    "LossFixture",
    "MemoryAdapter",
    "MemoryAdapterError",
    "MemoryAdapterManifest",
    "MemoryAdapterUnavailable",
    "MemoryItem",
    "MemoryItemField",
    "MemoryQuery",
    "MemoryStore",
    "Needs",
    "NotYetSearchable",
    "Record",
    "Refusal",
    "Search",
    "SearchConsistency",
    "UnmetNeed",
    "UnmetNeeds",
    "UnsupportedMemoryItem",
    "UnsupportedMemoryQuery",
    "compare",
    "differences",
    "item_differences",
    "memory_query",
    "require",
    "same",
    "unmet",
    "until_searchable",
]

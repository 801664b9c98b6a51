"""All that an adapter author runs: harness protocols, the suite, its reports."""

from __future__ import annotations

from memory_fidelity.testing.evidence import standing
from memory_fidelity.testing.fidelity import AdapterFidelity
from memory_fidelity.testing.harness import (
    BreaksCalls,
    Call,
    CorruptsResponses,
    DelaysIndex,
    HangsCalls,
    HarnessFactory,
    Journal,
    MemoryAdapterHarness,
    NamesService,
    PlantsForeignRecord,
    RejectsWrites,
    WithholdsIdentity,
)
from memory_fidelity.testing.report import CaseResult, Finding, LaneReport, Report
from memory_fidelity.testing.runner import check, check_sync

__all__ = [
    "AdapterFidelity",
    "BreaksCalls",
    "Call",
    "CaseResult",
    "CorruptsResponses",
    "DelaysIndex",
    "Finding",
    "HangsCalls",
    "HarnessFactory",
    "Journal",
    "LaneReport",
    "MemoryAdapterHarness",
    "NamesService",
    "PlantsForeignRecord",
    "RejectsWrites",
    "Report",
    "WithholdsIdentity",
    "check",
    "check_sync",
    "standing",
]

"""The conformance matrix: every case, in the order in which it is reported."""

from __future__ import annotations

from typing import Final

from memory_fidelity.testing.case import Case
from memory_fidelity.testing.cases import (
    accuracy,
    cancellation,
    consistency,
    failures,
    fidelity,
    filters,
    identity,
    lifecycle,
    matching,
    queries,
    scopes,
    surface,
    writes,
)

__all__ = ["CASES"]

CASES: Final[tuple[Case, ...]] = (
    *surface.CASES,
    *identity.CASES,
    *fidelity.CASES,
    *writes.CASES,
    *queries.CASES,
    *matching.CASES,
    *filters.CASES,
    *scopes.CASES,
    *consistency.CASES,
    *failures.CASES,
    *cancellation.CASES,
    *lifecycle.CASES,
    *accuracy.CASES,
)

"""The same faults around the SQLite store and the PostgreSQL store over its wire fake."""

from __future__ import annotations

import pytest
from tests.testing.faults.kills import EVENTUAL, INAPPLICABLE, killing

from memory_fidelity.testing.faults import FAULTS


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in INAPPLICABLE])
@pytest.mark.parametrize("target", ["sqlite", "postgres"])
def test_fault_is_killed(target: str, name: str) -> None:
    """The case that is meant for a fault fails over it, and names what is false."""
    assert killing(target, name) == ("killed", None)


@pytest.mark.parametrize("name", EVENTUAL)
@pytest.mark.parametrize("target", ["sqlite-deferred", "postgres-replica"])
def test_fault_of_a_late_index_is_killed(target: str, name: str) -> None:
    """Where the manifest says `eventual`, as where it says `immediate`."""
    assert killing(target, name) == ("killed", None)

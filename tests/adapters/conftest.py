"""The real PostgreSQL servers that tests share, one pair in each process."""

from __future__ import annotations

import os

import pytest

from memory_fidelity.adapters import postgres_cluster
from memory_fidelity.testing import ServiceMissing


@pytest.fixture(scope="session")
def servers() -> None:
    """A primary and a standby can be had; without them there is nothing to test (a fault in CI)."""
    try:
        postgres_cluster.shared()
    except ServiceMissing as missing:
        if os.environ.get("CI"):
            pytest.fail(f"PostgreSQL cannot be had: {missing}")
        pytest.skip(f"PostgreSQL cannot be had: {missing}")

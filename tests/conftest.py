"""What tests of several rooms share: a plugin, real PostgreSQL servers, and khive."""

from __future__ import annotations

import os

import pytest

from memory_fidelity.testing import ServiceMissing

pytest_plugins = ["pytester"]


@pytest.fixture(scope="session")
def servers() -> None:
    """A primary and a standby can be had; without them there is nothing to test (a fault in CI)."""
    # Imported here, because some environments have no driver, and no test that needs one.
    from memory_fidelity.adapters import postgres_cluster

    try:
        postgres_cluster.shared()
    except ServiceMissing as missing:
        if os.environ.get("CI"):
            pytest.fail(f"PostgreSQL cannot be had: {missing}")
        pytest.skip(f"PostgreSQL cannot be had: {missing}")


@pytest.fixture(scope="session")
def khive_program() -> str:
    """khive's own program; without it there is nothing to test (a fault in CI)."""
    pytest.importorskip("mcp", reason="comes with the extra `khive`")
    from memory_fidelity.adapters import khive_live

    try:
        return khive_live.khive_program()
    except ServiceMissing as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))

"""The suite as an author of a store uses it, over the backend that a run hands in."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

_suite: Any = import_module("tests.stores.base").BaseStoreTests


class TestBackend(_suite):  # type: ignore[misc] # the suite is not there where this is checked
    @pytest.fixture
    async def store(self, backend: Any) -> Any:
        # The bound is the one that the project's own test of this store sets.
        return backend(max_entries_per_collection=500)

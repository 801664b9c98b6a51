"""The kit's class as an author uses it, over the backend that a run hands in."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

_suite: Any = import_module("langchain_tests.integration_tests").VectorStoreIntegrationTests


class TestBackend(_suite):  # type: ignore[misc] # the kit is not installed where this is checked
    @pytest.fixture
    def vectorstore(self, backend: type) -> Any:
        return backend(self.get_embeddings())

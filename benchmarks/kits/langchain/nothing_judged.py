"""The kit's class as an author uses it who says that nothing is supported."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

_suite: Any = import_module("langchain_tests.integration_tests").VectorStoreIntegrationTests


class TestBackend(_suite):  # type: ignore[misc] # the kit is not installed where this is checked
    has_sync = False
    has_async = False

    @pytest.fixture
    def vectorstore(self, backend: type) -> Any:
        return backend(self.get_embeddings())

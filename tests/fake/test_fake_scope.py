"""No scope of the fake is one that was left out."""

from __future__ import annotations

from typing import Any

import pytest

from memory_fidelity.fake.behaviour import FULL
from memory_fidelity.fake.service import FakeService
from memory_fidelity.fake.store import FakeMemoryStore
from memory_fidelity.fake.transport import FakeTransport


@pytest.mark.parametrize("namespace", ["", None, 1], ids=["empty", "none", "number"])
def test_a_namespace_is_a_text(namespace: Any) -> None:
    """Anything else is refused when the store is made."""
    with pytest.raises(ValueError, match="namespace: expected a text that is not empty, got"):
        FakeMemoryStore(FakeTransport(FakeService(FULL)), namespace=namespace)

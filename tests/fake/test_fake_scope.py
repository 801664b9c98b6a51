"""No scope of the fakes is one that was left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memory_fidelity.fake.behaviour import FULL
from memory_fidelity.fake.khive_store import KhiveStandInStore
from memory_fidelity.fake.service import FakeService
from memory_fidelity.fake.store import FakeMemoryStore
from memory_fidelity.fake.transport import FakeTransport


def _fake(namespace: Any) -> FakeMemoryStore:
    return FakeMemoryStore(FakeTransport(FakeService(FULL)), namespace=namespace)


def _stand_in(namespace: Any) -> KhiveStandInStore:
    return KhiveStandInStore({}, namespace=namespace)


@pytest.mark.parametrize("namespace", ["", None, 1], ids=["empty", "none", "number"])
@pytest.mark.parametrize("made", [_fake, _stand_in], ids=["fake", "khive-stand-in"])
def test_a_namespace_is_a_text(made: Callable[[Any], object], namespace: Any) -> None:
    """Anything else is refused when the store is made."""
    with pytest.raises(ValueError, match="namespace: expected a text that is not empty, got"):
        made(namespace)

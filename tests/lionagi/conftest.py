"""The service that lionagi's provider and a store are given."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from lionagi.service.token_calculator import TokenCalculator

from memory_fidelity.fake.khive_service import FakeKhive


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeKhive]:
    """A service, empty, and a lionagi that counts words, for its tokens need a download."""
    monkeypatch.setattr(TokenCalculator, "tokenize", lambda text, *_, **__: len(text.split()))
    with FakeKhive() as running:
        yield running

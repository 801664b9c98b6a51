"""Sequences of calls, compared with the model."""

from __future__ import annotations

import pytest
from hypothesis.stateful import run_state_machine_as_test
from tests.properties.embedded import EMBEDDED, Embedded
from tests.properties.machine import against_model
from tests.properties.profiles import RUNS


@pytest.mark.parametrize("adapter", EMBEDDED)
def test_a_store_and_the_model_answer_alike(adapter: Embedded) -> None:
    """Store, replace, retrieve, search, refresh and reopen, in any order (C8, C9, C11, C14, R3)."""
    run_state_machine_as_test(against_model(adapter), settings=RUNS)

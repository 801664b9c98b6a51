"""The properties find what is wrong: each broken store fails the one that it should."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.properties.embedded import FILTERS, Embedded
from tests.properties.endings import after_item
from tests.properties.machine import against_model

from memory_fidelity import MemoryAdapterError, MemoryItem
from memory_fidelity.json_codec import encode
from memory_fidelity.testing.strategies import items

# What is found is not made small: that is Hypothesis's own business.
_FINDING = settings(
    database=None,
    deadline=None,
    derandomize=True,
    max_examples=300,
    phases=[Phase.generate],
    report_multiple_bugs=False,
)


def _broken(harness: str) -> Embedded:
    return Embedded(f"tests.properties.broken:{harness}", _said)


def _said(content: Any) -> str:
    return content if isinstance(content, str) else encode(content)


@pytest.mark.parametrize("harness", ["FiltersIgnored", "KeepsFirstVersion", "LimitAfterTwo"])
def test_a_broken_store_differs_from_the_model(harness: str) -> None:
    """Some sequence of calls shows it, and the message says in which answer."""
    machine = against_model(_broken(harness))

    with pytest.raises(AssertionError, match=r"^(retrieve|search): "):
        run_state_machine_as_test(machine, settings=_FINDING)


@pytest.mark.parametrize(
    ("harness", "error"),
    [
        pytest.param("CutsLongTags", AssertionError, id="altered"),
        pytest.param("RefusesLate", MemoryAdapterError, id="refused-after-transport"),
    ],
)
def test_a_broken_ending_is_found(harness: str, error: type[Exception]) -> None:
    """Some item shows it, though most do not."""

    @_FINDING
    @given(item=items(keys=FILTERS))
    def ends_as_declared(item: MemoryItem) -> None:
        assert asyncio.run(after_item(_broken(harness), item)) == []

    with pytest.raises(error):
        ends_as_declared()

"""What becomes of one item, whatever is in it."""

from __future__ import annotations

import asyncio
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.embedded import EMBEDDED, FILTERS, Embedded
from tests.properties.endings import after_hostile_item, after_item
from tests.properties.profiles import EXAMPLES

from memory_fidelity import MemoryItem
from memory_fidelity.manifest import MemoryItemField
from memory_fidelity.testing.strategies import hostile_items, items


@cache
def _hostile(fields: tuple[MemoryItemField, ...]) -> st.SearchStrategy[MemoryItem]:
    return hostile_items(fields=fields)


@pytest.mark.parametrize("adapter", EMBEDDED)
@EXAMPLES
@given(item=items(keys=FILTERS))
def test_an_item_is_kept_altered_dropped_or_refused_as_declared(
    adapter: Embedded, item: MemoryItem
) -> None:
    """There is no fifth ending, and nothing is sent of what is refused (W1, W2, C3, C12, C13)."""
    assert asyncio.run(after_item(adapter, item)) == []


@pytest.mark.parametrize("adapter", EMBEDDED)
@EXAMPLES
@given(data=st.data())
def test_an_item_that_nothing_can_keep_is_refused(adapter: Embedded, data: st.DataObject) -> None:
    """It ends in the typed error, nothing is sent, and the store goes on working (W1, E2)."""
    item = data.draw(_hostile(adapter.fields))

    assert asyncio.run(after_hostile_item(adapter, item)) == []

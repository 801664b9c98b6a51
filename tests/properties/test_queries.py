"""What becomes of one query, whatever is in it."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from tests.properties.embedded import EMBEDDED, FILTERS, Embedded
from tests.properties.endings import after_hostile_query
from tests.properties.profiles import EXAMPLES

from memory_fidelity import MemoryQuery
from memory_fidelity.testing.strategies import hostile_queries


@pytest.mark.parametrize("adapter", EMBEDDED)
@EXAMPLES
@given(query=hostile_queries(filters=FILTERS))
def test_a_query_that_nothing_can_answer_is_refused(adapter: Embedded, query: MemoryQuery) -> None:
    """It ends in the typed error, nothing is sent, and the store goes on working (Q2, Q3, E2)."""
    assert asyncio.run(after_hostile_query(adapter, query)) == []

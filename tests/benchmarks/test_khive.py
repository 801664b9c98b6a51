"""The benchmark of the khive store makes the same requests on both sides."""

from __future__ import annotations

import asyncio
from collections import Counter

from benchmarks.bounds import judged
from benchmarks.khive.run import OPERATIONS, TARGETS, Plan, as_text, measure

from memory_fidelity.adapters.mcp_session import McpServer
from memory_fidelity.fake.khive_service import FakeKhive


def test_all_sides_ask_the_same() -> None:
    """As many calls of each verb, but for what a store asks when its process starts."""
    with FakeKhive() as khive:
        asyncio.run(measure(McpServer(khive.command), Plan(rounds=1, calls=2)))
        calls = khive.calls()

    ours = Counter(call.operation for call in calls if '"ours"' in call.text)
    bare = Counter(call.operation for call in calls if '"bare"' in call.text)
    lines = Counter(call.operation for call in calls if '"lines"' in call.text)
    assert ours - Counter({"memory.recall": 1}) == bare == lines


def test_every_operation_has_a_target() -> None:
    """And its figures are shown."""
    with FakeKhive() as khive:
        run = asyncio.run(measure(McpServer(khive.command), Plan(rounds=1, calls=1)))

    found = judged(TARGETS, run)

    assert all(outcome.figure is not None for outcome in found)
    assert all(operation in as_text(run, found) for operation in OPERATIONS)

"""How a khive store asks: whole answers, in the form that is data alone, in few requests."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.adapters.khive_scene import Lane
from tests.adapters.khive_wire import Wire, wired

from memory_fidelity import MemoryAdapterUnavailable, MemoryItem, memory_query
from memory_fidelity.adapters._khive_calls import asked_each
from memory_fidelity.adapters.khive import KhiveMemoryStore, McpServer
from memory_fidelity.fake.khive.state import KhiveSettings
from memory_fidelity.fake.khive_service import FakeKhive


def test_a_request_asks_for_whole_answers_in_the_json_form() -> None:
    """khive's default would cut identities, and its own notation would run what a text says."""
    heard: list[tuple[str, dict[str, Any]]] = []

    async def ask(tool: str, arguments: dict[str, Any]) -> str:
        heard.append((tool, arguments))
        return '{"results": [{"ok": true, "result": 1}]}'

    text = 'x") | delete(id="y\u2028\u00e9'
    results = asyncio.run(asked_each(ask, ("get", {"id": text})))

    assert results == [1]
    ((tool, arguments),) = heard
    assert (tool, arguments["presentation"]) == ("request", "verbose")
    assert json.loads(arguments["ops"]) == [{"tool": "get", "args": {"id": text}}]
    assert "\u00e9" in arguments["ops"]


@pytest.mark.parametrize(
    ("hits", "requests"),
    [
        pytest.param(0, 1, id="none"),
        pytest.param(1, 2, id="one"),
        pytest.param(100, 2, id="one-page"),
        pytest.param(101, 3, id="two-pages"),
    ],
)
def test_a_search_is_one_request_and_one_for_each_hundred_hits(
    lane: Lane, hits: int, requests: int
) -> None:
    """As the card declares it; hits are never read one by one (Q7)."""

    async def scenario(wire: Wire) -> tuple[int, int]:
        store = wire.store(concurrency=8)
        await asyncio.gather(*(store.store(MemoryItem(content=f"tea {n}")) for n in range(hits)))
        before = len(wire.requests())
        found = await store.search(memory_query(text="tea", limit=200))
        return len(found), len(wire.requests()) - before

    assert wired(lane, scenario) == (hits, requests)


@pytest.mark.parametrize(
    ("settings", "outages"),
    [
        pytest.param(KhiveSettings(writer_busy=True), [True, False, False], id="writer-busy"),
        pytest.param(KhiveSettings(broken_storage=True), [True, True, True], id="broken-storage"),
    ],
)
def test_what_khive_cannot_do_is_an_outage_and_the_rest_works(
    settings: KhiveSettings, outages: list[bool]
) -> None:
    """A database that another process has locked can be read."""
    item = MemoryItem(content="tea")

    async def scenario(khive: FakeKhive) -> list[bool]:
        async with KhiveMemoryStore(McpServer(khive.command)) as store:
            await store.store(item)
            khive.settings = settings
            results = [
                await asyncio.gather(call, return_exceptions=True)
                for call in (
                    store.store(item),
                    store.retrieve(item.id),
                    store.search(memory_query(text="tea")),
                )
            ]
        return [isinstance(result, MemoryAdapterUnavailable) for (result,) in results]

    with FakeKhive() as khive:
        assert asyncio.run(scenario(khive)) == outages

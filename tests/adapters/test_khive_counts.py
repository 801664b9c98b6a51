"""How many requests a call of a khive store is, as they pass on the wire."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final
from uuid import UUID

import pytest
from tests.adapters.khive_scene import Lane
from tests.adapters.khive_wire import Wire, wired

from memory_fidelity import MemoryItem, memory_query
from memory_fidelity.adapters.khive import KhiveMemoryStore

_KNOWN: Final = MemoryItem(content="tea", tags=["hot"])
_NEW: Final = MemoryItem(content="milk")

Act = Callable[[KhiveMemoryStore], Awaitable[object]]


def _search(**query: Any) -> Act:
    return lambda store: store.search(memory_query(**query))


_CALLS: Final[dict[str, tuple[Act, list[list[str]]]]] = {
    "store-new": (
        lambda store: store.store(_NEW),
        [["query"], ["memory.remember"], ["update"], ["query"]],
    ),
    "store-known": (lambda store: store.store(_KNOWN), [["query"], ["update"]]),
    "retrieve-known": (lambda store: store.retrieve(_KNOWN.id), [["query"], ["get"]]),
    "retrieve-unknown": (lambda store: store.retrieve(UUID(int=1, version=4)), [["query"]]),
    "search-text": (_search(text="tea"), [["memory.recall"], ["get"]]),
    "search-text-in-vain": (_search(text="coffee"), [["memory.recall"]]),
    "search-tags": (_search(tags=["hot"], limit=1), [["list"]]),
    "search-nothing": (_search(limit=1), [["list"]]),
    "limit-zero": (_search(limit=0), []),
}


@pytest.mark.parametrize(("act", "requests"), _CALLS.values(), ids=_CALLS)
def test_a_call_is_so_many_requests(lane: Lane, act: Act, requests: list[list[str]]) -> None:
    """Once its process is started, which takes one more."""

    async def scenario(wire: Wire) -> list[list[str]]:
        store = wire.store()
        await store.store(_KNOWN)
        begun = len(wire.requests())
        await act(store)
        return wire.requests()[begun:]

    assert wired(lane, scenario) == requests


def test_a_process_is_asked_once_what_it_can_do(lane: Lane) -> None:
    """Before its first call; the client itself asks for nothing else but its tools."""

    async def scenario(wire: Wire) -> list[int]:
        store = wire.store()
        counts = []
        for _ in range(2):
            await store.retrieve(_KNOWN.id)
            counts.append(len(wire.pipe.relay.calls()) - len(wire.requests()))
        return counts

    assert wired(lane, scenario) == [1, 1]


@pytest.mark.parametrize("replies", [1, 2], ids=["lost", "won"])
def test_a_race_for_a_new_id_is_one_more_request(lane: Lane, replies: int) -> None:
    """The fifth makes the older record the item, and deletes the other (W5)."""

    async def scenario(wire: Wire) -> list[list[str]]:
        store, relay = wire.store(), wire.pipe.relay
        await store.retrieve(_KNOWN.id)
        begun = len(wire.requests())
        await relay.stall_replies()
        storing = asyncio.ensure_future(store.store(_NEW))
        await relay.held()
        for _ in range(replies - 1):
            await relay.resume()
            await relay.stall_replies()
            await relay.held()
        await wire.rival().store(_NEW)
        await relay.resume()
        await storing
        return wire.requests()[begun:]

    new = [["query"], ["memory.remember"], ["update"], ["query"]]
    assert wired(lane, scenario) == [*new, ["update", "delete"]]

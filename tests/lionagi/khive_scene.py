"""One khive service, with a store and lionagi's provider over it, for a test to play on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, TypeVar

import pytest

from lionagi import Branch
from memory_fidelity import MemoryItem
from memory_fidelity.fake.khive_service import FakeKhive

if TYPE_CHECKING:
    from memory_fidelity.adapters.khive import KhiveMemoryStore

# The provider came after the oldest lionagi that is supported, and its client is an extra.
pytest.importorskip("fastmcp", reason="comes with the extra `workbook`")
_injection = pytest.importorskip("lionagi.tools.khive_injection", reason="needs a newer lionagi")
_connections = pytest.importorskip("lionagi.service.connections.mcp_wrapper")
ContextProvider = pytest.importorskip("lionagi.protocols.context_providers").ContextProvider

Result = TypeVar("Result")
Scene = Callable[["KhiveMemoryStore", Any], Awaitable[Result]]

NAMESPACE: Final = "guests"
PATIENCE: Final = 2.0
"""Seconds for a reply, and for a process to start; both take milliseconds."""

TEA: Final = MemoryItem(content="Prefers green tea to coffee", tags=["taste"])
ALLERGY: Final = MemoryItem(content="Allergic to bergamot")
OF_TEA: Final = "Is green tea or coffee ok?"
OF_NEITHER: Final = "Is Earl Grey welcome?"
FAILED_AND_RETRIED: Final = [
    SimpleNamespace(function="order", output={"error": "out of Assam"}),
    SimpleNamespace(function="order", output={"tea": "Darjeeling"}),
]


def store_over(service: FakeKhive) -> KhiveMemoryStore:
    """Return a store with a process of its own."""
    from memory_fidelity.adapters.khive import KhiveMemoryStore, McpServer

    return KhiveMemoryStore(McpServer(service.command), namespace=NAMESPACE, timeout=PATIENCE)


def provider_over(service: FakeKhive) -> Any:
    """Return lionagi's provider over a service."""
    return provider_of(service.mcp_config)


def provider_of(mcp_config: dict[str, Any]) -> Any:
    """Return lionagi's provider, as it is, with its defaults where it has any."""
    policy = _injection.KhiveInjectionPolicy(
        profile_id="waiter",
        namespace=NAMESPACE,
        cadence="every_turn",
        writeback=_injection.WritebackPolicy(enabled=True),
    )
    return _injection.KhiveInjectionProvider(policy, mcp_config=mcp_config)


def provided(provider: Any, question: str) -> Awaitable[str | None]:
    """What the provider gives for a turn with this question."""
    branch = Branch(system="You are a waiter.")
    instruction = branch.msgs.create_instruction(instruction=question)
    answer: Awaitable[str | None] = provider.provide(branch, instruction)
    return answer


def reconnect() -> Awaitable[None]:
    """Have lionagi forget its connections, those to ended processes as well."""
    cleaned: Awaitable[None] = _connections.MCPConnectionPool.cleanup()
    return cleaned


def play(service: FakeKhive, scene: Scene[Result]) -> Result:
    """Play a scene with a store that has two items, and a provider that is connected."""

    async def play() -> Result:
        provider = provider_over(service)
        try:
            async with store_over(service) as store:
                await store.store(TEA)
                await store.store(ALLERGY)
                await provided(provider, OF_NEITHER)
                return await scene(store, provider)
        finally:
            service.resume()
            await reconnect()

    return asyncio.run(play())

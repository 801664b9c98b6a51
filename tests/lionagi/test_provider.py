"""lionagi's khive provider beside a store over the same service (X2 to X6)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from lionagi import Branch, Session
from memory_fidelity import MemoryAdapterUnavailable, MemoryItem, MemoryStore, memory_query
from memory_fidelity.fake.khive_stand_in import KhiveStandIn
from memory_fidelity.fake.khive_store import KhiveStandInStore

# The provider came after the oldest lionagi that is supported, and its client is an extra.
pytest.importorskip("fastmcp", reason="comes with the extra `workbook`")
khive = pytest.importorskip("lionagi.tools.khive_injection", reason="needs a newer lionagi")
mcp_wrapper = pytest.importorskip("lionagi.service.connections.mcp_wrapper")
token_calculator = pytest.importorskip("lionagi.service.token_calculator")

Result = TypeVar("Result")

TEA = MemoryItem(content="Prefers green tea")
ALLERGY = MemoryItem(content="Allergic to bergamot")
FAILED_AND_RETRIED = [
    SimpleNamespace(function="order", output={"error": "out of Assam"}),
    SimpleNamespace(function="order", output={"tea": "Darjeeling"}),
]


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[KhiveStandIn]:
    """A service, empty, and a lionagi that counts words, for its tokens need a download."""
    monkeypatch.setattr(
        token_calculator.TokenCalculator, "tokenize", lambda text, *_, **__: len(text.split())
    )
    with KhiveStandIn() as running:
        yield running


def provider_over(service: KhiveStandIn) -> Any:
    """lionagi's provider, as it is, with its defaults where it has any."""
    policy = khive.KhiveInjectionPolicy(
        profile_id="waiter",
        cadence="every_turn",
        writeback=khive.WritebackPolicy(enabled=True),
    )
    return khive.KhiveInjectionProvider(policy, mcp_config=service.mcp_config)


def recalled(provider: Any, question: str) -> Awaitable[str | None]:
    """What the provider gives for a turn with this question."""
    branch = Branch(system="You are a waiter.")
    instruction = branch.msgs.create_instruction(instruction=question)
    answer: Awaitable[str | None] = provider.provide(branch, instruction)
    return answer


def using(
    service: KhiveStandIn, scenario: Callable[[KhiveStandInStore, Any], Awaitable[Result]]
) -> Result:
    """Run a scenario with a store that has two items, and a provider; close both."""

    async def run() -> Result:
        try:
            async with KhiveStandInStore(service.mcp_config) as store:
                await store.store(TEA)
                await store.store(ALLERGY)
                return await scenario(store, provider_over(service))
        finally:
            await mcp_wrapper.MCPConnectionPool.cleanup()

    return asyncio.run(run())


def test_a_provider_gives_text(service: KhiveStandIn) -> None:
    """X2: it quotes what it recalled; there is no item in it, and no identity."""

    async def scenario(store: KhiveStandInStore, provider: Any) -> str | None:
        return await recalled(provider, "Which tea shall it be?")

    text = using(service, scenario)

    assert type(text) is str
    assert TEA.content in text
    assert str(TEA.id) not in text


def test_one_outage_has_two_answers(service: KhiveStandIn) -> None:
    """X2: the provider gives nothing and the turn can go on; the store raises."""

    async def scenario(store: KhiveStandInStore, provider: Any) -> str | None:
        service.break_down()
        with pytest.raises(MemoryAdapterUnavailable):
            await store.search(memory_query(text="tea"))
        return await recalled(provider, "Which tea shall it be?")

    assert using(service, scenario) is None


def test_a_writeback_is_no_result_of_persistence(service: KhiveStandIn) -> None:
    """X3: it counts nothing although its record is there, once its reply is lost."""

    async def scenario(store: KhiveStandInStore, provider: Any) -> int:
        service.lose_next_reply()
        written: int = await provider.writeback(Branch(), FAILED_AND_RETRIED)
        return written

    written = using(service, scenario)

    assert (written, len(service.records()) - 2) == (0, 1)


def test_a_provider_is_no_store(service: KhiveStandIn) -> None:
    """X4: it has neither the methods nor a manifest."""
    provider = provider_over(service)

    assert not isinstance(provider, MemoryStore)
    assert not hasattr(provider, "manifest")


def test_a_provider_has_no_part_in_the_sharing_of_stores(service: KhiveStandIn) -> None:
    """X4: a branch that has one still takes the store of its session."""
    session = Session(memory=KhiveStandInStore(service.mcp_config))
    branch = Branch()
    branch.providers.register(provider_over(service))

    session.include_branches(branch)

    assert branch.memory is session.memory


def test_the_defaults_of_a_provider_are_its_own(service: KhiveStandIn) -> None:
    """X5: five hits, a score of 0.4, budgets of 800 and 2000 tokens; no manifest has a number."""
    policy = provider_over(service).policy
    manifest = KhiveStandInStore(service.mcp_config).manifest

    assert (policy.recall.limit, policy.recall.min_score) == (5, 0.4)
    assert (policy.recall.max_tokens, policy.compose.max_tokens) == (800, 2000)
    assert re.findall(r"\d", manifest.model_dump_json()) == []


def test_silence_of_a_provider_says_nothing_of_the_store(service: KhiveStandIn) -> None:
    """X6: what no word of the question finds is stored all the same."""

    async def scenario(
        store: KhiveStandInStore, provider: Any
    ) -> tuple[str | None, MemoryItem | None]:
        text = await recalled(provider, "Is Earl Grey welcome?")
        return text, await store.retrieve(ALLERGY.id)

    assert using(service, scenario) == (None, ALLERGY)


def test_what_a_provider_recalls_need_not_be_an_item(service: KhiveStandIn) -> None:
    """X6: a writeback is in the prompt, and no store can return it."""

    async def scenario(
        store: KhiveStandInStore, provider: Any
    ) -> tuple[str | None, list[MemoryItem]]:
        await provider.writeback(Branch(), FAILED_AND_RETRIED)
        text = await recalled(provider, "Is there Assam?")
        return text, await store.search(memory_query(text="Assam"))

    text, hits = using(service, scenario)

    assert "out of Assam" in str(text)
    assert hits == []

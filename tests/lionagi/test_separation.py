"""lionagi's khive provider and a store over the same service are different things (X4, X5, X6)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tests.lionagi.khive_scene import (
    OF_TEA,
    TEA,
    ContextProvider,
    play,
    provided,
    provider_over,
    store_over,
)

from lionagi import Branch, Session
from memory_fidelity import (
    AdapterCard,
    ExternalMemoryStore,
    InMemoryStore,
    MemoryStore,
    memory_query,
)
from memory_fidelity.fake.khive_service import FakeKhive

if TYPE_CHECKING:
    from memory_fidelity.adapters.khive import KhiveMemoryStore


def test_a_provider_is_no_store(service: FakeKhive) -> None:
    """X4: it has neither the methods nor a manifest."""
    provider = provider_over(service)

    assert isinstance(provider, ContextProvider)
    assert not isinstance(provider, MemoryStore)
    assert not hasattr(provider, "manifest")


def test_a_store_is_no_provider(service: FakeKhive) -> None:
    """X1, X4: it is a store with a manifest, and gives no prompt."""
    store = store_over(service)

    assert isinstance(store, ExternalMemoryStore)
    assert not isinstance(store, ContextProvider)


def test_registering_a_provider_gives_a_branch_no_store(service: FakeKhive) -> None:
    """X4: its memory stays the private one that every branch has."""
    branch = Branch()

    branch.providers.register(provider_over(service))

    assert type(branch.memory) is InMemoryStore


def test_giving_a_branch_a_store_registers_no_provider(service: FakeKhive) -> None:
    """X4: nothing is put into its prompts."""
    branch = Branch(memory=store_over(service))

    assert branch.providers.names == []


def test_a_branch_with_both_uses_each_for_its_own(service: FakeKhive) -> None:
    """X4: its memory is the store, its provider is registered, and neither is the other."""

    async def scene(
        store: KhiveMemoryStore, provider: Any
    ) -> tuple[MemoryStore, list[str], str | None]:
        branch = Branch(system="You are a waiter.", memory=store)
        branch.providers.register(provider)
        return branch.memory, branch.providers.names, await provided(provider, OF_TEA)

    memory, names, text = play(service, scene)

    assert isinstance(memory, ExternalMemoryStore)
    assert names == ["khive_injection:waiter"]
    assert TEA.content in str(text)


def test_the_first_claim_of_a_store_is_the_session_s(service: FakeKhive) -> None:
    """X4: a branch that joins takes the store, and the provider of another takes no part."""
    store = store_over(service)
    session = Session(memory=store)
    told, plain = Branch(), Branch()
    told.providers.register(provider_over(service))

    session.include_branches([told, plain])

    assert session.memory is told.memory is plain.memory is store
    assert plain.providers.names == []


def test_a_provider_claims_no_store_for_a_session(service: FakeKhive) -> None:
    """X4: a session without a store has none of khive's, whatever its branches register."""
    session, branch = Session(), Branch()
    branch.providers.register(provider_over(service))

    session.include_branches(branch)

    assert type(branch.memory) is InMemoryStore


def test_the_defaults_of_a_provider_are_its_own(service: FakeKhive) -> None:
    """X5: five hits, a score of 0.4, budgets of 800 and 2000 tokens."""
    policy = provider_over(service).policy

    assert (policy.recall.limit, policy.recall.min_score) == (5, 0.4)
    assert (policy.recall.max_tokens, policy.compose.max_tokens) == (800, 2000)


def test_a_provider_cuts_a_question(service: FakeKhive) -> None:
    """X5: what it asks khive has 400 characters of the turn."""

    async def scene(_: KhiveMemoryStore, provider: Any) -> str:
        await provided(provider, "tea " * 400)
        query: str = json.loads(service.calls()[-1].text)["query"]
        return query

    assert len(play(service, scene).removeprefix("role=agent task=")) == 400


def test_a_store_cuts_no_question(service: FakeKhive) -> None:
    """X5: the 400 characters are the provider's own."""

    async def scene(store: KhiveMemoryStore, _: Any) -> str:
        await store.search(memory_query(text="tea " * 400))
        return "".join(call.text for call in service.calls())

    assert "tea " * 400 in play(service, scene)


def test_no_manifest_has_the_defaults_of_a_provider(service: FakeKhive) -> None:
    """X5: there is not one number in it."""
    manifest = store_over(service).manifest

    assert re.findall(r"\d", manifest.model_dump_json()) == []


def test_no_card_has_the_defaults_of_a_provider(service: FakeKhive) -> None:
    """X5: what a card says is of the store and its service."""
    card: AdapterCard = store_over(service).card
    stated = " ".join([card.text_match, card.ordering, *card.lifecycle.model_dump().values()])

    numbers = set(re.findall(r"\d[\d,.]*\d|\d", stated))

    assert numbers.isdisjoint({"5", "0.4", "800", "2000", "2,000", "400"})


def test_a_question_of_the_provider_writes_nothing(service: FakeKhive) -> None:
    """X6: the store's items are as they were after a turn."""

    async def scene(_: KhiveMemoryStore, provider: Any) -> tuple[list[Any], list[Any]]:
        before = service.records()
        await provided(provider, OF_TEA)
        return before, list(service.records())

    before, after = play(service, scene)

    assert before == after

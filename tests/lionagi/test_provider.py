"""Six turns of one service: what lionagi's khive provider says, and what a store (X2, X3, X6)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.lionagi.khive_scene import (
    ALLERGY,
    FAILED_AND_RETRIED,
    OF_NEITHER,
    OF_TEA,
    PATIENCE,
    TEA,
    play,
    provided,
    reconnect,
)

from lionagi import Branch
from memory_fidelity import (
    MemoryAdapterError,
    MemoryAdapterUnavailable,
    MemoryItem,
    memory_query,
)
from memory_fidelity.fake.khive.state import KhiveSettings
from memory_fidelity.fake.khive_service import FakeKhive

if TYPE_CHECKING:
    from memory_fidelity.adapters.khive import KhiveMemoryStore

ABOUT_TEA = memory_query(text="tea")
REPLACED = MemoryItem(id=TEA.id, content="Prefers white tea", tags=["taste"])


def test_a_provider_gives_text_in_a_normal_turn(service: FakeKhive) -> None:
    """X2: it quotes what it recalled; there is no item in it, and no identity."""

    async def scene(_: KhiveMemoryStore, provider: Any) -> str | None:
        return await provided(provider, OF_TEA)

    text = play(service, scene)

    assert type(text) is str
    assert TEA.content in text
    assert str(TEA.id) not in text


def test_a_store_gives_the_item_in_a_normal_turn(service: FakeKhive) -> None:
    """X1: it is found whole, with its identity."""

    async def scene(store: KhiveMemoryStore, _: Any) -> list[MemoryItem]:
        return await store.search(ABOUT_TEA)

    (found,) = play(service, scene)

    assert found.model_dump() == TEA.model_dump()


def test_an_empty_recall_is_silence(service: FakeKhive) -> None:
    """X2: the provider gives nothing and no reason."""

    async def scene(_: KhiveMemoryStore, provider: Any) -> tuple[str | None, str | None]:
        return await provided(provider, OF_NEITHER), provider.degradation_reason

    assert play(service, scene) == (None, None)


def test_silence_of_a_provider_says_nothing_of_the_store(service: FakeKhive) -> None:
    """X6: what no word of the question finds is stored all the same."""

    async def scene(store: KhiveMemoryStore, provider: Any) -> tuple[str | None, MemoryItem | None]:
        return await provided(provider, OF_NEITHER), await store.retrieve(ALLERGY.id)

    assert play(service, scene) == (None, ALLERGY)


def test_a_provider_quotes_a_refusal(service: FakeKhive) -> None:
    """What lionagi 0.36 does beyond X2: a block that says so, and a reason."""

    async def scene(_: KhiveMemoryStore, provider: Any) -> tuple[str | None, str | None]:
        service.settings = KhiveSettings(missing_verbs=("memory.recall",))
        return await provided(provider, OF_TEA), provider.degradation_reason

    text, reason = play(service, scene)

    assert "# khive recall unavailable\n" in str(text)
    assert reason == "op_refused:memory.recall"


def test_a_store_raises_at_a_refusal(service: FakeKhive) -> None:
    """X6: the error is typed, and says nothing of an outage."""

    async def scene(store: KhiveMemoryStore, _: Any) -> type[Exception]:
        service.settings = KhiveSettings(missing_verbs=("memory.recall",))
        with pytest.raises(MemoryAdapterError) as raised:
            await store.search(ABOUT_TEA)
        return raised.type

    assert play(service, scene) is MemoryAdapterError


def test_a_provider_gives_nothing_when_its_process_ends(service: FakeKhive) -> None:
    """X2: the turn goes on; lionagi 0.36 has a reason besides."""

    async def scene(_: KhiveMemoryStore, provider: Any) -> tuple[str | None, str | None]:
        service.plant("lose")
        return await provided(provider, OF_TEA), provider.degradation_reason

    text, reason = play(service, scene)

    assert text is None
    assert str(reason).startswith("transport_failure:")


def test_a_store_raises_when_its_process_ends(service: FakeKhive) -> None:
    """C15, X6: an outage is no empty answer, and the next call starts another process."""

    async def scene(store: KhiveMemoryStore, _: Any) -> list[MemoryItem]:
        service.plant("lose")
        with pytest.raises(MemoryAdapterUnavailable):
            await store.search(ABOUT_TEA)
        return await store.search(ABOUT_TEA)

    assert play(service, scene) == [TEA]


def test_a_writeback_counts_what_was_acknowledged(service: FakeKhive) -> None:
    """X3: it counts nothing although its record is there, once its reply is lost."""

    async def scene(_: KhiveMemoryStore, provider: Any) -> int:
        service.plant("lose a write")
        counted: int = await provider.writeback(Branch(), FAILED_AND_RETRIED)
        return counted

    counted = play(service, scene)

    assert (counted, len(service.records()) - 2) == (0, 1)


def test_a_writeback_that_is_repeated_is_there_twice(service: FakeKhive) -> None:
    """X3: its records have no identity by which the second could replace the first."""

    async def scene(_: KhiveMemoryStore, provider: Any) -> int:
        service.plant("lose a write")
        await provider.writeback(Branch(), FAILED_AND_RETRIED)
        await reconnect()
        counted: int = await provider.writeback(Branch(), FAILED_AND_RETRIED)
        return counted

    counted = play(service, scene)

    assert (counted, len(service.records()) - 2) == (1, 2)


def test_a_store_calls_a_lost_acknowledgement_unknown(service: FakeKhive) -> None:
    """X3: it says so, and since an item has an identity, writing it again is safe."""

    async def scene(store: KhiveMemoryStore, _: Any) -> MemoryItem | None:
        service.plant("lose a write")
        with pytest.raises(MemoryAdapterUnavailable, match="whether the item was written"):
            await store.store(REPLACED)
        await store.store(REPLACED)
        return await store.retrieve(TEA.id)

    kept = play(service, scene)

    assert kept == REPLACED
    assert kept.content == REPLACED.content
    assert len(service.records()) == 2


def test_a_provider_waits_for_a_reply_without_end(service: FakeKhive) -> None:
    """Of lionagi 0.36: it has no deadline of its own, so the caller needs one."""

    async def scene(_: KhiveMemoryStore, provider: Any) -> str | None:
        service.plant("hang a read")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(provided(provider, OF_TEA), PATIENCE)
        service.resume()
        return await provided(provider, OF_TEA)

    assert TEA.content in str(play(service, scene))


def test_a_store_waits_for_a_reply_until_its_deadline(service: FakeKhive) -> None:
    """L2: then it raises, and the next call starts another process."""

    async def scene(store: KhiveMemoryStore, _: Any) -> list[MemoryItem]:
        service.plant("hang a read")
        with pytest.raises(MemoryAdapterUnavailable):
            await store.search(ABOUT_TEA)
        service.resume()
        return await store.search(ABOUT_TEA)

    assert play(service, scene) == [TEA]


def test_what_a_provider_recalls_need_not_be_an_item(service: FakeKhive) -> None:
    """X6: a writeback is in the prompt, and no store can return it."""

    async def scene(store: KhiveMemoryStore, provider: Any) -> tuple[str | None, list[MemoryItem]]:
        await provider.writeback(Branch(), FAILED_AND_RETRIED)
        text = await provided(provider, "Has the tool order failed?")
        return text, await store.search(memory_query(text="Assam"))

    text, hits = play(service, scene)

    assert "out of Assam" in str(text)
    assert hits == []

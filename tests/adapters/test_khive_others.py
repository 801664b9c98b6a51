"""What another client of khive has left or changed, and how a store takes it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from tests.adapters.khive_scene import NAMESPACE, Lane, Scene, played, raised
from tests.adapters.khive_values import UUID_TEXT

from memory_fidelity import (
    MemoryAdapterError,
    MemoryItem,
    item_differences,
    memory_query,
)

ENVELOPE = {"id": UUID_TEXT, "created_at": 1.0, "metadata": {}}
NOT_ENVELOPES: dict[str, Any] = {
    "no_mapping": 7,
    "no_id": {"created_at": 1.0, "metadata": {}},
    "id_no_uuid": {**ENVELOPE, "id": "tea"},
    "id_no_text": {**ENVELOPE, "id": 7},
    "no_time": {"id": UUID_TEXT, "metadata": {}},
    "time_no_number": {**ENVELOPE, "created_at": "yesterday"},
    "no_metadata": {"id": UUID_TEXT, "created_at": 1.0},
    "metadata_no_mapping": {**ENVELOPE, "metadata": [1]},
    "metadata_null": {**ENVELOPE, "metadata": None},
}


async def planted(scene: Scene, envelope: Any, **more: Any) -> None:
    """Another client makes a memory that claims to be an item."""
    made = {"content": "tea", "tags": ["taste"], **more}
    await scene.do(
        "create", kind="memory", properties={"lionagi": envelope}, namespace=NAMESPACE, **made
    )


@pytest.mark.parametrize("envelope", NOT_ENVELOPES.values(), ids=NOT_ENVELOPES)
def test_a_spoilt_item_is_an_error(lane: Lane, envelope: Any) -> None:
    """Neither an item with guesses in it nor left out without a word (E4)."""

    async def scenario(scene: Scene) -> list[MemoryAdapterError]:
        await planted(scene, envelope)
        return [
            await raised(scene.store.search(memory_query())),
            await raised(scene.store.search(memory_query(text="tea"))),
            await raised(scene.store.search(memory_query(tags=["taste"]))),
        ]

    errors = played(lane, scenario)

    assert {type(error) for error in errors} == {MemoryAdapterError}
    assert None not in {error.__cause__ for error in errors}


def test_an_item_without_tags_is_an_error(lane: Lane) -> None:
    """A store writes an empty list of tags; one that is missing was taken away."""

    async def scenario(scene: Scene) -> MemoryAdapterError:
        await planted(scene, ENVELOPE, tags=[])
        return await raised(scene.store.search(memory_query()))

    assert type(played(lane, scenario)) is MemoryAdapterError


def test_of_two_memories_of_one_id_the_older_counts(lane: Lane) -> None:
    """In retrieval and in each search, until a write leaves one memory, which is its own."""

    async def scenario(scene: Scene) -> list[Any]:
        for content in ("older tea", "newer tea", "newest tea"):
            await planted(scene, ENVELOPE, content=content)
        item = MemoryItem(id=UUID(UUID_TEXT), content="written tea")
        by_id = await scene.store.retrieve(item.id)
        listed = await scene.store.search(memory_query())
        recalled = await scene.store.search(memory_query(text="tea"))
        await scene.store.store(item)
        healed = await scene.store.search(memory_query())
        return [
            by_id and by_id.content,
            [hit.content for hit in listed],
            [hit.content for hit in recalled],
            [item_differences(item, hit) for hit in healed],
            len(await scene.memories()),
        ]

    assert played(lane, scenario) == [
        "older tea",
        ["older tea"],
        ["older tea"],
        [()],
        1,
    ]


def test_two_memories_of_one_id_are_one_hit_on_whichever_pages(lane: Lane) -> None:
    """Pages are as long as the limit, and one tag in two cases fills the first of them."""

    async def scenario(scene: Scene) -> list[str]:
        await planted(scene, ENVELOPE, content="older")
        for n in range(20):
            await planted(scene, {**ENVELOPE, "id": str(UUID(int=n))}, tags=["TASTE"])
        await planted(scene, ENVELOPE, content="newer")
        hits = await scene.store.search(memory_query(tags=["taste"], limit=20))
        return [hit.content for hit in hits]

    assert played(lane, scenario) == ["older"]


def test_what_another_client_wrote_into_an_item_is_read(lane: Lane) -> None:
    """Its text is khive's own, and found by what it now says."""

    async def scenario(scene: Scene) -> list[Any]:
        item = MemoryItem(content="green tea", tags=["taste"], metadata={"n": 1})
        await scene.store.store(item)
        (memory,) = await scene.memories()
        await scene.do("update", id=memory["id"], kind="note", content="black coffee")
        kept = await scene.store.retrieve(item.id)
        found = await scene.store.search(memory_query(text="coffee"))
        return [kept and kept.content, [hit.id == item.id for hit in found]]

    assert played(lane, scenario) == ["black coffee", [True]]


def test_an_id_in_capitals_is_the_same(lane: Lane) -> None:
    """khive compares the letters of an id in any case, as UUIDs are compared."""

    async def scenario(scene: Scene) -> list[Any]:
        await planted(scene, {**ENVELOPE, "id": UUID_TEXT.upper()})
        item = MemoryItem(id=UUID(UUID_TEXT), content="written tea")
        kept = await scene.store.retrieve(item.id)
        await scene.store.store(item)
        return [kept and kept.content, len(await scene.memories())]

    assert played(lane, scenario) == ["tea", 1]

"""What a khive store keeps, exactly, and what khive's guard against secrets does not let in."""

from __future__ import annotations

from typing import Any

import pytest
from tests.adapters.khive_scene import Lane, Scene, played, raised
from tests.adapters.khive_values import HOSTILE, SECRETS

from memory_fidelity import (
    MemoryAdapterError,
    MemoryItem,
    item_differences,
    memory_query,
)


@pytest.mark.parametrize("fields", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_item_is_kept_exactly_and_harms_no_other(
    lane: Lane, fields: dict[str, Any]
) -> None:
    """It comes back as it was, from retrieval and from search, before another item."""

    async def scenario(scene: Scene) -> list[Any]:
        other, item = MemoryItem(content="other", tags=["o"]), MemoryItem(**fields)
        await scene.store.store(other)
        await scene.store.store(item)
        listed = await scene.store.search(memory_query())
        kept = await scene.store.retrieve(item.id), *listed
        by_tags = await scene.store.search(memory_query(tags=[*item.tags, "o"]))
        return [
            *(
                each is not None and item_differences(sent, each)
                for sent, each in zip((item, item, other), kept, strict=True)
            ),
            len(by_tags),
        ]

    assert played(lane, scenario) == [(), (), (), 1 + bool(fields.get("tags"))]


def test_a_write_replaces_an_item_whole(lane: Lane) -> None:
    """Nothing of the former one is left, whatever kind of content it had."""

    async def scenario(scene: Scene) -> list[Any]:
        former = MemoryItem(content={"a": 1}, tags=["old"], metadata={"old": 1, "b": {"c": 2}})
        item = MemoryItem(id=former.id, content="tea", metadata={"b": {}})
        await scene.store.store(former)
        await scene.store.store(item)
        kept = await scene.store.retrieve(item.id)
        return [
            kept is not None and item_differences(item, kept),
            await scene.store.search(memory_query(tags=["old"])),
            len(await scene.memories()),
        ]

    assert played(lane, scenario) == [(), [], 1]


@pytest.mark.parametrize("fields", SECRETS.values(), ids=SECRETS)
def test_what_looks_like_a_secret_is_refused_by_khive(lane: Lane, fields: dict[str, Any]) -> None:
    """A `MemoryAdapterError` that quotes nothing, and no memory, not even half of one."""

    async def scenario(scene: Scene) -> tuple[Exception, Any, Any]:
        item = MemoryItem(**fields)
        error = await raised(scene.store.store(item))
        return error, await scene.store.retrieve(item.id), await scene.memories()

    error, kept, memories = played(lane, scenario)

    assert (type(error), kept, memories) == (MemoryAdapterError, None, [])
    assert str(error) == "khive: store: expected a valid answer, got KhiveRefused"


def test_a_refused_write_leaves_the_former_item(lane: Lane) -> None:
    """The guard refuses a write before any part of it is done."""

    async def scenario(scene: Scene) -> list[Any]:
        item = MemoryItem(content="tea", tags=["taste"])
        await scene.store.store(item)
        await raised(scene.store.store(item.model_copy(update=SECRETS["uuid_near_token"])))
        kept = await scene.store.retrieve(item.id)
        return [kept is not None and item_differences(item, kept), len(await scene.memories())]

    assert played(lane, scenario) == [(), 1]

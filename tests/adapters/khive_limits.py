"""Each limit of khive's that the card tells of, with a scene that shows it and what is seen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from tests.adapters.khive_scene import NAMESPACE, Scene, raised

from memory_fidelity import MemoryItem, UnsupportedMemoryQuery, memory_query
from memory_fidelity.adapter import Record
from memory_fidelity.adapters._khive_records import update

__all__ = ["LIMITS", "Limit"]

_UUID: Final = "6ba7b810-9dad-41d1-80b4-00c04fd430c8"


@dataclass(frozen=True, slots=True)
class Limit:
    """What is done, and what it returns on khive and on the fake of it."""

    scenario: Callable[[Scene], Awaitable[Any]]
    expected: Any


async def _found(scene: Scene, **query: Any) -> list[Any]:
    """The content of every hit, sorted, since khive's own rank is nobody's to foresee."""
    return sorted(hit.content for hit in await scene.store.search(memory_query(**query)))


def _rejects(**query: Any) -> Limit:
    """A query that khive refuses after it was asked."""

    async def scenario(scene: Scene) -> Any:
        error = await raised(scene.store.search(memory_query(**query)))
        assert isinstance(error, UnsupportedMemoryQuery)
        return error.rejected_keys, scene.verbs()[2:]

    return Limit(scenario, (tuple(query), ["memory.recall"]))


def _rejects_at_once(**query: Any) -> Limit:
    """A query that is refused before anything is sent."""

    async def scenario(scene: Scene) -> Any:
        error = await raised(scene.store.search(memory_query(**query)))
        assert isinstance(error, UnsupportedMemoryQuery)
        return error.rejected_keys, scene.verbs()

    return Limit(scenario, (tuple(sorted(query)), []))


async def _short_query(scene: Scene) -> Any:
    await scene.store.store(MemoryItem(content="a quick tea"))
    return await _found(scene, text="ui"), await _found(scene, text="uic")


async def _limit_zero(scene: Scene) -> Any:
    return await scene.store.search(memory_query(text="tea", limit=0)), scene.verbs()


async def _limit_one(scene: Scene) -> Any:
    for content in ("black tea", "green tea"):
        await scene.store.store(MemoryItem(content=content))
    by_text = await scene.store.search(memory_query(text="tea", limit=1))
    return len(by_text), await _found(scene, limit=1)


def _native_create(item: MemoryItem) -> dict[str, Any]:
    """The call of another client that makes what a store would have made of a tagged item."""
    kept = Record(item.id, item.content, item.tags, item.created_at, item.metadata)
    _, written = update("", kept, "envelope")
    properties = {name: part for name, part in written["properties"].items() if name != "tags"}
    return {
        "kind": "memory",
        "content": written["content"],
        "tags": item.tags,
        "properties": properties,
        "namespace": NAMESPACE,
    }


async def _fill(scene: Scene, items: list[MemoryItem]) -> None:
    """Make items a hundred at once, as no store does."""
    for first in range(0, len(items), 100):
        await scene.do_all("create", *map(_native_create, items[first : first + 100]))


async def _over_200_hits(scene: Scene) -> Any:
    await _fill(scene, [MemoryItem(content=f"tea {n}", tags=["all"]) for n in range(205)])
    recalled = await scene.store.search(memory_query(text="tea", limit=300))
    return (
        100 < len(recalled) <= 200,
        len({hit.id for hit in recalled}) == len(recalled),
        len(await scene.store.search(memory_query(tags=["all"], limit=300))),
        len(await scene.store.search(memory_query(limit=300))),
        len(await scene.store.search(memory_query(limit=203))),
    )


async def _tag_outside_candidate_window(scene: Scene) -> Any:
    rare = MemoryItem(content="a long text that speaks of tea once " + "and more " * 40)
    await scene.store.store(rare.model_copy(update={"tags": ["rare"]}))
    await _fill(scene, [MemoryItem(content=f"tea tea {n}", tags=["often"]) for n in range(300)])
    by_both = await scene.store.search(memory_query(text="tea", tags=["rare"], limit=300))
    by_tag = await scene.store.search(memory_query(tags=["rare"], limit=300))
    return len(by_both), [hit.id == rare.id for hit in by_tag]


async def _recall_budget(scene: Scene) -> Any:
    small = [f"small {n} " + "lorem ipsum " * 250 for n in range(30)]
    large = [f"large {n} " + "dolor amet " * 2200 for n in range(6)]
    await _fill(scene, [MemoryItem(content=text, tags=["all"]) for text in (*small, *large)])
    cut = await scene.do("memory.recall", query="dolor", limit=10, namespace=NAMESPACE)
    return (
        cut,
        await _found(scene, text="lorem", limit=50) == sorted(small),
        await _found(scene, text="dolor", limit=50) == sorted(large),
    )


async def _foreign_memory_skipped(scene: Scene) -> Any:
    theirs = await scene.do("memory.remember", content="their tea", namespace=NAMESPACE)
    return await _found(scene), await _found(scene, text="tea"), await _looked_up(scene, theirs)


async def _looked_up(scene: Scene, memory: dict[str, Any]) -> MemoryItem | None:
    return await scene.store.retrieve(UUID(memory["id"]))


def _of_another_kind(kind: str) -> Callable[[Scene], Awaitable[Any]]:
    """A record that has the property of an item, and is no memory."""

    async def scenario(scene: Scene) -> Any:
        ours = {"id": _UUID, "created_at": 1.0, "metadata": {}, "is_text": True}
        named = {"name": "tea"} if kind == "concept" else {"content": "tea"}
        made = await scene.do(
            "create", kind=kind, properties={"lionagi": ours}, namespace=NAMESPACE, **named
        )
        by_both = await scene.store.retrieve(UUID(_UUID)), await _looked_up(scene, made)
        return by_both, await _found(scene), await _found(scene, text="tea")

    return scenario


async def _placeholder_invisible(scene: Scene) -> Any:
    await scene.do("memory.remember", content="(write in progress)", namespace=NAMESPACE)
    return await _found(scene), await _found(scene, text="progress")


async def _other_profile_is_foreign(scene: Scene) -> Any:
    whole, plain = MemoryItem(content="whole tea"), MemoryItem(content="plain tea")
    other = scene.another(profile="plain")
    await scene.store.store(whole)
    await other.store(plain)
    return (
        [await scene.store.retrieve(plain.id), await other.retrieve(whole.id)],
        await _found(scene, text="tea"),
        [hit.content for hit in await other.search(memory_query())],
    )


async def _namespaces_are_exact(scene: Scene) -> Any:
    item = MemoryItem(content="tea", tags=["taste"])
    await scene.store.store(item)
    others = [scene.another(namespace=name) for name in ("SCENE", "scene2", "scen", "local")]
    return [
        (await other.retrieve(item.id), await other.search(query))
        for other in others
        for query in (memory_query(), memory_query(text="tea"), memory_query(tags=["taste"]))
    ]


async def _one_id_in_two_namespaces(scene: Scene) -> Any:
    item = MemoryItem(content="one")
    other = scene.another(namespace="other")
    await scene.store.store(item)
    await other.store(item.model_copy(update={"content": "two"}))
    kept = await scene.store.retrieve(item.id), await other.retrieve(item.id)
    return [each and each.content for each in kept]


_SPOILT: Final = {
    "id": _UUID,
    "user_id": _UUID.upper(),
    "parent_id": _UUID,
    "session": _UUID,
    "created_at": "2026-12-03T05:06:45.498445Z",
    "score": 0.123456789,
    "none": None,
    "list": [],
    "map": {},
}
_AS_AN_AGENT_SEES_IT: Final = {
    "id": "6ba7b810",
    "user_id": "6BA7B810",
    "parent_id": _UUID,
    "session": _UUID,
    "created_at": "2026-12-03T05:06:45.498445Z",
    "score": 0.123,
}


async def _agent_presentation(scene: Scene) -> Any:
    item = MemoryItem(content="tea", metadata=_SPOILT)
    await scene.store.store(item)
    kept = await scene.store.retrieve(item.id)
    (seen,) = (await scene.presented("list", kind="memory", namespace=NAMESPACE))["items"]
    (memory,) = await scene.memories()
    whole = await scene.presented("get", id=memory["id"])
    return (
        kept and kept.metadata,
        seen["properties"]["lionagi"]["metadata"],
        [seen[time].endswith("s ago") for time in ("created_at", "updated_at")],
        whole == memory,
    )


async def _deleted_in_khive(scene: Scene) -> Any:
    item = MemoryItem(content="tea")
    await scene.store.store(item)
    (memory,) = await scene.memories()
    await scene.do("delete", id=memory["id"])
    gone = await scene.store.retrieve(item.id), await _found(scene, text="tea")
    await scene.store.store(item)
    return gone, await scene.store.retrieve(item.id) == item, len(await scene.memories())


LIMITS: Final[dict[str, Limit]] = {
    **{
        f"query_text_not_meaningful {text!r}": _rejects(text=text)
        for text in ("7", "*", "%", "zzz", "a", " ", "1 2 3")
    },
    "query_text_reads_as_reference": _rejects_at_once(text="$prev.id"),
    "query_tag_reads_as_reference": _rejects_at_once(tags=["a", "$prev"]),
    "query_text_over_request": _rejects_at_once(text="tea" * 100_000),
    "query_parts_are_named_together": _rejects_at_once(text="$prev", tags=["$prev[0]"]),
    "short_query_under_3_chars": Limit(_short_query, ([], ["a quick tea"])),
    "limit_zero_asks_nothing": Limit(_limit_zero, ([], [])),
    "limit_one": Limit(_limit_one, (1, ["green tea"])),
    "over_200_hits": Limit(_over_200_hits, (True, True, 205, 205, 203)),
    "tag_outside_candidate_window": Limit(_tag_outside_candidate_window, (0, [True])),
    "recall_budget_empty_dict": Limit(
        _recall_budget, ({"results": [], "truncated": True}, True, True)
    ),
    "foreign_memory_skipped": Limit(_foreign_memory_skipped, ([], [], None)),
    "observation_with_our_property": Limit(_of_another_kind("observation"), ((None, None), [], [])),
    "entity_with_our_property": Limit(_of_another_kind("concept"), ((None, None), [], [])),
    "placeholder_invisible": Limit(_placeholder_invisible, ([], [])),
    "other_profile_is_foreign": Limit(
        _other_profile_is_foreign, ([None, None], ["whole tea"], ["plain tea"])
    ),
    "namespaces_are_exact": Limit(_namespaces_are_exact, [(None, [])] * 12),
    "one_id_in_two_namespaces": Limit(_one_id_in_two_namespaces, ["one", "two"]),
    "agent_presentation_truncates_uuid": Limit(
        _agent_presentation, (_SPOILT, _AS_AN_AGENT_SEES_IT, [True, True], True)
    ),
    "deleted_by_another_client": Limit(_deleted_in_khive, ((None, []), True, 1)),
}
"""By the name of the limit."""

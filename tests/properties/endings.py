"""How a call ended, and what is wrong with that: kept, altered or dropped as declared, refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.properties.embedded import Embedded, Scene, opened

from memory_fidelity import (
    MemoryAdapter,
    MemoryItem,
    MemoryQuery,
    UnsupportedMemoryItem,
    UnsupportedMemoryQuery,
    item_differences,
    memory_query,
    same,
)
from memory_fidelity.card import Operation
from memory_fidelity.manifest import ITEM_FIELDS, MemoryItemField

__all__ = ["after_hostile_item", "after_hostile_query", "after_item", "kept", "undeclared"]


async def after_item(adapter: Embedded, item: MemoryItem) -> list[str]:
    """Everything that is wrong with how a new store takes a valid item and gives it back."""
    async with opened(adapter) as scene:
        given = item.model_copy(deep=True)
        if (refusal := await kept(scene.store, given)) is not None:
            return [*_undeclared_refusal(scene.store, item, refusal), *_sent(scene)]
        got = await scene.store.retrieve(item.id)
        await scene.harness.make_search_index_visible()
        hits = await scene.store.search(MemoryQuery())
        return [
            *map(str, item_differences(item, given, key_order=True)),
            *_undeclared_reply(scene.store, item, [got], "retrieve"),
            *_undeclared_reply(scene.store, item, hits, "search"),
        ]


async def after_hostile_item(adapter: Embedded, item: MemoryItem) -> list[str]:
    """Everything that is wrong with how a new store refuses an item, and with the store then."""
    async with opened(adapter) as scene:
        refusal = await kept(scene.store, item)
        accepted = ["store: expected a refusal, got none"] if refusal is None else []
        return [*accepted, *_sent(scene), *await _unusable(scene)]


async def after_hostile_query(adapter: Embedded, query: MemoryQuery) -> list[str]:
    """Everything that is wrong with how a new store refuses a query, and with the store then."""
    async with opened(adapter) as scene:
        try:
            hits = await scene.store.search(query)
        except UnsupportedMemoryQuery as error:
            wrong = [] if error.rejected_keys else ["search: expected rejected keys, got none"]
        else:
            wrong = [f"search: expected a refusal, got {len(hits)} hits"]
        return [*wrong, *_sent(scene), *await _unusable(scene)]


async def kept(store: MemoryAdapter, item: MemoryItem) -> UnsupportedMemoryItem | None:
    """Store an item: `None`, or the refusal; anything else that is raised passes through."""
    try:
        assert await store.store(item) == item.id
    except UnsupportedMemoryItem as refusal:
        return refusal
    return None


def undeclared(
    store: MemoryAdapter, sent: MemoryItem, got: MemoryItem, operation: Operation
) -> Iterator[str]:
    """Every field that came back otherwise than the manifest and the card say."""
    for name in ITEM_FIELDS:
        before, after = getattr(sent, name), getattr(got, name)
        if not _as_declared(store, name, before, after, operation):
            yield f"{operation}: {name}: sent {before!a}, got {after!a}"


def _as_declared(
    store: MemoryAdapter, name: MemoryItemField, sent: Any, got: Any, operation: Operation
) -> bool:
    card = store.card
    if name in card.defaults:
        return same(got, card.defaults[name])
    if operation == "search" and name in card.absent_in_hits:
        return same(got, card.absent_in_hits[name])
    losses = [loss for loss in card.losses if loss.field == name and operation in loss.on]
    if losses:
        return any(loss.predicts(sent, got) for loss in losses)
    return same(sent, got, key_order=card.key_order)


def _undeclared_reply(
    store: MemoryAdapter, item: MemoryItem, got: list[Any], operation: Operation
) -> Iterator[str]:
    if len(got) == 1 and type(got[0]) is MemoryItem:
        yield from undeclared(store, item, got[0], operation)
    else:
        yield f"{operation}: expected the one item, got {got!a}"


def _undeclared_refusal(
    store: MemoryAdapter, item: MemoryItem, refusal: UnsupportedMemoryItem
) -> Iterator[str]:
    """A refusal is declared by the kinds of content, or by a named one of the same field."""
    kind = "text" if isinstance(item.content, str) else "json"
    named = {refused.field for refused in store.card.refusals}
    field = refusal.path.partition(".")[0].partition("[")[0]
    if (field != "content" or kind in store.card.content) and field not in named:
        yield f"store: {refusal}: no refusal is declared for {field}"


def _sent(scene: Scene) -> Iterator[str]:
    if sent := scene.sent():
        yield f"expected a refusal before transport, got {sent} requests"


async def _unusable(scene: Scene) -> list[str]:
    """What is wrong with an ordinary item that is stored after all that."""
    plain = MemoryItem(content="plain", tags=["t"], metadata={"user": "ada"})
    await scene.store.store(plain)
    got = await scene.store.retrieve(plain.id)
    await scene.harness.make_search_index_visible()
    hits = await scene.store.search(memory_query(text="PLAIN", tags=["t"]))
    return [
        *_undeclared_reply(scene.store, plain, [got], "retrieve"),
        *_undeclared_reply(scene.store, plain, hits, "search"),
    ]

"""Faults in values that are refused, lost, filled in, or mixed up, whatever they hold (C6, R3)."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from memory_fidelity.errors import MemoryAdapterError
from memory_fidelity.json_codec import canonical
from memory_fidelity.json_tree import detached_json
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.altering import altered, no_text, no_trees
from memory_fidelity.testing.faults.declared import no_metadata
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, fault
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "odd_items"]


async def odd_items(bench: Bench) -> None:
    """Store empty, odd and ordinary items, and read each back."""
    contents: list[Any] = ["", "\x00", "plain", "[7]"] if "text" in bench.store.card.content else []
    contents += [{"k": [7]}, [], None, 8] if "json" in bench.store.card.content else []
    items = [bench.item(n, content) for n, content in enumerate(contents) if content is not None]
    items += [bench.item(50, metadata={"of": {"n": 1}}), bench.item(51, tags=["p"] * 40)]
    await bench.stored(items)
    for item in items:
        await bench.saw(f"retrieve {item.id.int % 10_000}", bench.store.retrieve(item.id))
    await bench.saw("search", bench.store.search(MemoryQuery(limit=len(items))))


class _EmptyLost(FaultyStore):
    """An item without content is acknowledged, and not written."""

    async def store(self, item: MemoryItem) -> Any:
        return await self.inner.store(item) if item.content else item.id


class _EmptyUnindexed(FaultyStore):
    """An item without content is not among the hits."""

    async def search(self, query: MemoryQuery) -> Any:
        return [hit for hit in await self.inner.search(query) if hit.content]


class _EmptyRefused(FaultyStore):
    """An item without content is refused."""

    async def store(self, item: MemoryItem) -> Any:
        if item.content in ("", [], {}, None):
            raise MemoryAdapterError("store: expected content, got none")
        return await self.inner.store(item)


class _NulEscapes(FaultyStore):
    """A NUL in content ends in the client's own error."""

    async def store(self, item: MemoryItem) -> Any:
        if type(item.content) is str and "\x00" in item.content:
            raise ValueError("A string literal cannot contain NUL (0x00) characters.")
        return await self.inner.store(item)


class _NestedRefused(FaultyStore):
    """Metadata that is nested is refused."""

    async def store(self, item: MemoryItem) -> Any:
        if any(isinstance(value, dict) for value in (item.metadata or {}).values()):
            raise MemoryAdapterError("store: expected flat metadata, got a nested mapping")
        return await self.inner.store(item)


class _ManyTagsRefused(FaultyStore):
    """An item of many tags is refused."""

    async def store(self, item: MemoryItem) -> Any:
        if type(item.tags) is list and len(item.tags) > 32:
            raise MemoryAdapterError("store: expected at most 32 tags, got more")
        return await self.inner.store(item)


class _OthersContent(FaultyStore):
    """Hits have one another's content."""

    async def search(self, query: MemoryQuery) -> Any:
        hits = await self.inner.search(query)
        contents = [hit.content for hit in reversed(hits)]
        return [
            hit.model_copy(update={"content": content})
            for hit, content in zip(hits, contents, strict=True)
        ]


class _LastTime(FaultyStore):
    """An item has the metadata of the item that was read before it."""

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        if found is None:
            return None
        last = self.shared.memory.get("metadata", found.metadata)
        self.shared.memory["metadata"] = detached_json(found.metadata, "metadata")
        return found.model_copy(update={"metadata": last})


def _filled(content: Any) -> Any:
    return content if content != "" else "(no content)"


def _as_text(content: Any) -> Any:
    return content if type(content) is str else canonical(content)


def _wrapped(content: Any) -> Any:
    return content if type(content) in (dict, list) else {"text": content}


def _parsed(content: Any) -> Any:
    with suppress(ValueError):
        return json.loads(content) if type(content) is str else content
    return content


FAULTS: Final[tuple[Fault, ...]] = (
    fault(
        "content.empty-lost", _EmptyLost, case="fidelity.content", names="R3", probe=odd_items
    ),
    fault(
        "content.empty-unindexed", _EmptyUnindexed, case="fidelity.content", names="C14",
        probe=odd_items,
    ),
    fault(
        "content.empty-refused", _EmptyRefused, case="fidelity.content", names="W2",
        probe=odd_items,
    ),
    fault(
        "content.nul-escapes", _NulEscapes, case="fidelity.content", names="E2",
        probe=odd_items, unless=no_text,
    ),
    fault(
        "content.mixed-up-in-hits", _OthersContent, case="fidelity.claim",
        names="manifest.search_fidelity", probe=odd_items,
    ),
    fault(
        "metadata.nested-refused", _NestedRefused, case="fidelity.metadata",
        names="manifest.preserves_metadata", probe=odd_items, unless=no_metadata,
    ),
    fault(
        "metadata.of-the-last-item", _LastTime, case="fidelity.claim",
        names="manifest.retrieve_fidelity", probe=odd_items, unless=no_metadata,
    ),
    fault("tags.many-refused", _ManyTagsRefused, case="fidelity.tags", names="W2", probe=odd_items),
    altered(
        "content", "filled-in", _filled, "A placeholder is written for an empty text.",
        probe=odd_items, unless=no_text,
    ),
    altered(
        "content", "tree-as-text", _as_text, "A tree is kept as its JSON text.",
        probe=odd_items, unless=no_trees,
    ),
    altered(
        "content", "tree-wrapped", _wrapped, "Content that is no tree comes back inside one.",
        probe=odd_items, place="reads", unless=no_trees,
    ),
    altered(
        "content", "parsed", _parsed, "A text that is JSON is parsed as it is read.",
        probe=odd_items, place="reads", unless=no_text,
    ),
    altered(
        "content", "never-kept", lambda _: "...", "Content is indexed, and never comes back.",
        probe=odd_items, place="reads", names="manifest.native_item_fields",
    ),
)  # fmt: skip

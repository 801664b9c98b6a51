"""Faults in writing: what is refused, lost, kept or shared (W1, W5, C6, R3, R4)."""

from __future__ import annotations

import asyncio
from copy import deepcopy
from typing import Any, Final
from uuid import UUID

from memory_fidelity.errors import (
    MemoryAdapterError,
    UnsupportedMemoryItem,
)
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.declared import no_metadata
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, fault
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "crowds", "sharing", "unkeepable"]


async def crowds(bench: Bench) -> None:
    """Write many items at once, read them at once, and find them."""
    items = [bench.item(n, tags=["t"]) for n in range(14)]
    await bench.saw("stores", asyncio.gather(*map(bench.store.store, items)))
    await bench.harness.make_search_index_visible()
    ids = [item.id for item in items]
    await bench.saw("reads", asyncio.gather(*map(bench.store.retrieve, ids)))
    hits = await bench.store.search(MemoryQuery(tags=["t"], limit=50))
    bench.note("hits", sorted(hit.id.int % 100 for hit in hits))
    await bench.stored([bench.item(30)])
    await bench.saw("alone", bench.store.retrieve(bench.item(30).id))


async def unkeepable(bench: Bench) -> None:
    """Write what cannot be kept, and look whether something was sent, and what is there."""
    await bench.stored([bench.item(1)])
    changes: tuple[dict[str, Any], ...] = (
        {"metadata": {"pair": (3, 4)}}, {"metadata": {"n": float("nan")}}, {"content": b"b"},
        {"created_at": "2026"}, {"tags": ("a", "b")}, {"tags": "ab"}, {"metadata": {"k": {5}}},
    )  # fmt: skip
    for number, change in enumerate(changes, start=2):
        before = len(bench.harness.calls())
        item = bench.item(number).model_copy(update=change)
        await bench.saw(f"store {change}", bench.store.store(item))
        bench.note("calls", len(bench.harness.calls()) - before)
        await bench.saw("retrieve", bench.store.retrieve(item.id))


async def sharing(bench: Bench) -> None:
    """Change what was stored, read and found, and read it again."""
    item = bench.item(1, tags=["z", "b"], metadata={"k": {"n": 1}})
    await bench.stored([item])
    bench.note("the item", item)
    item.tags.append("mine")
    item.metadata["k"]["n"] = 2
    for _ in range(2):
        got = await bench.saw("retrieve", bench.store.retrieve(item.id))
        got.tags.append("yours")
        got.metadata.setdefault("k", {})["n"] = 3


class _EveryTenth(FaultyStore):
    """Every tenth write is acknowledged, and lost."""

    async def store(self, item: MemoryItem) -> Any:
        self.shared.memory["n"] = self.shared.memory.get("n", 0) + 1
        return item.id if self.shared.memory["n"] % 10 == 0 else await self.inner.store(item)


class _Crowded(FaultyStore):
    """Counts the writes that are under way."""

    async def store(self, item: MemoryItem) -> Any:
        memory = self.shared.memory
        memory["under way"] = memory.get("under way", 0) + 1
        await asyncio.sleep(0)  # noqa: TID251 - gives way, as a client that waits for a reply
        alone = memory["under way"] == 1
        memory["under way"] -= 1
        return await self.inner.store(item) if alone else await self.crowded(item)

    async def crowded(self, item: MemoryItem) -> Any:
        """A write beside another one is acknowledged, and lost."""
        return item.id


class _LostTogether(_Crowded):
    """Of writes at once only the last is made, and all are acknowledged."""


class _RefusedTogether(_Crowded):
    """A write beside another one ends in a native error."""

    async def crowded(self, item: MemoryItem) -> Any:
        raise RuntimeError("another operation is in progress")


class _UnindexedTogether(_Crowded):
    """Of writes at once only one is indexed."""

    async def crowded(self, item: MemoryItem) -> Any:
        self.shared.memory.setdefault("unindexed", set()).add(item.id)
        return await self.inner.store(item)

    async def search(self, query: MemoryQuery) -> Any:
        """What is indexed."""
        unindexed = self.shared.memory.get("unindexed", ())
        return [hit for hit in await self.inner.search(query) if hit.id not in unindexed]


class _MixedReads(FaultyStore):
    """Reads at once all get the answer to the last one."""

    async def retrieve(self, item_id: UUID) -> Any:
        self.shared.memory["asked"] = item_id
        await asyncio.sleep(0)  # noqa: TID251 - gives way, as a client that waits for a reply
        return await self.inner.retrieve(self.shared.memory["asked"])


class _Refusing(FaultyStore):
    """Does something else with what cannot be kept."""

    async def store(self, item: MemoryItem) -> Any:
        try:
            return await self.inner.store(item)
        except UnsupportedMemoryItem as error:
            return await self.unkept(item, error)

    async def unkept(self, item: MemoryItem, error: MemoryAdapterError) -> Any:
        """Write the text of it."""
        text: Any = str(item.content)[:9]
        content = text if "text" in self.card.content else {"text": text}
        plain = MemoryItem(id=UUID(str(item.id)), content=content, created_at=0.0)
        return await self.inner.store(plain)


class _Serialised(_Refusing):
    """What cannot be kept is made into text, without a word."""


class _Pretended(_Refusing):
    """What cannot be kept is acknowledged, and not written."""

    async def unkept(self, item: MemoryItem, error: MemoryAdapterError) -> Any:
        return item.id


class _Partly(_Refusing):
    """A part of the item is written before the rest is refused."""

    async def unkept(self, item: MemoryItem, error: MemoryAdapterError) -> Any:
        await super().unkept(item, error)
        raise error


class _NativeRefusal(_Refusing):
    """What cannot be kept ends in the serialiser's own error."""

    async def unkept(self, item: MemoryItem, error: MemoryAdapterError) -> Any:
        raise TypeError("not JSON serialisable") from error


class _LateRefusal(_Refusing):
    """An item is looked up before it is validated."""

    async def unkept(self, item: MemoryItem, error: MemoryAdapterError) -> Any:
        if isinstance(item.id, UUID):
            await self.inner.retrieve(item.id)
        raise error


class _Coerced(FaultyStore):
    """Tuples become lists, and texts of digits become times, without a word."""

    async def store(self, item: MemoryItem) -> Any:
        tags: Any = item.tags
        time: Any = item.created_at
        changes: dict[str, Any] = {}
        if type(tags) is tuple:
            changes["tags"] = [*tags]
        if type(time) in (int, str):
            changes["created_at"] = float(str(time)[:4])
        return await self.inner.store(item.model_copy(update=changes))


class _SortedInPlace(FaultyStore):
    """The tags of the caller's item are sorted."""

    async def store(self, item: MemoryItem) -> Any:
        identity = await self.inner.store(item)
        item.tags.sort()
        return identity


class _Kept(FaultyStore):
    """The caller's own item is kept, and handed out."""

    async def store(self, item: MemoryItem) -> Any:
        identity = await self.inner.store(item)
        self.shared.memory[item.id] = item
        return identity

    async def retrieve(self, item_id: UUID) -> Any:
        """The item itself."""
        found = await self.inner.retrieve(item_id)
        return found and self.shared.memory.get(item_id, found)


class _KeptShallow(_Kept):
    """The caller's item is copied when it is kept, and what is nested in it is not."""

    async def store(self, item: MemoryItem) -> Any:
        identity = await self.inner.store(item)
        copied = {"tags": [*item.tags], "metadata": {**item.metadata}}
        self.shared.memory[item.id] = item.model_copy(update=copied)
        return identity

    async def retrieve(self, item_id: UUID) -> Any:
        kept = await super().retrieve(item_id)
        copied = kept and {"tags": [*kept.tags], "metadata": {**kept.metadata}}
        return kept and kept.model_copy(update=copied)


class _ResultsShared(_Kept):
    """Results are shared with one another."""

    async def store(self, item: MemoryItem) -> Any:
        identity = await self.inner.store(item)
        self.shared.memory[item.id] = deepcopy(item)
        return identity


_CROWDED: Final = {
    "every-tenth-lost": (_EveryTenth, "R3"),
    "lost-together": (_LostTogether, "R3"),
    "refused-together": (_RefusedTogether, "E2"),
    "unindexed-together": (_UnindexedTogether, "C14"),
    "reads-mixed": (_MixedReads, "R3"),
}
_HOSTILE: Final = {
    "serialised": (_Serialised, "C6"),
    "pretended": (_Pretended, "C6"),
    "partly": (_Partly, "W1"),
    "native-refusal": (_NativeRefusal, "E2"),
    "late-refusal": (_LateRefusal, "W1"),
    "coerced": (_Coerced, "C6"),
}
_SHARED: Final = {
    "item-kept": _Kept,
    "item-kept-shallow": _KeptShallow,
    "results-shared": _ResultsShared,
}

FAULTS: Final[tuple[Fault, ...]] = (
    *[
        fault(f"write.{name}", make, case="store.concurrent", names=names, probe=crowds)
        for name, (make, names) in _CROWDED.items()
    ],
    *[
        fault(f"write.{name}", make, case="store.hostile", names=names, probe=unkeepable)
        for name, (make, names) in _HOSTILE.items()
    ],
    *[
        fault(
            f"write.{name}", make, case="retrieve.detached", names="R4", probe=sharing,
            unless=no_metadata,
        )
        for name, make in _SHARED.items()
    ],
    fault(
        "write.item-sorted", _SortedInPlace, case="fidelity.tags", names="R4", probe=sharing
    ),
)  # fmt: skip

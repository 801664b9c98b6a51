"""Harnesses over lionagi's `RuVectorMemoryStore`: as it is, and with a manifest put beside it."""

from __future__ import annotations

import asyncio
import threading
from typing import cast
from uuid import UUID

from lionagi.integrations.ruvector import RuVectorMemoryStore
from lionagi.protocols.graph.node import Node
from tests.ruvector.rig import Doors, Embedder, RiggedIndex, embedding

from memory_fidelity import (
    AdapterCard,
    ExternalMemoryStore,
    Lifecycle,
    MemoryAdapterManifest,
    MemoryItem,
    MemoryQuery,
    Refusal,
)
from memory_fidelity.manifest import ITEM_FIELDS
from memory_fidelity.testing import Call

__all__ = ["CARD", "MANIFEST", "DeclaredRuVector", "DeclaredRuVectorHarness", "RuVectorHarness"]

MANIFEST = MemoryAdapterManifest(
    adapter="lionagi-ruvector",
    native_item_fields=frozenset(ITEM_FIELDS),
    dropped_item_fields=frozenset(),
    supported_filters=frozenset(),  # it takes any key at all, which no manifest can say
    search_consistency="immediate",
    retrieve_fidelity="full",
    search_fidelity="full",
    search_returns_tags=True,
    preserves_metadata=True,
)

CARD = AdapterCard(
    adapter="lionagi-ruvector",
    summary="Text in an in-process cosine index; a vector for each, by an injected embedder.",
    content=frozenset({"text"}),
    refusals=(
        Refusal(
            name="long text",
            field="content",
            why="at most 65,536 characters and bytes",
            sample="x" * 65_537,
        ),
        Refusal(
            name="many tags", field="tags", why="at most 128", sample=[str(n) for n in range(129)]
        ),
        Refusal(
            name="deep metadata",
            field="metadata",
            why="at most 8 levels, three of them its own",
            sample={"a": {"b": {"c": {"d": {"e": {"f": {"g": 1}}}}}}},
        ),
    ),
    ordering="nearest first with a text, as inserted without",
    first_page="the records that were inserted first",
    text_match="always: the nearest records come back, however far they are",
    tag_match="any",
    tag_case="sensitive",
    key_order=True,
    lifecycle=Lifecycle(
        connections="none; the embedder's are the caller's",
        concurrency="operations of one index are serialised by a lock",
        closing="nothing to close",
        timeouts="none; the embedder's are the caller's",
        retries="none",
        scope="one index, given at construction",
        duplicates="a second write of one id is refused",
        invalidation="a failing suite",
    ),
    verified_on={"lionagi": "0.36.0", "ruvector": "0.1.4"},
)


class DeclaredRuVector:
    """lionagi's store, untouched, with the declarations that it lacks."""

    def __init__(self, store: RuVectorMemoryStore) -> None:
        self._store = store

    @property
    def manifest(self) -> MemoryAdapterManifest:
        """What the store would have to declare."""
        return MANIFEST

    @property
    def card(self) -> AdapterCard:
        """What it would have to state beside it."""
        return CARD

    async def store(self, item: MemoryItem) -> UUID:
        """Forward."""
        return await self._store.store(item)

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Forward."""
        return await self._store.retrieve(item_id)

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Forward."""
        return await self._store.search(query)


class RuVectorHarness:
    """The store as lionagi ships it: without a manifest."""

    def __init__(self) -> None:
        self._doors = Doors()
        self._index = RiggedIndex(self._doors)
        self._scopes: dict[str, RiggedIndex] = {}

    async def make_store(self) -> ExternalMemoryStore:
        """Return one more store over the index."""
        # It is none, having no manifest; that is for the suite to say.
        return cast("ExternalMemoryStore", self._made())

    async def open_scope(self, name: str) -> ExternalMemoryStore:
        """Return a store over an index of its own."""
        index = self._scopes.setdefault(name, RiggedIndex(self._doors))
        return cast("ExternalMemoryStore", self._made(index))

    async def reset(self) -> None:
        """Empty the index."""
        self._index.clear()

    async def make_search_index_visible(self) -> None:
        """Do nothing: an insertion is in the index when it returns."""

    async def make_transport_unavailable(self) -> None:
        """Close both doors, the embedder's and the index's."""
        self._doors.closed = True

    async def close(self) -> None:
        """Let go of a call that still hangs."""
        await self.resume()

    def calls(self) -> tuple[Call, ...]:
        """Return what reached the embedder or the index."""
        return tuple(self._doors.calls)

    async def plant_foreign_record(self) -> UUID:
        """Insert a node that another application of the index wrote."""
        node = Node(content="a foreign note", embedding=embedding("a foreign note"))
        self._index.plant(node)
        return UUID(str(node.id))

    async def holds(self, identity: UUID) -> bool:
        """Ask the index itself."""
        return self._index.holds(str(identity))

    async def reject_next_write(self) -> None:
        """Let the index be full for the next insertion."""
        self._doors.rejects_next = True

    async def withhold_next_identity(self) -> None:
        """Let the next insertion be answered without the ids that it wrote."""
        self._doors.withholds_next = True

    async def corrupt_next_response(self) -> None:
        """Garble the next record that is read, or the next vector."""
        self._doors.corrupts_next = True

    async def break_next_call(self) -> None:
        """Lose the connection during the next call."""
        self._doors.breaks_next = True

    async def hang_next_write(self) -> None:
        """Let the embedder take its time."""
        self._doors.hung = asyncio.Event()

    async def hang_next_read(self) -> None:
        """Let the index take its time."""
        self._doors.hangs_next_read = True

    async def resume(self) -> None:
        """Let the embedder and the index answer."""
        self._doors.hangs_next_read = False
        self._doors.answers.set()
        self._doors.answers = threading.Event()
        if self._doors.hung is not None:
            self._doors.hung.set()
            self._doors.hung = None

    async def delay_index(self) -> None:
        """Do nothing: an insertion cannot be held back; who calls it `eventual` is found out."""

    def _made(self, index: RiggedIndex | None = None) -> RuVectorMemoryStore:
        return RuVectorMemoryStore(self._index if index is None else index, Embedder(self._doors))


class DeclaredRuVectorHarness(RuVectorHarness):
    """The same store, with a manifest and a card beside it."""

    async def make_store(self) -> ExternalMemoryStore:
        """Return one more store over the index, with its declarations."""
        return DeclaredRuVector(self._made())

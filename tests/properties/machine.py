"""An embedded adapter and the model, side by side, through any sequence of calls."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, ClassVar, TypeVar
from uuid import UUID

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, multiple, rule
from tests.properties.embedded import FILTERS, Embedded, scene_of
from tests.properties.endings import kept
from tests.properties.model import Model

from memory_fidelity import MemoryItem, MemoryQuery, UnsupportedMemoryQuery
from memory_fidelity.adapters.sqlite import SqliteMemoryStore
from memory_fidelity.testing.strategies import hostile_items, hostile_queries, items, queries

__all__ = ["AgainstModel", "against_model"]

Answer = TypeVar("Answer")

_ITEMS = items(keys=FILTERS)
_PARTS = st.sets(st.sampled_from(("text", "tags", "filters")), min_size=1)


class AgainstModel(RuleBasedStateMachine):
    """Does the same with a store and with the model, and compares every answer.

    One event loop for each run; the service ends with it.
    """

    adapter: ClassVar[Embedded]
    stored: Bundle[MemoryItem] = Bundle("stored")

    def __init__(self) -> None:
        super().__init__()
        self._runner = asyncio.Runner()
        scene = self._run(scene_of(self.adapter))
        self._harness, self._store = scene.harness, scene.store
        self._model = Model(self.adapter, scene.store)
        self._filters = scene.store.manifest.supported_filters

    @rule(target=stored, item=_ITEMS)
    def store(self, item: MemoryItem) -> Any:
        """A new item, or one that is refused."""
        if self._run(kept(self._store, item)) is not None:
            return multiple()
        self._model.write(item)
        return item

    @rule(target=stored, old=stored, item=_ITEMS)
    def replace(self, old: MemoryItem, item: MemoryItem) -> Any:
        """Another item under an id that is taken."""
        return self.store(item.model_copy(update={"id": old.id}))

    @rule(old=stored)
    def repeat(self, old: MemoryItem) -> None:
        """An item that was stored before, and may have been replaced since."""
        self.store(old)

    @rule(identity=stored.map(lambda item: item.id) | st.uuids())
    def retrieve(self, identity: UUID) -> None:
        """The item as it is now, or nothing."""
        got = self._run(self._store.retrieve(identity))
        _expect_none(self._model.retrieve_faults(identity, got))

    @rule(query=queries(filters=FILTERS))
    def search(self, query: MemoryQuery) -> None:
        """Any query that the store supports."""
        known = {key: value for key, value in (query.filters or {}).items() if key in self._filters}
        supported = query.model_copy(update={"filters": known})
        hits = self._run(self._store.search(supported))
        _expect_none(self._model.search_faults(supported, hits))

    @rule(
        item=stored,
        other=queries(filters=FILTERS),
        parts=_PARTS,
        start=st.integers(0, 30),
        length=st.integers(0, 12),
        swapped=st.booleans(),
    )
    def search_for(
        self,
        item: MemoryItem,
        other: MemoryQuery,
        parts: set[str],
        start: int,
        length: int,
        swapped: bool,
    ) -> None:
        """A query that is made of an item that was stored, in part."""
        said = self._model.said(item)[start : start + length]
        own = {
            "text": said.swapcase() if swapped else said,
            "tags": [*item.tags[:2], *(other.tags or ())[:1]],
            "filters": {key: item.metadata[key] for key in sorted(FILTERS & set(item.metadata))},
        }
        asked = {"limit": other.limit, **{part: own[part] for part in sorted(parts)}}
        self.search(MemoryQuery.model_validate(asked))

    @rule()
    def wait_for_index(self) -> None:
        """Everything can be found afterwards."""
        if isinstance(self._store, SqliteMemoryStore):
            self._run(self._store.refresh())
        else:
            self._run(self._harness.make_search_index_visible())
        self._model.settle()

    @rule()
    def reopen(self) -> None:
        """The store is closed, and another one takes its place."""
        self._run(self._store.close())
        self._store = self._run(self._harness.make_store())

    @rule(item=hostile_items(fields=("id", "content", "tags")))
    def store_hostile(self, item: MemoryItem) -> None:
        """An item that nothing can keep leaves no trace."""
        assert self._run(kept(self._store, item)) is not None

    @rule(query=hostile_queries(filters=FILTERS))
    def search_hostile(self, query: MemoryQuery) -> None:
        """A query that nothing can answer is refused."""
        with pytest.raises(UnsupportedMemoryQuery):
            self._run(self._store.search(query))

    def teardown(self) -> None:
        """End the service, and then the loop."""
        self._run(self._harness.close())
        self._runner.close()

    def _run(self, call: Awaitable[Answer]) -> Answer:
        async def called() -> Answer:
            return await call

        return self._runner.run(called())


def _expect_none(faults: list[str]) -> None:
    # pytest explains the assertions of test modules alone.
    assert not faults, "; ".join(faults)


def against_model(adapter: Embedded) -> type[AgainstModel]:
    """The machine for this adapter."""
    return type("AgainstModel", (AgainstModel,), {"adapter": adapter})

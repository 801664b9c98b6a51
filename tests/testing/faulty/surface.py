"""Stores with one thing wrong each: declarations, types and fields."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from memory_fidelity.errors import MemoryAdapterError
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.relabelled import RelabelledStore


class Altering(RelabelledStore):
    """Lets every result through `altered` on its way to the caller."""

    def altered(self, item: MemoryItem) -> Any:
        """Change one thing."""
        return item

    async def retrieve(self, item_id: UUID) -> Any:
        """The altered item."""
        found = await self.inner.retrieve(item_id)
        return None if found is None else self.altered(found)

    async def search(self, query: MemoryQuery) -> list[Any]:
        """The altered hits."""
        return [self.altered(hit) for hit in await self.inner.search(query)]


class SyncStore(RelabelledStore):
    """`search` is no coroutine function."""

    def search(self, query: MemoryQuery) -> Any:
        """Return an awaitable from an ordinary function."""
        return self.inner.search(query)


class NoCard(RelabelledStore):
    """`card` is something else."""

    @property
    def card(self) -> Any:
        """No card."""
        return "see the README"


class NoManifest(RelabelledStore):
    """`manifest` is something else."""

    @property
    def manifest(self) -> Any:
        """No manifest."""
        return {"adapter": "acme"}


class Incoherent(RelabelledStore):
    """The manifest was built around its own rules."""

    @property
    def manifest(self) -> MemoryAdapterManifest:
        """Full, and dropping."""
        return self._manifest.model_copy(update={"dropped_item_fields": frozenset({"metadata"})})


class Downgrading(RelabelledStore):
    """The manifest shrinks when something goes wrong."""

    failed = False

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Retrieve, and remember a failure."""
        try:
            return await self.inner.retrieve(item_id)
        except MemoryAdapterError:
            self.failed = True
            raise

    @property
    def manifest(self) -> MemoryAdapterManifest:
        """Another one after a failure."""
        weaker = {"search_consistency": "eventual"} if self.failed else {}
        return self._manifest.model_copy(update=weaker)


class Assignable(RelabelledStore):
    """The manifest can be replaced."""

    manifest = None  # type: ignore[assignment]  # that is the fault

    def __init__(self, inner: Any, manifest: MemoryAdapterManifest, card: Any) -> None:
        super().__init__(inner, manifest, card)
        self.manifest = manifest


class Scored(Altering):
    """Items are of a class with a score."""

    def altered(self, item: MemoryItem) -> Any:
        """Add a score."""

        class ScoredItem(MemoryItem):
            score: float = 0.5

        return ScoredItem(**item.model_dump())


class NativeItem(RelabelledStore):
    """Retrieve lets a native object out."""

    async def retrieve(self, item_id: UUID) -> Any:
        """A dictionary, except for the control."""
        found = await self.inner.retrieve(item_id)
        control = found is None or found.content == "control"
        return found if control else found and found.model_dump()


class OtherDefault(Altering):
    """A dropped field reads back as something that is not documented."""

    def altered(self, item: MemoryItem) -> MemoryItem:
        """Another default."""
        return item.model_copy(update={"created_at": 5.0, "metadata": {"unknown": True}})

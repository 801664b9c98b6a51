"""Items that come back with more than their five fields, or are no items (C3, M10, Q6)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, Literal
from uuid import UUID

from pydantic import ConfigDict

from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, Shared, fault
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "carried"]

Remade = Callable[[MemoryItem], Any]
"""From an item as it is right to what a broken adapter gives in its place."""

_SCORE: Final = 0.875


async def carried(bench: Bench) -> None:
    """See what is on an item that comes back: its class, and every attribute."""
    item = bench.item(1, tags=["t"])
    await bench.stored([item])
    hits = await bench.saw("search", bench.store.search(MemoryQuery(tags=["t"])))
    for one in (await bench.saw("retrieve", bench.store.retrieve(item.id)), *hits):
        bench.note("class", type(one).__name__)
        bench.note("attributes", sorted(name for name in dir(one) if not name.startswith("__")))


class _Remade(FaultyStore):
    """Gives something made of the item, in one operation."""

    def __init__(
        self, inner: Any, shared: Shared, made: Remade, place: Literal["retrieve", "search"]
    ) -> None:
        super().__init__(inner, shared)
        self._made = made
        self._place = place

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        return self._made(found) if found is not None and self._place == "retrieve" else found

    async def search(self, query: MemoryQuery) -> Any:
        hits = await self.inner.search(query)
        return [self._made(hit) for hit in hits] if self._place == "search" else hits


class _Ranked(MemoryItem):
    rank: int = 1


class _Open(MemoryItem):
    model_config = ConfigDict(extra="allow")


class _Computing(MemoryItem):
    @property
    def age(self) -> float:
        return 1767323045.25 - self.created_at


class _Tuple(tuple[Any, ...]):
    """A row, as database clients give them."""

    __slots__ = ()


def _ranked(item: MemoryItem) -> Any:
    return _Ranked(**dict(item))


def _open(item: MemoryItem) -> Any:
    return _Open(**{**dict(item), "collection": "notes"})


def _computing(item: MemoryItem) -> Any:
    return _Computing(**dict(item))


def _scored(item: MemoryItem) -> Any:
    return item.model_copy(update={"score": _SCORE})


def _attached(item: MemoryItem) -> Any:
    # What a model refuses to take by assignment is put past it.
    object.__setattr__(item, "native", {"rowid": 7})
    return item


def _extra(
    name: str, made: Remade, story: str, place: Literal["retrieve", "search"] = "retrieve"
) -> Fault:
    return fault(
        f"item.{name}", partial(_Remade, made=made, place=place), case="surface.attributes",
        names="M10", probe=carried, story=story,
    )  # fmt: skip


def _native(name: str, made: Remade, story: str) -> Fault:
    return fault(
        f"item.{name}", partial(_Remade, made=made, place="retrieve"), case="store.identifier",
        names="C3", probe=carried, story=story,
    )  # fmt: skip


FAULTS: Final = (
    _extra("ranked", _ranked, "A retrieved item is of a class that has a rank."),
    _extra("hits-ranked", _ranked, "A hit is of a class that has a rank.", "search"),
    _extra("scored", _scored, "A retrieved item carries a score beside its fields."),
    _extra("hits-scored", _scored, "A hit carries its score beside its fields.", "search"),
    _extra("open", _open, "A retrieved item is of a class that takes any field."),
    _extra("native-attached", _attached, "The native record hangs on the item that came of it."),
    _extra("hits-native-attached", _attached, "The native record hangs on each hit.", "search"),
    _extra("computes", _computing, "A retrieved item is of a class that computes an age."),
    _native("is-a-mapping", dict, "Retrieve gives the native record, a dictionary."),
    _native("is-json", MemoryItem.model_dump_json, "Retrieve gives the JSON text of the record."),
    _native("is-a-row", lambda item: _Tuple(dict(item).values()), "Retrieve gives a native row."),
    _native("is-a-list", lambda item: [item], "Retrieve gives a list with the item."),
)  # fmt: skip

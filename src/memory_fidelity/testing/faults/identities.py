"""Faults in identities: what an id is, finds, and is mistaken for (C2 to C5, R1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from memory_fidelity.query import MAX_LIMIT
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, Shared, fault
from memory_fidelity.testing.faults.probe import Bench, identity

__all__ = ["FAULTS", "identities", "strangers"]


async def identities(bench: Bench) -> None:
    """Store items whose ids and contents are alike, and read known and unknown ids."""
    base = identity(1).int
    ids = [UUID(int=base), *[UUID(int=base ^ bits) for bits in (1 << 127, 5 << 76, 2)]]
    text = bench.item(1).content
    items = [bench.item(1, text, id=each, tags=[f"t{n}"]) for n, each in enumerate(ids)]
    mention = bench.item(9, tags=["t"])
    unknown = identity(77)
    if isinstance(mention.content, str):
        mention.content = f"see {unknown} and {ids[0]}"
    else:
        mention.content = {"text": f"see {unknown} and {ids[0]}"}
    await bench.stored([*items, mention])
    for each in (*ids, mention.id, unknown):
        await bench.saw("retrieve", bench.store.retrieve(each))
    await bench.saw("search", bench.store.search(MemoryQuery(limit=20)))


async def strangers(bench: Bench) -> None:
    """Read and find beside a record of another kind, and write under its identity."""
    await bench.stored([bench.item(1)])
    planted = await bench.harness.plant_foreign_record()
    await bench.harness.make_search_index_visible()
    found = await bench.store.retrieve(planted)
    bench.note("retrieve", type(found).__name__)
    bench.note("search", len(await bench.store.search(MemoryQuery())))
    namesake = bench.item(3).model_copy(update={"id": planted})
    try:
        await bench.store.store(namesake)
        bench.note("store", "acknowledged")
    except Exception as error:  # noqa: BLE001 - adapters refuse as they like
        bench.note("store", type(error).__name__)
    again = await bench.store.retrieve(planted)
    bench.note("again", type(again).__name__)


class _OwnId(FaultyStore):
    """The service's own id is returned, and the item has it from then on."""

    async def store(self, item: MemoryItem) -> Any:
        return await self.inner.store(item.model_copy(update={"id": UUID(int=item.id.int ^ 6)}))


class _OtherIdReturned(FaultyStore):
    """The item is kept under its id, and another one is returned."""

    async def store(self, item: MemoryItem) -> Any:
        return UUID(int=(await self.inner.store(item)).int ^ 6)


class _TextId(FaultyStore):
    """The id is returned as text."""

    async def store(self, item: MemoryItem) -> Any:
        return str(await self.inner.store(item))


class _NoId(FaultyStore):
    """Nothing is returned for a write."""

    async def store(self, item: MemoryItem) -> Any:
        await self.inner.store(item)


def _mapped(native: Callable[[int], int], story: str) -> Callable[[Any, Shared], FaultyStore]:
    """A store whose native identities are made of the items' ids."""

    class Mapped(FaultyStore):
        async def store(self, item: MemoryItem) -> Any:
            mapped = UUID(int=native(item.id.int))
            self.shared.memory[mapped] = item.id
            await self.inner.store(item.model_copy(update={"id": mapped}))
            return item.id

        async def retrieve(self, item_id: UUID) -> Any:
            found = await self.inner.retrieve(UUID(int=native(item_id.int)))
            return found and found.model_copy(update={"id": item_id})

        async def search(self, query: MemoryQuery) -> Any:
            hits = await self.inner.search(query)
            whole = self.shared.memory
            return [hit.model_copy(update={"id": whole.get(hit.id, hit.id)}) for hit in hits]

    Mapped.__doc__ = story
    return Mapped


class _OfContent(FaultyStore):
    """Items with equal content are one item."""

    async def store(self, item: MemoryItem) -> Any:
        if self.shared.memory.setdefault(repr(item.content), item.id) == item.id:
            await self.inner.store(item)
        return item.id


class _RankedRecall(FaultyStore):
    """Retrieval searches for the id as text, and takes the best hit."""

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        hits = await self.inner.search(MemoryQuery(text=str(item_id)))
        return hits[0] if hits else found


class _RecallOfUnknown(FaultyStore):
    """An unknown id is searched for as text, and the best hit is returned."""

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        hits = [] if found else await self.inner.search(MemoryQuery(text=str(item_id)))
        return next(iter(hits), found)


class _EmptyItem(FaultyStore):
    """An unknown id gives an empty item."""

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        return found or MemoryItem(id=item_id, content="", created_at=0.0)


class _AnyItem(FaultyStore):
    """An unknown id gives the latest item."""

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        hits = [] if found else await self.inner.search(MemoryQuery(limit=1))
        return next(iter(hits), found)


class _UnknownRaises(FaultyStore):
    """An unknown id is a native error."""

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        if found is None:
            raise KeyError(item_id)
        return found


class _UnknownIsEmptyList(FaultyStore):
    """An unknown id gives an empty list, as the service's batch read does."""

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        return [] if found is None else found


class _KindCoerced(FaultyStore):
    """A record of another kind is made into an item."""

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        if found is None and await self.shared.harness.holds(item_id):
            return MemoryItem(id=item_id, content="a note", created_at=0.0)
        return found


class _KindRaises(FaultyStore):
    """A record of another kind ends in a native error."""

    async def retrieve(self, item_id: UUID) -> Any:
        found = await self.inner.retrieve(item_id)
        if found is None and await self.shared.harness.holds(item_id):
            raise TypeError("expected a memory")
        return found


class _ConflictAcknowledged(FaultyStore):
    """A write under the identity of a foreign record is acknowledged, and not made."""

    async def store(self, item: MemoryItem) -> Any:
        holds = await self.shared.harness.holds(item.id)
        if holds and await self.inner.retrieve(item.id) is None:
            return item.id
        return await self.inner.store(item)


class _ConflictNative(FaultyStore):
    """A write under the identity of a foreign record ends in a native error."""

    async def store(self, item: MemoryItem) -> Any:
        holds = await self.shared.harness.holds(item.id)
        if holds and await self.inner.retrieve(item.id) is None:
            raise ValueError("identity is taken")
        return await self.inner.store(item)


class _KnowingStrangers(FaultyStore):
    """Sees what is planted."""

    def __init__(self, inner: Any, shared: Shared) -> None:
        super().__init__(inner, shared)
        if "planted" not in shared.memory:
            planted: list[UUID] = shared.memory.setdefault("planted", [])
            plant = shared.harness.plant_foreign_record

            async def noted() -> UUID:
                planted.append(await plant())
                return planted[-1]

            shared.harness.plant_foreign_record = noted


class _KindFound(_KnowingStrangers):
    """Records of another kind are among the hits."""

    async def search(self, query: MemoryQuery) -> Any:
        hits = await self.inner.search(query)
        planted = self.shared.memory["planted"]
        notes = [MemoryItem(id=each, content="a note", created_at=0.0) for each in planted]
        return [*hits, *notes][: query.limit] if query.limit > 0 else hits


class _KindHides(_KnowingStrangers):
    """Each record of another kind takes the place of a hit."""

    async def search(self, query: MemoryQuery) -> Any:
        hits = await self.inner.search(query)
        return hits[len(self.shared.memory["planted"]) :] if query.limit <= MAX_LIMIT else hits


_LOW: Final = 2**64 - 1
_STORED: Final = ("store.identifier", "C2")
_DISTINCT: Final = ("store.distinct", "C3")
_UNKNOWN: Final = ("retrieve.unknown", "C4")
_DIRECT: Final = ("retrieve.direct", "R1")


def _version_4(number: int) -> int:
    return UUID(int=number, version=4).int


_CUT_LOW: Final = _mapped(lambda number: number & _LOW, "The low half of an id is its identity.")
_CUT_HIGH: Final = _mapped(lambda number: number & ~_LOW, "The high half of an id is its identity.")
_SHORT: Final = _mapped(lambda number: number >> 96, "The first eight digits of an id are enough.")
_FORCED: Final = _mapped(_version_4, "Every id is forced into the form of a random UUID.")

_MAKERS: Final[dict[str, tuple[Any, tuple[str, str]]]] = {
    "own": (_OwnId, _STORED),
    "other-returned": (_OtherIdReturned, _STORED),
    "text": (_TextId, _STORED),
    "none": (_NoId, _STORED),
    "low-half": (_CUT_LOW, _DISTINCT),
    "high-half": (_CUT_HIGH, _DISTINCT),
    "eight-digits": (_SHORT, _DISTINCT),
    "version-4": (_FORCED, _DISTINCT),
    "of-content": (_OfContent, _DISTINCT),
    "ranked-recall": (_RankedRecall, _DIRECT),
    "recall-of-unknown": (_RecallOfUnknown, _DIRECT),
    "unknown-is-empty": (_EmptyItem, _UNKNOWN),
    "unknown-is-any": (_AnyItem, _UNKNOWN),
    "unknown-raises": (_UnknownRaises, _UNKNOWN),
    "unknown-is-a-list": (_UnknownIsEmptyList, _UNKNOWN),
}
_FOREIGN: Final = {
    "kind-coerced": (_KindCoerced, "retrieve.foreign"),
    "kind-raises": (_KindRaises, "retrieve.foreign"),
    "conflict-acknowledged": (_ConflictAcknowledged, "retrieve.foreign"),
    "conflict-native": (_ConflictNative, "retrieve.foreign"),
    "kind-found": (_KindFound, "search.foreign"),
    "kind-hides": (_KindHides, "search.foreign"),
}

FAULTS: Final[tuple[Fault, ...]] = (
    *[
        fault(f"identity.{name}", make, case=case, names=clause, probe=identities)
        for name, (make, (case, clause)) in _MAKERS.items()
    ],
    *[
        fault(f"identity.{name}", make, case=case, names="C5", probe=strangers)
        for name, (make, case) in _FOREIGN.items()
    ],
)

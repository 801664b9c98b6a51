"""Faults of suites, which let adapters pass that should not, or fail that should: B90 to B93."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from tests.public_faults.bench import Bench, Ending

from memory_fidelity import MemoryItem, MemoryQuery, Record, Search
from memory_fidelity.fake.behaviour import FULL, FakeBehaviour
from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.fake.store import FakeMemoryStore
from memory_fidelity.testing import check


class _Reversed(FakeMemoryStore):
    """Gives what it finds in another order than any other store."""

    async def native_search(self, search: Search) -> Iterable[Record]:
        return [*await super().native_search(search)][::-1]


class _ReversedFake(FakeHarness):
    store_class: ClassVar[type[FakeMemoryStore]] = _Reversed


class _NeverConnected(FakeMemoryStore):
    """Was constructed, and cannot reach anything."""

    async def native_store(self, record: Record) -> str:
        raise ConnectionError("there is no connection")


class _NeverConnectedFake(FakeHarness):
    store_class: ClassVar[type[FakeMemoryStore]] = _NeverConnected


class _WithoutControls:
    """The five methods over the fake, and no control: what opting out of cases amounts to."""

    def __init__(self) -> None:
        self._fake = FakeHarness()
        self.make_store = self._fake.make_store
        self.reset = self._fake.reset
        self.make_search_index_visible = self._fake.make_search_index_visible
        self.make_transport_unavailable = self._fake.make_transport_unavailable
        self.close = self._fake.close


class _LaxFake(FakeHarness):
    """Claims what the full fake claims, and finds by text whatever was asked for as a number."""

    def __init__(self) -> None:
        honest = FULL.manifest()
        super().__init__(FakeBehaviour(metadata_as_text=True), manifest=honest, card=FULL.card())


async def by_position(bench: Bench) -> Ending:
    """B90: hits come in another order, which is not part of any claim."""
    items = [MemoryItem(content=text) for text in ("a", "b")]
    harness = _ReversedFake()
    store = await harness.make_store()
    for item in items:
        await store.store(item)
    hits = await store.search(MemoryQuery())
    assert [hit.id for hit in hits] == [item.id for item in items], "the order is not another"
    assert {hit.id for hit in hits} == {hit.id for hit in await _found_by(bench, items)}
    report = await check(fake=_ReversedFake)
    assert report.verdict == "conformant", report
    return "suite_rule"


async def opted_out(bench: Bench) -> Ending:
    """B92: cases that are left out, and a store that is constructed and never connects."""
    selected = await check(fake=type(bench.harness), only="retrieve.*")
    without_controls = await check(fake=_WithoutControls)
    assert (selected.verdict, without_controls.verdict) == ("incomplete", "incomplete")
    never_connected = await check(fake=_NeverConnectedFake)
    assert never_connected.verdict == "non-conformant"
    return "suite_rule"


async def stand_in(bench: Bench) -> Ending:
    """B93: the service keeps less than the stand-in, under the same manifest."""
    report = await check(fake=type(bench.harness), live=_LaxFake)
    assert report.grade == "contradicted", report
    return "suite_rule"


async def _found_by(bench: Bench, items: list[MemoryItem]) -> list[MemoryItem]:
    for item in items:
        await bench.store.store(item)
    return await bench.search()

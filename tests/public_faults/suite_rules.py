"""Faults of suites, which let adapters pass that should not, or fail that should: B90 to B93.

Each is played against our suite, over the adapter of the bench, with a case or
two: the whole matrix is run on the fake alone, in `test_suite_rules`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from tests.public_faults.bench import Bench, Ending

from memory_fidelity import MemoryItem, MemoryQuery
from memory_fidelity.testing import HarnessFactory, Report, check
from memory_fidelity.testing.faults import FaultyStore, Shared
from memory_fidelity.testing.verdict import Outcome

__all__ = ["Backwards", "NeverConnected", "WithoutControls", "by_position", "opted_out", "over"]


class Backwards(FaultyStore):
    """Gives what it finds in another order, which is no fault."""

    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Search, and turn the hits round."""
        return [*await super().search(query)][::-1]


class NeverConnected(FaultyStore):
    """Was constructed, and cannot write."""

    async def store(self, item: MemoryItem) -> UUID:
        """Fail as a client does that was never connected."""
        raise ConnectionError("there is no connection")


class _Synthesising(FaultyStore):
    """Answers for every identity, as no stand-in did."""

    async def retrieve(self, item_id: UUID) -> MemoryItem:
        """Return what is kept, or else an item that was never written."""
        kept: MemoryItem | None = await super().retrieve(item_id)
        return kept or MemoryItem(id=item_id, content="")


class WithoutControls:
    """The five methods of a harness, and no control: what opting out of cases amounts to."""

    def __init__(self, harness: Any) -> None:
        """Take the methods, and leave the rest."""
        self.make_store = harness.make_store
        self.reset = harness.reset
        self.make_search_index_visible = harness.make_search_index_visible
        self.make_transport_unavailable = harness.make_transport_unavailable
        self.close = harness.close


def over(factory: HarnessFactory, store: Callable[[Any, Shared], Any]) -> HarnessFactory:
    """Return a factory whose harnesses put another store around each that they make."""

    def made() -> Any:
        harness: Any = factory()
        honest = harness.make_store

        async def make_store() -> Any:
            return store(await honest(), Shared(harness))

        harness.make_store = make_store
        return harness

    return made


async def by_position(bench: Bench) -> Ending:
    """B90: hits come in another order, which is part of no claim."""
    items = [MemoryItem(content=text) for text in ("a", "b", "c")]
    for item in items:
        await bench.store.store(item)
    hits = [hit.id for hit in await bench.search()]
    turned = [hit.id for hit in await Backwards(bench.store, Shared(bench.harness)).search(_ALL)]
    assert turned == hits[::-1], "the order is not another"
    report = await check(fake=over(type(bench.harness), Backwards), only="search.t*")
    assert set(_outcomes(report, "search.t").values()) == {"pass"}, _outcomes(report, "search.t")
    return "suite_rule"


async def opted_out(bench: Bench) -> Ending:
    """B92: cases that are left out or cannot be run, and a store that never connects."""
    factory = type(bench.harness)
    selected = await check(fake=factory, only="retrieve.unknown")
    assert _outcomes(selected, "retrieve.unknown") == {"retrieve.unknown": "pass"}
    bare = await check(fake=lambda: WithoutControls(factory()), only="write.identity")
    assert _outcomes(bare, "write.identity") == {"write.identity": "not run"}
    assert (selected.verdict, bare.verdict) == ("incomplete", "incomplete")
    unconnected = await check(fake=over(factory, NeverConnected), only="store.identifier")
    assert unconnected.verdict == "non-conformant", unconnected
    return "suite_rule"


async def stand_in(bench: Bench) -> Ending:
    """B93: the service does what its stand-in does not, under the same manifest."""
    factory = type(bench.harness)
    report = await check(fake=factory, live=over(factory, _Synthesising), only="retrieve.unknown")
    stand_in, service = (lane.results for lane in report.lanes)
    differing = {
        (one.case, one.outcome, other.outcome)
        for one, other in zip(stand_in, service, strict=True)
        if one.outcome != other.outcome
    }
    assert differing == {("retrieve.unknown", "pass", "fail")}, differing
    assert report.verdict == "non-conformant"
    return "suite_rule"


_ALL = MemoryQuery()


def _outcomes(report: Report, start: str) -> dict[str, Outcome]:
    """How the cases ended whose ids start like this, in the first lane."""
    results = report.lanes[0].results
    return {each.case: each.outcome for each in results if each.case.startswith(start)}

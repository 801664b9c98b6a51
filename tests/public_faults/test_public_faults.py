"""No adapter has a fault that was reported of another: 62 of them, against every adapter."""

from __future__ import annotations

import asyncio

import pytest
from _pytest.mark import ParameterSet
from tests.public_faults.bench import Bench, Ending
from tests.public_faults.fault import Fault
from tests.public_faults.lanes import LANES, Lane, Service
from tests.public_faults.statements import NotApplicable
from tests.public_faults.table import FAULTS, rows

from memory_fidelity import MemoryAdapter


def _plays(needs: Service | None) -> list[ParameterSet]:
    return [
        pytest.param(fault, lane, id=f"{fault.id}-{lane.name}")
        for lane in LANES
        for fault in FAULTS
        if lane.needs == needs
    ]


async def played(fault: Fault, lane: Lane) -> Ending | NotApplicable:
    """Play a fault on a store of its own; a reason why not must stand in what is declared."""
    harness = lane.factory()
    try:
        store = await harness.make_store()
        assert isinstance(store, MemoryAdapter)
        bench = Bench(harness, store, fault.endings)
        ending = await _ending(fault, bench)
        await bench.repeat_without_service()
    finally:
        await harness.close()
    if isinstance(ending, NotApplicable):
        assert ending.stands(bench), f"{ending}: expected to be stated, found otherwise"
    return ending


async def _ending(fault: Fault, bench: Bench) -> Ending | NotApplicable:
    try:
        return await fault.play(bench)
    except NotApplicable as reason:
        return reason


@pytest.mark.parametrize(("fault", "lane"), _plays(None))
def test_the_ending_is_right(fault: Fault, lane: Lane) -> None:
    """What is observed is one of the right endings, or cannot be by the adapter's own words."""
    ending = asyncio.run(played(fault, lane))

    assert isinstance(ending, NotApplicable) or ending in fault.endings


@pytest.mark.usefixtures("servers")
@pytest.mark.parametrize(("fault", "lane"), _plays("postgres"))
def test_the_ending_is_right_on_a_server(fault: Fault, lane: Lane) -> None:
    """The same on real servers."""
    ending = asyncio.run(played(fault, lane))

    assert isinstance(ending, NotApplicable) or ending in fault.endings


@pytest.mark.usefixtures("khive_program")
@pytest.mark.parametrize(("fault", "lane"), _plays("khive"))
def test_the_ending_is_right_on_khive(fault: Fault, lane: Lane) -> None:
    """The same on khive's own program."""
    ending = asyncio.run(played(fault, lane))

    assert isinstance(ending, NotApplicable) or ending in fault.endings


def test_each_fault_is_told_once() -> None:
    """Ids are in order and unique; each row tells its story and where it comes from."""
    ids = [fault.id for fault in FAULTS]

    assert ids == sorted(set(ids))
    assert len(ids) == 62
    assert all(all(row.values()) for row in rows())

"""An adapter that has a fault is found to have it: the bench does not take its word."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any
from uuid import UUID

import pytest
from tests.public_faults.lanes import Lane
from tests.public_faults.table import FAULTS
from tests.public_faults.test_public_faults import played

from memory_fidelity import Record, Search
from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.fake.store import FakeMemoryStore


class _Milliseconds(FakeMemoryStore):
    def record_of(self, found: dict[str, Any]) -> Record:
        record = super().record_of(found)
        return record._replace(created_at=round(record.created_at or 0.0, 3))


class _FalsyLost(FakeMemoryStore):
    def record_of(self, found: dict[str, Any]) -> Record:
        record = super().record_of(found)
        kept = {key: value for key, value in (record.metadata or {}).items() if value}
        return record._replace(metadata=kept)


class _SplitTags(FakeMemoryStore):
    async def native_store(self, record: Record) -> UUID | str | None:
        tags = [part for tag in record.tags or () for part in tag.split(",")]
        return await super().native_store(record._replace(tags=tags))


class _FirstWins(FakeMemoryStore):
    async def native_store(self, record: Record) -> UUID | str | None:
        if await self.native_retrieve(record.id) is not None:
            return record.id
        return await super().native_store(record)


class _EmptyInOutage(FakeMemoryStore):
    async def native_search(self, search: Search) -> Iterable[Record]:
        try:
            return await super().native_search(search)
        except OSError:
            return []


class _AnyKind(FakeMemoryStore):
    def is_ours(self, found: dict[str, Any]) -> bool:
        return True


class _OnePage(FakeMemoryStore):
    async def native_search(self, search: Search) -> Iterable[Record]:
        return await super().native_search(search._replace(limit=min(search.limit, 10)))


@pytest.mark.parametrize(
    ("name", "faulty"),
    [
        pytest.param("B08", _FalsyLost, id="B08"),
        pytest.param("B18", _SplitTags, id="B18"),
        pytest.param("B32", _Milliseconds, id="B32"),
        pytest.param("B58", _OnePage, id="B58"),
        pytest.param("B72", _EmptyInOutage, id="B72"),
        pytest.param("B73", _AnyKind, id="B73"),
        pytest.param("B76", _FirstWins, id="B76"),
    ],
)
def test_a_fault_is_found(name: str, faulty: type[FakeMemoryStore]) -> None:
    """The fault that was reported is planted, and its row says so."""

    class Harness(FakeHarness):
        store_class = faulty

    (fault,) = [fault for fault in FAULTS if fault.id == name]

    with pytest.raises(AssertionError):
        asyncio.run(played(fault, Lane("faulty", Harness)))

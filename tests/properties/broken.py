"""Fakes with one thing wrong, which no named value of the corpus need show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar
from uuid import UUID

from memory_fidelity import MemoryAdapterError
from memory_fidelity.adapter import Record, Search
from memory_fidelity.fake import FakeHarness, FakeMemoryStore

__all__ = ["CutsLongTags", "FiltersIgnored", "KeepsFirstVersion", "LimitAfterTwo", "RefusesLate"]


class _CutsLongTags(FakeMemoryStore):
    async def native_store(self, record: Record) -> UUID | str | None:
        return await super().native_store(
            record._replace(tags=[tag[:2] for tag in record.tags or ()])
        )


class CutsLongTags(FakeHarness):
    """Tags are cut on the way in."""

    store_class: ClassVar[type[FakeMemoryStore]] = _CutsLongTags


class _FiltersIgnored(FakeMemoryStore):
    async def native_search(self, search: Search) -> Iterable[Record]:
        return await super().native_search(search._replace(filters={}))


class FiltersIgnored(FakeHarness):
    """Filters are accepted, and are not sent."""

    store_class: ClassVar[type[FakeMemoryStore]] = _FiltersIgnored


class _KeepsFirstVersion(FakeMemoryStore):
    async def native_store(self, record: Record) -> UUID | str | None:
        if await self.native_retrieve(record.id) is not None:
            return record.id
        return await super().native_store(record)


class KeepsFirstVersion(FakeHarness):
    """A write to an id that is taken is acknowledged, and lost."""

    store_class: ClassVar[type[FakeMemoryStore]] = _KeepsFirstVersion


class _LimitAfterTwo(FakeMemoryStore):
    async def native_search(self, search: Search) -> Iterable[Record]:
        return await super().native_search(search._replace(limit=min(search.limit, 2)))


class LimitAfterTwo(FakeHarness):
    """There is never a second page, and pages hold two."""

    store_class: ClassVar[type[FakeMemoryStore]] = _LimitAfterTwo


class _RefusesLate(FakeMemoryStore):
    async def native_store(self, record: Record) -> UUID | str | None:
        identity = await super().native_store(record)
        # So common a value that any few hundred draws hold it: which ones are drawn depends on
        # what else is loaded, as Hypothesis takes constants from there.
        if not str(record.content).isascii():
            raise MemoryAdapterError("a letter beyond ASCII was found after the write")
        return identity


class RefusesLate(FakeHarness):
    """What it does not take is told after the write."""

    store_class: ClassVar[type[FakeMemoryStore]] = _RefusesLate

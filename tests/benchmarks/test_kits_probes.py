"""What shows that a fault is active: probes before a store that is right, and their comparison."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import pytest
from benchmarks.kits.door import Broken, Found, Record, attempt
from benchmarks.kits.probes import observed
from benchmarks.kits.results import Seen


class Honest:
    """A store that does everything right."""

    def __init__(self) -> None:
        """Hold nothing."""
        self._kept: Any = {}

    async def write(self, *records: Record) -> Sequence[str]:
        """Keep copies."""
        for record in records:
            self._kept[record.scope, record.key] = deepcopy(record)
        return [record.key for record in records]

    async def read(self, key: str, scope: str = "a") -> Found | None:
        """Give a copy."""
        record = self._kept.get((scope, key))
        return record and _found(record)

    async def search(
        self, filters: Mapping[str, Any] | None = None, limit: int | None = None
    ) -> Sequence[Found]:
        """Give copies of those that hold everything that is asked for."""
        wanted = (filters or {}).items()
        hits = [each for each in self._kept.values() if wanted <= each.metadata.items()]
        return [_found(hit) for hit in hits][:limit]

    async def delete(self, key: str) -> None:
        """Keep it no longer."""
        del self._kept["a", key]

    def break_storage(self) -> None:
        """Lose everything, and say so from now on."""
        self._kept = Broken()


def _found(record: Record) -> Found:
    return Found(record.key, record.text, dict(record.metadata), "2026-01-02T03:04:05.678901")


@pytest.mark.parametrize(
    ("fault", "seen"),
    [
        pytest.param("text.non-ascii-removed", "'naïve ☃'", id="text"),
        pytest.param("metadata.integers-as-floats", "1", id="number"),
        pytest.param("metadata.none-removed", "None", id="none"),
        pytest.param("metadata.flattened", "{'b': 1}", id="nested"),
        pytest.param("time.to-the-second", "'2026-01-02T03:04:05.678901'", id="time"),
        pytest.param("write.second-ignored", "'two'", id="second-write"),
        pytest.param("write.only-first-of-batch", "'two'", id="batch"),
        pytest.param("write.wrong-identity", "[True]", id="identity"),
        pytest.param("write.error-is-success", "raises ConnectionError", id="failed-write"),
        pytest.param("delete.ignored", "None", id="deleted"),
        pytest.param("read.unknown-is-newest", "None", id="unknown"),
        pytest.param("read.shared", "'apart'", id="shared"),
        pytest.param("read.error-is-nothing", "raises ConnectionError", id="failed-read"),
        pytest.param("search.error-is-nothing", "raises ConnectionError", id="failed-search"),
        pytest.param("search.limit-ignored", "1", id="limit"),
        pytest.param("search.limit-zero-is-all", "0", id="limit-zero"),
        pytest.param("search.filter-ignored", "[]", id="filter"),
        pytest.param("search.filter-as-text", "[]", id="filter-of-another-type"),
        pytest.param("search.hits-twice", "['k']", id="hits"),
        pytest.param("search.hits-without-metadata", "['x']", id="hit-metadata"),
        pytest.param("scope.prefix-leaks", "None", id="other-scope"),
    ],
)
def test_probe_sees_what_is_right(fault: str, seen: str) -> None:
    """Before a store without a fault, each probe gives the right answer."""
    assert asyncio.run(observed(fault, Honest())) == seen


def test_only_the_fault_may_make_a_difference() -> None:
    """A backend that answers otherwise merely because it can carry faults shows nothing."""
    assert Seen(without="1", carrier="1", with_fault="3").active
    assert not Seen(without="1", carrier="1", with_fault="1").active
    assert not Seen(without="1", carrier="3", with_fault="3").active


def test_failures_are_swallowed_where_that_is_the_fault() -> None:
    """And nowhere else."""
    assert attempt(True, lambda: len(Broken()), 7) == 7
    with pytest.raises(ConnectionError, match="the storage is gone"):
        attempt(False, lambda: Broken().anything, None)

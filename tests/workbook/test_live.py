"""`live_or_committed`: one result on every machine, compared wherever it can be."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from memory_fidelity import MemoryItem
from memory_fidelity.testing.harness import MemoryAdapterHarness
from memory_fidelity.testing.targets import BrokenTarget
from memory_fidelity.workbook import live_or_committed

MISSING = """
from memory_fidelity.fake import FakeHarness
from memory_fidelity.testing import ServiceMissing

closed = []

class Missing(FakeHarness):
    async def make_store(self):
        raise ServiceMissing("no engine here")

    async def close(self):
        closed.append(self)
"""


async def one_write(service: MemoryAdapterHarness) -> dict[str, int]:
    """An experiment: how many of one are there."""
    store = await service.make_store()
    item = MemoryItem(content="tea")
    await store.store(item)
    return {"there": int(await store.retrieve(item.id) is not None)}


def written(folder: Path, target: str, there: int) -> Path:
    """A file that says what the experiment gave."""
    path = folder / "gave.json"
    said = {"when": "2026-12-02", "service": {"SQLite": "3"}, "gave": {"there": there}}
    path.write_text(json.dumps({target: said}), encoding="utf-8")
    return path


def module(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    """Make a module that a harness can be imported from."""
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)


def test_a_live_result_is_as_committed(tmp_path: Path) -> None:
    """Where the service can be had, the experiment runs on it."""
    path = written(tmp_path, "sqlite", 1)

    assert asyncio.run(live_or_committed("sqlite", one_write, path)) == {"there": 1}


def test_a_wrong_file_is_noticed(tmp_path: Path) -> None:
    """Where the service can be had, a file that says something else is an error that names both."""
    path = written(tmp_path, "sqlite", 2)

    with pytest.raises(AssertionError, match=r"sqlite: expected {'there': 2}, got {'there': 1}"):
        asyncio.run(live_or_committed("sqlite", one_write, path))


def test_without_the_service_the_file_speaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the service cannot be had, what was committed is returned, and the harness closed."""
    module(tmp_path, monkeypatch, "missing_service", MISSING)
    path = written(tmp_path, "missing_service:Missing", 3)

    gave = asyncio.run(live_or_committed("missing_service:Missing", one_write, path))

    assert gave == {"there": 3}
    assert len(__import__("missing_service").closed) == 1


def test_without_the_client_the_file_speaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the service's own library is not installed, what was committed is returned."""
    module(tmp_path, monkeypatch, "missing_client", "import a_client_that_is_not_installed\n")
    path = written(tmp_path, "missing_client:Live", 3)

    gave = asyncio.run(live_or_committed("missing_client:Live", one_write, path))

    assert gave == {"there": 3}


def test_a_harness_at_fault_is_not_taken_for_a_missing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module that breaks in another way says nothing about the service."""
    module(tmp_path, monkeypatch, "at_fault", "1 / 0\n")
    path = written(tmp_path, "at_fault:Live", 3)

    with pytest.raises(BrokenTarget, match="ZeroDivisionError"):
        asyncio.run(live_or_committed("at_fault:Live", one_write, path))


def test_a_target_without_a_live_lane(tmp_path: Path) -> None:
    """Nothing that is only modelled is shown as the real thing."""
    path = written(tmp_path, "fake", 1)

    with pytest.raises(ValueError, match="fake: expected a target with a live lane"):
        asyncio.run(live_or_committed("fake", one_write, path))

"""A lesson turns red when the library no longer does what the lesson teaches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from .conftest import Run

NOTEBOOKS: Final = Path(__file__).parents[2] / "notebooks"

# Each is run in the lesson's kernel before its first cell, as IPython does with a profile's
# start-up files, so that the lesson itself is the one that is published.
ADAPTER: Final = "from memory_fidelity import MemoryAdapter\n"
BREAKS: Final = {
    "02: a lost field is not noticed": (
        "02-projection-loss",
        """
import memory_fidelity.fake.service as service
import memory_fidelity.fake.losses as losses
from memory_fidelity.fake import FakeService
original = FakeService.__init__
def keeps_all(self, behaviour=None):
    from memory_fidelity.fake import FULL
    original(self, FULL)
FakeService.__init__ = keeps_all
""",
    ),
    "02: an item comes back with what the service never had": (
        "02-projection-loss",
        """
from memory_fidelity.fake import FakeMemoryStore
kept = {}
original_store, original_get = FakeMemoryStore.native_store, FakeMemoryStore.native_retrieve
async def native_store(self, record):
    kept[record.id] = record
    return await original_store(self, record)
async def native_retrieve(self, item_id):
    return kept.get(item_id)
FakeMemoryStore.native_store, FakeMemoryStore.native_retrieve = native_store, native_retrieve
""",
    ),
    "03: an unknown filter is ignored": (
        "03-filter-rejection",
        """
import memory_fidelity.adapter as adapter
from memory_fidelity import MemoryQuery
original = adapter.accepted
def accepted(query, supported):
    known = {k: v for k, v in (query.filters or {}).items() if k in supported}
    return original(query.model_copy(update={"filters": known}), supported)
adapter.accepted = accepted
""",
    ),
    "03: a negative limit is taken for none": (
        "03-filter-rejection",
        """
import memory_fidelity.adapter as adapter
original = adapter.accepted
def accepted(query, supported):
    limit = max(query.limit, 0) if isinstance(query.limit, int) else query.limit
    return original(query.model_copy(update={"limit": limit}), supported)
adapter.accepted = accepted
""",
    ),
    "04: an eventual index is immediate": (
        "04-eventual-index-races",
        """
from dataclasses import replace
from memory_fidelity.fake import FakeService
original = FakeService.__init__
def at_once(self, behaviour):
    original(self, replace(behaviour, consistency="immediate"))
FakeService.__init__ = at_once
""",
    ),
    "04: waiting gives up after one search": (
        "04-eventual-index-races",
        """
import memory_fidelity, memory_fidelity.visibility as visibility
original = visibility.until_searchable
async def once(store, item, deadline, **options):
    return await original(store, item, 0, **options)
memory_fidelity.until_searchable = once
""",
    ),
    "05: the store answers an outage with nothing": (
        "05-context-providers-are-not-stores",
        ADAPTER
        + """
from memory_fidelity import MemoryAdapterUnavailable
original = MemoryAdapter.retrieve
async def retrieve(self, item_id):
    try:
        return await original(self, item_id)
    except MemoryAdapterUnavailable:
        return None
MemoryAdapter.retrieve = retrieve
original_search = MemoryAdapter.search
async def search(self, query):
    try:
        return await original_search(self, query)
    except MemoryAdapterUnavailable:
        return []
MemoryAdapter.search = search
original_store = MemoryAdapter.store
async def store(self, item):
    try:
        return await original_store(self, item)
    except MemoryAdapterUnavailable:
        return item.id
MemoryAdapter.store = store
""",
    ),
}


@pytest.fixture
def prepare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Have code of ours run before each lesson's first cell."""

    def prepared(first: str) -> None:
        startup = tmp_path / "profile_default" / "startup"
        startup.mkdir(parents=True)
        (startup / "first.py").write_text(first, encoding="utf-8")
        monkeypatch.setenv("IPYTHONDIR", str(tmp_path))

    return prepared


@pytest.mark.parametrize(
    ("lesson", "broken"), BREAKS.values(), ids=[name.replace(" ", "-") for name in BREAKS]
)
def test_a_lesson_turns_red(
    run: Run, prepare: Callable[[str], None], lesson: str, broken: str
) -> None:
    """What the lesson teaches is broken in the library, and its outputs are no longer true."""
    prepare(broken)

    done = run(NOTEBOOKS / f"{lesson}.ipynb")

    assert done.ret == pytest.ExitCode.TESTS_FAILED
    assert done.parseoutcomes()["failed"] > 0


def test_a_lesson_stays_green_when_nothing_is_broken(
    run: Run, prepare: Callable[[str], None]
) -> None:
    """The way in which the others are broken is not what turns them red."""
    prepare("import memory_fidelity.adapter")

    done = run(NOTEBOOKS / "03-filter-rejection.ipynb")

    assert done.ret == pytest.ExitCode.OK

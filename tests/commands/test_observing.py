"""`observe`: what is true of a store, what it declares, and what no manifest allows."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_fidelity.testing.observed import Observed
from memory_fidelity.testing.targets import TARGETS

from .conftest import MODULE, Run

SUBJECTS = "memory_fidelity.testing.subjects"
LYING = "lying_harness_of_these_tests"

SOURCE = '''\
from memory_fidelity.fake import NATIVE_FIELDS, FakeHarness, FULL
from memory_fidelity.testing import ServiceMissing


class Lying(FakeHarness):
    def __init__(self):
        super().__init__(NATIVE_FIELDS, manifest=FULL.manifest())


class Missing(FakeHarness):
    def __init__(self):
        raise ServiceMissing("Acme is not installed")


class NativeErrors:
    """A bare store whose native errors escape."""

    def __init__(self):
        self.items = {}

    async def store(self, item):
        if not isinstance(item.content, str):
            raise TypeError("text only")
        self.items[item.id] = item.model_copy(deep=True)
        return item.id

    async def retrieve(self, item_id):
        return self.items.get(item_id)

    async def search(self, query):
        if "\\x00" in str(self.items):
            raise ValueError("native")
        return []
'''


@pytest.fixture(autouse=True)
def lying(here: Path) -> Iterator[None]:
    """A module of harnesses and stores in the current directory."""
    (here / f"{LYING}.py").write_text(SOURCE, encoding="utf-8")
    yield
    sys.modules.pop(LYING, None)


@pytest.mark.parametrize("target", TARGETS)
def test_shipped_adapters_declare_what_is_observed(run: Run, target: str) -> None:
    """The strongest true manifest is the declared one, in all nine fields."""
    ended = run("observe", target)

    assert (ended.code, ended.errors) == (0, "")
    assert ended.output.endswith("declared: the same, in all nine fields\n")
    assert "FAIL" not in ended.output


def test_a_bare_store(run: Run, here: Path) -> None:
    """lionagi's own store in memory: everything is kept and found at once, by any filter."""
    ended = run("observe", "lionagi.protocols.memory:InMemoryStore", "--json", "seen.json")

    manifest = _read(here / "seen.json").manifest
    assert manifest is not None
    assert (manifest.adapter, manifest.search_consistency) == ("InMemoryStore", "immediate")
    assert (manifest.retrieve_fidelity, manifest.search_fidelity) == ("full", "full")
    assert "any key of metadata is taken as a filter" in ended.output
    assert ended.output.endswith("it declares no manifest\n")
    assert ended.code == 0


def test_a_false_manifest(run: Run) -> None:
    """What separates it from the truth is told field by field: 1."""
    ended = run("observe", f"{LYING}:Lying")

    assert ended.code == 1
    assert "declared otherwise: 7 of 9 fields\n" in ended.output
    assert "  search_returns_tags: declared yes, observed no\n" in ended.output
    assert "  retrieve_fidelity: declared full, observed native_fields\n" in ended.output


def test_what_no_manifest_allows(run: Run) -> None:
    """Native errors and lost hits are told beside the fields: 1."""
    ended = run("observe", f"{LYING}:NativeErrors")

    assert ended.code == 1
    assert "What no manifest allows:" in ended.output
    assert "FAIL" in ended.output


def test_a_service_that_is_missing(run: Run) -> None:
    """Nothing is claimed: 2."""
    ended = run("observe", f"{LYING}:Missing")

    assert ended.code == 2
    assert "not observed: Acme is not installed" in ended.errors


def test_a_harness_that_fails(run: Run) -> None:
    """It is the harness's fault: 3."""
    ended = run("observe", f"{MODULE}:Faulty")

    assert ended.code == 3
    assert "no service" in ended.errors


def test_a_lane_that_does_not_exist(run: Run) -> None:
    """It is told: 4."""
    ended = run("observe", "fake", "--live")

    assert ended.code == 4
    assert "expected a target with a live lane" in ended.errors


def _read(path: Path) -> Observed:
    return Observed.model_validate_json(path.read_text(encoding="utf-8"))

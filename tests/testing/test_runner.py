"""The runner: lanes, selection, deadlines, faulty harnesses, running loops."""

from __future__ import annotations

import asyncio
import threading
from typing import Any
from uuid import UUID

import pytest

from memory_fidelity.fake.harness import EventualFake, FakeHarness
from memory_fidelity.store import ExternalMemoryStore, InMemoryStore, MemoryItem
from memory_fidelity.testing import CaseResult, check, check_sync
from memory_fidelity.testing import examine as examine_module
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.harness import HarnessFactory, MemoryAdapterHarness, ServiceMissing
from memory_fidelity.testing.harness_faults import HARNESS_FAULTS
from memory_fidelity.testing.runner import (
    Declarations,
    declarations,
    harness_name,
    run_case,
    suite_id,
)
from memory_fidelity.testing.trial import Setting
from memory_fidelity.testing.verdict import Lane

BY_ID = {case.id: case for case in CASES}


def run(case_id: str, harness: Any, lane: Lane = "fake") -> CaseResult:
    """Run one case."""
    return run_case(BY_ID[case_id], Setting(harness, lane))


def _missing_at_once() -> MemoryAdapterHarness:
    raise ServiceMissing("acme 2 is not installed")


class _MissingLater(FakeHarness):
    async def make_store(self) -> ExternalMemoryStore:
        raise ServiceMissing("acme 2 is not installed")


class TestCheck:
    """Both ways to run the matrix."""

    def test_works_in_a_running_loop(self) -> None:
        """A notebook awaits `check` in its own loop."""
        report = asyncio.run(check(fake=FakeHarness))

        assert report.verdict == "conformant"
        assert report.grade == "modelled"

    def test_two_lanes_prove(self) -> None:
        """Fake and live together, over the same manifest, are proved."""
        report = check_sync(fake=FakeHarness, live=FakeHarness)

        assert [lane.lane for lane in report.lanes] == ["fake", "live"]
        assert report.grade == "proved"

    def test_live_alone_is_observed(self) -> None:
        """Without the fake there is no comparison of manifests, and no proof."""
        report = check_sync(live=FakeHarness)
        results = {result.case: result for result in report.lanes[0].results}

        assert report.grade == "observed"
        assert results["manifest.lanes"].reason == "the fake lane was not run beside this one"

    def test_lanes_of_two_adapters_contradict(self) -> None:
        """A fake that models another adapter proves nothing about this one."""
        report = check_sync(fake=FakeHarness, live=EventualFake)
        results = {result.case: result for result in report.lanes[1].results}

        assert report.grade == "contradicted"
        assert [finding.subject for finding in results["manifest.lanes"].findings] == [
            "manifest.adapter",
            "manifest.search_consistency",
        ]

    def test_selection_is_incomplete(self) -> None:
        """What is not selected is listed as not run, and the verdict says so."""
        report = check_sync(fake=FakeHarness, only="search.limit*")
        outcomes = {result.case: result.outcome for result in report.lanes[0].results}

        assert report.verdict == "incomplete"
        assert outcomes["search.limit.zero"] == "pass"
        assert outcomes["retrieve.unknown"] == "not run"
        assert len(outcomes) == len(CASES)

    @pytest.mark.parametrize("factory", [_missing_at_once, _MissingLater], ids=["made", "used"])
    def test_a_service_that_cannot_be_had_is_not_run(self, factory: HarnessFactory) -> None:
        """Every case says why it was not run; that is neither a fault nor a pass."""
        report = check_sync(fake=FakeHarness, live=factory)
        live = report.lanes[1]

        assert {(result.outcome, result.reason) for result in live.results} == {
            ("not run", "acme 2 is not installed"),
            ("not applicable", "needs a fake transport"),
        }
        assert (live.verdict, report.verdict, report.grade) == (
            "incomplete",
            "incomplete",
            "unproven",
        )

    def test_no_lane_is_refused(self) -> None:
        """Nothing to run is a mistake, not a verdict."""
        with pytest.raises(ValueError, match="expected a fake or a live harness, got neither"):
            check_sync()

    def test_empty_selection_is_refused(self) -> None:
        """A pattern that matches nothing is a mistake, not a verdict."""
        with pytest.raises(ValueError, match="expected a pattern that matches a case id, got 'x'"):
            check_sync(fake=FakeHarness, only="x")

    def test_progress_is_told_of_each_case(self) -> None:
        """Progress sees every case that ran, with its lane, in order."""
        told: list[tuple[Lane, str]] = []

        check_sync(fake=FakeHarness, progress=lambda lane, result: told.append((lane, result.case)))

        assert told == [("fake", case.id) for case in CASES]

    def test_summary_is_the_same_in_every_run(self) -> None:
        """What a notebook shows holds no times and no random ids."""
        first, second = (check_sync(fake=FakeHarness) for _ in range(2))

        assert repr(first) == repr(second)
        assert str(first) == repr(first)


class FiveMethods:
    """Only the five methods, over the fake."""

    def __init__(self) -> None:
        inner = FakeHarness()
        self.make_store = inner.make_store
        self.reset = inner.reset
        self.make_search_index_visible = inner.make_search_index_visible
        self.make_transport_unavailable = inner.make_transport_unavailable
        self.close = inner.close


class TestMissingControls:
    """What a harness cannot do is shown, not skipped."""

    def test_missing_control_is_not_run(self) -> None:
        """The case is not run, and says which control is missing."""
        result = run("retrieve.foreign", FiveMethods)

        assert result.outcome == "not run"
        assert result.reason == "the harness has no control PlantsForeignRecord"

    def test_what_does_not_apply_needs_no_control(self) -> None:
        """A case that the manifest rules out is not applicable, whatever the harness lacks."""
        assert run("consistency.eventual", FiveMethods).outcome == "not applicable"

    def test_missing_method_is_named(self) -> None:
        """A harness without one of the five methods is told which."""

        class Unclosed(FiveMethods):
            def __init__(self) -> None:
                super().__init__()
                del self.close

        reason = "expected the five methods of a harness, Unclosed has no close"
        assert run("retrieve.unknown", Unclosed).reason == reason

    def test_missing_controls_make_the_fake_lane_incomplete(self) -> None:
        """Five methods are a harness, but not enough for the fake lane."""
        assert isinstance(FiveMethods(), MemoryAdapterHarness)
        assert check_sync(fake=FiveMethods).verdict == "incomplete"

    def test_live_lane_needs_no_controls(self) -> None:
        """On a live service nothing can be forced; five methods conform."""
        assert check_sync(live=FiveMethods).verdict == "conformant"


class InMemoryHarness:
    """lionagi's own store, which publishes no manifest."""

    async def make_store(self) -> Any:
        """A new store."""
        return InMemoryStore()

    async def reset(self) -> None:
        """Nothing is shared."""

    async def make_search_index_visible(self) -> None:
        """It always is."""

    async def make_transport_unavailable(self) -> None:
        """There is no transport."""

    async def close(self) -> None:
        """Nothing to release."""


class TestNoManifest:
    """A store with no manifest is judged on what needs none."""

    def test_is_reported_as_such(self) -> None:
        """It is said first, and no case crashes on it."""
        report = check_sync(live=InMemoryHarness)
        results = {result.case: result for result in report.lanes[0].results}

        assert report.manifest is None
        assert report.adapter is None
        assert results["surface.manifest"].findings[0].observed == "there is none"
        assert results["fidelity.tags"].reason == "the store publishes no manifest to judge"
        assert "error" not in {
            result.outcome for name, result in results.items() if name != "harness.reset"
        }


class HangingStore(InMemoryStore):
    """Never answers."""

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Wait for what does not come."""
        await asyncio.get_running_loop().create_future()
        return None


class HangingHarness(InMemoryHarness):
    """Makes stores that hang."""

    async def make_store(self) -> Any:
        """A store that hangs."""
        return HangingStore()


class BlockingStore(InMemoryStore):
    """Blocks the thread, so that not even cancellation helps."""

    released: threading.Event

    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Block until released."""
        self.released.wait()
        return None


class TestDeadline:
    """A case that does not end is inconclusive."""

    def test_hanging_call(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A call that is never answered ends at the deadline."""
        monkeypatch.setattr(examine_module, "DEADLINE", 0.01)

        result = run("retrieve.unknown", HangingHarness, "live")

        assert result.outcome == "inconclusive"
        assert result.reason == "no end within 0.01 seconds"

    def test_blocked_thread(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A thread that cannot be stopped is left behind."""
        monkeypatch.setattr("memory_fidelity.testing.own_loop.PATIENCE", 0.01)
        store = BlockingStore()
        store.released = threading.Event()

        class Blocking(InMemoryHarness):
            async def make_store(self) -> Any:
                return store

        result = run("retrieve.unknown", Blocking, "live")
        store.released.set()

        assert result.outcome == "inconclusive"
        assert result.reason == "the thread of the case could not be stopped"


class TestNames:
    """What a report says of where it comes from."""

    @pytest.mark.parametrize(
        ("factory", "expected"),
        [
            pytest.param(FakeHarness, "memory_fidelity.fake.harness:FakeHarness", id="a class"),
            pytest.param(
                FiveMethods().make_store,
                "memory_fidelity.fake.harness:FakeHarness.make_store",
                id="a method",
            ),
        ],
    )
    def test_harness_name(self, factory: Any, expected: str) -> None:
        """A harness is named as the command line takes it."""
        assert harness_name(factory) == expected

    def test_suite_id_is_stable(self) -> None:
        """The same cases and the same corpus have the same id."""
        assert suite_id() == suite_id()
        assert suite_id().startswith("0.")

    @pytest.mark.parametrize(
        ("service", "expected"),
        [
            pytest.param({"acme": "2.1"}, {"acme": "2.1"}, id="versions"),
            pytest.param({"acme": "2.1", "rows": []}, {"acme": "2.1"}, id="more than versions"),
            pytest.param(object(), {}, id="the service itself"),
        ],
    )
    def test_service_of_a_harness(self, service: object, expected: dict[str, str]) -> None:
        """Versions are taken over; a service that goes by the same name states none."""

        class Named(FakeHarness):
            def __init__(self) -> None:
                super().__init__()
                self.service = service

        assert declarations(Setting(Named, "fake")).service == expected

    @pytest.mark.parametrize("fault", ["harness.cannot-be-made", "harness.no-store"])
    def test_declarations_of_a_faulty_harness(self, fault: str) -> None:
        """Where nothing can be made, nothing is declared."""
        faulty = HARNESS_FAULTS[fault].over(FakeHarness)

        assert declarations(Setting(faulty, "fake")) == Declarations()

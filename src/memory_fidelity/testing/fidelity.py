"""The suite as a pytest class: inherit, name a harness, and every case is a test."""

from __future__ import annotations

import json
from collections.abc import Callable
from inspect import getattr_static
from typing import TYPE_CHECKING, Any, ClassVar

from memory_fidelity.testing.calibration import every_case_id
from memory_fidelity.testing.case import Case
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.harness import HarnessFactory
from memory_fidelity.testing.rendering.text import result_text
from memory_fidelity.testing.report import CaseResult
from memory_fidelity.testing.runner import declarations, missing_case, run_case
from memory_fidelity.testing.trial import Setting
from memory_fidelity.testing.verdict import Lane

if TYPE_CHECKING:
    import pytest

__all__ = ["AdapterFidelity", "fidelity_plan"]


class AdapterFidelity:
    """Every case of the conformance matrix, for one adapter.

    ```python
    class TestAcme(AdapterFidelity):
        fake = AcmeFake  # required lane
        live = AcmeLive  # optional; runs with --fidelity-live
    ```

    There is one inherited test, made once per lane and case, so there is
    nothing to override and no case to forget. No async plugin is needed. What
    is skipped, expected to fail or overridden is reported as *incomplete*, and
    fails the session.
    """

    fake: ClassVar[HarnessFactory | None] = None
    live: ClassVar[HarnessFactory | None] = None

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make one test per lane and case."""
        if "fidelity_case" in metafunc.fixturenames:
            live = metafunc.config.getoption("--fidelity-live", default=False)
            plan = fidelity_plan(type(self), live)
            metafunc.parametrize("fidelity_case", plan, ids=plan)

    def test_case(self, fidelity_case: str, record_property: Callable[[str, object], None]) -> None:
        """The adapter does in this case what the contract and its manifest say."""
        lane, _, case_id = fidelity_case.partition("-")
        result = _run(type(self), "live" if lane == "live" else "fake", case_id)
        record = {"case": fidelity_case, "outcome": result.outcome}
        record_property("memory-fidelity", json.dumps(record))
        if result.outcome not in ("pass", "not applicable"):
            import pytest

            # The message says what to do; the source of this method does not.
            pytest.fail(result_text(result), pytrace=False)


def fidelity_plan(suite: type[AdapterFidelity], live: bool) -> list[str]:
    """The tests that a class must run, each as `lane-case`."""
    lanes = ["fake", "live"] if live and suite.live is not None else ["fake"]
    return [f"{lane}-{case_id}" for lane in lanes for case_id in every_case_id()]


def _run(suite: type[AdapterFidelity], lane: Lane, case_id: str) -> CaseResult:
    if (case := _by_id().get(case_id)) is None:
        return missing_case(case_id)
    factory = _factory(suite, lane)
    if factory is None:
        return CaseResult(
            case=case.id,
            version=case.version,
            clauses=case.clauses,
            title=case.title,
            outcome="not run",
            reason=f"{suite.__name__} names no {lane} harness; the {lane} lane is required",
            milliseconds=0,
        )
    other = _factory(suite, "fake") if case.lanes == ("live",) else None
    manifest = declarations(Setting(other, "fake")).manifest if other else None
    return run_case(case, Setting(factory, lane, other_manifest=manifest))


def _by_id() -> dict[str, Case]:
    return {case.id: case for case in CASES}


def _factory(suite: type[AdapterFidelity], lane: Lane) -> HarnessFactory | None:
    # A function kept as a class attribute must not become a method.
    found: Any = getattr_static(suite, lane)
    return found.__func__ if isinstance(found, staticmethod) else found

"""Running a kit that is a set of pytest classes, in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from benchmarks.kits.kit import Outcome

__all__ = ["SWITCHES", "run_pytest"]

SWITCHES: Final = {
    "skipped": "a fixture of the author's skips every test",
    "expected to fail": "a fixture of the author's lets every test fail as expected",
}

_SETTINGS: Final = Path(__file__).with_name("pytest.ini")


class Watcher:
    """A plugin that hands the backend to the tests, and counts what becomes of them."""

    def __init__(self, backend: type, switch: str | None) -> None:
        self._backend = backend
        self._switch = switch
        self.passed = 0
        self.failed: dict[str, None] = {}
        self.set_aside = 0

    @pytest.fixture
    def backend(self) -> type:
        return self._backend

    @pytest.fixture(autouse=True)
    def switched_off(self) -> None:
        if self._switch == "skipped":
            pytest.skip("switched off")
        if self._switch == "expected to fail":
            pytest.xfail("switched off")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed[f"{report.nodeid}: cannot be collected"] = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed[report.nodeid.rpartition("::")[2]] = None
        elif report.skipped:
            self.set_aside += 1
        elif report.when == "call":
            self.passed += 1


def run_pytest(suite: Path, backend: type, switch: str | None, *more: str) -> Outcome:
    """Run the test classes of a file over a backend."""
    watcher = Watcher(backend, switch)
    code = pytest.main(
        [
            str(suite),
            "-c",
            str(_SETTINGS),
            "--import-mode=importlib",
            "-q",
            "--tb=no",
            "-p",
            "no:cacheprovider",
            # This project's own; it needs more than the kit's environment has.
            "-p",
            "no:memory_fidelity",
            *more,
        ],
        plugins=[watcher],
    )
    return Outcome(
        passed=watcher.passed,
        failed=tuple(watcher.failed),
        set_aside=watcher.set_aside,
        says=f"pytest exits with {int(code)}",
    )

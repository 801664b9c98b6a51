"""The pytest plugin: one option, and the gate that no suppressed case passes.

It stands outside the package and imports nothing of it when it is loaded, so
that a test run that measures coverage of `memory_fidelity` sees its imports.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator
from typing import Any, Final

import pytest

__all__ = ["pytest_addoption", "pytest_configure"]

_PROPERTY: Final = "memory-fidelity"
_SHOWN: Final = 5


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that runs live lanes."""
    parser.getgroup("memory-fidelity").addoption(
        "--fidelity-live",
        action="store_true",
        help="run the live lane of AdapterFidelity classes, too",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Set up the gate."""
    config.pluginmanager.register(_Gate(config), "memory-fidelity-gate")


class _Gate:
    """Compares the cases that each class must run with those that were seen to run."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._planned: dict[str, list[str]] = {}
        self._ran: dict[str, dict[str, str]] = {}
        self._hidden: dict[str, set[str]] = {}
        self._deselected: set[str] = set()
        self._reported: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_pycollect_makeitem(
        self, collector: pytest.Module | pytest.Class, name: str, obj: object
    ) -> Generator[None, object, object]:
        """Note each class of cases, whatever is done to its tests afterwards."""
        made = yield
        if made is not None and isinstance(obj, type) and _is_suite(obj):
            self._note(f"{collector.nodeid}::{name}", obj)
        return made

    def pytest_deselected(self, items: Iterable[pytest.Item]) -> None:
        """Tell what the user chose not to run from what somebody made disappear."""
        self._deselected.update(item.nodeid for item in items)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the outcome out of the report, which also crosses from xdist's workers."""
        self._reported.add(report.nodeid)
        suite = report.nodeid.partition("::test_case")[0]
        for name, value in report.user_properties:
            if name == _PROPERTY:
                record = json.loads(str(value))
                self._ran.setdefault(suite, {})[record["case"]] = record["outcome"]
                unmet = record["outcome"] not in ("pass", "not applicable")
                if report.when == "call" and unmet and report.outcome != "failed":
                    self._hidden.setdefault(suite, set()).add(record["case"])

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Take over what an xdist worker planned; the controller collects nothing itself."""
        output = getattr(node, "workeroutput", {})
        self._planned.update(output.get(_PROPERTY, {}))
        self._deselected.update(output.get(f"{_PROPERTY} deselected", ()))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a session that would succeed although cases were suppressed."""
        output = getattr(self._config, "workeroutput", None)
        if output is not None:
            output[_PROPERTY] = self._planned
            output[f"{_PROPERTY} deselected"] = sorted(self._deselected)
        elif session.exitstatus == pytest.ExitCode.OK and any(map(self._suppressed, self._planned)):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Give each class its verdict."""
        lines = [line for suite in self._planned for line in self._verdict_lines(suite)]
        if lines and not self._config.option.collectonly:
            terminalreporter.section("memory-fidelity")
            for line in lines:
                terminalreporter.write_line(line)

    def _note(self, suite: str, cls: type) -> None:
        from memory_fidelity.testing.fidelity import fidelity_plan

        live = self._config.getoption("--fidelity-live")
        self._planned[suite] = fidelity_plan(cls, live)

    def _verdict_lines(self, suite: str) -> Iterator[str]:
        from memory_fidelity.testing.verdict import verdict

        planned, ran = self._planned[suite], self._ran.get(suite, {})
        suppressed = self._suppressed(suite)
        if not ran and not suppressed:
            return  # the user chose other tests
        for lane in ("fake", "live"):
            cases = [case for case in planned if case.startswith(f"{lane}-")]
            if cases:
                outcomes: list[Any] = [
                    "not run" if case in suppressed else ran.get(case, "not run") for case in cases
                ]
                run = sum(case in ran for case in cases)
                yield f"{suite} {lane}: {verdict(outcomes)} ({run} of {len(cases)} cases run)"
        if suppressed:
            yield f"  {len(suppressed)} suppressed by a skip, an expected failure or an override:"
            yield from (f"    {case}" for case in suppressed[:_SHOWN])

    def _suppressed(self, suite: str) -> list[str]:
        """The cases that should have run and did not, or failed and were not let fail."""
        ran, hidden = self._ran.get(suite, {}), self._hidden.get(suite, set())
        return [
            case
            for case in self._planned[suite]
            if case in hidden or (case not in ran and not self._was_left_out(suite, case))
        ]

    def _was_left_out(self, suite: str, case: str) -> bool:
        """Whether the user chose that the case does not run."""
        test = f"{suite}::test_case[{case}]"
        if test in self._reported or f"{suite}::test_case" in self._reported:
            return False  # it was selected, and something kept it from running
        options = self._config.option
        by_name = any("::" in argument for argument in self._config.args)
        stopped = bool(options.maxfail or getattr(options, "lf", False) or options.collectonly)
        return by_name or stopped or test in self._deselected


def _is_suite(cls: type) -> bool:
    return any(
        base.__module__ == "memory_fidelity.testing.fidelity" and base.__name__ == "AdapterFidelity"
        for base in cls.__mro__
    )

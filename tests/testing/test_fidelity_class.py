"""The suite as a pytest class: each case a test, and no cheat reaches *conformant*."""

from __future__ import annotations

import pytest

from memory_fidelity.testing import AdapterFidelity
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.fidelity import fidelity_plan

COUNT = len(CASES)

PLAIN = """
import pytest
from memory_fidelity.fake.harness import FakeHarness, LossyFake
from memory_fidelity.testing import AdapterFidelity, check_sync
from memory_fidelity.testing.subjects import LimitIgnored

class TestAcme(AdapterFidelity):
    fake = FakeHarness
"""

BROKEN = PLAIN.replace("fake = FakeHarness", "fake = LimitIgnored")

CHEATS = {
    "skip": PLAIN.replace("class TestAcme", "@pytest.mark.skip\nclass TestAcme"),
    "skipif": PLAIN.replace(
        "class TestAcme", "@pytest.mark.skipif(True, reason='x')\nclass TestAcme"
    ),
    "xfail": BROKEN.replace("class TestAcme", "@pytest.mark.xfail\nclass TestAcme"),
    "autouse xfail": BROKEN
    + """
    @pytest.fixture(autouse=True)
    def excuse(self):
        pytest.xfail("not today")
""",
    "autouse skip": BROKEN
    + """
    @pytest.fixture(autouse=True)
    def excuse(self):
        pytest.skip("not today")
""",
    "overridden test": BROKEN
    + """
    def test_case(self):
        pass
""",
    "overridden test with a case": BROKEN
    + """
    def test_case(self, fidelity_case):
        pass
""",
    "removed test": BROKEN
    + """
    test_case = None
""",
    "overridden generation": BROKEN
    + """
    def pytest_generate_tests(self, metafunc):
        metafunc.parametrize("fidelity_case", ["fake-retrieve.unknown"])
""",
    "no fake": PLAIN.replace("fake = FakeHarness", "pass"),
}

REMOVING_CONFTEST = """
def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if "search.limit" not in item.nodeid]
"""


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest as an author does, without plugins that are slow and are not ours."""
    slow = ("-p", "no:hypothesispytest", "-p", "no:nbval")
    plain = ("-p", "no:cacheprovider", *slow, "-W", "ignore")
    return pytester.runpytest(*plain, *arguments)


class TestHonestClasses:
    """What an author sees."""

    def test_conformant_adapter(self, pytester: pytest.Pytester) -> None:
        """Each case is a test, and the class has its verdict."""
        pytester.makepyfile(test_acme=PLAIN)

        result = run(pytester)

        result.assert_outcomes(passed=COUNT)
        result.stdout.fnmatch_lines([f"*TestAcme fake: conformant ({COUNT} of {COUNT} cases run)"])
        assert result.ret == 0

    def test_broken_adapter(self, pytester: pytest.Pytester) -> None:
        """The failing case says claim, observation and change."""
        pytester.makepyfile(test_acme=BROKEN)

        result = run(pytester)

        result.stdout.fnmatch_lines(
            [
                "*FAIL search.limit (C8, Q1)*",
                "*claim *limit=1 gives at most 1 hits*",
                "*observed *25 hits came back*",
                "*change *pass the limit on*",
                "*TestAcme fake: non-conformant *",
            ]
        )
        assert result.ret == 1

    @pytest.mark.parametrize("option", [[], ["--fidelity-live"]], ids=["without", "with option"])
    def test_live_lane_is_optional(self, pytester: pytest.Pytester, option: list[str]) -> None:
        """The live lane runs only when it is asked for."""
        pytester.makepyfile(test_acme=PLAIN + "    live = FakeHarness\n")

        result = run(pytester, *option)

        result.assert_outcomes(passed=COUNT * (1 + len(option)))
        assert result.stdout.str().count("conformant") == 1 + len(option)
        assert result.ret == 0

    def test_function_as_a_harness(self, pytester: pytest.Pytester) -> None:
        """A plain function that makes harnesses is not taken for a method."""
        changed = PLAIN.replace("fake = FakeHarness", "fake = lambda: FakeHarness()")
        pytester.makepyfile(test_acme=changed)

        result = run(pytester, "-k", "limit")

        result.assert_outcomes(passed=3, deselected=COUNT - 3)

    @pytest.mark.parametrize(
        "selection",
        [["-k", "limit"], ["test_acme.py::TestAcme::test_case[fake-search.limit]"]],
        ids=["keyword", "node id"],
    )
    def test_selection_decides_the_exit_code(
        self, pytester: pytest.Pytester, selection: list[str]
    ) -> None:
        """What the user selects may pass; the verdict is incomplete all the same."""
        pytester.makepyfile(test_acme=PLAIN)

        result = run(pytester, *selection)

        result.stdout.fnmatch_lines(["*TestAcme fake: incomplete (*"])
        assert result.ret == 0

    def test_other_tests_are_left_alone(self, pytester: pytest.Pytester) -> None:
        """Where there is no such class, the plugin says nothing."""
        pytester.makepyfile("def test_other(): pass")

        result = run(pytester)

        result.stdout.no_fnmatch_line("*memory-fidelity ===*")
        assert result.ret == 0


class TestCheats:
    """What hides a case fails the session and is never conformant."""

    @pytest.mark.parametrize("source", CHEATS.values(), ids=CHEATS)
    def test_cheat_is_caught(self, pytester: pytest.Pytester, source: str) -> None:
        """A suppressed case makes the verdict incomplete, and the session fail."""
        pytester.makepyfile(test_acme=source)

        result = run(pytester)

        result.stdout.fnmatch_lines(["*TestAcme fake: incomplete (*"])
        assert result.ret != 0

    def test_cheats_are_caught_under_xdist(self, pytester: pytest.Pytester) -> None:
        """Outcomes and plans cross from the workers to the controller."""
        pytester.makepyfile(
            test_skip=CHEATS["skip"],
            test_xfail=CHEATS["xfail"],
            test_override=CHEATS["overridden test"],
        )

        result = run(pytester, "-n", "2")

        assert result.stdout.str().count("TestAcme fake: incomplete (") == 3
        assert result.ret == 1

    def test_removed_items_are_missed(self, pytester: pytest.Pytester) -> None:
        """A hook that makes tests disappear is no selection."""
        pytester.makeconftest(REMOVING_CONFTEST)
        pytester.makepyfile(test_acme=PLAIN)

        result = run(pytester)

        result.stdout.fnmatch_lines(["*3 suppressed by a skip, an expected failure*"])
        assert result.ret == 1

    def test_overridden_test_selected_by_name(self, pytester: pytest.Pytester) -> None:
        """Naming the test does not hide that it is another one."""
        pytester.makepyfile(test_acme=CHEATS["overridden test"])

        result = run(pytester, "test_acme.py::TestAcme")

        assert result.ret == 1


class TestRunners:
    """The class works without and beside async plugins."""

    @pytest.mark.parametrize(
        "arguments",
        [
            pytest.param(["-p", "no:asyncio", "-p", "no:anyio"], id="no async plugin"),
            pytest.param(["-o", "asyncio_mode=auto"], id="pytest-asyncio auto"),
            pytest.param(["-o", "asyncio_mode=strict"], id="pytest-asyncio strict"),
            pytest.param(["-n", "2"], id="xdist"),
        ],
    )
    def test_runs_everywhere(self, pytester: pytest.Pytester, arguments: list[str]) -> None:
        """The same classes, the same verdict."""
        pytester.makepyfile(test_acme=PLAIN)

        result = run(pytester, *arguments)

        result.stdout.fnmatch_lines([f"*TestAcme fake: conformant ({COUNT} of {COUNT} cases run)"])
        assert result.ret == 0

    def test_runs_in_a_running_loop(self, pytester: pytest.Pytester) -> None:
        """An async test may run the matrix itself, as a notebook cell does."""
        pytester.makepyfile(
            test_loop="""
            import pytest
            from memory_fidelity.fake.harness import FakeHarness
            from memory_fidelity.testing import check

            @pytest.mark.anyio
            @pytest.mark.parametrize("anyio_backend", ["asyncio"])
            async def test_check(anyio_backend):
                assert (await check(fake=FakeHarness)).verdict == "conformant"
            """
        )

        result = run(pytester)

        result.assert_outcomes(passed=1)


class TestPlan:
    """Which tests a class must run."""

    def test_live_lane_needs_option_and_harness(self) -> None:
        """Without a live harness the option changes nothing."""

        class Suite(AdapterFidelity):
            pass

        assert fidelity_plan(Suite, live=True) == [f"fake-{case.id}" for case in CASES]


def test_a_failure_shows_its_message_and_no_source_of_ours(pytester: pytest.Pytester) -> None:
    """The reader of a failing test sees what to fix, not how the suite runs a case."""
    pytester.makepyfile(test_acme=BROKEN)

    result = run(pytester, "-k", "search.limit")

    result.stdout.fnmatch_lines(["*limit*"])
    result.stdout.no_fnmatch_line("*record_property*")

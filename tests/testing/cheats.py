"""Ways to get a better verdict than the adapter deserves, each as a test module of an author."""

from __future__ import annotations

from textwrap import dedent
from typing import Final

__all__ = ["CHEATS", "KERNEL_CHEATS", "KERNEL_IMPORTS"]

_IMPORTS = """
import pytest
from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.testing import AdapterFidelity
from memory_fidelity.testing.subjects import LimitIgnored, MetadataStringified
"""


def _module(body: str) -> str:
    return _IMPORTS + dedent(body)


CHEATS: Final[dict[str, str]] = {
    "skip": _module(
        """
        @pytest.mark.skip
        class TestAcme(AdapterFidelity):
            fake = LimitIgnored
        """
    ),
    "xfail": _module(
        """
        @pytest.mark.xfail
        class TestAcme(AdapterFidelity):
            fake = LimitIgnored
        """
    ),
    "autouse_xfail": _module(
        """
        @pytest.fixture(autouse=True)
        def excuse():
            pytest.xfail("not today")

        class TestAcme(AdapterFidelity):
            fake = LimitIgnored
        """
    ),
    "fixture_passes": _module(
        """
        class TestAcme(AdapterFidelity):
            fake = LimitIgnored

            @pytest.fixture
            def fidelity_case(self):
                return "fake-retrieve.unknown"
        """
    ),
    "override": _module(
        """
        class TestAcme(AdapterFidelity):
            fake = LimitIgnored

            def test_case(self, fidelity_case):
                pass
        """
    ),
    "async_override": _module(
        """
        class TestAcme(AdapterFidelity):
            fake = LimitIgnored

            async def test_case(self, fidelity_case):
                pass
        """
    ),
    "empty_plan": _module(
        """
        class TestAcme(AdapterFidelity):
            fake = LimitIgnored

            def pytest_generate_tests(self, metafunc):
                metafunc.parametrize("fidelity_case", [])
        """
    ),
    "missing_control": _module(
        """
        class Bare:
            def __init__(self):
                self.real = FakeHarness()
                for name in ("make_store", "reset", "make_search_index_visible",
                             "make_transport_unavailable", "close"):
                    setattr(self, name, getattr(self.real, name))

        class TestAcme(AdapterFidelity):
            fake = Bare
        """
    ),
    "constant_answers": _module(
        """
        class Constant:
            def __init__(self, store):
                self.manifest, self.card = store.manifest, store.card

            async def store(self, item):
                return item.id

            async def retrieve(self, item_id):
                return None

            async def search(self, query):
                return []

        class Constants(FakeHarness):
            async def make_store(self):
                return Constant(await super().make_store())

        class TestAcme(AdapterFidelity):
            fake = Constants
        """
    ),
    "comparer": _module(
        """
        @pytest.fixture(autouse=True)
        def lenient(monkeypatch):
            equal = lambda *values, **options: True
            monkeypatch.setattr("memory_fidelity.exact.same", equal)
            monkeypatch.setattr("memory_fidelity.testing.trial.same", equal)
            monkeypatch.setattr("memory_fidelity.testing.trial.Trial.is_same", equal)

        class TestAcme(AdapterFidelity):
            fake = MetadataStringified
        """
    ),
    "silenced": _module(
        """
        @pytest.fixture(autouse=True)
        def quiet(monkeypatch):
            monkeypatch.setattr(
                "memory_fidelity.testing.trial.Trial.report", lambda *values, **options: None
            )

        class TestAcme(AdapterFidelity):
            fake = LimitIgnored
        """
    ),
    "patched_limit": _module(
        """
        @pytest.fixture(autouse=True)
        def quiet(monkeypatch):
            from memory_fidelity.testing.trial import Trial
            real = Trial.require

            def require(self, met, subject, *rest):
                real(self, met or subject == "C8", subject, *rest)

            monkeypatch.setattr(Trial, "require", require)

        class TestAcme(AdapterFidelity):
            fake = LimitIgnored
        """
    ),
    "deleted_cases": _module(
        """
        from memory_fidelity.testing import calibration, fidelity

        fewer = tuple(case for case in fidelity.CASES if case.id != "search.limit")
        fidelity.CASES = calibration.CASES = fewer

        class TestAcme(AdapterFidelity):
            fake = LimitIgnored
        """
    ),
    "no_fake": _module(
        """
        class TestAcme(AdapterFidelity):
            pass
        """
    ),
}
"""Name of the cheat: the module."""

_CHECK = "from memory_fidelity.testing import check, runner\n"
_SUBJECTS = "from memory_fidelity.testing.subjects import LimitIgnored, MetadataStringified\n"

KERNEL_CHEATS: Final[dict[str, str]] = {
    "subset": "from memory_fidelity.fake import FakeHarness\n"
    "report = await check(fake=FakeHarness, only='retrieve.*')",
    "comparer": "from memory_fidelity.testing.trial import Trial\n"
    "honest, Trial.is_same = Trial.is_same, lambda *values: True\n"
    "report = await check(fake=MetadataStringified)\n"
    "Trial.is_same = honest",
    "silenced": "from memory_fidelity.testing.trial import Trial\n"
    "honest, Trial.report = Trial.report, lambda *values: None\n"
    "report = await check(fake=LimitIgnored)\n"
    "Trial.report = honest",
    "deleted case": "from memory_fidelity.testing import calibration\n"
    "every = runner.CASES\n"
    "fewer = tuple(case for case in every if case.id != 'search.limit')\n"
    "runner.CASES = calibration.CASES = fewer\n"
    "report = await check(fake=LimitIgnored)\n"
    "runner.CASES = calibration.CASES = every",
    "bare harness": "from memory_fidelity.fake import FakeHarness\n"
    "class Bare:\n"
    "    def __init__(self):\n"
    "        real = FakeHarness()\n"
    "        for name in ('make_store', 'reset', 'make_search_index_visible',\n"
    "                     'make_transport_unavailable', 'close'):\n"
    "            setattr(self, name, getattr(real, name))\n"
    "report = await check(fake=Bare)",
}
"""Name of the cheat: what is run in a cell of a notebook, after the imports."""

KERNEL_IMPORTS: Final = _CHECK + _SUBJECTS

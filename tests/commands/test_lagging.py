"""`lag`: exit codes, files, and what is said of what was not seen."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_fidelity import __version__
from memory_fidelity.testing.lag_report import LagReport

from .conftest import MODULE, Run

LAGGING = "lagging_harness_of_these_tests"

SOURCE = '''\
from memory_fidelity.fake import EVENTUAL, FakeHarness, FakeMemoryStore
from memory_fidelity.testing import ServiceMissing


class _Slow(FakeMemoryStore):
    """Shows what was written after two searches have missed it."""

    async def native_store(self, record):
        self.left = 2
        return await super().native_store(record)

    async def native_search(self, search):
        if self.left == 0:
            self.backend.flush()
        self.left -= 1
        return await super().native_search(search)


class Slow(FakeHarness):
    store_class = _Slow

    def __init__(self):
        super().__init__(EVENTUAL)

    def connect(self, *scope):
        store = super().connect(*scope)
        store.backend = self.backend
        return store


class _Held(FakeMemoryStore):
    """Shows everything at once, when it was made visible before."""

    async def native_search(self, search):
        if self.visible:
            self.backend.flush()
        return await super().native_search(search)


class Held(FakeHarness):
    store_class = _Held

    def __init__(self):
        super().__init__(EVENTUAL)

    def connect(self, *scope):
        self.store = super().connect(*scope)
        self.store.backend, self.store.visible = self.backend, False
        return self.store

    async def make_search_index_visible(self):
        self.store.visible = True


class Missing(FakeHarness):
    def __init__(self):
        raise ServiceMissing("Acme is not installed")


class Gone(FakeHarness):
    async def make_store(self):
        store = await super().make_store()
        await self.make_transport_unavailable()
        return store


class Unclosed(FakeHarness):
    async def close(self):
        raise LookupError("password=hunter2 no server")
'''

WITHOUT = """
import sys
sys.modules[sys.argv[1]] = None
from memory_fidelity.cli import main
sys.exit(main(["lag", "fake", "--figure", "f.png"]))
"""


@pytest.fixture(autouse=True)
def lagging(here: Path) -> Iterator[None]:
    """A module of harnesses that lag, in the current directory."""
    (here / f"{LAGGING}.py").write_text(SOURCE, encoding="utf-8")
    yield
    sys.modules.pop(LAGGING, None)


def _written(path: Path) -> LagReport:
    return LagReport.model_validate_json(path.read_text(encoding="utf-8"))


def test_a_store_that_lags(run: Run) -> None:
    """All writes are seen in the end: 0, and nothing is said on the other stream."""
    ended = run("lag", f"{LAGGING}:Slow", "--writes", "4")

    assert (ended.code, ended.errors) == (0, "")
    assert "  4 seen; 4 missed at the first search; 0 not seen within 5 s\n" in ended.output
    assert ended.output.endswith("every write was seen\n")


def test_an_immediate_store(run: Run) -> None:
    """It is measured, too, and told what it promised."""
    ended = run("lag", "sqlite", "--writes", "4")

    assert ended.code == 0
    assert "  4 seen; 0 missed at the first search; 0 not seen within 5 s\n" in ended.output
    assert "NOTE declared immediate: every first search must find it" in ended.output


def test_what_is_not_seen_is_inconclusive(run: Run) -> None:
    """An index that nobody flushes shows nothing: 2, and no more than three deadlines."""
    ended = run("lag", "fake-eventual", "--deadline", "0")

    assert ended.code == 2
    assert "INCONCLUSIVE: 3 of 3 writes not seen within 0 s" in ended.output
    assert "97 more" in ended.output


def test_an_index_that_the_harness_holds_back_is_let_go(run: Run) -> None:
    """What the suite holds back would be measured as a lag without an end."""
    ended = run("lag", f"{LAGGING}:Held", "--writes", "2")

    assert ended.code == 0


def test_the_live_lane_is_measured(run: Run, here: Path) -> None:
    """A built-in target that has one is measured there; the others on their fake."""
    run("lag", "sqlite", "--writes", "1", "--json", "f.json")

    assert _written(here / "f.json").harness == "memory_fidelity.adapters.sqlite_harness:SqliteFile"


def test_json(run: Run, here: Path) -> None:
    """Target, versions, time, and the command without the files that it wrote."""
    target = f"{LAGGING}:Slow"

    ended = run("lag", target, "--writes", "2", "--deadline", "2.5", "--json", "f.json")

    told = _written(here / "f.json")
    assert (told.target, told.adapter, told.declared) == (target, "fake-eventual", "eventual")
    assert told.environment.packages["memory-fidelity"] == __version__
    assert told.reproduce == f"memory-fidelity lag {target} --writes 2 --deadline 2.5"
    assert (told.lag.writes, told.lag.searches) == (2, 6)
    assert ended.errors == "JSON report written to f.json\n"


@pytest.mark.parametrize(
    ("name", "start"),
    [pytest.param("f.png", b"\x89PNG", id="png"), pytest.param("f.SVG", b"<?xml", id="svg")],
)
def test_figure(run: Run, here: Path, name: str, start: bytes) -> None:
    """Its name decides on its format."""
    ended = run("lag", "fake", "--writes", "2", "--figure", name)

    assert (here / name).read_bytes().startswith(start)
    assert ended.errors == f"figure written to {name}\n"


@pytest.mark.parametrize("missing", ["matplotlib", "pandas"])
def test_figure_names_its_extra(here: Path, missing: str) -> None:
    """Without what the extra brings, nothing is measured, and the command says what to install."""
    ended = subprocess.run(
        [sys.executable, "-c", WITHOUT, missing], capture_output=True, text=True, check=False
    )

    assert (ended.returncode, ended.stdout) == (4, "")
    assert ended.stderr == (
        f"memory-fidelity: --figure needs {missing}, which comes with the extra `workbook`: "
        "pip install 'memory-fidelity[workbook]'\n"
    )


def test_other_import_errors_are_not_hidden(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of this package is no missing extra."""
    monkeypatch.setitem(sys.modules, "memory_fidelity.workbook.lag", None)

    ended = run("lag", "fake", "--figure", "f.png")

    assert (ended.code, ended.output) == (3, "")
    assert "ModuleNotFoundError" in ended.errors


def test_figure_that_cannot_be_written(run: Run, here: Path) -> None:
    """A folder that goes away meanwhile is told of, after the text was shown."""
    folder = here / "folder"
    folder.mkdir()
    (here / "vanishing.py").write_text(
        "from memory_fidelity.fake import FakeHarness\n"
        "class Vanishing(FakeHarness):\n"
        "    async def close(self):\n"
        f"        __import__('shutil').rmtree({str(folder)!r}, ignore_errors=True)\n"
    )

    ended = run("lag", "vanishing:Vanishing", "--writes", "1", "--figure", str(folder / "f.png"))

    assert (ended.code, "every write was seen" in ended.output) == (4, True)
    assert "could not be written: No such file" in ended.errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "Missing argument 'TARGET'", id="nothing"),
        pytest.param(["fak"], "close to it: fake", id="misspelt name"),
        pytest.param(["fake", "--writes", "0"], "--writes", id="no writes"),
        pytest.param(["fake", "--deadline", "-1"], "0 seconds or more", id="negative deadline"),
        pytest.param(["fake", "--deadline", "inf"], "and an end", id="endless deadline"),
        pytest.param(["fake", "--deadline", "nan"], "--deadline nan", id="no deadline"),
        pytest.param(["fake", "--json", "no/f.json"], "the directory no to exist", id="no folder"),
        pytest.param(["fake", "--figure", "f.pdf"], "ends in .png or .svg", id="no format"),
        pytest.param(
            ["fake", "--json", "f.svg", "--figure", "./f.svg"], "got one file twice", id="twice"
        ),
    ],
)
def test_usage_errors(run: Run, arguments: list[str], message: str) -> None:
    """What cannot be carried out as it was given ends in 4, before anything is measured."""
    ended = run("lag", *arguments)

    assert (ended.code, ended.output) == (4, "")
    assert message in " ".join(ended.errors.split())


@pytest.mark.parametrize(
    ("target", "code", "message"),
    [
        pytest.param(f"{MODULE}:Faulty", 3, "the harness raised LookupError", id="no store"),
        pytest.param(f"{MODULE}:Rock", 3, "expected the five methods", id="no harness"),
        pytest.param(f"{LAGGING}:Gone", 3, "ended early: MemoryAdapterUnavailable", id="outage"),
        pytest.param(f"{LAGGING}:Missing", 2, "not measured: Acme is not installed", id="missing"),
    ],
)
def test_what_cannot_be_measured(run: Run, target: str, code: int, message: str) -> None:
    """A fault of the harness or an outage is 3; a service that cannot be had, 2."""
    ended = run("lag", target)

    assert (ended.code, ended.output) == (code, "")
    assert message in ended.errors


def test_a_harness_that_is_not_closed(run: Run) -> None:
    """What was measured is shown all the same, and a password is not."""
    ended = run("lag", f"{LAGGING}:Unclosed", "--writes", "1")

    assert (ended.code, "every write was seen" in ended.output) == (3, True)
    assert "could not be closed: LookupError: password=*** no server" in ended.errors


def test_a_store_without_a_manifest(run: Run) -> None:
    """It is named by its target."""
    target = f"{MODULE}:Undeclared"

    assert run("lag", target, "--writes", "1").output.startswith(f"{target}: ")


@pytest.mark.parametrize(
    ("encoding", "bar"),
    [pytest.param("ascii", "#", id="ascii"), pytest.param("utf-8", "█", id="utf-8")],
)
def test_bars_are_of_characters_that_can_be_shown(here: Path, encoding: str, bar: str) -> None:
    """A stream without blocks gets letters."""
    ended = subprocess.run(
        [sys.executable, "-m", "memory_fidelity", "lag", "fake", "--writes", "1"],
        env=os.environ | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert f"  found by  {bar} found" in ended.stdout
    assert "\\" not in ended.stdout

"""`mutate`: exit codes, files, and what is said of a fault that nothing finds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_fidelity.testing.kills import KillReport

from .conftest import MODULE, Run

SOFT = "soft_harness_of_these_tests"

SOURCE = """\
from memory_fidelity.fake.harness import FakeHarness


class Soft(FakeHarness):
    pass
"""


@pytest.fixture(autouse=True)
def soft(here: Path) -> Iterator[None]:
    """One more module of harnesses in the current directory."""
    (here / f"{SOFT}.py").write_text(SOURCE, encoding="utf-8")
    yield
    sys.modules.pop(SOFT, None)


def test_all_that_was_tried_is_killed(run: Run) -> None:
    """The matrix, the count, and 0."""
    ended = run("mutate", "fake", "--only", "limit.*", "--jobs", "1")

    assert (ended.code, ended.errors) == (0, "")
    assert "limit.ignored" in ended.output
    assert " killed in " in ended.output.splitlines()[-1]
    assert "survived" not in ended.output


def test_no_line_is_wider_than_a_terminal(run: Run) -> None:
    """Eighty columns are enough."""
    ended = run("mutate", "fake", "--only", "identity.*", "--jobs", "1")

    assert max(map(len, ended.output.splitlines())) <= 80


def test_processes_give_what_one_gives(run: Run, here: Path) -> None:
    """Faults that are tried in two processes end as in one, and a module here is found there."""
    target = f"{SOFT}:Soft"
    arguments = ("mutate", target, "--only", "limit.zero*")

    run(*arguments, "--jobs", "1", "--json", "one.json")
    run(*arguments, "--jobs", "2", "--json", "two.json")

    assert _read(here / "one.json").results == _read(here / "two.json").results


def test_reports_are_written(run: Run, here: Path) -> None:
    """As JSON that can be read again, and as a page that needs nothing else."""
    ended = run(
        "mutate", "fake", "--only", "limit.ignored", "--every-case", "--json", "k.json",
        "--html", "k.html", "--jobs", "1",
    )  # fmt: skip

    report = _read(here / "k.json")
    page = (here / "k.html").read_text(encoding="utf-8")
    assert [each.killing for each in report.results] == ["killed"]
    assert "search.limit" in report.results[0].killers
    assert "<script" not in page
    assert "limit.ignored" in page
    assert ended.errors == "JSON report written to k.json\nHTML report written to k.html\n"


def test_an_adapter_that_does_not_conform(run: Run) -> None:
    """Nothing can be told by one more fault: 2, and the case that stands in the way."""
    ended = run("mutate", f"{MODULE}:Faulty")

    assert ended.code == 2
    assert "expected" in ended.errors


def test_a_store_without_a_manifest(run: Run) -> None:
    """There is nothing to spoil: 2."""
    ended = run("mutate", f"{MODULE}:Undeclared")

    assert ended.code == 2
    assert "a manifest and a card" in ended.errors


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["--only", "no.such.*"], "a pattern that matches a fault", id="no fault"),
        pytest.param(["--json", "a", "--html", "a"], "one file twice", id="one file"),
    ],
)
def test_usage(run: Run, arguments: list[str], said: str) -> None:
    """A mistake is told before anything is tried: 4."""
    ended = run("mutate", "fake", *arguments)

    assert ended.code == 4
    assert said in ended.errors


def _read(path: Path) -> KillReport:
    return KillReport.model_validate_json(path.read_text(encoding="utf-8"))

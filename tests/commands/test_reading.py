"""`diff`, `badge` and `schema`: what is made of reports that were written before."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_fidelity.testing.rendering.interchange import published_schema

from .conftest import Run

BROKEN = "memory_fidelity.testing.subjects:TagsLostInHits"


@pytest.fixture
def written(run: Run) -> Run:
    """The command, where two reports have been written: a good one and a bad one."""
    run("check", "fake", "--json", "good.json")
    run("check", BROKEN, "--json", "bad.json")
    return run


def test_diff_of_the_same(written: Run) -> None:
    """Nothing changed, and nothing got worse."""
    ended = written("diff", "good.json", "good.json")

    assert (ended.code, ended.output) == (0, "nothing changed\n")


def test_diff_for_the_worse(written: Run) -> None:
    """Something got worse: the exit code says so, and it is shown first."""
    ended = written("diff", "good.json", "bad.json")

    assert ended.code == 1
    assert ended.output.startswith("WORSE     verdict: conformant -> non-conformant\n")


def test_diff_for_the_better(written: Run) -> None:
    """What got better is shown, and is no failure."""
    ended = written("diff", "bad.json", "good.json")

    assert ended.code == 0
    assert "BETTER    verdict: non-conformant -> conformant\n" in ended.output


def test_badge_on_the_screen(written: Run) -> None:
    """Without a file the badge is printed."""
    ended = written("badge", "good.json")

    assert ended.output.startswith("<svg ")
    assert "modelled" in ended.output


def test_badge_in_a_file(written: Run, here: Path) -> None:
    """With a file the badge is written there, and nowhere else."""
    ended = written("badge", "good.json", "-o", "badge.svg")

    assert (ended.output, ended.errors) == ("", "badge written to badge.svg\n")
    assert (here / "badge.svg").read_text(encoding="utf-8") == written("badge", "good.json").output


def test_schema(run: Run) -> None:
    """The schema that is printed is the one that is published."""
    assert run("schema").output == published_schema()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("none.json", "could not be read: No such file", id="missing"),
        pytest.param("page.json", "got the file: Invalid JSON", id="no JSON"),
        pytest.param(
            "empty.json", "of schema version 1, got suite: Field required", id="no report"
        ),
    ],
)
def test_something_else_than_a_report(run: Run, here: Path, name: str, message: str) -> None:
    """What is no report is refused, with the first thing that is wrong."""
    (here / "page.json").write_text("<html>", encoding="utf-8")
    (here / "empty.json").write_text("{}", encoding="utf-8")

    ended = run("badge", name)

    assert ended.code == 4
    assert message in ended.errors

"""`check` and `table`: verdicts, exit codes and files."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree.ElementTree import parse

import pytest

from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.rendering.interchange import read_report

from .conftest import MODULE, Run


def test_conformant_target(run: Run) -> None:
    """A built-in target that keeps its word ends in 0, with the verdict as the last line."""
    ended = run("check", "fake")

    assert ended.code == 0
    assert ended.output.endswith("verdict: conformant\n")
    assert ended.errors == ""


@pytest.mark.parametrize(
    ("arguments", "code", "verdict"),
    [
        pytest.param(
            ["memory_fidelity.testing.subjects:TagsLostInHits"], 1, "non-conformant", id="false"
        ),
        pytest.param(["fake", "--only", "search.limit*"], 2, "incomplete", id="incomplete"),
        pytest.param([f"{MODULE}:Faulty"], 3, "harness error", id="harness fault"),
    ],
)
def test_exit_code_is_the_verdict(run: Run, arguments: list[str], code: int, verdict: str) -> None:
    """Each verdict has its exit code."""
    ended = run("check", *arguments)

    assert (ended.code, ended.output.splitlines()[-1]) == (code, f"verdict: {verdict}")


def test_false_claim_is_named(run: Run) -> None:
    """The message of a failure names the claim that is false."""
    ended = run("check", "memory_fidelity.testing.subjects:TagsLostInHits")

    assert "search_returns_tags" in ended.output


@pytest.mark.parametrize("name", ["Acme", "Acme.Nested"])
def test_harness_of_the_current_directory(run: Run, name: str) -> None:
    """A module that lies in the current directory is found, and so is a nested class."""
    assert run("check", f"{MODULE}:{name}").code == 0


def test_both_lanes(run: Run) -> None:
    """A harness given as live is judged beside the fake, and the command can be repeated."""
    ended = run("check", f"{MODULE}:Acme", "--live", f"{MODULE}:Acme")

    assert ended.output.count("lane: ") == 2
    assert f"run again: memory-fidelity check {MODULE}:Acme --live {MODULE}:Acme" in ended.output


def test_live_lane_alone(run: Run) -> None:
    """A service can be observed without a fake."""
    ended = run("check", "--live", f"{MODULE}:Acme")

    assert "observed: shown on the live service alone" in ended.output


def test_files(run: Run, here: Path) -> None:
    """Each file is written in its form, and the command says where."""
    ended = run("check", "fake", "--json", "f.json", "--junit", "f.xml", "--html", "f.html")

    assert read_report((here / "f.json").read_text(encoding="utf-8")).verdict == "conformant"
    assert parse(here / "f.xml").getroot().tag == "testsuites"  # noqa: S314 - written just now
    assert (here / "f.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert ended.errors.splitlines() == [
        "JSON report written to f.json",
        "JUnit report written to f.xml",
        "HTML report written to f.html",
    ]


def test_report_says_how_to_repeat_it(run: Run, here: Path) -> None:
    """The command in the report is quoted for a shell, without the files that it wrote."""
    run("check", "fake", "--only", "search.limit*", "--json", "f.json")

    stated = json.loads((here / "f.json").read_text(encoding="utf-8"))

    assert stated["reproduce"] == "memory-fidelity check fake --only 'search.limit*'"


def test_live_lane_of_a_built_in_target(run: Run, here: Path) -> None:
    """A built-in name given as live stands for its live harness alone."""
    run("check", "--live", "sqlite", "--only", "search.limit", "--json", "f.json")

    [lane] = read_report((here / "f.json").read_text(encoding="utf-8")).lanes

    assert (lane.lane, lane.harness.split(":")[0]) == (
        "live",
        "memory_fidelity.adapters.sqlite_harness",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "expected a TARGET or --live TARGET, got neither", id="nothing"),
        pytest.param(["fak"], "close to it: fake", id="misspelt name"),
        pytest.param(["fak"], "built in: fake, fake-eventual", id="what exists"),
        pytest.param(["no.such:Harness"], "found no no on the import path", id="no module"),
        pytest.param([f"{MODULE}:Acmy"], "found no 'Acmy'; close to it: Acme", id="no class"),
        pytest.param([f"{MODULE}:NUMBER"], "got int", id="no harness"),
        pytest.param(["--live", "fake"], "expected a target with a live lane", id="no live lane"),
        pytest.param(["fake", "--only", "serch.*"], "matches a case id, got", id="no case"),
        pytest.param(["fake", "--html", "no/f.html"], "the directory no to exist", id="no folder"),
        pytest.param(["fake", "--html", "."], "expected a file to write", id="a folder"),
        pytest.param(["fake", "--json", "-"], "standard output goes by /dev/stdout", id="a dash"),
        pytest.param(["fake", "--json", "f", "--html", "./f"], "got one file twice", id="twice"),
        pytest.param([f"./{MODULE}.py:Acme"], f"such as {MODULE}:Acme", id="a file"),
        pytest.param([f"{MODULE}.py::Acme"], f"such as {MODULE}:Acme", id="as in pytest"),
        pytest.param([f"{MODULE}:Acme()"], "without parentheses", id="a call"),
        pytest.param(["fake", "--colour"], "No such option: --colour", id="no option"),
    ],
)
def test_usage(run: Run, arguments: list[str], message: str) -> None:
    """What cannot be done is refused before any case runs, with the reason and exit code 4."""
    ended = run("check", *arguments)

    assert (ended.code, ended.output) == (4, "")
    assert message in ended.errors


@pytest.mark.parametrize(
    ("source", "message"),
    [
        pytest.param("1 / 0\n", "failed: ZeroDivisionError: division by zero", id="breaks"),
        pytest.param("import no_client\n", "failed: No module named 'no_client'", id="lacks"),
        pytest.param("import sys; sys.exit(0)\n", "failed: SystemExit: 0", id="ends"),
        pytest.param("def\n", "failed: SyntaxError: invalid syntax", id="is no Python"),
    ],
)
def test_module_that_cannot_be_imported(run: Run, here: Path, source: str, message: str) -> None:
    """A module that exists and breaks is a fault of the harness, not of its name."""
    (here / "broken_harness_of_these_tests.py").write_text(source, encoding="utf-8")

    ended = run("check", "broken_harness_of_these_tests:Harness")

    assert ended.code == 3
    assert message in ended.errors
    assert "`python -c 'import broken_harness_of_these_tests'` shows where" in ended.errors


def test_table(run: Run) -> None:
    """Adapters stand side by side with their verdicts; the worst one decides."""
    ended = run("table", "fake", "memory_fidelity.testing.subjects:TagsLostInHits")

    assert ended.code == 1
    assert ended.output.splitlines()[-2].split() == ["verdict", "conformant", "non-conformant"]


def test_every_case_can_be_selected(run: Run, here: Path) -> None:
    """A glob that matches all cases leaves none out."""
    run("check", "fake", "--only", "*", "--json", "f.json")

    report = read_report((here / "f.json").read_text(encoding="utf-8"))

    assert [one.case for one in report.lanes[0].results] == [case.id for case in CASES]
    assert "not run" not in {one.outcome for one in report.lanes[0].results}

"""The guide to writing an adapter leads where it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "write-an-adapter.md"
GUIDE = PAGE.read_text(encoding="utf-8")
PIECES: list[str] = re.findall(r"^```python\n(# \w+\.py\n.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
SYMPTOMS: list[str] = re.findall(r"^\| `([^`]+)` \|", GUIDE, re.MULTILINE)
COMMANDS: list[str] = re.findall(r"`memory-fidelity ((?:explain|list|check)[^`]*)`", GUIDE)

ENDINGS = {
    "check harness:LiveFolder": (2, "unproven", "incomplete"),
    "check --live harness:LiveFolder": (0, "observed", "conformant"),
    "check rigged:RiggedFolder --live harness:LiveFolder": (0, "proved", "conformant"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which every piece of the guide was saved under its name."""
    for code in PIECES:
        name = code.partition("\n")[0].removeprefix("# ")
        (tmp_path / name).write_text(code, encoding="utf-8")
    return tmp_path


def _python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_every_piece_is_saved(folder: Path) -> None:
    """No block is left out: each says its name."""
    assert len(list(folder.iterdir())) == GUIDE.count("```python\n") == 5


def test_every_verdict_is_known() -> None:
    """Each `check` of the guide has an ending below."""
    assert {command for command in COMMANDS if command.startswith("check")} == set(ENDINGS)


@pytest.mark.parametrize("command", ENDINGS)
def test_verdicts(folder: Path, command: str) -> None:
    """Each `check` ends in the grade and the verdict that the guide says."""
    code, grade, verdict = ENDINGS[command]

    run = _python(folder, "-m", "memory_fidelity", *command.split())

    assert (run.returncode, run.stderr) == (code, "")
    assert re.search(rf"\n{grade}: .*\nverdict: {verdict}\n$", run.stdout), run.stdout


@pytest.mark.parametrize(
    "command", [command for command in COMMANDS if not command.startswith("check")]
)
def test_commands_run(folder: Path, command: str) -> None:
    """What the guide says to look up can be looked up."""
    assert _python(folder, "-m", "memory_fidelity", *command.split()).returncode == 0


def test_a_service_that_keeps_less_can_be_declared(folder: Path) -> None:
    """The declarations of the last piece are coherent, and agree."""
    run = _python(folder, "keepsless.py")

    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("symptom", SYMPTOMS)
def test_symptoms_are_quoted(symptom: str) -> None:
    """What the table says that a message has, some message has."""
    sources = (Path(__file__).parents[1] / "src" / "memory_fidelity").rglob("*.py")

    assert any(symptom in source.read_text(encoding="utf-8") for source in sources)


def test_missing_controls_are_named(folder: Path) -> None:
    """The fake without controls is told which ones it lacks."""
    run = _python(folder, "-m", "memory_fidelity", "check", "harness:LiveFolder")

    assert "NOT RUN 2 cases: the harness has no control PlantsForeignRecord" in run.stdout


def test_cases_are_tests(folder: Path) -> None:
    """The last command runs both lanes under pytest."""
    run = _python(folder, "-m", "pytest", "-q", "rigged.py", "--fidelity-live")

    assert run.returncode == 0, run.stdout + run.stderr
    assert "TestFolder fake: conformant" in run.stdout
    assert "TestFolder live: conformant" in run.stdout


def test_properties_hold(folder: Path) -> None:
    """The adapter of the guide keeps what Hypothesis draws."""
    run = _python(folder, "-m", "pytest", "-q", "--hypothesis-seed=0", "properties.py")

    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed" in run.stdout

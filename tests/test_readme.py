"""Everything that the README says to type is typed here."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from memory_fidelity.testing.cases import CASES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(
    r"^```(\w+)\n(.*?)^```", README, re.DOTALL | re.MULTILINE
)
PROGRAMS = [code for language, code in BLOCKS if language == "python"]
OUTPUTS = [text for language, text in BLOCKS if language == "text"]
COMMANDS = [
    shlex.split(line.removeprefix("$ "))
    for language, text in BLOCKS
    if language == "console"
    for line in text.splitlines()
]


def _python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def _commands(program: str) -> list[list[str]]:
    return [arguments for name, *arguments in COMMANDS if name == program]


def test_blocks_are_of_known_kinds() -> None:
    """No block escapes the tests below."""
    assert {language for language, _ in BLOCKS} == {"python", "console", "text"}
    assert {name for name, *_ in COMMANDS} == {"make", "memory-fidelity"}


def test_program_runs(tmp_path: Path) -> None:
    """The first example finds what it stored."""
    run = _python(tmp_path, "-W", "error", "-c", PROGRAMS[0])

    assert (run.stdout, run.stderr) == ("Prefers green tea. ['taste']\n", "")


def test_suite_passes(tmp_path: Path) -> None:
    """The fourth example is a test module in which every case passes."""
    (tmp_path / "test_acme.py").write_text(PROGRAMS[3], encoding="utf-8")

    run = _python(tmp_path, "-m", "pytest", "-q")

    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(r"^\d\d+ passed", run.stdout, re.MULTILINE)


def test_commands_run(tmp_path: Path) -> None:
    """Each command, one after the other, exits with 0."""
    runs = [
        (arguments, _python(tmp_path, "-m", "memory_fidelity", *arguments))
        for arguments in _commands("memory-fidelity")
    ]

    assert [(arguments, run.stderr) for arguments, run in runs if run.returncode != 0] == []


def test_finding_is_what_is_printed(tmp_path: Path) -> None:
    """The finding that is shown is the one that the command gives for that adapter."""
    target = "memory_fidelity.testing.subjects:LateIndex"

    run = _python(tmp_path, "-m", "memory_fidelity", "check", target)

    assert run.returncode == 1
    assert OUTPUTS[0] in run.stdout
    assert f"`{target}`" in README


def test_controls_are_counted() -> None:
    """The README has as many controls as the cases need."""
    needed = {control for case in CASES for control in case.needs}

    assert len(needed) == 10
    assert "ten controls" in README


@pytest.mark.parametrize("target", [arguments[0] for arguments in _commands("make")])
def test_make_knows(target: str) -> None:
    """Each `make` command that the README names has a rule, which `make help` explains."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert re.search(rf"^{target}:.* ## ", makefile, re.MULTILINE)


@pytest.mark.parametrize("name", re.findall(r"`((?:src|docs|notebooks)/[^`]+|[A-Z]+\.md)`", README))
def test_files_exist(name: str) -> None:
    """Each file that the README points to is there."""
    assert (ROOT / name).exists()

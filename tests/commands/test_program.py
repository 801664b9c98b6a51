"""The program as a whole: help, version, and what happens to errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory_fidelity import __version__
from memory_fidelity.commands import catalogue

from .conftest import Run

COMMANDS = ["check", "table", "list", "explain", "diff", "badge", "choose", "lag", "schema"]


def test_version(run: Run) -> None:
    """The version is that of the package."""
    assert run("--version").output == f"memory-fidelity {__version__}\n"


def test_help_lists_every_command(run: Run) -> None:
    """The help names each command, in 80 columns."""
    ended = run("--help")

    assert ended.code == 0
    assert [name for name in COMMANDS if f"\n  {name} " not in ended.output] == []
    assert max(map(len, ended.output.splitlines())) <= 80


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help(run: Run, command: str) -> None:
    """Each command explains itself, in 80 columns."""
    ended = run(command, "-h")

    assert ended.code == 0
    assert max(map(len, ended.output.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "Usage: memory-fidelity", id="no command"),
        pytest.param(["chekc"], "Did you mean 'check'", id="misspelt command"),
        pytest.param(["explain"], "Missing argument 'NAME'", id="no argument"),
    ],
)
def test_usage_errors(run: Run, arguments: list[str], message: str) -> None:
    """What is not understood ends in 4, not in the 2 of an incomplete run."""
    ended = run(*arguments)

    assert ended.code == 4
    assert message in ended.output + ended.errors


@pytest.mark.parametrize(
    ("error", "code"),
    [
        pytest.param(KeyboardInterrupt(), 130, id="interrupt"),
        pytest.param(EOFError(), 130, id="end of input"),
        pytest.param(RuntimeError("a fault of ours"), 3, id="crash"),
        pytest.param(SystemExit(0), 3, id="exit"),
    ],
)
def test_crash_is_no_verdict(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    """Neither an interrupt nor a crash ends in 1, which says that an adapter does not conform."""

    class _Breaking:
        def items(self) -> None:
            raise error

    monkeypatch.setattr(catalogue, "TARGETS", _Breaking())

    assert run("list").code == code


@pytest.mark.parametrize("command", ["list", "check fake --only search.limit", "schema"])
def test_nobody_reads_on(here: Path, command: str) -> None:
    """A reader that left, as `head` does, is neither a verdict nor a crash."""
    reader, writer = os.pipe()
    os.close(reader)

    ended = subprocess.run(
        [sys.executable, "-m", "memory_fidelity", *command.split()],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)

    assert (ended.returncode, ended.stderr) == (141, b"")


def test_characters_beyond_the_terminal(run: Run, here: Path) -> None:
    """A terminal of few characters gets escapes, not a crash."""
    run("check", "fake", "--json", "old.json")
    old = json.loads((here / "old.json").read_text(encoding="utf-8"))
    new = json.dumps(old | {"suite": "\u00e9"})
    (here / "new.json").write_text(new, encoding="utf-8")

    ended = subprocess.run(
        [sys.executable, "-m", "memory_fidelity", "diff", "old.json", "new.json"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert ended.stdout == f"DIFFERENT suite: {old['suite']} -> \\xe9\n"

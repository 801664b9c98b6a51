"""The command, as far as the base install goes."""

from __future__ import annotations

import subprocess
import sys

import pytest

WITHOUT = """
import sys
sys.modules[sys.argv[1]] = None
from memory_fidelity.cli import main
sys.exit(main(["list"]))
"""


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_missing_extra_is_named(missing: str) -> None:
    """Without what the extra brings, the command says what to install, and ends in 4."""
    ended = subprocess.run(
        [sys.executable, "-c", WITHOUT, missing], capture_output=True, text=True, check=False
    )

    assert (ended.returncode, ended.stdout) == (4, "")
    assert ended.stderr == (
        f"memory-fidelity needs {missing}, which comes with the extra `testing`: "
        "pip install 'memory-fidelity[testing]'\n"
    )


def test_other_import_errors_are_not_hidden() -> None:
    """A missing module of another kind is no missing extra."""
    ended = subprocess.run(
        [sys.executable, "-c", WITHOUT, "shlex"], capture_output=True, text=True, check=False
    )

    assert ended.returncode == 1
    assert "ModuleNotFoundError: " in ended.stderr
    assert "memory-fidelity needs" not in ended.stderr


def test_module_is_the_command() -> None:
    """`python -m memory_fidelity` runs the command, and hands on its exit code."""
    ended = subprocess.run(
        [sys.executable, "-m", "memory_fidelity", "explain", "nothing"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 4
    assert ended.stderr.startswith("memory-fidelity: nothing: expected a case, clause, control")

"""The README's example of the khive store, on a fake of the service and on the service."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from memory_fidelity.fake.khive_service import FakeKhive

README: Final = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
PLACE: Final = 'khive_server("khive.db")'


def program_with(place: str) -> str:
    """The example as it is printed, but for where the service is."""
    blocks = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    (program,) = (block for block in blocks if PLACE in block)
    return str(program).replace(PLACE, place)


def printed(folder: Path, program: str) -> tuple[str, str]:
    """What a program prints, on its output and beside it."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout, run.stderr


def test_the_example_finds_what_it_stored(tmp_path: Path) -> None:
    """On the fake."""
    with FakeKhive() as khive:
        program = program_with(f"McpServer({khive.command!r})")

        said = printed(tmp_path, program.replace("khive_server", "McpServer"))

    assert said == ("['Prefers sencha.']\n", "")


def test_the_example_finds_what_it_stored_in_khive(
    tmp_path: Path, khive_program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On khive's own program."""
    monkeypatch.setenv("HOME", str(tmp_path))
    place = f'khive_server("khive.db", program={khive_program!r})'

    assert printed(tmp_path, program_with(place)) == ("['Prefers sencha.']\n", "")

"""What lesson 04 shows of real servers is true, and the same where there are none.

That a wrong file is an error where there are servers is shown by the tests of
`live_or_committed`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import nbformat
import pytest
from tools.notebooks import changes, executed

NOTEBOOKS: Final = Path(__file__).parents[2] / "notebooks"
FILE: Final = "04-real-servers.json"

# Each is run in the kernel before the first cell, so that the lesson itself is the published one.
NO_SERVERS: Final = """
from memory_fidelity.adapters import postgres_cluster
from memory_fidelity.testing import ServiceMissing
def missing():
    raise ServiceMissing("no servers here")
postgres_cluster.shared = missing
"""
NO_FALLING_BACK: Final = """
from memory_fidelity.workbook import live
class Never(Exception):
    pass
live.ServiceMissing = live.BrokenTarget = Never
"""


@pytest.fixture
def section() -> Any:
    """The lesson's first cell and the one about real servers, as a notebook that ran."""
    lesson = nbformat.read(NOTEBOOKS / "04-eventual-index-races.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    code = [cell for cell in lesson.cells if cell.cell_type == "code"]
    lesson.cells = [code[0], *(cell for cell in code if FILE in cell.source)]
    for number, cell in enumerate(lesson.cells, 1):
        cell.execution_count = number
        _renumber(cell.outputs, number)
    return lesson


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to run in, with the committed file; no servers of somebody's own are asked."""
    (tmp_path / FILE).write_bytes((NOTEBOOKS / FILE).read_bytes())
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.delenv("MEMORY_FIDELITY_POSTGRES", raising=False)
    return tmp_path


def _renumber(outputs: list[Any], number: int) -> None:
    for output in outputs:
        if output.output_type == "execute_result":
            output.execution_count = number


def _run(section: Any, folder: Path, first: str) -> Any:
    startup = folder / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "first.py").write_text(first, encoding="utf-8")
    return executed(section, folder)


def _falsify(path: Path) -> None:
    said = json.loads(path.read_text(encoding="utf-8"))
    said["postgres-replica"]["gave"]["found at once"] = 1
    path.write_text(json.dumps(said), encoding="utf-8")


@pytest.mark.usefixtures("servers")
def test_the_committed_result_is_that_of_real_servers(section: Any, folder: Path) -> None:
    """Where only real servers will do, the lesson shows what is committed."""
    shown = _run(section, folder, NO_FALLING_BACK)

    assert changes(section, shown) == []


def test_without_servers_the_same_is_shown(section: Any, folder: Path) -> None:
    """A reader who has no PostgreSQL sees the same lesson, letter by letter."""
    shown = _run(section, folder, NO_SERVERS)

    assert changes(section, shown) == []


def test_without_servers_a_wrong_file_is_noticed(section: Any, folder: Path) -> None:
    """What it says differs from what the lesson has saved."""
    _falsify(folder / FILE)

    shown = _run(section, folder, NO_SERVERS)

    assert any("postgres-replica" in line for line in changes(section, shown))

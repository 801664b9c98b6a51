"""What the command that executes lessons saves, and which changes the next run finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from tools import notebooks

from .conftest import Run

PICTURE = """
from memory_fidelity.workbook import matrix_figure
from pandas import DataFrame
matrix_figure(DataFrame([["{}"]]), {{"lost": "bad"}}, "t")
"""


def lesson(path: Path, *sources: str) -> Path:
    """Write a notebook of code cells that never ran, with traces of an editor."""
    notebook = nbformat.v4.new_notebook()  # type: ignore[no-untyped-call]
    for source in sources:
        cell = nbformat.v4.new_code_cell(source)  # type: ignore[no-untyped-call]
        cell.metadata.update({"tags": ["solution"], "collapsed": True})
        notebook.cells.append(cell)
    notebook.metadata["widgets"] = {}
    nbformat.write(notebook, path)  # type: ignore[no-untyped-call]
    return path


def read(path: Path) -> Any:
    """The notebook in a file."""
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def test_what_is_saved_is_found_as_committed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], run: Run
) -> None:
    """A second run of the same cells changes nothing, pictures included."""
    path = lesson(tmp_path / "a.ipynb", "1 + 1", PICTURE.format("kept"))

    assert notebooks.main([str(path)]) == 0
    assert capsys.readouterr().out == "a.ipynb: saved\n"
    assert run(path).ret == pytest.ExitCode.OK


def test_what_is_saved_holds_nothing_of_the_editor(tmp_path: Path) -> None:
    """Tags stay; everything else that an editor leaves goes."""
    path = lesson(tmp_path / "a.ipynb", "1 + 1")

    notebooks.main([str(path)])

    saved = read(path)
    assert saved.cells[0].metadata == {"tags": ["solution"]}
    assert sorted(saved.metadata) == ["kernelspec", "language_info"]
    assert saved.cells[0].outputs[0].data == {"text/plain": "2"}


def test_another_output_is_a_change(tmp_path: Path, run: Run) -> None:
    """Even one that nbval does not compare: text of another kind, beside the picture's."""
    path = lesson(tmp_path / "a.ipynb", PICTURE.format("kept"))
    notebooks.main([str(path)])
    path.write_text(path.read_text().replace('"alt": "', '"alt": "no longer '))

    done = run(path)

    assert done.ret == pytest.ExitCode.TESTS_FAILED
    done.stdout.fnmatch_lines(["*What is saved differs*", '-*"alt": "no longer *', '+*"alt": "*'])


def test_another_picture_is_a_change(tmp_path: Path) -> None:
    """Even where the words are the same."""
    before, after = (lesson(tmp_path / f"{n}.ipynb", PICTURE.format(n)) for n in ("kept", "lost"))
    for path in (before, after):
        notebooks.main([str(path)])
    drawn = read(after)
    drawn.cells[0].source = read(before).cells[0].source
    drawn.cells[0].id = read(before).cells[0].id
    bundle = drawn.cells[0].outputs[0]
    bundle.data["text/plain"] = "t\n0: 0 kept"
    bundle.metadata["image/png"] = read(before).cells[0].outputs[0].metadata["image/png"]

    assert notebooks.changes(read(before), drawn) == ["picture 1 differs"]


def test_a_cell_that_raises_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command ends in 1, and nothing is saved."""
    path = lesson(tmp_path / "a.ipynb", "1 / 0")
    before = path.read_bytes()

    assert notebooks.main([str(path)]) == 1
    assert "a.ipynb: a cell raised an error" in capsys.readouterr().out
    assert path.read_bytes() == before


def test_pieces_of_one_stream_are_saved_as_one(tmp_path: Path) -> None:
    """In how many pieces a print arrives is a matter of timing."""
    path = lesson(
        tmp_path / "a.ipynb", "import sys\nfor n in 1, 2:\n    print(n)\n    sys.stdout.flush()"
    )

    notebooks.main([str(path)])

    (output,) = read(path).cells[0].outputs
    assert output.text == "1\n2\n"

"""Execute the lessons, and save what they show.

    python tools/notebooks.py [NOTEBOOK ...]

Each notebook runs in a fresh kernel, in its own folder. What is written holds
no times, and nothing of the machine, so that a second run changes no byte.
"""

from __future__ import annotations

import base64
import difflib
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import nbformat
import numpy
from matplotlib.image import imread
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

__all__ = ["changes", "executed", "main", "tidied", "written"]

LESSONS: Final = Path(__file__).parents[1] / "notebooks"
_VERSION: Final = 4
_PATIENCE: Final = 60
"""Seconds for one cell; a dead kernel is noticed no sooner."""
_KERNEL: Final = {"display_name": "Python 3", "language": "python", "name": "python3"}
_KEPT_OF_A_CELL: Final = ("jupyter", "tags")
_PNG: Final = "image/png"
_SHADES: Final = 2 / 255
"""How far a dot's colour may differ: compilers round the blending of edges in their own ways."""


def main(names: list[str]) -> int:
    """Execute and save these notebooks, or all lessons; 1 if a cell raised an error."""
    paths = [Path(name) for name in names] or sorted(LESSONS.glob("*.ipynb"))
    return max(_save(path) for path in paths)


def executed(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """Return the notebook with the outputs of a fresh kernel, and nothing else that varies.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell raised an error.
    """
    fresh = _copied(notebook)
    NotebookClient(
        fresh,
        kernel_name=_KERNEL["name"],
        record_timing=False,
        timeout=_PATIENCE,
        # It warns of a socket on this machine alone.
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    return tidied(fresh)


def tidied(notebook: NotebookNode) -> NotebookNode:
    """Return the notebook as it is saved: nothing is left of an editor, or of a moment."""
    tidy = _copied(notebook)
    tidy.metadata = {"kernelspec": _KERNEL, "language_info": {"name": "python"}}
    for cell in tidy.cells:
        cell.metadata = {key: cell.metadata[key] for key in _KEPT_OF_A_CELL if key in cell.metadata}
        if cell.cell_type == "code":
            cell.outputs = list(_joined(cell.outputs))
    return tidy


def written(notebook: NotebookNode) -> str:
    """Return the text of the notebook's file."""
    return f"{nbformat.writes(notebook, version=_VERSION)}\n"  # type: ignore[no-untyped-call]


def changes(before: NotebookNode, after: NotebookNode) -> list[str]:
    """Return what differs between two notebooks, as the lines of a diff.

    Pictures are compared dot by dot, and the rest letter by letter.
    """
    pictures = zip(_pictures(before), _pictures(after), strict=False)
    redrawn = [f"picture {place} differs" for place, pair in enumerate(pictures, 1) if _far(*pair)]
    return redrawn + list(
        difflib.unified_diff(
            written(_without_pictures(before)).splitlines(),
            written(_without_pictures(after)).splitlines(),
            "committed",
            "executed",
            lineterm="",
            n=1,
        )
    )


def _save(path: Path) -> int:
    committed: NotebookNode = nbformat.read(path, as_version=_VERSION)  # type: ignore[no-untyped-call]
    try:
        path.write_text(written(executed(committed, path.parent)), encoding="utf-8")
    except CellExecutionError as error:
        print(f"{path.name}: a cell raised an error\n{error}")
        return 1
    print(f"{path.name}: saved")
    return 0


def _copied(notebook: NotebookNode) -> NotebookNode:
    copy: NotebookNode = nbformat.from_dict(notebook)  # type: ignore[no-untyped-call]
    return copy


def _joined(outputs: list[NotebookNode]) -> Iterator[NotebookNode]:
    """Outputs, with the pieces of one stream made one: how they arrive is a matter of timing."""
    pending: NotebookNode | None = None
    for output in outputs:
        if pending and output.output_type == "stream" and output.name == pending.name:
            pending.text += output.text
            continue
        if pending:
            yield pending
        pending = output if output.output_type == "stream" else None
        if pending is None:
            yield output
    if pending:
        yield pending


def _pictures(notebook: NotebookNode) -> list[str]:
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", ()))
    return [output.data[_PNG] for output in outputs if _PNG in output.get("data", ())]


def _without_pictures(notebook: NotebookNode) -> NotebookNode:
    bare = _copied(notebook)
    for cell in bare.cells:
        for output in cell.get("outputs", ()):
            if _PNG in output.get("data", ()):
                output.data = {**output.data, _PNG: "a picture"}
    return bare


def _far(before: str, after: str) -> bool:
    one, other = _dots(before), _dots(after)
    return one.shape != other.shape or bool(numpy.abs(one - other).max() > _SHADES)


def _dots(picture: str) -> Any:
    return imread(BytesIO(base64.b64decode(picture)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

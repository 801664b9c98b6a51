"""A plugin of pytest: with `--nbval`, a cell shows in every respect what is committed.

nbval itself compares texts. Here the pictures count, too, the words that stand for
them, the kinds of all outputs and what else is saved of them.

    python -m pytest --nbval -p tools.exact_lessons notebooks
"""

from __future__ import annotations

from collections.abc import Generator

import nbformat
import pytest
from nbformat import NotebookNode
from nbval.plugin import IPyNbCell, NbCellError  # type: ignore[import-untyped]  # has no types
from tools.notebooks import changes, tidied

__all__ = ["pytest_runtest_call"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Run the cell, then compare what nbval does not.

    Raises:
        NbCellError: something that would be saved differs from what is committed.
    """
    yield
    if isinstance(item, IPyNbCell):
        found = changes(_alone(item.cell, item.cell.outputs), _alone(item.cell, item.test_outputs))
        if found:
            found.append("Look at the change; if it is meant: make lessons")
            raise NbCellError(
                item.cell_num, "What is saved differs", item.cell.source, "\n".join(found)
            )


def _alone(cell: NotebookNode, outputs: list[NotebookNode]) -> NotebookNode:
    """A notebook of one cell, as it is saved."""
    # The kernel does not count for nbval; tests/notebooks/ says what the numbers must be.
    numbered = [
        {**output, "execution_count": cell.execution_count}
        if output.output_type == "execute_result"
        else output
        for output in outputs
    ]
    return tidied(
        nbformat.v4.new_notebook(  # type: ignore[no-untyped-call]
            cells=[{**cell, "outputs": numbered}]
        )
    )

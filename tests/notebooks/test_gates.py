"""What `--nbval` does not see: notebooks that never ran, hidden errors, traces of a machine."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import nbformat
import pytest
from tools.notebooks import tidied, written

ROOT: Final = Path(__file__).parents[2]
NOTEBOOKS: Final = sorted((ROOT / "notebooks").glob("*.ipynb"))

MOST_CELLS: Final = 15
WIDEST: Final = 72
"""Columns that the site and JupyterLab show without scrolling."""
TAGS: Final = {"solution"}
# Where a machine, a run or a moment shows itself.
TRACES: Final = re.compile(
    r"(/(home|Users|root|tmp|var)/|[A-Z]:\\\\"
    r"|0x[0-9a-f]{6,}|ipykernel_\d+|127\.0\.0\.1:\d+|localhost:\d+"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d+(\.\d+)? ?(ms|µs)\b)"
)
ALLOWED_ROOTS: Final = {
    *sys.stdlib_module_names,
    *("lionagi", "matplotlib", "memory_fidelity", "numpy", "pandas"),
}

pytestmark = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def _read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def _code(path: Path) -> list[Any]:
    return [cell for cell in _read(path).cells if cell.cell_type == "code"]


def _outputs(path: Path) -> list[Any]:
    return [output for cell in _code(path) for output in cell.outputs]


def _prose(path: Path) -> str:
    return "\n".join(cell.source for cell in _read(path).cells if cell.cell_type == "markdown")


def _texts(output: Any) -> str:
    data = output.get("data", {})
    shown = [str(value) for kind, value in data.items() if not kind.startswith("image/")]
    return "\n".join([output.get("text", ""), *shown])


def _imported(path: Path) -> Iterator[tuple[str, str]]:
    """Every (module, name) that is imported; the name is empty for a whole module."""
    for cell in _code(path):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Import):
                yield from ((alias.name, "") for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from ((str(node.module), alias.name) for alias in node.names)


def _is_public(module: str, name: str) -> bool:
    if not module.startswith("memory_fidelity"):
        return True
    private = [part for part in (*module.split("."), name) if part.startswith("_")]
    exported = getattr(__import__(module, fromlist=["__all__"]), "__all__", ())
    return not private and (not name or name in exported)


def test_it_ran_from_top_to_bottom_in_a_fresh_kernel(path: Path) -> None:
    """Every code cell has its number, so that its output was compared with something."""
    nbformat.validate(_read(path))

    counts = [cell.execution_count for cell in _code(path)]
    shown = [
        (output.execution_count, cell.execution_count)
        for cell in _code(path)
        for output in cell.outputs
        if "execution_count" in output
    ]

    assert counts == list(range(1, len(counts) + 1))
    assert [pair for pair in shown if pair[0] != pair[1]] == []


def test_it_is_as_it_was_saved(path: Path) -> None:
    """No editor left anything in the file since `make lessons`."""
    assert written(tidied(_read(path))) == path.read_text(encoding="utf-8")


def test_it_is_short(path: Path) -> None:
    """One idea, at most 15 cells, and lines that fit."""
    cells = _read(path).cells
    widest = max(len(line) for cell in _code(path) for line in cell.source.splitlines())

    assert len(cells) <= MOST_CELLS
    assert widest <= WIDEST


def test_it_asks_before_it_shows(path: Path) -> None:
    """A prediction, an exercise with a solution that runs, and the next step."""
    headings = re.findall(r"^#+ (.+)$", _prose(path), re.MULTILINE)
    solutions = [cell for cell in _code(path) if "solution" in cell.metadata.get("tags", [])]

    assert headings[0].endswith("?")
    assert "Predict" in headings
    assert "Exercise" in headings
    assert headings.index("Predict") < headings.index("Exercise")
    assert "**Next:**" in _prose(path)
    assert [("assert " in cell.source) for cell in solutions] == [True]


def test_it_draws_figures_that_can_be_read_aloud(path: Path) -> None:
    """One picture, or two, where people would rather look; words stand for each of them."""
    pictures = [output for output in _outputs(path) if "image/png" in output.get("data", {})]
    words = [output.data["text/plain"] for output in pictures]

    assert 1 <= len(pictures) <= 2
    assert [output.metadata["image/png"]["alt"] for output in pictures] == words


def test_it_links_to_clauses_and_reference(path: Path) -> None:
    """A reader can go on from every lesson."""
    assert "../docs/reference/clauses.md#" in _prose(path)
    assert re.search(r"\.\./docs/(reference/(?!clauses)|how-to/)", _prose(path))


def test_its_outputs_hold_no_trace_of_a_run(path: Path) -> None:
    """No time, path, port or address, no traceback, and nothing on standard error."""
    outputs = _outputs(path)

    assert {output.name for output in outputs if output.output_type == "stream"} <= {"stdout"}
    assert [output for output in outputs if output.output_type == "error"] == []
    assert [found[0] for output in outputs if (found := TRACES.search(_texts(output)))] == []
    assert {tag for cell in _code(path) for tag in cell.metadata.get("tags", ())} <= TAGS


def test_it_shows_something_wherever_something_is_said(path: Path) -> None:
    """A cell that ends in an expression, or prints, has its output committed."""
    silent = [
        cell.source
        for cell in _code(path)
        if not cell.outputs and (_ends_in_a_value(cell.source) or "print(" in cell.source)
    ]

    assert silent == []


def _ends_in_a_value(source: str) -> bool:
    body = ast.parse(source).body
    return bool(body) and isinstance(body[-1], ast.Expr) and not _is_awaited(body[-1])


def _is_awaited(statement: ast.Expr) -> bool:
    # `await store.close()` gives `None`, which is not shown.
    return isinstance(statement.value, ast.Await)


def test_it_uses_public_names_only(path: Path) -> None:
    """Nothing private, and nothing that the extra `workbook` does not bring."""
    imported = list(_imported(path))

    assert [pair for pair in imported if not _is_public(*pair)] == []
    assert {module.partition(".")[0] for module, _ in imported} <= ALLOWED_ROOTS
    # The lessons' own classes may have private parts.
    assert re.findall(r"(?<!self)\._[a-z]\w*", "\n".join(c.source for c in _code(path))) == []

"""The example for a new service is whole, short, and conformant."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path

import pytest
from tests.example_service.pinboard import LivePinboard, PinboardStore, RiggedPinboard

from memory_fidelity.testing import Report, check_sync

_SILENT = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@pytest.fixture(scope="module")
def report() -> Report:
    """Both lanes of the example, judged once."""
    return check_sync(fake=RiggedPinboard, live=LivePinboard)


def _lines_of_code(source: str) -> set[int]:
    """The numbers of the lines that hold more than blanks, comments and docstrings."""
    documented = [node for node in ast.walk(ast.parse(source)) if isinstance(node, _DOCUMENTED)]
    prose = {
        line
        for node in documented
        if ast.get_docstring(node) is not None
        for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    }
    code = {
        line
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in _SILENT
        for line in range(token.start[0], token.end[0] + 1)
    }
    return code - prose


def test_lines_are_counted() -> None:
    """The count leaves out blanks, comments and docstrings, and nothing else."""
    source = '"""Module."""\n\n# why\nx = """\na\n"""\n\n\ndef f():\n    """Say."""\n    return x\n'

    assert _lines_of_code(source) == {4, 5, 6, 9, 11}


def test_it_is_short() -> None:
    """Adapter and harness are under 120 lines of code together."""
    source = Path(__file__).with_name("pinboard.py").read_text(encoding="utf-8")

    assert len(_lines_of_code(source)) < 120


def test_it_is_proved(report: Report) -> None:
    """Both lanes are conformant."""
    assert (report.verdict, report.grade) == ("conformant", "proved"), report


@pytest.mark.parametrize("lane", [0, 1], ids=["fake", "live"])
def test_nothing_is_left_out(report: Report, lane: int) -> None:
    """Every case of a lane passed, or does not apply to the manifest."""
    outcomes = {result.outcome for result in report.lanes[lane].results}

    assert outcomes == {"pass", "not applicable"}


def test_it_owes_nothing_to_the_fake() -> None:
    """No class of the example comes from the shipped fake."""
    ancestors = [*PinboardStore.__mro__, *RiggedPinboard.__mro__]

    assert not [kind for kind in ancestors if kind.__module__.startswith("memory_fidelity.fake")]

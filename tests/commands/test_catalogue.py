"""`list` and `explain`: what can be judged, and by what."""

from __future__ import annotations

import pytest

from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.clauses import CLAUSES
from memory_fidelity.testing.targets import TARGETS

from .conftest import Run


def test_list_names_everything(run: Run) -> None:
    """Every target and every case is listed."""
    words = set(run("list").output.split())

    assert {*TARGETS, *(case.id for case in CASES)} - words == set()


def test_list_fits_a_terminal(run: Run) -> None:
    """No line is longer than 80 columns."""
    assert max(map(len, run("list").output.splitlines())) <= 80


@pytest.mark.parametrize("name", [case.id for case in CASES])
def test_every_case_is_explained(run: Run, name: str) -> None:
    """A case is explained with its clauses, each with its text."""
    ended = run("explain", name)

    assert ended.output.startswith(f"{name} (version ")
    assert "  proves:\n    " in ended.output


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_is_explained(run: Run, clause: str) -> None:
    """A clause is explained with the cases that prove it, or it says that none does."""
    ended = run("explain", clause.lower())

    assert ended.output.startswith(f"{clause}\n  ")
    assert "proved by:\n    " in ended.output or "no shared case proves it" in ended.output


def test_explanation_of_a_case(run: Run) -> None:
    """What the harness must offer for a case is named."""
    output = run("explain", "search.limit.zero").output

    assert "\n  needs of the harness: Journal\n  proves:\n    C8: " in output


def test_unknown_name(run: Run) -> None:
    """A misspelt name gets those close to it."""
    ended = run("explain", "search.limt")

    assert ended.code == 4
    assert "close to it: search.limit" in ended.errors

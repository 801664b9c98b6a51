"""`list` and `explain`: what can be judged, and by what."""

from __future__ import annotations

import pytest

import memory_fidelity
from memory_fidelity import testing
from memory_fidelity.commands.catalogue import _FORMS, _PROTOCOLS
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


def test_every_control_is_listed(run: Run) -> None:
    """What a harness over a fake must offer is named, from what the cases need."""
    words = set(run("list").output.split())

    assert {control.__name__ for case in CASES for control in case.needs} - words == set()


def test_explanation_of_a_control(run: Run) -> None:
    """A control is explained with its methods, and with what is not run without it."""
    lines = run("explain", "Journal").output.splitlines()

    assert lines[0] == "memory_fidelity.testing.Journal"
    assert "  def calls(self) -> tuple[Call, ...]" in lines
    assert any(line.startswith("  without it on the fake lane, not run: ") for line in lines)


def test_explanation_of_the_harness(run: Run) -> None:
    """The five methods are shown as they are to be written."""
    output = run("explain", "MemoryAdapterHarness").output

    assert output.count("  async def ") == 5
    assert "  async def make_store(self) -> ExternalMemoryStore\n    Return a new" in output


def test_explanation_of_an_attribute(run: Run) -> None:
    """What is an attribute of a harness, and no method, is shown as one."""
    assert "  service: Mapping[str, str]\n    Versions" in run("explain", "NamesService").output


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param(
            "MemoryAdapterManifest", "  search_returns_tags: bool\n    Whether the", id="manifest"
        ),
        pytest.param(
            "AdapterCard", "  losses: tuple[LossFixture, ...]; may be left out\n", id="card"
        ),
        pytest.param("AdapterCard", "  lifecycle: Lifecycle\n", id="part of a card"),
        pytest.param(
            "LossFixture", "  on: frozenset[Literal['retrieve', 'search']]; may be", id="choice"
        ),
    ],
)
def test_explanation_of_a_declaration(run: Run, name: str, expected: str) -> None:
    """A declaration is explained field by field, each with its type and meaning."""
    output = run("explain", name).output

    assert output.startswith(f"memory_fidelity.{name}\n")
    assert expected in output


@pytest.mark.parametrize("name", ["search.empty", "C1", "Journal", "AdapterCard", "Needs"])
def test_explanation_fits_a_terminal(run: Run, name: str) -> None:
    """No line is longer than 80 columns."""
    assert max(map(len, run("explain", name).output.splitlines())) <= 80


def test_explained_names_are_public() -> None:
    """What is explained can be imported from where the explanation says."""
    assert set(_PROTOCOLS) - set(testing.__all__) == set()
    assert set(_FORMS) - set(memory_fidelity.__all__) == set()


def test_unknown_name(run: Run) -> None:
    """A misspelt name gets those close to it."""
    ended = run("explain", "search.limt")

    assert ended.code == 4
    assert "close to it: search.limit" in ended.errors

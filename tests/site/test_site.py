"""The site as it was built: complete, light, and with every lesson to take away."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from tools.website.api import MODULES
from tools.website.command_line import COMMANDS
from tools.website.conformance import ELSEWHERE

from memory_fidelity.card import AdapterCard
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.clauses import CLAUSES

ROOT = Path(__file__).parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LARGEST_LESSON = 400_000
"""Bytes of a page, pictures included; with JupyterLab's style it would be twice as much."""


def _page(site: Path, name: str) -> BeautifulSoup:
    return BeautifulSoup((site / name / "index.html").read_text(encoding="utf-8"), "html.parser")


def _anchors(site: Path, name: str) -> set[str]:
    return {str(each["id"]) for each in _page(site, name).select("[id]")}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_lesson_can_be_taken_away(site: Path, lesson: Path) -> None:
    """The link above a lesson leads to the notebook, as it is committed."""
    (link,) = _page(site, f"notebooks/{lesson.stem}").select("a[download]")

    downloaded = site / "notebooks" / lesson.stem / str(link["href"])

    assert downloaded.read_bytes() == lesson.read_bytes()
    nbformat.validate(json.loads(downloaded.read_text(encoding="utf-8")))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_lesson_is_light(site: Path, lesson: Path) -> None:
    """A lesson brings no style or script of its own, and can be loaded on a phone."""
    page = site / "notebooks" / lesson.stem / "index.html"

    assert page.stat().st_size < LARGEST_LESSON
    assert _page(site, f"notebooks/{lesson.stem}").select("article style, article script") == []


def test_lessons_are_listed_in_order(site: Path) -> None:
    """The page of lessons leads to all of them, by number."""
    links = [str(each["href"]) for each in _page(site, "learn").select("article strong > a")]

    assert links == [f"../notebooks/{lesson.stem}/" for lesson in LESSONS]


def test_every_clause_has_a_place(site: Path) -> None:
    """Each clause can be linked to by its id in lower case."""
    assert _anchors(site, "reference/clauses") >= {clause.lower() for clause in CLAUSES}


def test_every_case_has_a_place(site: Path) -> None:
    """Each case can be linked to by its id."""
    assert _anchors(site, "reference/cases") >= {case.id for case in CASES}


def test_every_declaration_has_a_place(site: Path) -> None:
    """Each field of a manifest or of a card can be linked to."""
    card = {f"adaptercard.{name}" for name in AdapterCard.model_fields}

    assert _anchors(site, "reference/manifest") >= set(MemoryAdapterManifest.model_fields)
    assert _anchors(site, "reference/card") >= card


def test_every_command_has_a_place(site: Path) -> None:
    """The help of each command is on the page."""
    assert _anchors(site, "reference/command-line") >= set(COMMANDS)


def test_api_shows_what_is_public(site: Path) -> None:
    """The page has each module, and the names that other pages link to."""
    anchors = _anchors(site, "reference/api")

    assert anchors >= set(MODULES)
    assert anchors >= {
        "memory_fidelity.MemoryAdapter.native_search",
        "memory_fidelity.require",
        "memory_fidelity.testing.Journal",
        "memory_fidelity.testing.check",
    }


@pytest.mark.parametrize(("clause", "tests"), [(c, tests) for c, (_, tests) in ELSEWHERE.items()])
def test_clauses_without_a_case_are_tested(clause: str, tests: str) -> None:
    """What no case can prove is proved by the tests that the page names, and by no case."""
    assert (ROOT / tests).is_file()
    assert [case.id for case in CASES if clause in case.clauses] == []


def test_schema_is_published(site: Path) -> None:
    """The JSON Schema lies beside its page, as the package has it."""
    published = ROOT / "src" / "memory_fidelity" / "testing" / "report-1.schema.json"

    assert (site / "reference" / "report-1.schema.json").read_bytes() == published.read_bytes()

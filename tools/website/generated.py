"""Every page that is made when the site is built, by where it goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tools.website.api import api_page
from tools.website.command_line import command_line_page
from tools.website.conformance import cases_page, clauses_page
from tools.website.coverage import coverage_page, proving_tests
from tools.website.declarations import SCHEMA_FILE, card_page, manifest_page, report_page
from tools.website.errors import errors_page
from tools.website.evidence import FOLDER, read_evidence
from tools.website.evidence_pages import evidence_pages
from tools.website.kill_pages import kills_page
from tools.website.kills import KILLS, read_kills
from tools.website.lessons import Lesson, clause_lessons

from memory_fidelity.testing.rendering.interchange import published_schema

__all__ = ["generated"]

_REFERENCE: Final[Mapping[str, Callable[[], str]]] = {
    "manifest.md": manifest_page,
    "card.md": card_page,
    "errors.md": errors_page,
    "cases.md": cases_page,
    "command-line.md": command_line_page,
    "report-schema.md": report_page,
    SCHEMA_FILE: published_schema,
    "api.md": api_page,
}


def generated(docs: Path, lessons: list[Lesson]) -> dict[str, str]:
    """Return the text of each page by its path under `docs`."""
    reference = {f"reference/{name}": made() for name, made in _REFERENCE.items()}
    reference["reference/clauses.md"] = clauses_page(clause_lessons(lessons))
    kills = read_kills(docs / KILLS)
    reference["reference/coverage.md"] = coverage_page(proving_tests(docs.parent / "tests"), kills)
    reference["evidence/kills.md"] = kills_page(kills)
    return reference | evidence_pages(read_evidence(docs / FOLDER))

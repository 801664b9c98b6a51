"""The report as HTML: a page that needs nothing else, and a piece for notebooks."""

from __future__ import annotations

from importlib.resources import files

from memory_fidelity.testing.rendering.html_sections import (
    all_cases,
    contradictions,
    declared_losses,
    facts,
    headline,
    lanes,
    manifest_facts,
    unpassed,
)
from memory_fidelity.testing.rendering.markup import Markup, element, joined, text
from memory_fidelity.testing.rendering.wording import settled
from memory_fidelity.testing.report import Report

__all__ = ["document", "fragment"]

_NO_MANIFEST = "an adapter whose manifest is not known"


def document(report: Report) -> str:
    """Return the whole report as one page: no script, no network, light and dark."""
    name = report.adapter or _NO_MANIFEST
    head = joined(
        [
            Markup('<meta charset="utf-8">'),
            Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            element("title", text(f"{name}: {report.verdict} - memory-fidelity")),
            element("style", Markup(_style())),
        ]
    )
    body = element(
        "main",
        joined(
            [
                element("h1", text(name)),
                headline(report),
                facts(report),
                contradictions(report),
                unpassed(report),
                lanes(report),
                manifest_facts(report),
                declared_losses(report),
                all_cases(report),
            ]
        ),
    )
    page = element("html", element("head", head), element("body", body), lang="en")
    return f"<!doctype html>\n{page}\n"


def fragment(report: Report) -> str:
    """Return the verdict and what stands against it, for `_repr_html_`.

    It takes its colours from the page around it, and holds no times, ids or
    addresses, so that a notebook can compare its output.
    """
    name = element("p", element("strong", text(report.adapter or _NO_MANIFEST)))
    parts = [name, headline(report), contradictions(report), unpassed(report), lanes(report)]
    return settled(element("div", joined(parts), class_="memory-fidelity"))


def _style() -> str:
    return files(__package__).joinpath("report.css").read_text(encoding="utf-8")

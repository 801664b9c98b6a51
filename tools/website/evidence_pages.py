"""Evidence as pages: what is kept by whom, one page for each adapter, and the false claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bs4 import BeautifulSoup
from tools.website.blocks import heading, prose, table
from tools.website.evidence import Evidence

from memory_fidelity.card import AdapterCard, Lifecycle
from memory_fidelity.manifest import ITEM_FIELDS, MemoryAdapterManifest
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
from memory_fidelity.testing.rendering.markup import Markup
from memory_fidelity.testing.rendering.order import GRADE_MEANINGS
from memory_fidelity.testing.rendering.wording import claim_text
from memory_fidelity.testing.report import Report
from memory_fidelity.testing.subjects import SUBJECTS
from memory_fidelity.testing.targets import TARGETS
from memory_fidelity.testing.verdict import Outcome

__all__ = ["evidence_pages"]

_REFERENCE: Final = "../../reference"
"""As a browser sees it from a page of evidence: raw HTML is not followed by MkDocs."""

_SIGNS: Final[dict[Outcome, str]] = {
    "pass": "✓",
    "fail": "✗",
    "error": "!",
    "inconclusive": "?",
    "not run": "–",
    "not applicable": "·",
}


def evidence_pages(evidence: Evidence) -> dict[str, str]:
    """Return every page of evidence by its path."""
    pages = {f"evidence/{name}.md": _page(name, r) for name, r in evidence.targets.items()}
    pages["evidence/index.md"] = "\n\n".join(_index(evidence.targets)) + "\n"
    pages["evidence/false-claims.md"] = "\n\n".join(_false_claims(evidence.subjects)) + "\n"
    return pages


def _index(reports: Mapping[str, Report]) -> Iterator[str]:
    yield "---\nhide: [toc]\n---"
    yield "# Evidence"
    yield (
        "Each adapter that comes with the package was judged by the whole suite, and the reports "
        "are committed. `make evidence` writes them anew, and a test fails when they no longer say "
        "what the code does. [How to read a report](../how-to/read-a-report.md) explains the "
        "words; [false claims](false-claims.md) shows what adapters look like that do not hold."
    )
    stores, fakes = _by_lanes(reports)
    yield heading(2, "What is kept", "kept")
    yield _kept(stores)
    yield heading(2, "What the fake can be", "fakes")
    yield "The stand-in that comes with the package keeps as much as it is told to."
    yield _kept(fakes)
    yield heading(2, "What was run", "run")
    yield table(
        ("adapter", "command", "on", "date"),
        (
            (f"[{name}]({name}.md)", f"`{report.reproduce}`", _versions(report), _date(report))
            for name, report in reports.items()
        ),
    )
    yield heading(2, "Case by case", "cases")
    yield (
        "Each cell has the fake lane first, then the live one. *Not applicable* follows from "
        "the manifest or the lane alone; [each page](#run) gives the reason."
    )
    yield table(("case", *stores), _case_rows(stores))
    yield heading(2, "The fake, case by case", "fake-cases")
    yield table(("case", *fakes), _case_rows(fakes))


def _by_lanes(reports: Mapping[str, Report]) -> tuple[dict[str, Report], dict[str, Report]]:
    """The adapters that were judged on a live service, and the others."""
    live = {name for name, report in reports.items() if len(report.lanes) > 1}
    return (
        {name: report for name, report in reports.items() if name in live},
        {name: report for name, report in reports.items() if name not in live},
    )


def _kept(reports: Mapping[str, Report]) -> str:
    return table(("", *(f"[{name}]({name}.md)" for name in reports)), _kept_rows(reports))


def _kept_rows(reports: Mapping[str, Report]) -> Iterator[tuple[str, ...]]:
    manifests = [report.manifest for report in reports.values()]
    for name in MemoryAdapterManifest.model_fields:
        if name != "adapter":
            cells = (_fact(name, getattr(manifest, name)) for manifest in manifests if manifest)
            yield (f"[`{name}`](../reference/manifest.md#{name})", *cells)
    yield ("verdict", *(_signed(report.verdict) for report in reports.values()))
    yield ("grade", *(f"{r.grade}: {GRADE_MEANINGS[r.grade]}" for r in reports.values()))


def _fact(name: str, value: object) -> str:
    match name, value:
        case _, bool():
            return _marked("✓", "yes") if value else _marked("✗", "no")
        case "dropped_item_fields", frozenset():
            return _marked(*(("✗", ", ".join(sorted(value))) if value else ("✓", "none")))
        case "native_item_fields", frozenset() if value == set(ITEM_FIELDS):
            return _marked("✓", "all five")
        case _, frozenset():
            return ", ".join(sorted(value)) or "none"
        case _, "full" | "immediate":
            return _marked("✓", str(value))
        case _, "lossy":
            return _marked("✗", "lossy")
        case _:
            return _marked("◐", str(value))


def _signed(verdict: str) -> str:
    return _marked("✓" if verdict == "conformant" else "✗", verdict)


def _marked(sign: str, word: str) -> str:
    """A sign and its word, which stay on one line."""
    return f"{sign}&nbsp;{word}"


def _case_rows(reports: Mapping[str, Report]) -> Iterator[tuple[str, ...]]:
    outcomes = {
        name: [{each.case: each.outcome for each in lane.results} for lane in report.lanes]
        for name, report in reports.items()
    }
    cases = dict.fromkeys(case for lanes in outcomes.values() for lane in lanes for case in lane)
    for case in cases:
        cells = (
            ", ".join(_outcome(lane[case]) for lane in lanes if case in lane)
            for lanes in outcomes.values()
        )
        yield (f"[`{case}`](../reference/cases.md#{case})", *cells)


def _outcome(outcome: Outcome) -> str:
    return _marked(_SIGNS[outcome], outcome)


def _page(name: str, report: Report) -> str:
    return "\n\n".join(_parts(name, report)) + "\n"


def _parts(name: str, report: Report) -> Iterator[str]:
    yield f"# {name}"
    summary = report.card.summary if report.card else f"{TARGETS[name].summary}."
    yield f"{prose(summary)} [The report as JSON]({name}.json)."
    yield _html(headline(report))
    for section in (facts, contradictions, unpassed, lanes, manifest_facts):
        yield from _section(section(report))
    if report.card is not None:
        yield from _card(report.card)
    for section in (declared_losses, all_cases):
        yield from _section(section(report))


def _card(card: AdapterCard) -> Iterator[str]:
    yield "## Card"
    stated = card.model_dump(
        mode="json", exclude={"adapter", "summary", "losses", "refusals", "filters", "lifecycle"}
    )
    yield table(
        ("statement", "what it says"),
        (
            (f"[`{name}`](../reference/card.md#adaptercard.{name})", _told(value))
            for name, value in stated.items()
        ),
    )
    if card.refusals:
        yield "### Refused before anything is sent"
        yield table(
            ("refusal", "field", "why"),
            ((each.name, f"`{each.field}`", prose(each.why)) for each in card.refusals),
        )
    if card.filters:
        yield "### Filters"
        yield table(
            ("key", "place", "meaning"),
            ((f"`{each.key}`", f"`{each.path}`", prose(each.meaning)) for each in card.filters),
        )
    yield "### Lifecycle"
    yield table(
        ("question", "answer"),
        (
            (prose(str(field.description)), prose(getattr(card.lifecycle, name)))
            for name, field in Lifecycle.model_fields.items()
        ),
    )


def _told(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"`{key}`: `{each}`" for key, each in value.items()) or "none"
        case list():
            return ", ".join(map(str, value)) or "none"
        case _:
            return prose(str(value))


def _false_claims(reports: Mapping[str, Report]) -> Iterator[str]:
    yield "# What a false claim looks like"
    yield (
        "These adapters come with the suite and are broken on purpose, each in one way that "
        "happens in practice. Each has the same methods as a right one; what the suite says of it "
        "names the claim that is false."
    )
    yield table(
        ("adapter", "what is false", "verdict", "failed cases"),
        (
            (
                f"[`{name}`](#{name})",
                f"`{SUBJECTS[name].false_claim}`",
                _signed(report.verdict),
                str(sum(each.outcome == "fail" for each in report.lanes[0].results)),
            )
            for name, report in reports.items()
        ),
    )
    for name, report in reports.items():
        yield heading(2, f"`{name}`", name)
        yield prose(SUBJECTS[name].story)
        failed = [each for each in report.lanes[0].results if each.outcome == "fail"]
        case, finding = next(
            (each, finding)
            for each in failed
            for finding in each.findings
            if finding.subject == SUBJECTS[name].false_claim
        )
        yield f"Case [`{case.case}`](../reference/cases.md#{case.case}):"
        yield table(
            ("part", "what the suite says"),
            (
                ("claim", prose(claim_text(finding))),
                ("observed", prose(finding.observed)),
                ("change", prose(finding.change)),
            ),
        )
        yield (
            f"`{report.reproduce}`, on {_versions(report)}, {_date(report)}. "
            f"[The report as JSON](broken/{name}.json)."
        )


def _versions(report: Report) -> str:
    environment = report.environment
    service = {key: each for lane in report.lanes for key, each in lane.service.items()}
    named = {"Python": environment.python} | environment.packages | service
    return ", ".join(f"{name} {version}" for name, version in named.items())


def _date(report: Report) -> str:
    return f"<time>{report.when:%Y-%m-%d}</time>"


def _section(section: Markup) -> Iterator[str]:
    """A section of the HTML report: its title becomes one of the page, its ids become links."""
    part = BeautifulSoup(section, "html.parser")
    title = part.h2
    if title is None:
        return
    yield f"## {title.extract().get_text()}"
    for code in part.select("table.cases th > code"):
        named = code.next_sibling
        code.wrap(part.new_tag("a", href=f"{_REFERENCE}/cases/#{code.get_text()}"))
        if named is not None:
            named.replace_with(*_clause_tags(part, str(named)))
    yield _html(Markup("".join(map(str, part.section.children if part.section else ()))))


def _clause_tags(page: BeautifulSoup, named: str) -> Iterator[Any]:
    for place, clause in enumerate(named.split(", ")):
        link = page.new_tag("a", href=f"{_REFERENCE}/clauses/#{clause.strip().lower()}")
        link.string = clause.strip()
        yield from (", " if place else " ", link)


def _html(markup: Markup) -> str:
    # On one line: an empty line would end the block for Markdown.
    line = " ".join(markup.splitlines())
    return f'<div class="memory-fidelity">{line}</div>'

"""The sections of the HTML report, each a pure function of the report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from memory_fidelity.testing.rendering.markup import Markup, element, joined, prose, text
from memory_fidelity.testing.rendering.order import (
    GRADE_MEANINGS,
    contradicted_cases,
    tally,
    told_together,
)
from memory_fidelity.testing.rendering.wording import claim_text
from memory_fidelity.testing.report import CaseResult, Finding, LaneReport, Report
from memory_fidelity.testing.verdict import Outcome, Verdict

__all__ = [
    "all_cases",
    "contradictions",
    "declared_losses",
    "facts",
    "headline",
    "lanes",
    "manifest_facts",
    "unpassed",
]

# The sign repeats what the word and the colour say: none of them stands alone.
_SIGNS: Final[dict[Outcome | Verdict, str]] = {
    "pass": "\u2713",
    "fail": "\u2717",
    "error": "!",
    "inconclusive": "?",
    "not run": "\u2013",
    "not applicable": "\u00b7",
    "conformant": "\u2713",
    "non-conformant": "\u2717",
    "harness error": "!",
    "incomplete": "\u2013",
}
_NOTHING: Final = Markup("")


def headline(report: Report) -> Markup:
    """The verdict, and the grade with its meaning."""
    grade = text(f" {report.grade}: {GRADE_MEANINGS[report.grade]}")
    return element("p", _ending(report.verdict), grade, class_="headline")


def facts(report: Report) -> Markup:
    """What ran, where, when, and how to run it again."""
    environment = report.environment
    packages = (f"{name} {version}" for name, version in sorted(environment.packages.items()))
    rows = [
        ("Suite", text(report.suite)),
        ("Run", text(f"{report.when:%Y-%m-%d %H:%M} UTC")),
        ("On", text(", ".join((f"Python {environment.python}", environment.system, *packages)))),
        ("Again", element("code", text(report.reproduce))),
    ]
    return _pairs("The run", rows)


def contradictions(report: Report) -> Markup:
    """The cases in which the live service does not do what its fake does."""
    cases = contradicted_cases(report)
    if not cases:
        return _NOTHING
    items = (element("li", element("code", text(case))) for case in cases)
    return _section("Passes on the fake, fails live", element("ul", joined(items)))


def unpassed(report: Report) -> Markup:
    """Every case that neither passed nor was out of question, worst first, by lane."""
    articles = [
        _article(lane, group)
        for lane in report.lanes
        for group in told_together(lane.results)
        if group[0].outcome != "not applicable"
    ]
    return _section("What did not pass", *articles) if articles else _NOTHING


def lanes(report: Report) -> Markup:
    """One row per lane: its verdict, what it adds up, and its harness."""
    rows = (
        element(
            "tr",
            element("th", text(lane.lane), scope="row"),
            element("td", _ending(lane.verdict)),
            element("td", text(f"{tally(lane.results)}; "), element("code", text(lane.harness))),
        )
        for lane in report.lanes
    )
    return _section("Lanes", _table(("Lane", "Verdict", "Cases and harness"), rows))


def manifest_facts(report: Report) -> Markup:
    """The nine facts of the manifest."""
    if report.manifest is None:
        return _section(
            "Manifest",
            element("p", text("No manifest was read: the store has none, or none could be made.")),
        )
    declared = report.manifest.model_dump(mode="json")
    rows = [(name, element("code", _value(value))) for name, value in declared.items()]
    return _pairs("Manifest", rows)


def declared_losses(report: Report) -> Markup:
    """Every alteration that the card declares, with the value that shows it."""
    if report.card is None or not report.card.losses:
        return _NOTHING
    rows = (
        element(
            "tr",
            element("th", text(loss.name), scope="row"),
            element("td", element("code", text(loss.field)), text(f": {loss.why}")),
            element("td", element("code", text(f"{loss.sent!r}"))),
            element("td", element("code", text(f"{loss.expected!r}"))),
        )
        for loss in report.card.losses
    )
    return _section("Declared losses", _table(("Loss", "Field", "Sent", "Comes back"), rows))


def all_cases(report: Report) -> Markup:
    """One row per case, one column per lane."""
    by_case: dict[str, dict[str, CaseResult]] = {}
    for lane in report.lanes:
        for result in lane.results:
            by_case.setdefault(result.case, {})[lane.lane] = result
    names = [lane.lane for lane in report.lanes]
    rows = (_case_row(results, names) for results in by_case.values())
    return _section("All cases", _table(("Case", *names), rows, class_="cases"))


def _case_row(results: dict[str, CaseResult], names: Sequence[str]) -> Markup:
    described = next(iter(results.values()))
    remarks = dict.fromkeys(
        remark
        for result in results.values()
        for remark in (*([result.reason] if result.reason else []), *result.notes)
    )
    case = element(
        "th",
        element("code", text(described.case)),
        text(f" {', '.join(described.clauses)}"),
        element("p", prose(described.title)),
        *(element("p", text(remark), class_="remark") for remark in remarks),
        scope="row",
    )
    cells = (
        element("td", _ending(results[name].outcome) if name in results else text("absent"))
        for name in names
    )
    return element("tr", case, *cells)


def _article(lane: LaneReport, group: Sequence[CaseResult]) -> Markup:
    first = group[0]
    clauses = ", ".join(first.clauses)
    named = (
        text(f" {len(group)} cases, {lane.lane} lane")
        if len(group) > 1
        else joined(
            [text(""), element("code", text(first.case)), text(f"{lane.lane} lane, {clauses}")], " "
        )
    )
    reason = element("p", text(first.reason)) if first.reason else _NOTHING
    return element(
        "article",
        element("h3", _ending(first.outcome), named),
        element("p", prose(first.title)) if len(group) == 1 else _NOTHING,
        reason,
        *(_finding(finding) for finding in first.findings),
    )


def _finding(finding: Finding) -> Markup:
    parts = (
        ("Claim", claim_text(finding)),
        ("Observed", finding.observed),
        ("Change", finding.change),
    )
    return element(
        "dl",
        *(joined([element("dt", text(name)), element("dd", text(part))]) for name, part in parts),
    )


def _ending(ending: Outcome | Verdict) -> Markup:
    label = text(f"{_SIGNS[ending]} {ending}")
    return element("strong", label, class_=f"ending {ending.replace(' ', '-')}")


def _section(title: str, *content: Markup) -> Markup:
    return element("section", element("h2", text(title)), *content)


def _pairs(title: str, rows: Iterable[tuple[str, Markup]]) -> Markup:
    body = (
        element("tr", element("th", text(name), scope="row"), element("td", value))
        for name, value in rows
    )
    return _section(title, element("table", element("tbody", joined(body))))


def _table(columns: Iterable[str], rows: Iterable[Markup], **attributes: str) -> Markup:
    heads = (element("th", text(column), scope="col") for column in columns)
    return element(
        "table",
        element("thead", element("tr", *heads)),
        element("tbody", joined(rows)),
        **attributes,
    )


def _value(value: object) -> Markup:
    if isinstance(value, list):
        return text(", ".join(value) or "none")
    return text(json.dumps(value) if isinstance(value, bool) else str(value))

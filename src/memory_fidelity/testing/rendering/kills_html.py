"""A kill report as one HTML page: the survivors, then faults by cases as a matrix."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Final

from memory_fidelity.testing.kills import FaultResult, Killing, KillReport
from memory_fidelity.testing.rendering.kills import MEANINGS, case_families, tally
from memory_fidelity.testing.rendering.markup import Markup, element, joined, text

__all__ = ["kills_document", "kills_matrix", "kills_open"]

_SIGNS: Final[dict[Killing, str]] = {
    "survived": "\u2717",
    "inert": "!",
    "misnamed": "?",
    "killed": "\u2713",
    "not applicable": "\u00b7",
}
_STYLES: Final[dict[Killing, str]] = {
    "survived": "fail",
    "inert": "error",
    "misnamed": "inconclusive",
    "killed": "pass",
    "not applicable": "not-applicable",
}
_NOTHING: Final = Markup("")


def kills_document(report: KillReport) -> str:
    """Return the whole report as one page: no script, no network, light and dark."""
    title = f"{report.adapter}: {tally(report)}"
    head = joined(
        [
            Markup('<meta charset="utf-8">'),
            Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            element("title", text(f"{title} - memory-fidelity")),
            element("style", Markup(_style())),
        ]
    )
    body = element(
        "main",
        element("h1", text(f"{report.adapter}: deliberate faults")),
        element("p", element("strong", text(tally(report))), class_="headline"),
        _facts(report),
        kills_open(report),
        element("h2", text("Faults by cases")),
        kills_matrix(report),
        _inapplicable(report),
    )
    page = element("html", element("head", head), element("body", body), lang="en")
    return f"<!doctype html>\n{page}\n"


def kills_open(report: KillReport) -> Markup:
    """Every fault that its own case did not kill, the survivors first."""
    unkilled = [
        each for killing in ("survived", "inert", "misnamed") for each in report.of(killing)
    ]
    if not unkilled:
        return _NOTHING
    return joined([element("h2", text("Not killed")), *map(_article, unkilled)])


def kills_matrix(report: KillReport) -> Markup:
    """One row per fault that was tried, one column per case; its own case is framed."""
    tried = {case for each in report.results for case in each.outcomes}
    # By family, since those of one concern do not all follow one another in the suite.
    cases = [
        case for members in case_families(report).values() for case in members if case in tried
    ]
    heads = joined(
        [
            element("th", text("Fault"), scope="col"),
            *(element("th", element("span", text(case)), scope="col") for case in cases),
        ]
    )
    rows = [_row(each, cases) for each in report.results if each.outcomes]
    table = element(
        "table",
        element("thead", element("tr", heads)),
        element("tbody", joined(rows)),
        class_="kills",
    )
    return element("div", table, class_="kills-scroll", tabindex="0", role="region",
                   aria_label="Faults by cases")  # fmt: skip


def _row(result: FaultResult, cases: list[str]) -> Markup:
    head = element("th", element("code", text(result.fault)), scope="row", title=result.story)
    return element("tr", head, *_cells(result, cases))


def _cells(result: FaultResult, cases: list[str]) -> Iterator[Markup]:
    for case in cases:
        outcome = result.outcomes.get(case)
        own = " own" if case == result.case else ""
        if outcome == "fail":
            mark = "\u2716" if own else "\u00d7"
            said = f"{case} finds {result.fault}"
            yield element("td", text(mark), class_=f"found{own}", title=said)
        elif outcome in ("error", "inconclusive", "not run"):
            yield element("td", text("!"), class_=f"unsettled{own}", title=f"{case}: {outcome}")
        else:
            yield element("td", text(""), class_=own.strip())


def _article(result: FaultResult) -> Markup:
    parts = [("What is wrong", result.story)]
    parts += [("Expected", f"{result.case} fails, and names {' or '.join(result.names)}")]
    parts += [("Because", result.reason)] if result.reason else []
    parts += [("Failed", ", ".join(result.killers))] if result.killers else []
    if result.active:
        parts += [("Without it", result.active[0]), ("With it", result.active[1])]
    ending = element(
        "strong",
        text(f"{_SIGNS[result.killing]} {result.killing}"),
        class_=f"ending {_STYLES[result.killing]}",
    )
    pairs = (
        joined([element("dt", text(name)), element("dd", text(str(value)))])
        for name, value in parts
    )
    return element(
        "article",
        element("h3", ending, text(" "), element("code", text(result.fault))),
        element("dl", *pairs),
    )


def _facts(report: KillReport) -> Markup:
    rows = [
        ("Suite", text(report.suite)),
        ("Run", text(f"{report.when:%Y-%m-%d %H:%M} UTC, {report.seconds:.1f} s")),
        ("Again", element("code", text(report.reproduce))),
        *((killing, text(meaning)) for killing, meaning in MEANINGS.items()),
    ]
    body = (
        element("tr", element("th", text(name), scope="row"), element("td", value))
        for name, value in rows
    )
    return element("table", element("tbody", joined(body)))


def _inapplicable(report: KillReport) -> Markup:
    results = report.of("not applicable")
    if not results:
        return _NOTHING
    items = (
        element("li", element("code", text(each.fault)), text(f": {each.reason}"))
        for each in results
    )
    return joined([element("h2", text("Not applicable")), element("ul", joined(items))])


def _style() -> str:
    folder = files(__package__)
    names = ("report.css", "kills.css")
    return "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names)

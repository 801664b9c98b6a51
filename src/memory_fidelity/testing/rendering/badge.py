"""The report as a badge: the grade and the number of cases behind it."""

from __future__ import annotations

from typing import Final

from memory_fidelity.testing.rendering.markup import Markup, element, joined, text
from memory_fidelity.testing.report import Report
from memory_fidelity.testing.verdict import Grade, Outcome

__all__ = ["badge_svg", "badge_text"]

_LABEL: Final = "memory-fidelity"
_COLOURS: Final[dict[Grade, str]] = {
    "proved": "#116329",
    "modelled": "#0a5394",
    "observed": "#0a5394",
    "stale": "#57606a",
    "unproven": "#57606a",
    "contradicted": "#a40e26",
    "false claim": "#a40e26",
}
_ADVANCE: Final = 7
"""Pixels to a character; `textLength` fits the text to it in whatever font there is."""
_MARGIN: Final = 8
_HEIGHT: Final = 20


def badge_text(report: Report) -> str:
    """Return the grade with the number of distinct cases behind it; never a percentage."""
    match report.grade:
        case "proved" | "modelled" | "observed" | "stale":
            return f"{report.grade} \u00b7 {_count(report, 'pass')}"
        case "contradicted" | "false claim":
            return f"{report.grade} \u00b7 {_count(report, 'fail')}"
        case "unproven":
            return f"{report.grade} \u00b7 {report.verdict}"


def badge_svg(report: Report) -> str:
    """Return a badge of the usual two parts, readable without its colour."""
    shown = badge_text(report)
    left, right = (len(part) * _ADVANCE + 2 * _MARGIN for part in (_LABEL, shown))
    spoken = f"{_LABEL}: {shown}"
    parts = [
        element("title", text(spoken)),
        _box(0, left, "#24292f"),
        _box(left, right, _COLOURS[report.grade]),
        _words(_LABEL, 0),
        _words(shown, left),
    ]
    svg = element(
        "svg",
        joined(parts),
        xmlns="http://www.w3.org/2000/svg",
        width=f"{left + right}",
        height=f"{_HEIGHT}",
        role="img",
        aria_label=spoken,
    )
    # References instead of characters: it stays right in a file or a page of any encoding.
    return svg.encode("ascii", "xmlcharrefreplace").decode() + "\n"


def _box(left: int, width: int, colour: str) -> Markup:
    return element("rect", x=f"{left}", width=f"{width}", height=f"{_HEIGHT}", fill=colour)


def _words(words: str, left: int) -> Markup:
    return element(
        "text",
        text(words),
        x=f"{left + _MARGIN}",
        y="14",
        textLength=f"{len(words) * _ADVANCE}",
        fill="#ffffff",
        font_family="Verdana, DejaVu Sans, sans-serif",
        font_size="11",
    )


def _count(report: Report, outcome: Outcome) -> str:
    cases = {
        result.case for lane in report.lanes for result in lane.results if result.outcome == outcome
    }
    return f"{len(cases)} case{'' if len(cases) == 1 else 's'}"

"""The badge: a grade and a number of cases, never a percentage."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest

from memory_fidelity.testing.rendering.badge import badge_svg, badge_text
from memory_fidelity.testing.report import Report

from .reports import FINDING, contradicted, lane, proved, report, result

PASSING = lane("fake", result("a"), result("b"), result("c", "not applicable"))


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param(proved(), "proved \u00b7 2 cases", id="proved"),
        pytest.param(report(PASSING), "modelled \u00b7 2 cases", id="modelled"),
        pytest.param(report(lane("live", result("a"))), "observed \u00b7 1 case", id="observed"),
        pytest.param(contradicted(), "contradicted \u00b7 1 case", id="contradicted"),
        pytest.param(
            report(lane("fake", result("a", "fail", FINDING), result("b"))),
            "false claim \u00b7 1 case",
            id="false claim",
        ),
        pytest.param(
            report(lane("fake", result("a", "not run"))),
            "unproven \u00b7 incomplete",
            id="unproven",
        ),
    ],
)
def test_badge_text(told: Report, expected: str) -> None:
    """A good grade counts the cases that passed, a bad one those that failed."""
    assert badge_text(told) == expected


def test_badge_is_an_image_with_a_name() -> None:
    """It is well-formed SVG, and a screen reader hears the whole text."""
    svg = fromstring(badge_svg(proved()))  # noqa: S314 - made on the line itself

    assert svg.tag == "{http://www.w3.org/2000/svg}svg"
    assert svg.get("role") == "img"
    assert svg.get("aria-label") == "memory-fidelity: proved \u00b7 2 cases"


def test_badge_parts_fill_it() -> None:
    """The two boxes lie side by side and are as wide as the whole."""
    svg = fromstring(badge_svg(proved()))  # noqa: S314 - made on the line itself
    left, right = (box for box in svg if box.tag.endswith("rect"))

    assert (left.get("x"), right.get("x")) == ("0", left.get("width"))
    assert svg.get("width") == str(int(left.get("width", "")) + int(right.get("width", "")))

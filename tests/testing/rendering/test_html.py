"""The report as HTML: one file, escaped, with real tables; and the piece for notebooks."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from memory_fidelity.testing.rendering.html import document, fragment
from memory_fidelity.testing.report import Finding, Report

from .reports import card, contradicted, lane, proved, report, result

HOSTILE = '<script>alert("x")</script> & \'\x1b[31m \u202e'
_VOID = {"meta"}


class _Outline(HTMLParser):
    """Reads a page as a browser would, and notes what matters here."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.unbalanced: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += attrs
        self.open += [] if tag in _VOID else [tag]

    def handle_endtag(self, tag: str) -> None:
        self.unbalanced += [] if self.open.pop() == tag else [tag]

    def handle_data(self, data: str) -> None:
        self.text += data


def _outline(html: str) -> _Outline:
    outline = _Outline()
    outline.feed(html)
    outline.close()
    return outline


def _hostile() -> Report:
    finding = Finding(subject=HOSTILE, claim=HOSTILE, observed=HOSTILE, change=HOSTILE)
    told = report(lane("fake", result("a", "fail", finding, reason=HOSTILE, notes=(HOSTILE,))))
    return told.model_copy(
        update={"adapter": HOSTILE, "suite": HOSTILE, "reproduce": HOSTILE, "card": card()}
    )


@pytest.mark.parametrize("render", [document, fragment])
@pytest.mark.parametrize("told", [proved(), contradicted(), _hostile()])
def test_elements_are_balanced(render: Callable[[Report], str], told: Report) -> None:
    """Every element that is opened is closed, in order."""
    outline = _outline(render(told))

    assert (outline.open, outline.unbalanced) == ([], [])


@pytest.mark.parametrize("render", [document, fragment])
def test_hostile_text_stays_text(render: Callable[[Report], str]) -> None:
    """What a service sent makes neither an element nor an attribute, and is shown as it is."""
    html, outline = render(_hostile()), _outline(render(_hostile()))

    assert "script" not in outline.names
    assert not {name for name, _ in outline.attributes if name.startswith("on")}
    assert '<script>alert("x")</script> & \'\\x1b[31m \\u202e' in outline.text
    assert "\x1b" not in html


def test_document_needs_nothing_else() -> None:
    """No script, no link and no address: the file can be sent around."""
    html = document(contradicted())
    names = {name for name, _ in _outline(html).attributes}

    assert not names & {"src", "href", "action", "style"}
    assert "url(" not in html
    assert "@import" not in html


def test_document_serves_every_reader() -> None:
    """It states its language, title and width, and follows the reader's choice of colours."""
    html = document(contradicted())

    assert '<html lang="en">' in html
    assert "<title>acme: non-conformant - memory-fidelity</title>" in html
    assert "width=device-width" in html
    assert "prefers-color-scheme: dark" in html


def test_tables_have_headers() -> None:
    """Each row has a header of its own, and so has each column of the wider tables."""
    html = document(contradicted())

    assert html.count('<th scope="row">') == html.count("<tr>") - html.count("<thead>")
    assert re.findall(r'<th scope="col">(\w[^<]*)</th>', html) == [
        *("Lane", "Verdict", "Cases and harness"),
        *("Case", "fake", "live"),
    ]


def test_colour_is_never_the_only_sign() -> None:
    """Each outcome is written as a word, with a sign before it."""
    endings = set(
        re.findall(r'<strong class="ending [^"]*">([^<]*)</strong>', document(contradicted()))
    )

    assert endings == {
        "\u2713 pass",
        "\u2713 conformant",
        "\u2717 fail",
        "\u2717 non-conformant",
        "! error",
        "? inconclusive",
        "\u2013 not run",
        "\u00b7 not applicable",
    }


def test_document_tells_everything() -> None:
    """The run, contradictions, findings, manifest and each case are there."""
    text = _outline(document(contradicted())).text

    assert [heading for heading in HEADINGS if heading not in text] == []


HEADINGS = [
    "contradicted: the fake conforms, the live service does not",
    "2026-01-02 03:04 UTC",
    "Passes on the fake, fails live",
    "manifest says search_returns_tags=True",
    "tags: sent ['a', 'b'], got []\non search.tags",
    "2 cases, live lane",
    "search_consistency",
    "found at once: stronger than claimed",
    "What search.slow asks.",
]


def test_conformant_document_has_no_findings() -> None:
    """Where nothing stands against an adapter, there is no empty section about it."""
    text = _outline(document(proved())).text

    assert "What did not pass" not in text
    assert "fails live" not in text


def test_declared_losses_are_shown() -> None:
    """Each loss of the card is a row, with what is sent and what comes back."""
    told = report(lane("fake", result("a")), stated=card())

    text = _outline(document(told)).text

    assert "the index folds case" in text
    assert "'A<b>''a<b>'" in text


def test_missing_manifest_is_told() -> None:
    """A store without a manifest is reported as such."""
    told = report(lane("fake", result("a")), manifest=None)

    assert "No manifest was read: the store has none, or none could be made." in document(told)


def test_case_of_one_lane_is_absent_in_the_other() -> None:
    """A case that a lane does not have is not taken for a pass there."""
    told = report(lane("fake", result("a")), lane("live", result("b")))

    assert document(told).count("<td>absent</td>") == 2


def test_fragment_holds_nothing_that_passes() -> None:
    """Times, versions, ids and addresses are left out, so that a notebook compares equal."""
    unsettled = Finding(
        subject="C4",
        claim="None",
        observed="00000000-0000-4000-8000-0123456789ab at 0x7f0102030405",
        change="",
    )
    html = fragment(report(lane("fake", result("a", "fail", unsettled))))

    assert "[id] at [address]" in html
    assert "2026" not in html
    assert "3.11.9" not in html


def test_fragment_brings_no_style() -> None:
    """It takes its colours from the notebook around it."""
    assert "style" not in _outline(contradicted()._repr_html_()).names

"""A link that leads nowhere is found, whatever page it is on."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.website.links import faults

GUIDE = '<h1 id="top">Guide</h1><a name="old"></a><a href="../">up</a>'


def _site(folder: Path, body: str) -> Path:
    (folder / "guide").mkdir()
    (folder / "guide" / "index.html").write_text(GUIDE, encoding="utf-8")
    (folder / "mark.svg").write_text("<svg/>", encoding="utf-8")
    (folder / "index.html").write_text(body, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "body",
    [
        pytest.param('<a href="guide/">x</a>', id="a page"),
        pytest.param('<a href="guide/index.html#top">x</a>', id="an anchor"),
        pytest.param('<a href="guide/#old">x</a>', id="a named anchor"),
        pytest.param('<h2 id="here">x</h2><a href="#here">x</a>', id="the same page"),
        pytest.param('<h2 id="straße">x</h2><a href="#stra%C3%9Fe">x</a>', id="an escaped anchor"),
        pytest.param('<img src="mark.svg">', id="a picture"),
        pytest.param('<img src="data:image/png;base64,AA==">', id="a picture in the page"),
        pytest.param('<a href="https://example.org/">x</a>', id="a link to another site"),
        pytest.param('<a href="mailto:somebody@example.org">x</a>', id="mail"),
    ],
)
def test_good_links_are_no_faults(tmp_path: Path, body: str) -> None:
    """What a browser can follow, and need not fetch from elsewhere, is let be."""
    assert faults(_site(tmp_path, body)) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        pytest.param('<a href="gide/">x</a>', "gide/ leads nowhere", id="a page"),
        pytest.param('<a href="guide/index.md">x</a>', "guide/index.md leads nowhere", id="source"),
        pytest.param('<a href="../other/">x</a>', "../other/ leads nowhere", id="outside"),
        pytest.param(
            '<a href="guide/#botom">x</a>',
            "guide/#botom leads to a page without this anchor",
            id="an anchor of another page",
        ),
        pytest.param(
            '<a href="#botom">x</a>',
            "#botom leads to a page without this anchor",
            id="an anchor of the same page",
        ),
        pytest.param('<a href="/guide/">x</a>', "/guide/ is not relative", id="from the root"),
        pytest.param('<img src="mark.png">', "mark.png leads nowhere", id="a picture"),
        pytest.param(
            '<script src="https://cdn.example.org/x.js"></script>',
            "https://cdn.example.org/x.js is on another machine",
            id="a script of another machine",
        ),
        pytest.param(
            '<link rel="stylesheet" href="//fonts.example.org/x.css">',
            "//fonts.example.org/x.css is on another machine",
            id="a style without a scheme",
        ),
    ],
)
def test_bad_links_are_told(tmp_path: Path, body: str, fault: str) -> None:
    """The page and the link are named."""
    assert faults(_site(tmp_path, body)) == [f"index.html: {fault}"]


def test_each_page_is_read(tmp_path: Path) -> None:
    """A fault of a page further down is told with its path."""
    site = _site(tmp_path, "")
    (site / "guide" / "index.html").write_text('<a href="../no/">x</a>', encoding="utf-8")

    assert faults(site) == ["guide/index.html: ../no/ leads nowhere"]

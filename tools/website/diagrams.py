"""Diagrams in the page itself, so that they take the colours of the theme."""

from __future__ import annotations

from pathlib import Path

from bs4 import BeautifulSoup

__all__ = ["drawn_in"]


def drawn_in(content: str, folder: Path) -> str:
    """Return the page with each picture out of `diagrams/` as the drawing itself.

    The drawing says its own title and description; one line of text stands in
    the Markdown for readers of the source.
    """
    page = BeautifulSoup(content, "html.parser")
    pictures = page.select('img[src*="diagrams/"]')
    if not pictures:
        return content
    for picture in pictures:
        name = Path(str(picture["src"])).name
        drawing = BeautifulSoup((folder / name).read_text(encoding="utf-8"), "html.parser")
        figure = page.new_tag("figure", attrs={"class": "diagram"})
        figure.extend(drawing.select("svg"))
        outer = picture.parent
        target = outer if outer is not None and outer.name == "p" else picture
        target.replace_with(figure)
    return str(page)

"""Lessons on the site: what mkdocs-jupyter renders becomes plain markup of the theme.

Its own markup brings half a megabyte of JupyterLab's style to each page, two
scripts from other machines, colours that the dark theme does not know, and no
alternative text. A cell here is what any other page has: text, a code block,
a table, a picture.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString

__all__ = ["Lesson", "clause_lessons", "lesson_list", "lessons_in", "plain_cells"]

_CLAUSE = re.compile(r"reference/clauses\.md#([a-z]+\d+)")


@dataclass(frozen=True, slots=True)
class Lesson:
    """What other pages say about one notebook."""

    name: str
    """Its file name."""
    title: str
    """Its number and its first heading."""
    question: str
    """The paragraph under it."""
    clauses: tuple[str, ...]
    """The clauses that it links to, in their order."""


def lessons_in(folder: Path) -> list[Lesson]:
    """Return the lessons of a folder by their numbers."""
    return [_lesson(path) for path in sorted(folder.glob("*.ipynb"))]


def lesson_list(lessons: list[Lesson]) -> str:
    """Return Markdown, for a page at the root: each lesson with the question it asks."""
    return "\n\n".join(
        f"**[{lesson.title}](notebooks/{lesson.name})**  \n{lesson.question}" for lesson in lessons
    )


def clause_lessons(lessons: list[Lesson]) -> dict[str, list[str]]:
    """Return links to lessons by clause, for a page one folder down."""
    found: dict[str, list[str]] = {}
    for lesson in lessons:
        for clause in lesson.clauses:
            found.setdefault(clause, []).append(f"[{lesson.title}](../notebooks/{lesson.name})")
    return found


def plain_cells(content: str, notebook: Path) -> str:
    """Return the page that mkdocs-jupyter made of a notebook, in the theme's own markup.

    A code cell with the tag `solution` is folded away, outputs included. A
    picture has the alternative text and the width that its cell gave it.
    """
    rendered = BeautifulSoup(content, "html.parser")
    page = BeautifulSoup("", "html.parser")
    pictures = rendered.select(".jp-OutputArea-output img")
    for picture, stated in zip(pictures, _picture_facts(notebook), strict=True):
        picture.attrs = {"src": picture["src"], "alt": stated.get("alt", "")}
        if "width" in stated:
            picture["style"] = f"width: {stated['width']}px"
    # Its template puts a code cell into a code cell.
    for cell in rendered.select(".jp-Cell:not(.jp-Cell .jp-Cell)"):
        parts = list(
            _markdown(page, cell) if "jp-MarkdownCell" in _classes(cell) else _code(page, cell)
        )
        if "celltag_solution" in _classes(cell):
            parts = [_folded(page, parts)]
        page.extend(parts)
    return str(page)


def _lesson(path: Path) -> Lesson:
    cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    heading, *paragraphs = texts[0].split("\n\n") if texts else [path.stem]
    clauses = dict.fromkeys(match.upper() for match in _CLAUSE.findall("\n".join(texts)))
    question = paragraphs[0].replace("../docs/", "") if paragraphs else ""
    number = path.stem.partition("-")[0]
    title = heading.lstrip("# ").replace("*", "").removeprefix(number).strip(" ·.:")
    return Lesson(
        name=path.name,
        title=f"{number} · {title}",
        question=re.sub(r"\]\((?=[^):/]+\.ipynb)", "](notebooks/", " ".join(question.split())),
        clauses=tuple(clauses),
    )


def _picture_facts(notebook: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    return [
        output["metadata"].get("image/png", {})
        for output in outputs
        if "image/png" in output.get("data", ())
    ]


def _markdown(page: BeautifulSoup, cell: Tag) -> Iterator[Tag]:
    text = cell.select_one(".jp-MarkdownOutput, .jp-RenderedHTMLCommon")
    for anchor in cell.select("a.anchor-link"):
        anchor["class"] = "headerlink"
        anchor["title"] = "Link to this place"
    for block in cell.select(".highlight > pre"):
        block.replace_with(_framed(page, block))
    if text is not None:
        yield from [child for child in text.children if isinstance(child, Tag)]


def _code(page: BeautifulSoup, cell: Tag) -> Iterator[Tag]:
    source = cell.select_one(".jp-InputArea-editor .highlight-ipynb pre")
    if source is not None:
        yield _block(page, source, "language-python highlight")
    for output in cell.select(".jp-OutputArea-output"):
        yield from _output(page, output)


def _output(page: BeautifulSoup, output: Tag) -> Iterator[Tag]:
    if (picture := output.find("img")) is not None:
        yield _figure(page, picture)
    elif "jp-RenderedHTMLCommon" in _classes(output):
        box = page.new_tag("div", attrs={"class": "output"})
        box.extend([child for child in list(output.children) if isinstance(child, Tag)])
        for table in box.select("table.dataframe"):
            table.attrs = {}
        for unwanted in box.select("style, script"):
            unwanted.decompose()
        for head in box.select("thead"):
            _join_heads(head)
        for blank in box.select("th:empty"):
            blank.name = "td"
        for title in box.select("h2, h3"):
            title.name = {"h2": "h4", "h3": "h5"}[title.name]
        yield box
    elif (text := output.find("pre")) is not None:
        kind = "errors" if "stderr" in str(output.get("data-mime-type", "")) else "output"
        yield _block(page, text, f"{kind} highlight no-copy")


def _join_heads(head: Tag) -> None:
    """pandas puts the name of the index into a row of its own, with nothing beside it."""
    rows = head.select("tr")
    if len(rows) != 2:
        return
    columns, names = (row.select("th") for row in rows)
    if columns[0].get_text() == "" and not any(cell.get_text() for cell in names[1:]):
        columns[0].string = names[0].get_text()
        rows[1].decompose()


def _block(page: BeautifulSoup, text: Tag, classes: str) -> Tag:
    box = page.new_tag("div", attrs={"class": classes})
    box.append(_framed(page, text))
    return box


def _framed(page: BeautifulSoup, text: Tag) -> Tag:
    """The text as the theme expects it, to be scrolled and copied: code in a frame."""
    frame = page.new_tag("pre")
    code = page.new_tag("code")
    code.extend(list(text.children))
    last = code.contents[-1] if code.contents else None
    if isinstance(last, NavigableString):
        last.replace_with(last.rstrip("\n"))
    frame.append(code)
    return frame


def _figure(page: BeautifulSoup, picture: Tag) -> Tag:
    box = page.new_tag("figure", attrs={"class": "card"})
    box.append(picture)
    return box


def _folded(page: BeautifulSoup, parts: list[Tag]) -> Tag:
    box = page.new_tag("details")
    title = page.new_tag("summary")
    title.string = "One solution"
    box.append(title)
    box.extend(parts)
    return box


def _classes(tag: Tag) -> list[str]:
    return [str(name) for name in tag.get_attribute_list("class")]

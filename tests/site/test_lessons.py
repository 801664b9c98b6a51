"""Lessons become plain pages of the theme, and lose nothing on the way."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from mkdocs_jupyter.convert import nb2html  # type: ignore[import-untyped]  # has no types
from tools.website.lessons import clause_lessons, lesson_list, lessons_in, plain_cells

PIXEL = base64.b64encode(b"any bytes; nobody draws them here").decode()
FRAME = (
    '<table border="1" class="dataframe">'
    '<thead><tr style="text-align: right;"><th></th><th>kept</th></tr>'
    "<tr><th>part</th><th></th></tr></thead>"
    "<tbody><tr><th>tags</th><td>yes</td></tr></tbody></table>"
)


def _text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def _code(source: str, *outputs: dict[str, Any], tags: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "metadata": {"tags": list(tags)},
        "execution_count": 1,
        "source": source,
        "outputs": list(outputs),
    }


def _shown(data: dict[str, str], metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"output_type": "display_data", "data": data, "metadata": metadata or {}}


def _printed(text: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def _notebook(folder: Path, *cells: dict[str, Any], name: str = "00-a-lesson.ipynb") -> Path:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {
        "cells": [cell | {"id": f"cell-{number}"} for number, cell in enumerate(cells)],
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.fixture
def page(tmp_path: Path) -> BeautifulSoup:
    """A lesson with everything that lessons have."""
    metadata = {"image/png": {"alt": "Two bars\nleft 1, right 2", "width": 300}}
    notebook = _notebook(
        tmp_path,
        _text("# A question\n\nSome `text`."),
        _code("print('<b>')", _printed("<b>\n")),
        _code("frame", _shown({"text/html": FRAME, "text/plain": "frame"})),
        _code("figure", _shown({"image/png": PIXEL, "text/plain": "Two bars"}, metadata)),
        _text("## Exercise\n\n```console\n$ memory-fidelity list\n```"),
        _code("answer = 1 + 1\nanswer", _shown({"text/plain": "2"}), tags=("solution",)),
    )
    return BeautifulSoup(plain_cells(nb2html(str(notebook)), notebook), "html.parser")


def test_nothing_is_brought_along(page: BeautifulSoup) -> None:
    """No script, no style and none of JupyterLab's classes are left."""
    assert page.select("script, style, link, [class*='jp-'], clipboard-copy") == []


def test_text_keeps_its_headings(page: BeautifulSoup) -> None:
    """Headings have the ids that the table of contents links to."""
    assert [(each.name, each["id"]) for each in page.select("h1, h2")] == [
        ("h1", "a-question"),
        ("h2", "exercise"),
    ]


def test_code_is_a_block_of_the_theme(page: BeautifulSoup) -> None:
    """Each code cell is shown once, coloured, and can be copied."""
    blocks = page.select("div.language-python.highlight > pre > code")

    assert [block.get_text() for block in blocks] == [
        "print('<b>')",
        "frame",
        "figure",
        "answer = 1 + 1\nanswer",
    ]
    assert blocks[0].select("span")


def test_block_in_a_text_is_framed(page: BeautifulSoup) -> None:
    """A block of code in a text scrolls and can be copied like any other."""
    (block,) = page.select(".highlight:not(.language-python, .output) > pre > code")

    assert block.get_text() == "$ memory-fidelity list"


def test_output_is_shown_below(page: BeautifulSoup) -> None:
    """What was printed is text, whatever it looks like, and has no button to copy it."""
    assert [each.get_text() for each in page.select(".output.no-copy code")] == ["<b>", "2"]


def test_frame_is_a_table_of_the_theme(page: BeautifulSoup) -> None:
    """pandas' two rows of heads are one, and its attributes are gone."""
    table = page.select_one(".output table")

    assert table is not None
    assert table.attrs == {}
    assert [each.get_text() for each in table.select("thead th")] == ["part", "kept"]


def test_picture_has_its_text(page: BeautifulSoup) -> None:
    """The cell's alternative text and width are the picture's."""
    picture = page.select_one("figure.card img")

    assert picture is not None
    assert picture["alt"] == "Two bars\nleft 1, right 2"
    assert picture["style"] == "width: 300px"
    assert base64.b64decode(str(picture["src"]).partition(",")[2]) == base64.b64decode(PIXEL)


def test_solution_is_folded(page: BeautifulSoup) -> None:
    """A solution is there, closed, with its output, once."""
    folded = page.select("details")

    assert [each.summary.get_text() for each in folded if each.summary] == ["One solution"]
    assert [each.get_text() for each in folded[0].select("code")] == ["answer = 1 + 1\nanswer", "2"]
    assert "open" not in folded[0].attrs


def test_lesson_is_known_by_number_and_question(tmp_path: Path) -> None:
    """Other pages show the number, the first heading and the paragraph below it."""
    _notebook(
        tmp_path,
        _text(
            "# Who *asks*?\n\nSee [00](00-first.ipynb) and\n[C3](../docs/reference/clauses.md#c3)."
        ),
        name="01-second.ipynb",
    )

    (lesson,) = lessons_in(tmp_path)

    assert (lesson.title, lesson.clauses) == ("01 · Who asks?", ("C3",))
    assert lesson_list([lesson]) == (
        "**[01 · Who asks?](notebooks/01-second.ipynb)**  \n"
        "See [00](notebooks/00-first.ipynb) and [C3](reference/clauses.md#c3)."
    )
    assert clause_lessons([lesson]) == {"C3": ["[01 · Who asks?](../notebooks/01-second.ipynb)"]}

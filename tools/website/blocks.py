"""Pieces of Markdown that the generated pages are written in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["clause_links", "heading", "paragraphs", "prose", "table"]


def heading(level: int, title: str, anchor: str) -> str:
    """Return a heading that is linked to by `#anchor`."""
    return f"{'#' * level} {title} {{ #{anchor} }}"


def prose(text: str) -> str:
    """Return a text, in which what stands in backticks is code, as one line of Markdown."""
    pieces = " ".join(text.split()).split("`")
    return "`".join(
        piece if place % 2 else _without_markup(piece) for place, piece in enumerate(pieces)
    )


def paragraphs(described: str) -> str:
    """Return a docstring as Markdown: its paragraphs stay, its line breaks do not."""
    return "\n\n".join(prose(paragraph) for paragraph in described.split("\n\n"))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; a bar in a cell stays a bar."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
    )


def clause_links(clauses: Iterable[str], page: str = "clauses.md") -> str:
    """Return links to clauses, as seen from a page in the same folder as `page` says."""
    return ", ".join(f"[{clause}]({page}#{clause.lower()})" for clause in clauses)


def _without_markup(text: str) -> str:
    return (
        escape(text, quote=False)
        .replace("*", "\\*")
        .replace("_", "\\_")
        .replace("[", "\\[")
        .replace("]", "\\]")
    )

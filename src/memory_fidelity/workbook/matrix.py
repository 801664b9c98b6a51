"""A table whose cells are words on a tint: what is kept, altered, dropped, row by row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from pandas import DataFrame

from memory_fidelity.workbook.figure import (
    HATCHES,
    INK,
    TINTS,
    Figure,
    Tone,
    rendered,
    sheet,
)

__all__ = ["matrix_figure"]

_LETTER: Final = 7
"""Pixels that one letter takes, about."""
_MARGIN: Final = 18
_ROW: Final = 28
_LONGEST: Final = 22


def matrix_figure(frame: DataFrame, tones: Mapping[str, Tone], title: str) -> Figure:
    """Draw each cell of the frame as its text on a tint.

    `tones` gives the tint by the text of a cell, or by its first word; other
    cells are plain. The alternative text holds the title and every cell.
    """
    rows = [_printable(label) for label in frame.index]
    columns = [_printable(label) for label in frame.columns]
    cells = [[_printable(cell) for cell in row] for row in frame.to_numpy().tolist()]
    widths = [
        _width([column, *(row[place] for row in cells)]) for place, column in enumerate(columns)
    ]
    labels = _width([*rows, str(frame.index.name or "")])
    with sheet(labels + sum(widths), _ROW * (len(rows) + 2)) as axes:
        axes.set_axis_off()
        axes.set_xlim(-labels, sum(widths))
        axes.set_ylim(len(rows), -1)
        axes.set_title(title, loc="left", fontsize=12, fontweight="bold", x=0)
        for line, label in enumerate(rows):
            _write(axes, -labels, line, label, bold=True)
        left = 0
        for place, column in enumerate(columns):
            _write(axes, left, -1, column, bold=True)
            for line, row in enumerate(cells):
                _paint(axes, left, line, widths[place], _tone(row[place], tones))
                _write(axes, left + _MARGIN // 2, line, row[place])
            left += widths[place]
        return rendered(axes, _described(title, rows, columns, cells))


def _printable(value: object) -> str:
    text = str(value)
    return text if text.isprintable() else ascii(text)


def _width(texts: list[str]) -> int:
    return max(min(len(text), _LONGEST) for text in texts) * _LETTER + _MARGIN


def _tone(cell: str, tones: Mapping[str, Tone]) -> Tone:
    return tones.get(cell) or tones.get(cell.partition(" ")[0]) or "plain"


def _paint(axes: Axes, left: int, line: int, width: int, tone: Tone) -> None:
    axes.add_patch(
        Rectangle(
            (left + 2, line + 0.06),
            width - 4,
            0.88,
            facecolor=TINTS[tone],
            hatch=HATCHES[tone],
            linewidth=0,
        )
    )


def _write(axes: Axes, left: int, line: int, text: str, *, bold: bool = False) -> None:
    axes.text(
        left + 2,
        line + 0.5,
        text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…",
        va="center",
        color=INK,
        fontsize=10,
        fontweight="bold" if bold else "normal",
    )


def _described(title: str, rows: list[str], columns: list[str], cells: list[list[str]]) -> str:
    lines = [
        f"{label}: "
        + ", ".join(f"{column} {cell}" for column, cell in zip(columns, row, strict=True))
        for label, row in zip(rows, cells, strict=True)
    ]
    return "\n".join([title, *lines])

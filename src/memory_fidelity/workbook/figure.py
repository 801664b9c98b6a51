"""A picture with the words that stand for it, the same bytes wherever it is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final, Literal

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

__all__ = ["HATCHES", "INK", "TINTS", "Figure", "Tone", "rendered", "sheet"]

Tone = Literal["good", "warn", "bad", "plain"]
"""What a tint says of the words on it."""

# The blue and the two reds of Okabe and Ito, which colour-blind readers tell apart,
# and tints of them on which black text is read with ease.
INK: Final = "#222222"
TINTS: Final[dict[Tone, str]] = {
    "good": "#cfe3f2",
    "warn": "#fbe3b5",
    "bad": "#f5c9b5",
    "plain": "#eeeeee",
}
# Told apart without colour as well, beside the words themselves.
HATCHES: Final[dict[Tone, str]] = {"good": "", "warn": "..", "bad": "///", "plain": ""}

_DOTS_PER_PIXEL: Final = 2
_PIXELS_PER_INCH: Final = 72
_STYLE: Final[dict[str, Any]] = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, so it is the same everywhere
    "font.size": 11,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "white",  # a card of its own on a dark page, too
    "savefig.facecolor": "white",
    "text.parse_math": False,  # data may hold a dollar sign
    "hatch.linewidth": 0.5,
    "hatch.color": "#00000038",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture, and its alternative text, which is also its form as text."""

    png: bytes
    alt: str
    """What the picture shows, its data included, in plain text."""
    width: int
    """How wide it is meant to be shown, in pixels; it holds twice as many."""

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, bytes | str], dict[str, Mapping[str, object]]]:
        shown: dict[str, bytes | str] = {"image/png": self.png, "text/plain": self.alt}
        return shown, {"image/png": {"alt": self.alt, "width": self.width}}


@contextmanager
def sheet(width: int, height: int) -> Iterator[Axes]:
    """Give one set of axes on a sheet of so many pixels, in the style of all figures."""
    with style.context(_STYLE):
        size = (width / _PIXELS_PER_INCH, height / _PIXELS_PER_INCH)
        yield Canvas(figsize=size, layout="constrained").add_subplot()


def rendered(axes: Axes, alt: str) -> Figure:
    """Return the picture of the sheet that the axes are on; call it inside `sheet`."""
    canvas = axes.get_figure(root=True)
    if canvas is None:
        raise ValueError("axes: expected axes of a sheet, got some that were removed")
    written = BytesIO()
    # Without this, the file would say which release of matplotlib wrote it.
    canvas.savefig(
        written,
        format="png",
        dpi=_PIXELS_PER_INCH * _DOTS_PER_PIXEL,
        metadata={"Software": None},
    )
    width = round(canvas.get_figwidth() * _PIXELS_PER_INCH)
    return Figure(written.getvalue(), alt, width)

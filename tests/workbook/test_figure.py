"""Figures: the same bytes each time, and words that say what is drawn."""

from __future__ import annotations

from io import BytesIO

import pytest
from matplotlib.image import imread
from pandas import DataFrame

from memory_fidelity.workbook import Figure, matrix_figure
from memory_fidelity.workbook.figure import INK, TINTS, Tone

TONES: dict[str, Tone] = {"kept": "good", "altered": "warn", "dropped": "bad"}


def matrix(cells: list[list[str]]) -> Figure:
    """A small matrix of fates."""
    return matrix_figure(
        DataFrame(cells, index=["content", "tags"], columns=["retrieve", "search"]),
        TONES,
        "What comes back",
    )


CELLS = [["kept", "altered"], ["kept", "dropped $x$"]]


def test_the_text_of_a_figure_holds_every_cell() -> None:
    """Who cannot see the picture, and a notebook that is compared, get all of it."""
    assert repr(matrix(CELLS)) == (
        "What comes back\n"
        "content: retrieve kept, search altered\n"
        "tags: retrieve kept, search dropped $x$"
    )


def test_a_figure_is_drawn_alike_each_time() -> None:
    """Two drawings of one frame are the same bytes."""
    assert matrix(CELLS) == matrix(CELLS)


def test_another_frame_gives_another_picture() -> None:
    """The picture shows the data: one other cell is seen in it."""
    changed = [["kept", "altered"], ["kept", "kept"]]

    assert matrix(CELLS).png != matrix(changed).png


def test_a_notebook_gets_the_picture_and_its_words() -> None:
    """The alternative text goes with the image, for every renderer."""
    figure = matrix(CELLS)

    data, metadata = figure._repr_mimebundle_()

    assert data == {"image/png": figure.png, "text/plain": figure.alt}
    assert metadata == {"image/png": {"alt": figure.alt, "width": figure.width}}


def test_a_figure_stands_on_white_and_is_sharp() -> None:
    """It is opaque, so that dark pages show it too, and has two dots to a pixel."""
    figure = matrix(CELLS)

    pixels = imread(BytesIO(figure.png))

    assert pixels.shape[1] == pytest.approx(2 * figure.width, abs=2)
    assert pixels[..., 3].min() == 1.0
    assert pixels[0, 0].tolist() == [1.0, 1.0, 1.0, 1.0]


def _luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("tint", TINTS.values(), ids=TINTS)
def test_text_is_legible_on_every_tint(tint: str) -> None:
    """At least 7 to 1, the stricter contrast of the web's accessibility guidelines."""
    assert (_luminance(tint) + 0.05) / (_luminance(INK) + 0.05) >= 7

"""Which texts are compared when a query's text is searched for.

Both sides are folded with `str.casefold` and then freed of NUL, at which
SQLite's tokenizers stop reading. Four rare control characters become three
characters each, so that one text lies inside another after the change exactly
if it did before: every code starts with a character that is only ever a start.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from memory_fidelity.json_codec import encode

__all__ = ["index_query", "needle", "searchable"]

_CODES: Final = str.maketrans(
    {
        "\x00": "\x01\x02\x02",
        "\x01": "\x01\x02\x03",
        "\x02": "\x01\x03\x02",
        "\x03": "\x01\x03\x03",
    }
)

_GRAM: Final = 3
_MOST_GRAMS: Final = 8


def searchable(content: Any) -> str:
    """Return the text of a content that needles are looked for in.

    Text is itself. Of any other value it is every key, string and scalar, each
    on its own line, in document order.
    """
    return needle(content if type(content) is str else "\n".join(_lines(content)))


def needle(text: str) -> str:
    """Return a text folded and coded, ready to be compared."""
    folded = text.casefold()
    if "\x00" in folded or "\x01" in folded or "\x02" in folded or "\x03" in folded:
        return folded.translate(_CODES)
    return folded


def index_query(wanted: str) -> str | None:
    """Return the index query that every text with this needle in it answers.

    It also finds texts that have the parts and not the whole, so hits are to be
    verified. `None`: the needle is too short for the index.
    """
    last = len(wanted) - _GRAM
    if last < 0:
        return None
    # A few grams narrow the search as well as all of them, and each costs a lookup.
    steps = min(-(-last // _GRAM), _MOST_GRAMS - 1)
    starts = [last * step // steps for step in range(steps + 1)] if steps else [0]
    quoted = (wanted[start : start + _GRAM].replace('"', '""') for start in starts)
    return " AND ".join(f'"{gram}"' for gram in quoted)


def _lines(root: Any) -> Iterator[str]:
    todo = [root]
    while todo:
        value = todo.pop()
        match value:
            case str():
                yield value
            case dict():
                todo += [part for pair in reversed(value.items()) for part in reversed(pair)]
            case list():
                todo += reversed(value)
            case _:
                yield encode(value)

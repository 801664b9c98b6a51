"""Which texts are compared when a query's text is searched for, whatever the service's locale.

Both sides are folded with `str.casefold` and then freed of NUL, at which
SQLite's tokenizers stop reading and which PostgreSQL refuses. Four rare control
characters become three characters each, so that one text lies inside another
after the change exactly if it did before: every code starts with a character
that is only ever a start.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from memory_fidelity.json_codec import encode

__all__ = ["needle", "searchable"]

_CODES: Final = str.maketrans(
    {
        "\x00": "\x01\x02\x02",
        "\x01": "\x01\x02\x03",
        "\x02": "\x01\x03\x02",
        "\x03": "\x01\x03\x03",
    }
)


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

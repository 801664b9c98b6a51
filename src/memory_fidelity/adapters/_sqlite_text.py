"""The trigram index of a SQLite file: what to ask it for a needle."""

from __future__ import annotations

from typing import Final

__all__ = ["index_query"]

_GRAM: Final = 3
_MOST_GRAMS: Final = 8


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

"""The part of khive's query language that finds records by one of their properties.

    MATCH (n:kind) WHERE n.properties.outer.inner = "value" RETURN n.id, n.created_at LIMIT 5

The kind and the limit can be left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from .fields import Refused

__all__ = ["Match", "parsed"]

_MOST: Final = 500
_LITERAL: Final = r"""(?:"[^"\\]*"|'[^'\\]*'|-?\d+(?:\.\d+)?)"""
_QUERY: Final = re.compile(
    r"\s*MATCH\s*\(\s*(?P<name>\w+)\s*(?::\s*(?P<kind>\w+)\s*)?\)"
    rf"\s*WHERE\s+(?P=name)\.(?P<path>properties(?:\.\w+)+)\s*=\s*(?P<value>{_LITERAL})"
    r"\s*RETURN\s+(?P=name)\.id(?P<dated>\s*,\s*(?P=name)\.created_at)?"
    r"(?:\s+LIMIT\s+(?P<limit>\d+))?\s*",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Match:
    """What a query asks for."""

    name: str
    """Of a record, in the columns of the answer."""
    kind: str | None
    path: str
    """To what is compared, from the record on."""
    value: str | float
    """What is to be there."""
    is_dated: bool
    """Whether the time at which a record was made is asked for, too."""
    limit: int


def parsed(query: str) -> Match:
    """Return what a query asks for.

    Raises:
        Refused: it is none, or one that this module cannot read.
    """
    found = _QUERY.fullmatch(query)
    if found is None:
        raise Refused("query: parse error at position 0: expected keyword 'MATCH'")
    return Match(
        name=found["name"],
        kind=found["kind"],
        path=found["path"],
        value=_value(found["value"]),
        is_dated=found["dated"] is not None,
        limit=min(int(found["limit"] or _MOST), _MOST),
    )


def _value(literal: str) -> str | float:
    return literal[1:-1] if literal[0] in "\"'" else float(literal)

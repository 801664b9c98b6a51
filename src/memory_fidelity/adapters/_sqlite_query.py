"""A search as one SQL statement that streams its hits, newest first.

One part of the query leads and gives its rows in the order of the hits, so that
a limit ends the work early; the other parts are looked up for each row. Every
value is a bound parameter, and the text of a statement depends only on how many
there are.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from memory_fidelity.adapter import Record, Search
from memory_fidelity.adapters._folded_text import needle
from memory_fidelity.adapters._sqlite_rows import record_of
from memory_fidelity.adapters._sqlite_schema import IndexMode
from memory_fidelity.adapters._sqlite_text import index_query
from memory_fidelity.adapters._terms import term

__all__ = ["find", "read"]

_MOST_BOUND_TAGS: Final = 32
"""More tags than this are put into a temporary table, for SQLite limits a statement's size."""

_FEW: Final = 500
"""So many rows are read faster than the index is asked for a text; no more are counted."""

# CROSS JOIN keeps SQLite from choosing another order.
_BY_TEXT: Final = (
    "text_index.rowid, m.id, m.body "
    "FROM text_index CROSS JOIN memory AS m ON m.seq = text_index.rowid"
)
_BY_FILTER: Final = "f.seq, m.id, m.body FROM filter AS f CROSS JOIN memory AS m ON m.seq = f.seq"
_BY_TAG: Final = "t.seq, m.id, m.body FROM tag AS t CROSS JOIN memory AS m ON m.seq = t.seq"
_BY_KEPT_TAGS: Final = (
    "t.seq, m.id, m.body "
    "FROM (SELECT DISTINCT tag.seq FROM wanted CROSS JOIN tag USING (tag)) AS t "
    "CROSS JOIN memory AS m ON m.seq = t.seq"
)
_BY_AGE: Final = "m.seq, m.id, m.body FROM memory AS m"

_HAS_FILTER: Final = (
    "EXISTS (SELECT 1 FROM filter WHERE key = :key{0} AND value = :value{0} AND seq = m.seq)"
)
_HAS_TAG: Final = "EXISTS (SELECT 1 FROM tag WHERE tag IN ({}) AND seq = m.seq)"

_FILTER_ROWS: Final = (
    "SELECT count(*) FROM (SELECT 1 FROM filter WHERE key = ? AND value = ? LIMIT ?)"
)
_TAG_ROWS: Final = "SELECT count(*) FROM (SELECT 1 FROM tag WHERE tag = ? LIMIT ?)"

_Part = Literal["text", "filter", "tag", "age"]
_Filters = list[tuple[str, str]]


class _Shape(NamedTuple):
    """All that the text of a statement depends on."""

    leader: _Part
    has_text: bool
    filters: int
    tags: int
    mode: IndexMode


def read(connection: sqlite3.Connection, identity: bytes) -> Record | None:
    """Read one row by its identity; `None` if there is none, or one of another kind."""
    found = connection.execute(
        "SELECT id, body FROM memory WHERE id = ? AND kind = 'memory'", (identity,)
    ).fetchone()
    return None if found is None else record_of(*found)


def find(connection: sqlite3.Connection, search: Search, index: IndexMode) -> list[Record]:
    """Read the rows that match every part of the query, newest first."""
    text = None if search.text is None else needle(search.text)
    grams = None if text is None else index_query(text)
    filters = [(key, term(value)) for key, value in search.filters.items()]
    tags = tuple(dict.fromkeys(search.tags))
    leader, filters = _leader(connection, grams, filters, tags)
    values: dict[str, Any] = {"text": text, "grams": grams, "limit": search.limit}
    for place, (key, value) in enumerate(filters):
        values[f"key{place}"], values[f"value{place}"] = key, value
    if len(tags) > _MOST_BOUND_TAGS:
        _keep_tags(connection, tags)
    else:
        values.update((f"tag{place}", tag) for place, tag in enumerate(tags))
    shape = _Shape(leader, text is not None, len(filters), len(tags), index)
    hits = connection.execute(_statement(shape), values).fetchall()
    return [record_of(identity, body) for _, identity, body in hits]


def _leader(
    connection: sqlite3.Connection, grams: str | None, filters: _Filters, tags: tuple[str, ...]
) -> tuple[_Part, _Filters]:
    """Return the part that leads, and the filters with the rarest one first.

    Where there is a choice, rows are counted as far as that is cheap. How many
    rows have a text is not known, so it leads unless another part has few.
    """
    if (grams is not None) + len(filters) + bool(tags) < 2:
        rest: _Part = "tag" if tags else "age"
        return "text" if grams is not None else "filter" if filters else rest, filters
    counted: list[tuple[int, _Part]] = []
    if filters:
        filters = sorted(filters, key=lambda pair: _count(connection, _FILTER_ROWS, pair))
        counted.append((_count(connection, _FILTER_ROWS, filters[0]), "filter"))
    if 0 < len(tags) <= _MOST_BOUND_TAGS:
        counted.append((sum(_count(connection, _TAG_ROWS, (tag,)) for tag in tags), "tag"))
    elif tags:
        counted.append((_FEW, "tag"))
    fewest, rarest = min(counted)
    return "text" if grams is not None and fewest >= _FEW else rarest, filters


def _count(connection: sqlite3.Connection, sql: str, values: tuple[str, ...]) -> int:
    (rows,) = connection.execute(sql, (*values, _FEW)).fetchone()
    return int(rows)


def _keep_tags(connection: sqlite3.Connection, tags: tuple[str, ...]) -> None:
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (tag TEXT PRIMARY KEY)")
    connection.execute("DELETE FROM wanted")
    connection.executemany("INSERT INTO wanted VALUES (?)", [(tag,) for tag in tags])


@lru_cache(maxsize=256)
def _statement(shape: _Shape) -> str:
    """Return the statement: one part, or one for each tag where tags lead.

    SQLite merges the parts in the order of the hits, and drops duplicates.
    """
    return " UNION ".join(_selects(shape)) + " ORDER BY 1 DESC LIMIT :limit"


def _selects(shape: _Shape) -> Iterator[str]:
    contains = ["instr(m.folded, :text) > 0"] if shape.has_text else []
    filters = [_HAS_FILTER.format(place) for place in range(shape.filters)]
    match shape.leader:
        case "text":
            yield _select(
                _BY_TEXT, "text_index MATCH :grams", *contains, *filters, *_has_tags(shape.tags)
            )
        case "filter":
            first = "f.key = :key0 AND f.value = :value0"
            yield _select(_BY_FILTER, first, *filters[1:], *_has_tags(shape.tags), *contains)
        case "tag" if shape.tags > _MOST_BOUND_TAGS:
            yield _select(_BY_KEPT_TAGS, *filters, *contains)
        case "tag":
            for place in range(shape.tags):
                yield _select(_BY_TAG, f"t.tag = :tag{place}", *filters, *contains)
        case "age" if shape.mode == "deferred":
            yield _select(_BY_AGE, "m.seq <= (SELECT visible FROM state)", *contains)
        case "age":
            yield _select(_BY_AGE, *contains)


def _select(lead: str, *conditions: str) -> str:
    return f"SELECT {lead} WHERE " + " AND ".join([*conditions, "m.kind = 'memory'"])


def _has_tags(tags: int) -> list[str]:
    if tags > _MOST_BOUND_TAGS:
        return [_HAS_TAG.format("SELECT tag FROM wanted")]
    return [_HAS_TAG.format(", ".join(f":tag{place}" for place in range(tags)))] if tags else []

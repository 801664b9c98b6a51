"""A search as one SQL statement that streams its hits, newest first.

One part of the query leads and gives its rows in the order of the hits, so that
a limit ends the work early; the other parts are looked up for each row. Every
value is a bound parameter, and the text of a statement depends only on how many
there are.
"""

from __future__ import annotations

import sqlite3
from typing import Any, Final, Literal, NamedTuple

from memory_fidelity.adapter import Record, Search
from memory_fidelity.adapters._sqlite_filters import term
from memory_fidelity.adapters._sqlite_rows import record_of
from memory_fidelity.adapters._sqlite_schema import IndexMode
from memory_fidelity.adapters._sqlite_text import index_query, needle

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

_FILTER_ROWS: Final = (
    "SELECT count(*) FROM (SELECT 1 FROM filter WHERE key = ? AND value = ? LIMIT ?)"
)
_TAG_ROWS: Final = "SELECT count(*) FROM (SELECT 1 FROM tag WHERE tag = ? LIMIT ?)"

_Part = Literal["text", "filter", "tag"]


class _Clause(NamedTuple):
    """A part of a statement, and the values of its parameters."""

    sql: str
    values: tuple[Any, ...]


class _Wanted(NamedTuple):
    """The parts of a query in the terms of the file; an absent part is `None` or empty."""

    text: str | None
    grams: str | None
    """The same for the text index, if it can be asked."""
    filters: list[tuple[str, str]]
    tags: tuple[str, ...]


def read(connection: sqlite3.Connection, identity: bytes) -> Record | None:
    """Read one row by its identity; `None` if there is none, or one of another kind."""
    found = connection.execute(
        "SELECT id, body FROM memory WHERE id = ? AND kind = 'memory'", (identity,)
    ).fetchone()
    return None if found is None else record_of(*found)


def find(connection: sqlite3.Connection, search: Search, index: IndexMode) -> list[Record]:
    """Read the rows that match every part of the query, newest first."""
    text = None if search.text is None else needle(search.text)
    wanted = _Wanted(
        text=text,
        grams=None if text is None else index_query(text),
        filters=[(key, term(value)) for key, value in search.filters.items()],
        tags=tuple(dict.fromkeys(search.tags)),
    )
    if len(wanted.tags) > _MOST_BOUND_TAGS:
        _keep_tags(connection, wanted.tags)
    statements = [_statement(*lead) for lead in _leads(connection, wanted, index)]
    sql = " UNION ".join(statement.sql for statement in statements) + " ORDER BY 1 DESC LIMIT ?"
    values = [value for statement in statements for value in statement.values]
    hits = connection.execute(sql, (*values, search.limit)).fetchall()
    return [record_of(identity, body) for _, identity, body in hits]


def _keep_tags(connection: sqlite3.Connection, tags: tuple[str, ...]) -> None:
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (tag TEXT PRIMARY KEY)")
    connection.execute("DELETE FROM wanted")
    connection.executemany("INSERT INTO wanted VALUES (?)", [(tag,) for tag in tags])


def _leads(
    connection: sqlite3.Connection, wanted: _Wanted, index: IndexMode
) -> list[tuple[str, list[_Clause]]]:
    """Return what leads, and under which conditions: one lead, or one for each tag.

    SQLite merges several in the order of the hits, and drops duplicates.
    """
    part, filters = _leader(connection, wanted)
    contains = [] if wanted.text is None else [_Clause("instr(m.folded, ?) > 0", (wanted.text,))]
    match part:
        case "text":
            match_ = _Clause("text_index MATCH ?", (wanted.grams,))
            others = [*contains, *_has_filters(filters), *_has_tags(wanted.tags)]
            return [(_BY_TEXT, [match_, *others])]
        case "filter":
            first = _Clause("f.key = ? AND f.value = ?", filters[0])
            others = [*_has_filters(filters[1:]), *_has_tags(wanted.tags), *contains]
            return [(_BY_FILTER, [first, *others])]
        case "tag":
            others = [*_has_filters(filters), *contains]
            if len(wanted.tags) > _MOST_BOUND_TAGS:
                return [(_BY_KEPT_TAGS, others)]
            return [(_BY_TAG, [_Clause("t.tag = ?", (tag,)), *others]) for tag in wanted.tags]
        case None:
            shown = _Clause("m.seq <= (SELECT visible FROM state)", ())
            return [(_BY_AGE, [shown, *contains] if index == "deferred" else contains)]


def _leader(
    connection: sqlite3.Connection, wanted: _Wanted
) -> tuple[_Part | None, list[tuple[str, str]]]:
    """Return the part that leads, and the filters with the rarest one first.

    Where there is a choice, rows are counted as far as that is cheap. How many
    rows have a text is not known, so it leads unless another part has few.
    """
    filters, tags = wanted.filters, wanted.tags
    offered: list[_Part] = ["text"] if wanted.grams is not None else []
    offered += ["filter"] * len(filters)
    offered += ["tag"] if tags else []
    if len(offered) < 2:
        return (offered[0] if offered else None), filters
    counted: list[tuple[int, _Part]] = []
    if filters:
        filters = sorted(filters, key=lambda pair: _count(connection, _FILTER_ROWS, pair))
        counted.append((_count(connection, _FILTER_ROWS, filters[0]), "filter"))
    if 0 < len(tags) <= _MOST_BOUND_TAGS:
        counted.append((sum(_count(connection, _TAG_ROWS, (tag,)) for tag in tags), "tag"))
    elif tags:
        counted.append((_FEW, "tag"))
    fewest, rarest = min(counted)
    return ("text" if "text" in offered and fewest >= _FEW else rarest), filters


def _count(connection: sqlite3.Connection, sql: str, values: tuple[str, ...]) -> int:
    (rows,) = connection.execute(sql, (*values, _FEW)).fetchone()
    return int(rows)


def _has_filters(filters: list[tuple[str, str]]) -> list[_Clause]:
    sql = "EXISTS (SELECT 1 FROM filter WHERE key = ? AND value = ? AND seq = m.seq)"
    return [_Clause(sql, pair) for pair in filters]


def _has_tags(tags: tuple[str, ...]) -> list[_Clause]:
    if not tags:
        return []
    sql = "EXISTS (SELECT 1 FROM tag WHERE tag IN ({}) AND seq = m.seq)"
    if len(tags) > _MOST_BOUND_TAGS:
        return [_Clause(sql.format("SELECT tag FROM wanted"), ())]
    return [_Clause(sql.format(", ".join("?" * len(tags))), tags)]


def _statement(lead: str, conditions: list[_Clause]) -> _Clause:
    is_item = _Clause("m.kind = 'memory'", ())
    every = [*conditions, is_item]
    where = " AND ".join(condition.sql for condition in every)
    return _Clause(
        f"SELECT {lead} WHERE {where}",
        tuple(value for condition in every for value in condition.values),
    )

"""A search as one SQL statement that streams its hits, newest first.

One predicate leads and gives its rows in the order of the hits, so that a limit
ends the work early; the others are looked up for each row. Every value is a
bound parameter, and the text of a statement depends only on how many there are.
"""

from __future__ import annotations

import sqlite3
from typing import Any, Final, NamedTuple

from memory_fidelity.adapter import Record, Search
from memory_fidelity.adapters._sqlite_filters import term
from memory_fidelity.adapters._sqlite_rows import record_of
from memory_fidelity.adapters._sqlite_schema import IndexMode
from memory_fidelity.adapters._sqlite_text import index_query, needle

__all__ = ["find", "read"]

_MOST_BOUND_TAGS: Final = 32
"""More tags than this are put into a temporary table, for SQLite limits a statement's size."""


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


class _Clause(NamedTuple):
    """A part of a statement, and the values of its parameters."""

    sql: str
    values: tuple[Any, ...]


def read(connection: sqlite3.Connection, identity: bytes) -> Record | None:
    """Read one row by its identity; `None` if there is none, or one of another kind."""
    found = connection.execute(
        "SELECT id, body FROM memory WHERE id = ? AND kind = 'memory'", (identity,)
    ).fetchone()
    return None if found is None else record_of(*found)


def find(connection: sqlite3.Connection, wanted: Search, index: IndexMode) -> list[Record]:
    """Read the rows that match every part of the query, newest first."""
    tags = tuple(dict.fromkeys(wanted.tags))
    if len(tags) > _MOST_BOUND_TAGS:
        _keep_tags(connection, tags)
    statements = [_statement(*lead) for lead in _leads(wanted, tags, index)]
    sql = " UNION ".join(statement.sql for statement in statements) + " ORDER BY 1 DESC LIMIT ?"
    values = [value for statement in statements for value in statement.values]
    hits = connection.execute(sql, (*values, wanted.limit)).fetchall()
    return [record_of(identity, body) for _, identity, body in hits]


def _keep_tags(connection: sqlite3.Connection, tags: tuple[str, ...]) -> None:
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (tag TEXT PRIMARY KEY)")
    connection.execute("DELETE FROM wanted")
    connection.executemany("INSERT INTO wanted VALUES (?)", [(tag,) for tag in tags])


def _leads(
    wanted: Search, tags: tuple[str, ...], index: IndexMode
) -> list[tuple[str, list[_Clause]]]:
    """Return which column leads, and under which conditions: one lead, or one for each tag.

    SQLite merges several in the order of the hits, and drops duplicates.
    """
    text = None if wanted.text is None else needle(wanted.text)
    query = None if text is None else index_query(text)
    contains = [] if text is None else [_Clause("instr(m.folded, ?) > 0", (text,))]
    filters = [(key, term(value)) for key, value in wanted.filters.items()]
    if query is not None:
        match = _Clause("text_index MATCH ?", (query,))
        return [(_BY_TEXT, [match, *contains, *_has_filters(filters), *_has_tags(tags)])]
    if filters:
        first = _Clause("f.key = ? AND f.value = ?", filters[0])
        return [(_BY_FILTER, [first, *_has_filters(filters[1:]), *_has_tags(tags), *contains])]
    if len(tags) > _MOST_BOUND_TAGS:
        return [(_BY_KEPT_TAGS, contains)]
    if tags:
        return [(_BY_TAG, [_Clause("t.tag = ?", (tag,)), *contains]) for tag in tags]
    if index == "deferred":
        return [(_BY_AGE, [_Clause("m.seq <= (SELECT visible FROM state)", ()), *contains])]
    return [(_BY_AGE, contains)]


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

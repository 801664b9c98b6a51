"""What the stand-in for a PostgreSQL server holds, and how it is searched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, NamedTuple, assert_never
from uuid import UUID

from memory_fidelity.adapters import _postgres_sql as _sql
from memory_fidelity.fake.postgres_statements import PostgresError

__all__ = ["OBJECTS", "Change", "Created", "Emptied", "Row", "Tables", "as_text"]


class Row(NamedTuple):
    """A row of the table of items."""

    seq: int
    namespace: str
    id: UUID
    kind: str
    created_at: float
    body: str
    folded: str
    terms: Sequence[str]


class Created(NamedTuple):
    """A change: an object is there from now on."""

    name: str


class Emptied(NamedTuple):
    """A change: all rows are gone."""


Change = Row | Created | Emptied
"""What a transaction does; a row replaces that of its namespace and id."""


class _Creation(NamedTuple):
    """What it takes to create an object."""

    tag: str
    taken: str | None = None
    """SQLSTATE if it is there already; without one, nothing happens then."""
    needs_table: bool = False


_SCHEMA: Final = "memory_fidelity"
_CREATIONS: Final = {
    _SCHEMA: _Creation("CREATE SCHEMA", "42P06"),
    "comment": _Creation("COMMENT"),
    "pg_trgm": _Creation("CREATE EXTENSION"),
    "item": _Creation("CREATE TABLE", "42P07"),
    "item_latest": _Creation("CREATE INDEX", "42P07", needs_table=True),
    "item_text": _Creation("CREATE INDEX", "42P07", needs_table=True),
    "item_terms": _Creation("CREATE INDEX", "42P07", needs_table=True),
}

OBJECTS: Final = tuple(_CREATIONS)
"""Everything that is created, in its order."""


@dataclass(slots=True)
class Tables:
    """The objects and the rows that a server shows."""

    objects: set[str] = field(default_factory=set)
    rows: dict[tuple[str, UUID], Row] = field(default_factory=dict)
    last_seq: int = 0

    def apply(self, changes: Iterable[Change]) -> None:
        """Make changes, in their order."""
        for change in changes:
            match change:
                case Row():
                    self.rows[change.namespace, change.id] = change
                    self.last_seq = max(self.last_seq, change.seq)
                case Created(name):
                    self.objects.add(name)
                case Emptied():
                    self.rows.clear()
                case _:
                    assert_never(change)

    def changed(self, changes: Sequence[Change]) -> Tables:
        """Return these tables as they are after some changes; nothing is changed here."""
        if not changes:
            return self
        tables = Tables(copy(self.objects), copy(self.rows), self.last_seq)
        tables.apply(changes)
        return tables

    def require_table(self) -> None:
        """Raise what a statement on the table of items ends in, unless it is there."""
        if "item" not in self.objects:
            raise PostgresError("42P01", 'relation "memory_fidelity.item" does not exist')

    def creation(self, name: str, *, finds_trigrams: bool) -> tuple[str, list[Change]]:
        """Return the tag and the changes of a statement that creates an object.

        `finds_trigrams`: whether the search path leads to the extension.

        Raises:
            PostgresError: it is there already, or what it needs is not.
        """
        creation = _CREATIONS[name]
        if name != _SCHEMA and _SCHEMA not in self.objects:
            raise PostgresError("3F000", f'schema "{_SCHEMA}" does not exist')
        if creation.needs_table:
            self.require_table()
        if name == "item_text" and not finds_trigrams:
            raise PostgresError("42704", 'operator class "gin_trgm_ops" does not exist')
        if name in self.objects and creation.taken is not None:
            raise PostgresError(creation.taken, f'"{name}" already exists')
        return creation.tag, [Created(name)]

    def upserted(self, seq: int, values: Sequence[Any]) -> Row | None:
        """Return the row that replaces the one of its id, unless that is of another kind.

        Raises:
            PostgresError: a value is NULL.
        """
        if None in values:
            raise PostgresError("23502", "null value in a column of relation item")
        namespace, identity, created_at, body, folded, terms = values
        kept = self.rows.get((namespace, identity))
        if kept is not None and kept.kind != "memory":
            return None
        return Row(seq, namespace, identity, "memory", created_at, body, folded, terms)

    def retrieved(self, namespace: str, identity: UUID) -> list[Row]:
        """Return the item of this id, if there is one."""
        row = self.rows.get((namespace, identity))
        return [row] if row is not None and row.kind == "memory" else []

    def found(self, namespace: str, conditions: Sequence[tuple[str, Any]], limit: int) -> list[Row]:
        """Return the newest items that meet all conditions, the newest one first.

        Raises:
            PostgresError: the limit is negative, or a pattern ends in its middle.
        """
        if limit is not None and limit < 0:
            raise PostgresError("2201W", "LIMIT must not be negative")
        rows = (
            row
            for row in self.rows.values()
            if row.namespace == namespace
            and row.kind == "memory"
            and all(_meets(condition, value, row) for condition, value in conditions)
        )
        return sorted(rows, key=lambda row: row.seq, reverse=True)[:limit]


def _meets(condition: str, value: Any, row: Row) -> bool:
    match condition:
        case _ if value is None:
            return False
        case _sql.TEXT:
            return _pattern(value).fullmatch(row.folded) is not None
        case _sql.TAGS:
            return not set(value).isdisjoint(row.terms)
        case _:
            return value in row.terms


@lru_cache(maxsize=64)
def _pattern(like: str) -> re.Pattern[str]:
    """The regular expression for a LIKE pattern, in which a backslash makes a character literal."""
    parts = re.findall(r"\\.|[^\\]|\\$", like, re.DOTALL)
    if parts and parts[-1] == "\\":
        raise PostgresError("22025", "LIKE pattern must not end with escape character")
    return re.compile(
        "".join({"%": ".*", "_": "."}.get(part, re.escape(part[-1])) for part in parts), re.DOTALL
    )


def as_text(value: object) -> bytes | None:
    """Return a value as PostgreSQL prints it."""
    match value:
        case None:
            return None
        case bool():
            return b"t" if value else b"f"
        case float():
            return _shortest(value).encode()
        case _:
            return str(value).encode()


def _shortest(number: float) -> str:
    """The shortest text that is this float8, in the notation that PostgreSQL chooses."""
    negative, numbers, exponent = Decimal(repr(number)).normalize().as_tuple()
    sign, digits = "-" if negative else "", "".join(map(str, numbers))
    point = len(digits) + int(exponent)
    if not -4 < point <= 15:
        fraction = f".{digits[1:]}" if digits[1:] else ""
        return f"{sign}{digits[0]}{fraction}e{point - 1:+03}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    whole, fraction = digits[:point].ljust(point, "0"), digits[point:]
    return f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}"

"""The statements that the stand-in for PostgreSQL understands: those that the store sends.

A statement is known by its whole text, and no part of any other is guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from psycopg import Error, pq
from psycopg.adapt import Transformer

from memory_fidelity.adapters._postgres_sql import (
    CREATE,
    FILTER,
    FIND,
    INSPECT,
    LOCK,
    RETRIEVE,
    STORE,
    SYNCHRONOUS,
    TAGS,
    TEXT,
)
from memory_fidelity.fake.postgres_replies import Column
from memory_fidelity.fake.postgres_wire import Value

__all__ = ["Action", "PostgresError", "Statement", "understood"]

Action = Literal[
    "begin",
    "commit",
    "rollback",
    "savepoint",
    "rollback to",
    "release",
    "deallocate",
    "inspect",
    "lock",
    "wait for",
    "create",
    "search path",
    "store",
    "retrieve",
    "find",
]

_BOOL, _INT8, _TEXT, _FLOAT8, _TEXTS, _VOID, _UUID = 16, 20, 25, 701, 1009, 2278, 2950
_SIZES: Final = {_BOOL: 1, _FLOAT8: 8, _VOID: 4, _UUID: 16}
_INTEGERS: Final = frozenset({_INT8, 21, 23})
_TABLE: Final = 16384
"""The OID that the table has here; a real one is any above it."""


class PostgresError(Exception):
    """What the server answers in place of a result."""

    def __init__(self, sqlstate: str, text: str) -> None:
        self.sqlstate = sqlstate
        self.text = text
        super().__init__(f"{sqlstate}: {text}")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that is understood: what it does, takes and gives."""

    action: Action
    types: tuple[int, ...] = ()
    """The OIDs of its values."""
    columns: tuple[Column, ...] = ()
    name: str = ""
    """What it names: an object to create, or a savepoint."""
    conditions: tuple[str, ...] = ()
    """Those of a search, in the order of their values."""

    def loaded(self, values: Sequence[Value]) -> list[Any]:
        """Return the values as Python has them, read by psycopg's own codec.

        Raises:
            PostgresError: one is not of its type.
        """
        codec = Transformer()
        loaded = []
        for oid, value in zip(self.types, values, strict=True):
            if value.type not in (0, oid) and not {value.type, oid} <= _INTEGERS:
                raise PostgresError("42804", f"expected a value of type {oid}, got {value.type}")
            loader = codec.get_loader(value.type or oid, pq.Format(value.format))
            loaded.append(None if value.data is None else _loaded(loader.load, value.data))
        return loaded


def _loaded(load: Any, data: bytes) -> Any:
    try:
        loaded = load(data)
    except UnicodeDecodeError as error:
        raise PostgresError("22021", 'invalid byte sequence for encoding "UTF8"') from error
    except (ValueError, Error) as error:
        raise PostgresError("22P02", "invalid input syntax") from error
    for text in loaded if isinstance(loaded, list) else [loaded]:
        if isinstance(text, str) and "\x00" in text:
            raise PostgresError("22021", 'invalid byte sequence for encoding "UTF8": 0x00')
    return loaded


def _column(name: str, oid: int, number: int = 0) -> Column:
    return Column(name, oid, _SIZES.get(oid, -1), _TABLE if number else 0, number)


_ROLE: Final = _column("pg_is_in_recovery", _BOOL)
_ID: Final = _column("id", _UUID, 3)
_SET_CONFIG: Final = _column("set_config", _TEXT)
_FOUND: Final = (_ROLE, _ID, _column("created_at", _FLOAT8, 5), _column("body", _TEXT, 6))
_CONDITIONS: Final = {TEXT: _TEXT, TAGS: _TEXTS, FILTER: _TEXT}
_CONDITION: Final = re.compile("|".join(map(re.escape, _CONDITIONS)))
_CREATED: Final = (
    "memory_fidelity",
    "comment",
    "pg_trgm",
    "",
    "item",
    "item_latest",
    "item_text",
    "item_terms",
)

_SEARCH_PATH: Final = CREATE[_CREATED.index("")]

_STATEMENTS: Final[dict[str, Statement]] = {
    "BEGIN": Statement("begin"),
    "COMMIT": Statement("commit"),
    "ROLLBACK": Statement("rollback"),
    "DEALLOCATE ALL": Statement("deallocate"),
    INSPECT: Statement(
        "inspect",
        columns=(
            _ROLE,
            _column("current_setting", _TEXT),
            _column("?column?", _BOOL),
            _column("obj_description", _TEXT),
        ),
    ),
    LOCK: Statement("lock", (_INT8,), (_column("pg_advisory_xact_lock", _VOID),)),
    SYNCHRONOUS: Statement("wait for", (_TEXT,), (_SET_CONFIG,)),
    STORE: Statement(
        "store",
        (_TEXT, _UUID, _FLOAT8, _TEXT, _TEXT, _TEXTS, _TEXT),
        (_ID, _SET_CONFIG, _column("current_setting", _TEXT)),
    ),
    RETRIEVE: Statement("retrieve", (_TEXT, _UUID), _FOUND),
    **{text: Statement("create", name=name) for text, name in zip(CREATE, _CREATED, strict=True)},
    _SEARCH_PATH: Statement("search path", columns=(_SET_CONFIG,)),
}

_SAVEPOINTS: Final[dict[str, Action]] = {
    "SAVEPOINT": "savepoint",
    "ROLLBACK TO": "rollback to",
    "RELEASE": "release",
}


@lru_cache(maxsize=256)
def understood(text: str) -> Statement:
    """Return what a statement means; its values are written `$1`, `$2` and so on.

    Raises:
        PostgresError: it is none that the store sends.
    """
    numbers = [int(number) for number in re.findall(r"\$(\d+)", text)]
    written = re.sub(r"\$\d+", "%s", text)
    if numbers == list(range(1, written.count("%s") + 1)):
        if found := _STATEMENTS.get(written) or _search(written):
            return found
        if named := re.fullmatch(r'(SAVEPOINT|ROLLBACK TO|RELEASE) "(\w+)"', text):
            return Statement(_SAVEPOINTS[named[1]], name=named[2])
    raise PostgresError("42601", f"expected a statement of the store, got {text!r}")


def _search(text: str) -> Statement | None:
    before, after = FIND
    if not (text.startswith(before) and text.endswith(after)):
        return None
    middle = text[len(before) : len(text) - len(after)]
    conditions = tuple(_CONDITION.findall(middle))
    if "".join(conditions) != middle:
        return None
    types = (_TEXT, *(_CONDITIONS[condition] for condition in conditions), _INT8)
    return Statement("find", types, _FOUND, conditions=conditions)

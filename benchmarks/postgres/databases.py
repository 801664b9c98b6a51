"""Where the stores keep their items: a database for each, on one server, dropped at the end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from uuid import uuid4

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from memory_fidelity.adapters.postgres_cluster import PostgresPair

__all__ = ["Databases", "server"]

_OWN_SERVER: Final = "MEMORY_FIDELITY_POSTGRES"


@contextmanager
def server() -> Iterator[str]:
    """Yield the connection string of the server to measure on.

    It is your own if `MEMORY_FIDELITY_POSTGRES` holds its connection string,
    and otherwise one that is started here, and stopped afterwards.

    Raises:
        ServiceMissing: there is none to be had.
    """
    own = os.environ.get(_OWN_SERVER)
    if own is not None:
        yield own
        return
    with PostgresPair() as pair:
        # It would replay every write, at the expense of whoever is being measured.
        pair.standby.stop()
        yield pair.primary.conninfo()


class Databases:
    """Empty databases of their own, so that no store's rows lie in another's way."""

    def __init__(self, conninfo: str) -> None:
        """Take a connection string of a role that may create databases."""
        self._conninfo = conninfo
        self._made: list[str] = []

    def make(self) -> str:
        """Return the connection string of a new database."""
        name = f"memory_fidelity_bench_{uuid4().hex}"
        with self._connect() as connection:
            connection.execute(
                SQL("CREATE DATABASE {} ENCODING 'UTF8' TEMPLATE template0").format(
                    Identifier(name)
                )
            )
        self._made.append(name)
        return make_conninfo(self._conninfo, dbname=name)

    def settle(self) -> None:
        """Bring what the planner knows up to date, and finish the indexes, at once in all."""
        for name in self._made:
            with self._connect(dbname=name) as connection:
                connection.execute("VACUUM ANALYZE")

    def drop(self) -> None:
        """Drop all that were made, whoever is still connected to them."""
        with self._connect() as connection:
            while self._made:
                name = Identifier(self._made.pop())
                connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(name))

    def _connect(self, **other: str) -> psycopg.Connection[Any]:
        return psycopg.connect(make_conninfo(self._conninfo, **other), autocommit=True)

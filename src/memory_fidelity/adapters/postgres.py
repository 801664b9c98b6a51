"""`PostgresMemoryStore`: every item kept exactly, as rows of a PostgreSQL database."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any, ClassVar, Final
from uuid import UUID

from memory_fidelity.adapter import MemoryAdapter, Record, Search
from memory_fidelity.adapters._postgres_card import Declared, Profile, card_of, manifest_of
from memory_fidelity.adapters._postgres_sql import RETRIEVE, STORE, found_first, retrieved, stored
from memory_fidelity.adapters._settings import filter_keys, whole_text
from memory_fidelity.errors import MemoryAdapterUnavailable
from memory_fidelity.json_codec import decode

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
except ImportError as error:
    raise ImportError(
        "memory_fidelity.adapters.postgres needs psycopg, which comes with the extra `postgres`: "
        "pip install 'memory-fidelity[postgres]'"
    ) from error

from memory_fidelity.adapters._postgres_connections import Connections, OwnConnections
from memory_fidelity.adapters._postgres_server import Server

__all__ = ["PostgresMemoryStore"]

_LONGEST_NAMESPACE: Final = 200


class PostgresMemoryStore(MemoryAdapter):
    """Keeps the items of one namespace in a PostgreSQL database, whole and exactly.

    Several tasks of one event loop may use one store, and several processes one
    namespace. Searches give the newest write first. With a `replica`, search
    asks it and nothing else, and finds a write once it was replayed there; with
    `remote_apply` each write waits for that.
    """

    fresh_records: ClassVar[bool] = True
    outages: ClassVar[tuple[type[BaseException], ...]] = (
        OSError,
        psycopg.OperationalError,
        psycopg.InterfaceError,
    )

    def __init__(
        self,
        primary: str | Connections,
        *,
        namespace: str,
        filters: Iterable[str] = (),
        replica: str | Connections | None = None,
        remote_apply: bool = False,
        timeout: float = 10.0,
        pool_size: int = 10,
        create: bool = True,
    ) -> None:
        """Say where and how; the first call connects.

        `primary` and `replica` are connection strings of libpq, or pools of the
        application's own (`psycopg_pool.AsyncConnectionPool`), which are never
        closed here. `filters` are the metadata keys that can be filtered on.
        `timeout` is in seconds, for a connection and for each answer;
        `pool_size` is how many connections to a server there are at most.
        Unless `create`, the tables must exist.

        Raises:
            TypeError: a setting is of another type.
            ValueError: a setting has another value than those offered.
        """
        if remote_apply and replica is None:
            raise ValueError("remote_apply: expected a replica to wait for, got none")
        own = isinstance(primary, str) or isinstance(replica, str)
        declared = Declared(
            profile=_profile(replica is not None, remote_apply),
            namespace=_namespace(namespace),
            filters=filter_keys(filters),
            pool_size=_pool_size(pool_size) if own else None,
            timeout=_timeout(timeout),
        )
        super().__init__(manifest_of(declared), card_of(declared))
        self._namespace = declared.namespace
        self._synchronous_commit = "remote_apply" if remote_apply else None
        self._opened: list[OwnConnections] = []
        self._written = Server(
            declared.profile,
            "primary",
            self._connections("primary", primary, pool_size),
            timeout=timeout,
            create=create,
            synchronous_commit=self._synchronous_commit,
        )
        self._searched = self._written
        if replica is not None:
            self._searched = Server(
                declared.profile,
                "standby",
                self._connections("replica", replica, pool_size),
                timeout=timeout,
                create=False,
            )

    async def native_store(self, record: Record) -> UUID | None:
        """Write one row, over the one of the same id, in one statement."""
        values = stored(self._namespace, record, self._synchronous_commit)
        row = await self._written.write(STORE, values)
        if row is None:
            return None  # the id is that of a record of another kind
        identity, _, synchronous_standbys = row
        if self._synchronous_commit is not None and not synchronous_standbys:
            raise MemoryAdapterUnavailable(
                f"{self.manifest.adapter}: store: expected a synchronous standby to wait for, got "
                "an empty synchronous_standby_names; the item was written, and search may miss it"
            )
        return UUID(str(identity))

    async def native_retrieve(self, item_id: UUID) -> Record | None:
        """Read one row of the primary by its key."""
        rows = await self._written.read(RETRIEVE, retrieved(self._namespace, item_id))
        return next(map(_record, rows), None)

    async def native_search(self, search: Search) -> list[Record]:
        """Read the newest rows that match, from the replica where there is one."""
        rows = await self._searched.read(*found_first(self._namespace, search))
        return [_record(row) for row in rows]

    async def close(self) -> None:
        """Close the connections that are this instance's own; closing twice is safe (L4)."""
        for connections in self._opened:
            await connections.close()

    def _connections(self, setting: str, given: str | Connections, size: int) -> Connections:
        if not isinstance(given, str):
            return given
        connections = OwnConnections(_parameters(setting, given), size=size)
        self._opened.append(connections)
        return connections


def _record(row: tuple[Any, ...]) -> Record:
    identity, created_at, body = row
    content, metadata, tags = decode(body)
    return Record(identity, content, tags, created_at, metadata)


def _profile(has_replica: bool, remote_apply: bool) -> Profile:
    if not has_replica:
        return "postgres"
    return "postgres-remote-apply" if remote_apply else "postgres-replica"


def _parameters(setting: str, conninfo: str) -> dict[str, Any]:
    try:
        given = conninfo_to_dict(conninfo)
    except psycopg.Error:
        # Its text, and so that of the cause, would quote the password.
        raise ValueError(
            f"{setting}: expected a connection string of libpq, got one that cannot be read"
        ) from None
    return {"application_name": "memory-fidelity", **given, "client_encoding": "utf8"}


def _namespace(namespace: str) -> str:
    text = whole_text("namespace", namespace)
    if not 0 < len(text) <= _LONGEST_NAMESPACE or "\x00" in text:
        raise ValueError(
            f"namespace: expected 1 to {_LONGEST_NAMESPACE} characters, without NUL, got {text!r}"
        )
    return text


def _timeout(seconds: float) -> float:
    if not 0 < seconds < inf:
        raise ValueError(f"timeout: expected more than 0 seconds, and an end, got {seconds!r}")
    return seconds


def _pool_size(size: int) -> int:
    if size < 1:
        raise ValueError(f"pool_size: expected 1 or more, got {size!r}")
    return size

"""The live lane of the PostgreSQL store: real servers, each behind a relay.

The servers are a pair that this process starts at first use, or your own: set
`MEMORY_FIDELITY_POSTGRES`, and for the profiles with a replica
`MEMORY_FIDELITY_POSTGRES_REPLICA`, to connection strings over TCP. Pausing the
replay of a standby takes a superuser.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from functools import partial
from importlib.metadata import version
from typing import Any, ClassVar, Final, LiteralString
from uuid import uuid4

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from memory_fidelity.adapters import postgres_cluster
from memory_fidelity.adapters._postgres_connections import OwnConnections
from memory_fidelity.adapters.postgres import PostgresMemoryStore
from memory_fidelity.fake.postgres_wire import requests
from memory_fidelity.store import ExternalMemoryStore, MemoryQuery
from memory_fidelity.testing.harness import ServiceMissing
from memory_fidelity.testing.relayed import Relayed

__all__ = ["LivePostgres", "LivePostgresRemoteApply", "LivePostgresReplica"]

_FILTERS: Final = frozenset({"n", "user"})
_PRIMARY: Final = "MEMORY_FIDELITY_POSTGRES"
_REPLICA: Final = "MEMORY_FIDELITY_POSTGRES_REPLICA"
_PATIENCE: Final = 20.0
"""Seconds in which a standby must do what it is told; it takes milliseconds."""

_FORGET: Final = "DELETE FROM memory_fidelity.item WHERE namespace = %s"
_REPLAYED: Final = "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn"
_VERSION: Final = "SELECT split_part(current_setting('server_version'), ' ', 1)"
_PAUSED: Final = "SELECT pg_get_wal_replay_pause_state() = 'paused'"


class LivePostgres(Relayed[list[str]]):
    """A namespace of its own, for one case, in a database that other runs may share."""

    has_replica: ClassVar[bool] = False
    remote_apply: ClassVar[bool] = False

    def __init__(self) -> None:
        """Choose a namespace; nothing is started yet."""
        super().__init__()
        self.namespace = f"fidelity-{uuid4().hex}"
        self._ways: list[OwnConnections] = []
        """To the primary, and to the replica if there is one, past the relays."""
        self._server_version = ""

    @property
    def service(self) -> Mapping[str, str]:
        """Versions of the server, once a store was made, and of the driver."""
        server = {"PostgreSQL": self._server_version} if self._server_version else {}
        return {**server, "psycopg": version("psycopg")}

    async def make_store(self) -> ExternalMemoryStore:
        """Return a new store on the servers, through the relays.

        Raises:
            ServiceMissing: there are no servers to be had.
        """
        return await self.store()

    async def store(self, **settings: Any) -> PostgresMemoryStore:
        """The same with settings of the store's, such as its timeout."""
        primary, *replicas = await self.client()
        store = PostgresMemoryStore(
            primary,
            namespace=self.namespace,
            filters=_FILTERS,
            replica=next(iter(replicas), None),
            remote_apply=self.remote_apply,
            **settings,
        )
        return await self.opened(store)

    async def connect(self) -> list[str]:
        """Find the servers, and return connection strings that lead to the relays before them."""
        places = self._own_places() or await self._started_places()
        for place in places:
            way = OwnConnections(conninfo_to_dict(place), size=1)
            self.closes(way.close)
            self._ways.append(way)
        ((self._server_version,),) = await self._ask(0, _VERSION)
        # Makes the tables, and has the standby replay them, before anything is held back.
        async with PostgresMemoryStore(places[0], namespace=self.namespace) as first:
            await first.search(MemoryQuery(limit=1))
        self.closes(self.reset)
        await self.make_search_index_visible()
        if self.has_replica and not self.remote_apply:
            await self.delay_index()
        return [await self._through_relay(place) for place in places]

    async def reset(self) -> None:
        """Delete every item of the namespace, wherever it is searched."""
        await self._ask(0, _FORGET, self.namespace)
        await self.make_search_index_visible()

    async def make_search_index_visible(self) -> None:
        """Let the standby, if there is one, replay everything that was acknowledged."""
        if self.has_replica:
            await self._ask(1, "SELECT pg_wal_replay_resume()")
            ((written,),) = await self._ask(0, "SELECT pg_current_wal_lsn()::text")
            await self._until(1, _REPLAYED, written)

    async def delay_index(self) -> None:
        """Pause the replay of the standby."""
        await self._ask(1, "SELECT pg_wal_replay_pause()")
        await self._until(1, _PAUSED)

    def _own_places(self) -> list[str]:
        """Connection strings of the reader's own servers, if they are given."""
        own = os.environ.get(_PRIMARY)
        if own is None:
            return []
        if not self.has_replica:
            return [_over_tcp(_PRIMARY, own)]
        replica = os.environ.get(_REPLICA)
        if replica is None:
            raise ServiceMissing(f"{_PRIMARY} is set, and {_REPLICA} is not")
        return [_over_tcp(_PRIMARY, own), _over_tcp(_REPLICA, replica)]

    async def _started_places(self) -> list[str]:
        """Connection strings of the pair that this process shares, which is left as it was."""
        pair = await asyncio.to_thread(postgres_cluster.shared)
        if self.remote_apply:
            await asyncio.to_thread(pair.synchronous, True)
            self.closes(partial(asyncio.to_thread, pair.synchronous, False))
        return [pair.primary.conninfo(), *([pair.standby.conninfo()] * self.has_replica)]

    async def _through_relay(self, conninfo: str) -> str:
        place = conninfo_to_dict(conninfo)
        host, port = str(place["host"]), int(str(place["port"]))
        relay_host, relay_port = await self.relayed(host, port, requests=requests)
        # The name of the host stays, because a certificate may be checked against it.
        return make_conninfo(conninfo, hostaddr=relay_host, port=relay_port)

    async def _until(self, server: int, condition: LiteralString, *values: str) -> None:
        async with asyncio.timeout(_PATIENCE):
            while (await self._ask(server, condition, *values)) != [(True,)]:
                pass  # each question is a round trip, so that the loop is not busy

    async def _ask(
        self, server: int, statement: LiteralString, *values: str
    ) -> list[tuple[Any, ...]]:
        async with self._ways[server].connection() as connection:
            cursor = await connection.execute(statement, values)
            return await cursor.fetchall() if cursor.description else []


class LivePostgresReplica(LivePostgres):
    """The same with search on a standby, whose replay is paused until it is made visible."""

    has_replica: ClassVar[bool] = True


class LivePostgresRemoteApply(LivePostgresReplica):
    """The same with writes that wait until the standby has replayed them."""

    remote_apply: ClassVar[bool] = True


def _over_tcp(variable: str, conninfo: str) -> str:
    place = {"host": "/", "port": "5432", **conninfo_to_dict(conninfo)}
    if str(place["host"]).startswith("/"):
        # The text stays out of the message: it may hold a password.
        raise ServiceMissing(f"{variable}: expected a host, got a connection string without one")
    return make_conninfo(conninfo, port=str(place["port"]))

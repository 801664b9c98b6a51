"""The fake lane of the PostgreSQL store: the real driver, on servers in this event loop."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import ClassVar, Final
from uuid import UUID

from memory_fidelity.adapter import Record
from memory_fidelity.adapters._postgres_sql import stored
from memory_fidelity.adapters.postgres import PostgresMemoryStore
from memory_fidelity.fake.postgres_server import FakePostgresCluster
from memory_fidelity.fake.postgres_tables import OBJECTS, Created, Emptied, Row
from memory_fidelity.store import ExternalMemoryStore
from memory_fidelity.testing.harness import Call

__all__ = ["FakePostgres", "FakePostgresRemoteApply", "FakePostgresReplica"]

_NAMESPACE: Final = "fidelity"
_FILTERS: Final = frozenset({"n", "user"})


class FakePostgres:
    """A server of its own for one case, started with the first store."""

    has_replica: ClassVar[bool] = False
    remote_apply: ClassVar[bool] = False

    def __init__(self) -> None:
        """Start nothing yet."""
        self.cluster = FakePostgresCluster(has_standby=self.has_replica)
        self.cluster.synchronous_standby_names = "*" if self.remote_apply else ""
        self._stores: list[PostgresMemoryStore] = []
        self._foreign = 0

    @property
    def service(self) -> Mapping[str, str]:
        """The version of the driver; the server is none."""
        return {"psycopg": version("psycopg")}

    async def make_store(self) -> ExternalMemoryStore:
        """Return a new store on the servers."""
        return await self.open_scope(_NAMESPACE)

    async def open_scope(self, name: str) -> ExternalMemoryStore:
        """Return a new store on the servers, in the namespace of this name."""
        if not self._stores:
            await self.cluster.start()
        standby = self.cluster.standby
        store = PostgresMemoryStore(
            self.cluster.primary.conninfo,
            namespace=name,
            filters=_FILTERS,
            replica=None if standby is None else standby.conninfo,
            remote_apply=self.remote_apply,
        )
        self._stores.append(store)
        return store

    async def reset(self) -> None:
        """Delete every row, on the standby, too."""
        self.cluster.change(Emptied())
        self.cluster.replay()

    async def make_search_index_visible(self) -> None:
        """Have the standby replay everything that was acknowledged."""
        self.cluster.replay()

    async def make_transport_unavailable(self) -> None:
        """Reset every connection, and refuse new ones."""
        await self.cluster.stop()

    async def close(self) -> None:
        """Close stores and servers; twice is safe."""
        while self._stores:
            await self._stores.pop().close()
        await self.cluster.close()

    def calls(self) -> tuple[Call, ...]:
        """Every statement that reached a server, with its values."""
        return tuple(self.cluster.calls)

    async def plant_foreign_record(self) -> UUID:
        """Write a row of another kind, indexed as an item is."""
        self._foreign += 1
        identity = UUID(int=self._foreign, version=4)
        note = Record(identity, "A note", ["note"], 1767236400.0, {"user": "ada", "n": 1})
        namespace, _, created_at, body, folded, terms, _ = stored(_NAMESPACE, note, None)
        seq = self.cluster.primary.next_seq()
        self.cluster.change(Row(seq, namespace, identity, "note", created_at, body, folded, terms))
        return identity

    async def holds(self, identity: UUID) -> bool:
        """Whether the primary has a row of this identity, of any kind."""
        return (_NAMESPACE, identity) in self.cluster.primary.tables.rows

    async def reject_next_write(self) -> None:
        """The next write violates a constraint."""
        self.cluster.plant("refuse")

    async def withhold_next_identity(self) -> None:
        """The next write gives no row, as one that was given up by a trigger."""
        self.cluster.plant("withhold")

    async def corrupt_next_response(self) -> None:
        """The next rows that are read hold half a JSON text."""
        self.cluster.plant("corrupt")

    async def break_next_call(self) -> None:
        """The next read or write is carried out, and its connection is reset."""
        self.cluster.plant("lose")

    async def hang_next_write(self) -> None:
        """The next write waits, as for a lock; when it is cancelled, nothing is written."""
        self.cluster.plant("hang")

    async def hang_next_read(self) -> None:
        """The next read waits, as on a busy disk; when it is cancelled, it is not answered."""
        self.cluster.plant("hang a read")

    async def resume(self) -> None:
        """What waits is carried out."""
        self.cluster.resume()

    async def delay_index(self) -> None:
        """Nothing to arrange: only making the index visible replays what a lagging standby has.

        Where there is none, the index is part of the write and cannot be held
        back; a store that calls it `eventual` is found out by that.
        """


class FakePostgresReplica(FakePostgres):
    """A pair, with search on a standby that has the tables, and lags."""

    has_replica: ClassVar[bool] = True

    def __init__(self) -> None:
        """Make the tables on both servers; start nothing yet."""
        super().__init__()
        self.cluster.change(*map(Created, OBJECTS))
        self.cluster.pause_replay()


class FakePostgresRemoteApply(FakePostgres):
    """A pair, with writes that wait until the standby has replayed them."""

    has_replica: ClassVar[bool] = True
    remote_apply: ClassVar[bool] = True

"""The fake lane of the khive store: the real client of MCP, with a process of a fake khive."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib.metadata import version
from typing import ClassVar, Final
from uuid import UUID, uuid4

from memory_fidelity.adapters._khive_records import Profile
from memory_fidelity.adapters.khive import KhiveMemoryStore
from memory_fidelity.adapters.mcp_session import McpServer
from memory_fidelity.fake.khive.state import KhiveSettings
from memory_fidelity.fake.khive_service import FakeKhive
from memory_fidelity.store import ExternalMemoryStore
from memory_fidelity.testing.harness import Call

__all__ = ["RiggedKhive", "RiggedKhiveEmbeddings", "RiggedKhivePlain"]

_NAMESPACE: Final = "fidelity"


class RiggedKhive:
    """A fake khive of its own for one case; each store starts a process of it."""

    profile: ClassVar[Profile] = "envelope"
    embeddings: ClassVar[bool] = False

    def __init__(self) -> None:
        """Make nothing yet."""
        self._stores: list[KhiveMemoryStore] = []

    @cached_property
    def khive(self) -> FakeKhive:
        """The service, made empty when it is first asked for."""
        lags = self.embeddings
        return FakeKhive(KhiveSettings(embeddings=lags, delays_index=lags))

    @property
    def service(self) -> Mapping[str, str]:
        """The version of the client; the service is none."""
        return {"mcp": version("mcp")}

    async def make_store(self) -> ExternalMemoryStore:
        """Return a new store on the service."""
        return await self.open_scope(_NAMESPACE)

    async def open_scope(self, name: str) -> ExternalMemoryStore:
        """Return a new store on the service, in the namespace of this name."""
        store = KhiveMemoryStore(
            McpServer(self.khive.command),
            profile=self.profile,
            namespace=name,
            embeddings=self.embeddings,
        )
        self._stores.append(store)
        return store

    async def reset(self) -> None:
        """Forget every record."""
        self.khive.forget()

    async def make_search_index_visible(self) -> None:
        """Index everything that was written."""
        self.khive.index()

    async def make_transport_unavailable(self) -> None:
        """End every process at its next request, and let none start."""
        self.khive.break_down()

    async def close(self) -> None:
        """End every process, and remove the service; twice is safe."""
        self.khive.resume()
        while self._stores:
            await self._stores.pop().close()
        self.khive.close()

    def calls(self) -> tuple[Call, ...]:
        """Every call of a verb so far, oldest first."""
        return self.khive.calls()

    async def plant_foreign_record(self) -> UUID:
        """Make an observation that has the properties of an item."""
        identity = uuid4()
        ours = {"id": str(identity), "created_at": 1.0, "metadata": {}}
        self.khive.do(
            "create",
            kind="observation",
            content="An observation that is no memory",
            properties={"lionagi": ours, "lionagi_plain": ours},
            namespace=_NAMESPACE,
        )
        return identity

    async def holds(self, identity: UUID) -> bool:
        """Whether a record of any kind has this identity among its properties."""
        kept = [record["properties"] or {} for record in self.khive.records()]
        return any(str(identity) in str(properties) for properties in kept)

    async def reject_next_write(self) -> None:
        """The next write is refused by the guard against secrets."""
        self.khive.plant("refuse")

    async def withhold_next_identity(self) -> None:
        """The next update is answered without an identity."""
        self.khive.plant("withhold")

    async def corrupt_next_response(self) -> None:
        """The next read is answered with what is no memory."""
        self.khive.plant("corrupt")

    async def break_next_call(self) -> None:
        """The next call is carried out, and its process ends before the reply."""
        self.khive.plant("lose")

    async def hang_next_write(self) -> None:
        """The next write is carried out, and its reply held back."""
        self.khive.plant("hang")

    async def hang_next_read(self) -> None:
        """The reply to the next read is held back."""
        self.khive.plant("hang a read")

    async def resume(self) -> None:
        """Let the held reply through."""
        self.khive.resume()

    async def delay_index(self) -> None:
        """Nothing to arrange: where memories have to be embedded, they are only when told to be.

        Otherwise the index is part of the write and cannot be held back; a
        store that calls it `eventual` is found out by that.
        """


class RiggedKhivePlain(RiggedKhive):
    """The same with stores that keep id, text and tags alone."""

    profile: ClassVar[Profile] = "plain"


class RiggedKhiveEmbeddings(RiggedKhive):
    """The same with a khive that embeds, so that a recall may find a write late."""

    embeddings: ClassVar[bool] = True

"""The harness of the fake: the five methods, and every control of the fake lane."""

from __future__ import annotations

from typing import ClassVar, Final
from uuid import UUID

from memory_fidelity.card import AdapterCard
from memory_fidelity.fake.behaviour import EVENTUAL, FULL, LOSSY, NATIVE_FIELDS, FakeBehaviour
from memory_fidelity.fake.service import FakeService
from memory_fidelity.fake.store import FakeMemoryStore
from memory_fidelity.fake.transport import FakeTransport
from memory_fidelity.json_codec import encode
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import ExternalMemoryStore
from memory_fidelity.testing.harness import Call
from memory_fidelity.testing.relabelled import RelabelledStore

__all__ = ["EventualFake", "FakeHarness", "LossyFake", "NativeFieldsFake"]

_NAMESPACE: Final = "fidelity"


class FakeHarness:
    """One fake service, for one case.

    With `manifest`, the stores claim it over an unchanged behaviour; `card`
    goes with it, and is made to agree with it if it is left out.
    """

    store_class: ClassVar[type[FakeMemoryStore]] = FakeMemoryStore

    def __init__(
        self,
        behaviour: FakeBehaviour = FULL,
        *,
        manifest: MemoryAdapterManifest | None = None,
        card: AdapterCard | None = None,
    ) -> None:
        """Start an empty service that does what `behaviour` says."""
        self.behaviour = behaviour
        self.backend = FakeService(behaviour)
        self.transport = FakeTransport(self.backend)
        self._manifest = manifest
        self._card = card
        self._foreign = 0

    async def make_store(self) -> ExternalMemoryStore:
        """Return a new adapter over the service."""
        return await self.open_scope(_NAMESPACE)

    async def open_scope(self, name: str) -> ExternalMemoryStore:
        """Return a new adapter over the service, in the namespace of this name."""
        store = self.connect(name)
        if self._manifest is None and self._card is None:
            return store
        manifest = self._manifest or store.manifest
        return RelabelledStore(store, manifest, self._card or self.behaviour.card(manifest))

    async def reset(self) -> None:
        """Forget every record."""
        self.backend.clear()

    async def make_search_index_visible(self) -> None:
        """Flush the index queue."""
        self.backend.flush()

    async def make_transport_unavailable(self) -> None:
        """Cut the connection, of stores made and of stores to come."""
        self.transport.disconnect()

    async def close(self) -> None:
        """End the service; twice is safe."""
        self.transport.disconnect()
        self.backend.clear()

    def calls(self) -> tuple[Call, ...]:
        """Every request so far, oldest first."""
        return self.transport.calls

    async def plant_foreign_record(self) -> UUID:
        """Write a note that a careless adapter could take for a memory item."""
        self._foreign += 1
        identity = UUID(int=self._foreign, version=4)
        note = {
            "id": str(identity),
            "kind": "note",
            "content": "A note that is no memory item",
            "tags": ["note"],
            "created_at": 1767236400.0,
            "metadata": {"user": "ada"},
        }
        self.backend.answer("put", encode({"namespace": _NAMESPACE, "record": note}).encode())
        return identity

    async def holds(self, identity: UUID) -> bool:
        """Ask the service itself, past the transport."""
        return self.backend.holds(_NAMESPACE, str(identity))

    async def reject_next_write(self) -> None:
        """Have the service refuse the next write."""
        self.transport.plant("refuse")

    async def withhold_next_identity(self) -> None:
        """Have the next write acknowledged without an identity."""
        self.transport.plant("withhold")

    async def corrupt_next_response(self) -> None:
        """Have the next read or search answered with what is no record."""
        self.transport.plant("corrupt")

    async def break_next_call(self) -> None:
        """Lose the connection after the next call and before its reply."""
        self.transport.plant("break")

    async def hang_next_write(self) -> None:
        """Hold back the reply to the next write."""
        self.transport.plant("hang")

    async def hang_next_read(self) -> None:
        """Hold back the reply to the next read or search."""
        self.transport.plant("hang a read")

    async def resume(self) -> None:
        """Let the held reply through."""
        self.transport.resume()

    async def delay_index(self) -> None:
        """Nothing to arrange: only a flush empties the queue of an eventual service.

        An immediate service indexes within the write, and cannot be delayed; a
        store that calls it `eventual` is found out by that.
        """

    def connect(self, namespace: str = _NAMESPACE) -> FakeMemoryStore:
        """Return a new adapter over the service, with its own honest manifest."""
        return self.store_class(self.transport, self.behaviour, namespace=namespace)


class EventualFake(FakeHarness):
    """Keeps everything; search finds it after a flush."""

    def __init__(self) -> None:
        """Start an empty eventual service."""
        super().__init__(EVENTUAL)


class LossyFake(FakeHarness):
    """Alters metadata, times and hits, as declared."""

    def __init__(self) -> None:
        """Start an empty lossy service."""
        super().__init__(LOSSY)


class NativeFieldsFake(FakeHarness):
    """Keeps id, content and tags only."""

    def __init__(self) -> None:
        """Start an empty service of few fields."""
        super().__init__(NATIVE_FIELDS)

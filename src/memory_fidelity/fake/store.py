"""The adapter over the fake service: a mapping, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final
from uuid import UUID

from memory_fidelity.adapter import MemoryAdapter, Record, Search
from memory_fidelity.errors import UnsupportedMemoryItem
from memory_fidelity.exact import path_to
from memory_fidelity.fake.behaviour import FULL, FakeBehaviour
from memory_fidelity.fake.transport import FakeTransport
from memory_fidelity.json_codec import decode

__all__ = ["FakeMemoryStore"]

_KIND: Final = "memory"


class FakeMemoryStore(MemoryAdapter):
    """Stores into one namespace of a fake service, as its behaviour says."""

    fresh_records = True

    def __init__(
        self,
        transport: FakeTransport,
        behaviour: FakeBehaviour = FULL,
        *,
        namespace: str = "default",
    ) -> None:
        """Take the transport; nothing is sent yet.

        Raises:
            ValueError: the namespace is no text, or an empty one.
        """
        if not isinstance(namespace, str) or not namespace:
            raise ValueError(f"namespace: expected a text that is not empty, got {namespace!r}")
        super().__init__(behaviour.manifest(), behaviour.card())
        self._transport = transport
        self._behaviour = behaviour
        self._namespace = namespace

    def refuse(self, record: Record) -> None:
        """Raise `UnsupportedMemoryItem` for what the behaviour cannot keep."""
        refused = self._behaviour.refuses_nul and isinstance(record.content, str)
        if refused and "\x00" in record.content:
            raise UnsupportedMemoryItem("content", "expected a text without NUL, got one with it")

        for key, value in (record.metadata or {}).items() if self._behaviour.flat_metadata else ():
            if isinstance(value, dict | list):
                raise UnsupportedMemoryItem(
                    path_to("metadata", key), f"expected a single value, got {type(value).__name__}"
                )

    async def native_store(self, record: Record) -> UUID | str | None:
        """Write the native fields under the record's identity."""
        fields = {name: value for name, value in record._asdict().items() if self._is_native(name)}
        written = {**fields, "id": str(record.id), "kind": _KIND}
        reply = await self._request("put", {"record": written})
        identity: str | None = reply["id"]
        return identity

    async def native_retrieve(self, item_id: UUID) -> Record | None:
        """Read by identity; a record of another kind is none of ours."""
        reply = await self._request("get", {"id": str(item_id)})
        found = reply["found"]
        return self.record_of(found) if found is not None and self.is_ours(found) else None

    async def native_search(self, search: Search) -> Iterable[Record]:
        """Find records of our kind, the latest first."""
        reply = await self._request("find", {"kind": _KIND, **search._asdict()})
        return [self.record_of(found) for found in reply["found"]]

    def is_ours(self, found: dict[str, Any]) -> bool:
        """Whether a native record is a memory item."""
        return bool(found["kind"] == _KIND)

    def record_of(self, found: dict[str, Any]) -> Record:
        """Return the fields of a native record.

        Raises:
            Exception: of any kind, if it is malformed; the base class translates it.
        """
        return Record(
            id=UUID(found["id"]),
            content=found["content"],
            tags=found.get("tags"),
            created_at=found.get("created_at"),
            metadata=found.get("metadata"),
        )

    def _is_native(self, name: str) -> bool:
        return name in self.manifest.native_item_fields

    async def _request(self, operation: str, payload: dict[str, Any]) -> dict[str, Any]:
        reply = await self._transport.request(operation, {"namespace": self._namespace, **payload})
        decoded: dict[str, Any] = decode(reply.decode())
        return decoded

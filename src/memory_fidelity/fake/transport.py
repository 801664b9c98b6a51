"""The only way to the fake service: it keeps a journal and can be made to fail."""

from __future__ import annotations

import asyncio
from typing import Any, Final, Literal

from memory_fidelity.fake.service import FakeRejected, FakeService
from memory_fidelity.json_codec import encode
from memory_fidelity.testing.harness import Call

__all__ = ["FakeConnectionError", "FakeTransport", "Fault"]

Fault = Literal["refuse", "withhold", "hang", "hang a read", "corrupt", "miss", "break"]
"""What can be planted in the next call.

`refuse`: the service refuses the write. `withhold`: a write succeeds, and the
reply has no identity. `hang`: a write succeeds, and the reply waits for
`resume`. `hang a read`: the same for a read or search. `corrupt`: a read or
search is answered with what is no record. `miss`: a read or search finds nothing.
`break`: the call succeeds, and the connection is lost before the reply.
"""

_READS: Final = frozenset({"get", "find"})
_WRITES: Final = frozenset({"put"})
_TARGETS: Final[dict[Fault, frozenset[str]]] = {
    "refuse": _WRITES,
    "withhold": _WRITES,
    "hang": _WRITES,
    "hang a read": _READS,
    "corrupt": _READS,
    "miss": _READS,
    "break": _READS | _WRITES,
}


class FakeConnectionError(ConnectionError):
    """The service cannot be reached, or no longer."""


class FakeTransport:
    """Carries requests and replies as bytes; used within one event loop."""

    def __init__(self, service: FakeService) -> None:
        """Take the service at the other end; nothing is planted."""
        self._service = service
        self._calls: list[Call] = []
        self._planted: list[Fault] = []
        self._connected = True
        self._answered: asyncio.Event | None = None

    @property
    def calls(self) -> tuple[Call, ...]:
        """Every request so far, oldest first, those that failed included."""
        return tuple(self._calls)

    def plant(self, fault: Fault) -> None:
        """Make the next call fail to which the fault can happen; then it is spent."""
        self._planted.append(fault)

    def disconnect(self) -> None:
        """Let no request through from now on."""
        self._connected = False

    def resume(self) -> None:
        """Let the reply of a hanging call through, and plant no such fault any more."""
        self._planted = [fault for fault in self._planted if not fault.startswith("hang")]
        if self._answered is not None:
            self._answered.set()

    async def request(self, operation: str, payload: dict[str, Any]) -> bytes:
        """Send one request and return the reply as it came.

        Raises:
            FakeConnectionError: there is no connection, or it was lost.
            FakeServiceError: the service refuses.
        """
        text = encode(payload)
        self._calls.append(Call(operation, text))
        if not self._connected:
            raise FakeConnectionError(f"{operation}: expected a connection, got none")
        fault = self._next_fault(operation)
        if fault == "refuse":
            raise FakeRejected(f"{operation}: expected a quota that is not spent")
        reply = self._service.answer(operation, text.encode())
        match fault:
            case "break":
                raise FakeConnectionError(f"{operation}: expected a reply, got a lost connection")
            case "withhold":
                return encode({"id": None}).encode()
            case "corrupt":
                return encode({"found": _corrupted(operation)}).encode()
            case "miss":
                return encode({"found": None if operation == "get" else []}).encode()
            case "hang" | "hang a read":
                self._answered = asyncio.Event()
                await self._answered.wait()
        return reply

    def _next_fault(self, operation: str) -> Fault | None:
        for fault in self._planted:
            if operation in _TARGETS[fault]:
                self._planted.remove(fault)
                return fault
        return None


def _corrupted(operation: str) -> Any:
    # JSON of the right kind, so that no codec can catch it in place of the adapter.
    record = {"kind": "memory", "id": 7, "tags": "none"}
    return record if operation == "get" else [record]

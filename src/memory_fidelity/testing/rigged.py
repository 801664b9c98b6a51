"""Controls for a harness whose adapter makes every call through one function.

The service behind that function stays as it is, so what an adapter meets is
the real one with one fault planted at its door.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, Literal, TypeVar

from memory_fidelity.testing.harness import Call

__all__ = ["Rigged"]

_Fault = Literal["refuse", "withhold", "hang", "hang a read", "corrupt", "break"]
_Reply = TypeVar("_Reply")


class Rigged:
    """All controls of the fake lane that a fault in one call can give.

    Inherit from it first, and from the five methods second; make the store
    over `self.rigged(...)` in place of the client's own function:

        class RiggedAcme(Rigged, LiveAcme):
            async def make_store(self):
                return AcmeStore(self.rigged(self.client.ask, ...))

    What is left to write is `PlantsForeignRecord` and `OpensScopes`, and
    `delay_index` for a service whose index can be held back. One planted fault
    happens once.
    """

    def __init__(self) -> None:
        """Plant nothing."""
        super().__init__()
        self._calls: list[Call] = []
        self._planted: _Fault | None = None
        self._resumed = asyncio.Event()

    def rigged(
        self,
        ask: Callable[..., Awaitable[_Reply]],
        *,
        writes: Collection[str],
        refusal: _Reply | Exception,
        unidentified: _Reply,
        malformed: Mapping[str, _Reply],
        loss: Exception | None = None,
    ) -> Callable[..., Awaitable[_Reply]]:
        """Return the function with a journal, and with whatever is planted next.

        Its first argument names the operation; the others are what it carries.

        Args:
            ask: makes one call to the service, and returns its reply.
            writes: the operations that write an item.
            refusal: how a refused write looks: a reply, or the error that is raised.
            unidentified: the reply to a write that does not say what was written.
            malformed: by operation that reads, a reply that is no record.
            loss: the error when the connection is lost; `ConnectionResetError` if not given.
        """
        lost = loss or ConnectionResetError("the connection was lost before the reply")
        happens: dict[_Fault, Collection[str]] = {
            "refuse": writes,
            "withhold": writes,
            "hang": writes,
            "hang a read": malformed,
            "corrupt": malformed,
            "break": {*writes, *malformed},
        }

        async def call(operation: str, *carried: Any) -> _Reply:
            self._calls.append(Call(operation, " ".join(map(str, carried))))
            fault = self._planted
            if fault is None or operation not in happens[fault]:
                return await ask(operation, *carried)
            self._planted = None
            if fault == "refuse":
                return _given(refusal)
            reply = await ask(operation, *carried)
            if fault == "break":
                raise lost
            if fault == "withhold":
                return unidentified
            if fault == "corrupt":
                return malformed[operation]
            await self._resumed.wait()
            return reply

        return call

    def calls(self) -> tuple[Call, ...]:
        """Every call so far, oldest first, those that failed included."""
        return tuple(self._calls)

    async def reject_next_write(self) -> None:
        """Refuse the next write in place of the service."""
        self._planted = "refuse"

    async def withhold_next_identity(self) -> None:
        """Carry out the next write, and leave its identity out of the reply."""
        self._planted = "withhold"

    async def corrupt_next_response(self) -> None:
        """Replace the next reply to a read by one that is no record."""
        self._planted = "corrupt"

    async def break_next_call(self) -> None:
        """Carry out the next call, and lose its reply."""
        self._planted = "break"

    async def hang_next_write(self) -> None:
        """Carry out the next write, and hold its reply back."""
        self._planted = "hang"

    async def hang_next_read(self) -> None:
        """Carry out the next read or search, and hold its reply back."""
        self._planted = "hang a read"

    async def resume(self) -> None:
        """Let the reply through that was held back, and hold none back any more."""
        if self._planted in ("hang", "hang a read"):
            self._planted = None
        self._resumed.set()
        self._resumed = asyncio.Event()

    async def delay_index(self) -> None:
        """Nothing to arrange for an index that cannot be delayed; replace it for one that can."""


def _given(answer: _Reply | Exception) -> _Reply:
    if isinstance(answer, Exception):
        raise answer
    return answer

"""One way into every kit's backend, for probes that are the same for all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol, TypeVar

__all__ = ["Broken", "Door", "Found", "Record", "attempt"]

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Record:
    """What a probe writes."""

    key: str
    text: str = "plain"
    metadata: Mapping[str, Any] = field(default_factory=dict)
    scope: str = "a"


@dataclass(frozen=True, slots=True)
class Found:
    """What came back; the metadata are the backend's own object."""

    key: str
    text: Any
    metadata: Any
    time: str = ""


class Door(Protocol):
    """The operations that probes use; a kit leaves out the faults in those that it has not."""

    async def write(self, *records: Record) -> Sequence[str]:
        """Write records at once, and return the identities that are acknowledged."""
        ...

    async def read(self, key: str, scope: str = "a") -> Found | None:
        """Return the record with an identity, read directly where the backend can."""
        ...

    async def search(
        self, filters: Mapping[str, Any] | None = None, limit: int | None = None
    ) -> Sequence[Found]:
        """Return the hits of a search."""
        ...

    async def delete(self, key: str) -> None:
        """Delete the record with an identity, or what holds it."""
        ...

    def break_storage(self) -> None:
        """Let whatever touches the stored records fail from now on."""
        ...


class Broken:
    """Stands where records are kept, and fails whatever is asked of it."""

    def _fail(self, *_arguments: Any) -> NoReturn:
        raise ConnectionError("the storage is gone")

    __contains__ = __delitem__ = __getitem__ = __iter__ = __len__ = __setitem__ = _fail

    def __getattr__(self, name: str) -> NoReturn:
        self._fail()


def attempt(forgiving: bool, call: Callable[[], Answer], otherwise: Answer) -> Answer:
    """Return the answer of a call; if `forgiving`, something else when it fails."""
    if not forgiving:
        return call()
    try:
        return call()
    except Exception:  # noqa: BLE001 - to swallow every failure is the fault that is planted
        return otherwise

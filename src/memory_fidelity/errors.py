"""What can go wrong with an explicit memory operation (clauses E1 to E6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = [
    "MemoryAdapterError",
    "MemoryAdapterUnavailable",
    "UnsupportedMemoryItem",
    "UnsupportedMemoryQuery",
]


class MemoryAdapterError(RuntimeError):
    """Base class for an explicit external MemoryStore operation failure."""


class UnsupportedMemoryQuery(MemoryAdapterError):
    """The query asks for something that the adapter does not offer.

    Raised before anything reaches the service. `rejected_keys` names every
    rejected key, unique and sorted (C10); a note on the exception says what
    was expected and what was given, where that is more than the key.
    """

    def __init__(self, rejected_keys: Iterable[str]) -> None:
        self.rejected_keys = tuple(sorted(set(rejected_keys)))
        super().__init__("unsupported memory query keys: " + ", ".join(self.rejected_keys))

    def __reduce__(self) -> tuple[type, tuple[tuple[str, ...]], dict[str, Any]]:
        # Without this, unpickling would take the message for the keys.
        return type(self), (self.rejected_keys,), self.__dict__


class UnsupportedMemoryItem(MemoryAdapterError):
    """The item holds something that the adapter cannot keep (W1).

    Raised before anything reaches the service, so nothing was written.
    `path` is the place inside the item, such as `metadata.price[2]`; `reason`
    says what was expected and what was given.
    """

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"unsupported memory item: {path}: {reason}")

    def __reduce__(self) -> tuple[type, tuple[str, str], dict[str, Any]]:
        return type(self), (self.path, self.reason), self.__dict__


class MemoryAdapterUnavailable(MemoryAdapterError):
    """Transport or service availability prevented an explicit operation."""

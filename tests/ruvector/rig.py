"""The service under lionagi's RuVector store, with a journal and faults planted at its doors.

The store calls two things: an embedder, which in production is a network away,
and `RuVectorStore`, the native index. Both are real here but for the faults;
not a line of the store or of the index is changed.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from lionagi.integrations.ruvector import RuVectorStore, SearchHit
from lionagi.protocols.graph.node import Node

from memory_fidelity.testing import Call

__all__ = ["DIMENSIONS", "Doors", "Embedder", "RiggedIndex", "embedding"]

DIMENSIONS = 64


def embedding(text: str) -> list[float]:
    """Hash each word to a signed coordinate; the first one keeps the vector from being zero."""
    vector = [1.0] + [0.0] * (DIMENSIONS - 1)
    for word in text.lower().split():
        digest = blake2b(word.encode(), digest_size=3).digest()
        vector[1 + int.from_bytes(digest[:2]) % (DIMENSIONS - 1)] += 1.0 - 2.0 * (digest[2] % 2)
    return vector


class Doors:
    """What reached the service, and what goes wrong there next."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.closed = False
        self.breaks_next = False
        self.corrupts_next = False
        self.rejects_next = False
        self.withholds_next = False
        self.hung: asyncio.Event | None = None
        self.hangs_next_read = False
        self.answers = threading.Event()

    def reached(self, operation: str, text: str) -> None:
        """Note a call, and fail it where an outage was planted."""
        self.calls.append(Call(operation, text))
        if self.closed:
            raise ConnectionRefusedError("the service is down")
        if self.breaks_next:
            self.breaks_next = False
            raise ConnectionResetError("the connection was lost before the reply")

    def gate(self) -> threading.Event:
        """What this read must wait for, in its thread; asked for before it is noted."""
        hangs, self.hangs_next_read = self.hangs_next_read, False
        if hangs:
            return self.answers
        opened = threading.Event()
        opened.set()
        return opened

    def corrupts(self) -> bool:
        """Whether this reply is the one to be garbled."""
        corrupts, self.corrupts_next = self.corrupts_next, False
        return corrupts


class Embedder:
    """An embedding provider that is deterministic, and that can fail."""

    def __init__(self, doors: Doors) -> None:
        self._doors = doors

    async def __call__(self, text: str) -> Sequence[float]:
        """Return the vector of a text, a malformed one, or none for now."""
        self._doors.reached("embed", text)
        if self._doors.hung is not None:
            await self._doors.hung.wait()
        return [math.nan] if self._doors.corrupts() else embedding(text)


class RiggedIndex(RuVectorStore):
    """The native index, whose public operations are noted and can fail."""

    def __init__(self, doors: Doors) -> None:
        super().__init__(DIMENSIONS)
        self._doors = doors

    def add_nodes(self, nodes: list[Node]) -> list[str]:
        """Insert, be full, or insert without saying what."""
        self._doors.reached("add", " ".join(f"{node.id} {node.content}" for node in nodes))
        if self._doors.rejects_next:
            self._doors.rejects_next = False
            raise ValueError("store capacity exceeded")
        inserted = super().add_nodes(nodes)
        withheld, self._doors.withholds_next = self._doors.withholds_next, False
        return [] if withheld else inserted

    def get(self, node_id: str) -> SearchHit | None:
        """Read by identity."""
        gate = self._doors.gate()
        self._doors.reached("get", node_id)
        gate.wait()
        hit = super().get(node_id)
        return _garbled(hit) if hit is not None and self._doors.corrupts() else hit

    def search(
        self,
        vector: Any,
        k: int = 5,
        *,
        predicate: Callable[[dict[str, Any]], bool] | None = None,
    ) -> list[SearchHit]:
        """Read by similarity."""
        gate = self._doors.gate()
        self._doors.reached("search", f"k={k}")
        gate.wait()
        return self._answered(super().search(vector, k, predicate=predicate))

    def scan(
        self, k: int = 5, *, predicate: Callable[[dict[str, Any]], bool] | None = None
    ) -> list[SearchHit]:
        """Read in the order of insertion."""
        gate = self._doors.gate()
        self._doors.reached("scan", f"k={k}")
        gate.wait()
        return self._answered(super().scan(k, predicate=predicate))

    def plant(self, node: Node) -> None:
        """Insert a native record past the doors."""
        super().add_nodes([node])

    def holds(self, node_id: str) -> bool:
        """Look past the doors whether a record exists."""
        return super().get(node_id) is not None

    def clear(self) -> None:
        """Delete every record, past the doors."""
        while hits := super().scan(self.max_k):
            self.delete([hit.node_id for hit in hits])

    def _answered(self, hits: list[SearchHit]) -> list[SearchHit]:
        return [_garbled(hit) for hit in hits] if hits and self._doors.corrupts() else hits


def _garbled(hit: SearchHit) -> SearchHit:
    """The record with its envelope emptied, as a half-written one would be."""
    return replace(hit, metadata={key: {} for key in hit.metadata})

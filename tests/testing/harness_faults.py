"""Harnesses that do not do their part; each must end as an error, never as a pass or a fail."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from memory_fidelity.fake.harness import EventualFake, FakeHarness
from memory_fidelity.store import ExternalMemoryStore
from memory_fidelity.testing.harness import Call

__all__ = ["FAULTS"]


class ResetKeepsData(FakeHarness):
    """`reset` does nothing."""

    async def reset(self) -> None:
        """Forget nothing."""


class NoOutage(FakeHarness):
    """`make_transport_unavailable` does nothing."""

    async def make_transport_unavailable(self) -> None:
        """Leave the service as it is."""


class BlindJournal(FakeHarness):
    """The journal never shows a call."""

    def calls(self) -> tuple[Call, ...]:
        """Nothing."""
        return ()


class ForeignNotPlanted(FakeHarness):
    """The foreign record is a promise."""

    async def plant_foreign_record(self) -> UUID:
        """An identity that nothing has."""
        return uuid4()


class NothingRejected(FakeHarness):
    """`reject_next_write` does nothing."""

    async def reject_next_write(self) -> None:
        """Leave the next write alone."""


class NothingCorrupted(FakeHarness):
    """`corrupt_next_response` does nothing."""

    async def corrupt_next_response(self) -> None:
        """Leave the next response alone."""


class NothingBroken(FakeHarness):
    """`break_next_call` does nothing."""

    async def break_next_call(self) -> None:
        """Leave the next call alone."""


class NothingHangs(FakeHarness):
    """`hang_next_write` does nothing."""

    async def hang_next_write(self) -> None:
        """Leave the next write alone."""


class StoreCannotBeMade(FakeHarness):
    """`make_store` raises."""

    async def make_store(self) -> ExternalMemoryStore:
        """Fail."""
        raise OSError("no service")


class CannotBeMade(FakeHarness):
    """The constructor raises."""

    def __init__(self) -> None:
        raise OSError("no service")


class CannotBeClosed(FakeHarness):
    """`close` raises."""

    async def close(self) -> None:
        """Fail."""
        raise OSError("still busy")


class BarrierRaises(EventualFake):
    """`make_search_index_visible` raises."""

    async def make_search_index_visible(self) -> None:
        """Fail."""
        raise TimeoutError("the index did not converge")


class NoHarness:
    """Has none of the five methods."""


class ConstantAnswers(FakeHarness):
    """Makes a store that answers everything with the same."""

    async def make_store(self) -> Any:
        """A store that has never heard of the item."""
        manifest = self.behaviour.manifest()
        return _Constant(manifest, self.behaviour.card())


class _Constant:
    def __init__(self, manifest: object, card: object) -> None:
        self.manifest = manifest
        self.card = card

    async def store(self, item: Any) -> UUID:
        return UUID(int=item.id.int)

    async def retrieve(self, item_id: UUID) -> None:
        return None

    async def search(self, query: object) -> list[object]:
        return []


FAULTS = {
    "reset keeps data": (ResetKeepsData, "harness.reset"),
    "no outage, connected": (NoOutage, "outage.connected"),
    "no outage, connecting": (NoOutage, "outage.connecting"),
    "no outage, fallback": (NoOutage, "outage.fallback"),
    "blind journal": (BlindJournal, "search.limit.zero"),
    "foreign record not planted": (ForeignNotPlanted, "retrieve.foreign"),
    "nothing rejected": (NothingRejected, "write.rejected"),
    "nothing corrupted": (NothingCorrupted, "payload.malformed"),
    "nothing broken": (NothingBroken, "outage.midway"),
    "nothing hangs": (NothingHangs, "cancel.store"),
    "store cannot be made": (StoreCannotBeMade, "retrieve.unknown"),
    "cannot be made": (CannotBeMade, "retrieve.unknown"),
    "cannot be closed": (CannotBeClosed, "retrieve.unknown"),
    "barrier raises": (BarrierRaises, "consistency.eventual"),
    "no harness": (NoHarness, "retrieve.unknown"),
    "constant answers": (ConstantAnswers, "retrieve.unknown"),
}
"""Name of the fault: the harness that has it, and a case that depends on its part."""

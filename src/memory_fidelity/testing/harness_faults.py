"""Deliberate faults of a harness: each must end as an *error*, never as a pass or a fail.

What a harness does not do it must not be able to blame on the adapter, nor to
hide. A fault replaces methods of one made harness, so that it goes around the
harness of any author.

Some cannot be told from a fault of the adapter by anything that can be seen from
outside, and are not here: a reply whose identity is not withheld looks like an
adapter that takes any reply, a barrier that does nothing like an index that never
converges, and scopes that are one and the same like an adapter that ignores them.
They end as a fail, which sends the author to the right place all the same.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from inspect import cleandoc
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID, uuid4

from memory_fidelity.testing.harness import Call, HarnessFactory

__all__ = ["HARNESS_FAULTS", "HarnessFault"]


@dataclass(frozen=True, slots=True)
class HarnessFault:
    """One thing that a harness does not do, and everything else as it should."""

    name: str
    """Stable, public, such as `harness.no-outage`."""
    story: str
    """What such a harness does, in one sentence."""
    case: str
    """The id of a case that needs this part of it, and must end as an error."""
    make: Callable[[HarnessFactory], Any]
    """Makes one harness that has the fault out of what an honest factory makes."""

    def over(self, factory: HarnessFactory) -> HarnessFactory:
        """Return a factory whose harnesses have the fault."""
        return lambda: self.make(factory)


def _named(name: str, case: str, spoil: Callable[[Any], Any]) -> HarnessFault:
    return _made(name, case, lambda factory: spoil(factory()), cleandoc(spoil.__doc__ or ""))


def _made(
    name: str, case: str, make: Callable[[HarnessFactory], Any], story: str | None = None
) -> HarnessFault:
    told = story or cleandoc(make.__doc__ or "")
    return HarnessFault(name, told.partition("\n")[0], case, make)


async def _nothing(*_: Any) -> None:
    """Do nothing at all."""


def _idle(*methods: str) -> Callable[[Any], Any]:
    """Return what makes these methods do nothing."""

    def spoil(harness: Any) -> Any:
        for method in methods:
            setattr(harness, method, _nothing)
        return harness

    return spoil


def _reset_keeps_data(harness: Any) -> Any:
    """Forgets nothing when it is told to."""
    return _idle("reset")(harness)


def _no_outage(harness: Any) -> Any:
    """Leaves the service within reach when it is to be away."""
    return _idle("make_transport_unavailable")(harness)


def _nothing_rejected(harness: Any) -> Any:
    """Lets through the write that is to be refused."""
    return _idle("reject_next_write")(harness)


def _nothing_corrupted(harness: Any) -> Any:
    """Gives the reply as it is that is to be malformed."""
    return _idle("corrupt_next_response")(harness)


def _nothing_broken(harness: Any) -> Any:
    """Lets the call end that is to lose its connection."""
    return _idle("break_next_call")(harness)


def _write_does_not_hang(harness: Any) -> Any:
    """Answers the write that is to hang."""
    return _idle("hang_next_write")(harness)


def _read_does_not_hang(harness: Any) -> Any:
    """Answers the read that is to hang."""
    return _idle("hang_next_read")(harness)


def _blind_journal(harness: Any) -> Any:
    """Never shows a call in its journal."""
    harness.calls = lambda: ()
    return harness


def _journal_of_one(harness: Any) -> Any:
    """Shows the first call only, however many there were."""
    calls: Callable[[], tuple[Call, ...]] = harness.calls
    harness.calls = lambda: calls()[:1]
    return harness


def _journal_counts_looks(harness: Any) -> Any:
    """Shows one call more in its journal each time that it is looked at."""
    calls: Callable[[], tuple[Call, ...]] = harness.calls
    looks: list[Call] = []

    def counted() -> tuple[Call, ...]:
        looks.append(Call("ping", ""))
        return (*calls(), *looks)

    harness.calls = counted
    return harness


def _one_store(harness: Any) -> Any:
    """Makes one store, and gives it again whenever a new one is to be made."""
    make_store: Callable[[], Awaitable[Any]] = harness.make_store
    made: list[Any] = []

    async def again() -> Any:
        if not made:
            made.append(await make_store())
        return made[0]

    harness.make_store = again
    return harness


def _service_per_store(factory: HarnessFactory) -> Any:
    """Makes every store but the first over a service of its own."""
    harness: Any = factory()
    make_store, close = harness.make_store, harness.close
    others: list[Any] = []
    first = True

    async def made() -> Any:
        nonlocal first
        if first:
            first = False
            return await make_store()
        others.append(factory())
        return await others[-1].make_store()

    async def closed() -> None:
        for other in others:
            await other.close()
        await close()

    harness.make_store, harness.close = made, closed
    return harness


def _foreign_not_planted(harness: Any) -> Any:
    """Gives the identity of a foreign record that it never wrote."""

    async def promised() -> UUID:
        return uuid4()

    harness.plant_foreign_record = promised
    return harness


def _sees_nothing(harness: Any) -> Any:
    """Says of every record that the service does not hold it."""

    async def holds(_: UUID) -> bool:
        return False

    harness.holds = holds
    return harness


def _sees_everything(harness: Any) -> Any:
    """Says of every record that the service holds it."""

    async def holds(_: UUID) -> bool:
        return True

    harness.holds = holds
    return harness


def _no_store(harness: Any) -> Any:
    """Cannot make a store."""

    async def fails() -> None:
        raise OSError("no service")

    harness.make_store = fails
    return harness


def _cannot_be_made(harness: Any) -> Any:
    """Cannot be made itself."""
    raise OSError("no service")


def _cannot_be_closed(harness: Any) -> Any:
    """Fails when it is closed."""
    close: Callable[[], Awaitable[None]] = harness.close

    async def fails() -> None:
        await close()
        raise OSError("still busy")

    harness.close = fails
    return harness


def _barrier_fails(harness: Any) -> Any:
    """Fails when the index is to be made visible."""

    async def fails() -> None:
        raise TimeoutError("the index did not converge")

    harness.make_search_index_visible = fails
    return harness


class _Unfinished:
    """Has one of the five methods."""

    def __init__(self, harness: Any) -> None:
        self.close = harness.close


def _no_harness(harness: Any) -> Any:
    """Lacks most of the five methods."""
    return _Unfinished(harness)


class _Constant:
    """A store that answers everything with the same, whatever was stored."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.manifest = store.manifest
        self.card = store.card

    async def store(self, item: Any) -> UUID:
        return UUID(int=item.id.int)

    async def retrieve(self, item_id: UUID) -> None:
        return None

    async def search(self, query: object) -> list[object]:
        return []

    async def close(self) -> None:
        await self._store.close()


def _constant_answers(harness: Any) -> Any:
    """Makes a store that answers everything with the same."""
    make_store: Callable[[], Awaitable[Any]] = harness.make_store

    async def made() -> _Constant:
        return _Constant(await make_store())

    harness.make_store = made
    return harness


_ALL: Final = (
    _named("harness.reset-keeps-data", "harness.reset", _reset_keeps_data),
    _named("harness.no-outage", "outage.connected", _no_outage),
    _named("harness.nothing-rejected", "write.rejected", _nothing_rejected),
    _named("harness.nothing-corrupted", "payload.malformed", _nothing_corrupted),
    _named("harness.nothing-broken", "outage.midway", _nothing_broken),
    _named("harness.write-does-not-hang", "cancel.store", _write_does_not_hang),
    _named("harness.read-does-not-hang", "cancel.retrieve", _read_does_not_hang),
    _named("harness.blind-journal", "search.limit.zero", _blind_journal),
    _named("harness.journal-of-one", "write.rejected", _journal_of_one),
    _named("harness.journal-counts-looks", "search.limit.zero", _journal_counts_looks),
    _named("harness.one-store", "consistency.retrieve", _one_store),
    _made("harness.service-per-store", "consistency.retrieve", _service_per_store),
    _named("harness.foreign-not-planted", "retrieve.foreign", _foreign_not_planted),
    _named("harness.sees-nothing", "retrieve.foreign", _sees_nothing),
    _named("harness.sees-everything", "outage.connected", _sees_everything),
    _named("harness.no-store", "retrieve.unknown", _no_store),
    _named("harness.cannot-be-made", "retrieve.unknown", _cannot_be_made),
    _named("harness.cannot-be-closed", "retrieve.unknown", _cannot_be_closed),
    _named("harness.barrier-fails", "search.typed", _barrier_fails),
    _named("harness.no-harness", "retrieve.unknown", _no_harness),
    _named("harness.constant-answers", "retrieve.unknown", _constant_answers),
)

HARNESS_FAULTS: Final[Mapping[str, HarnessFault]] = MappingProxyType(
    {each.name: each for each in _ALL}
)
"""Every fault of a harness, by name."""

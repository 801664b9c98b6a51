"""Identities: what is returned, found, unknown, foreign or written twice (C2, C4, C5, R1, W5)."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from memory_fidelity.errors import MemoryAdapterError
from memory_fidelity.manifest import MemoryItemField
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.case import case
from memory_fidelity.testing.endings import Raised, described
from memory_fidelity.testing.harness import Journal, PlantsForeignRecord
from memory_fidelity.testing.trial import RigFault, Trial

__all__ = ["CASES"]


@case("store.identifier", "C2", "W3", control=False)
async def identifier(trial: Trial) -> None:
    """`store(item)` returns `item.id`, as a `UUID`.

    Services that mint their own ids tempt adapters into handing those out; the
    application then holds an id that no item has.
    """
    item = trial.item("identifier")
    returned = await trial.stored(item)
    if isinstance(trial.harness, Journal) and not trial.calls():
        raise RigFault("a write was acknowledged, and nothing of it reached the transport")
    trial.require(
        type(returned) is UUID,
        "C2",
        "store returns a UUID",
        f"it returned a {type(returned).__name__}",
        "return item.id",
    )
    trial.require(
        returned == item.id or type(returned) is not UUID,
        "C2",
        "store returns the id of the item",
        "it returned another id",
        "keep the item's id; if the service cannot, refuse the write",
    )
    twin = await trial.retrieved(UUID(item.id.hex))
    trial.require(
        twin is not None and twin.id == item.id,
        "C2",
        "any equal UUID retrieves the item, and the item carries it",
        "nothing came back" if twin is None else "the item came back with another id",
        "map identities by value, and give the stored id back",
    )


@case("retrieve.unknown", "C4", "R2", version=2)
async def unknown(trial: Trial) -> None:
    """An unknown id returns `None`.

    Not an empty item, not an error, and not the nearest neighbour.
    """
    await trial.stored(trial.item("somebody else"))
    await trial.indexed()
    outcome = await trial.attempt(trial.store.retrieve(uuid4()))
    trial.require(
        outcome is None,
        "C4",
        "an unknown id returns None",
        f"retrieve gave {described(outcome)}",
        "return None when the service knows no such record",
    )


def _readable() -> UUID:
    """A new identity that no service finds too plain to search for as a text."""
    return UUID(f"abcdef{uuid4().int % 10**26:026}", version=4)


@case("retrieve.direct", "R1", "C4", version=2)
async def direct(trial: Trial) -> None:
    """Retrieval reads by identity and never returns a text that mentions the id.

    Ranked recall with the id as query text finds the record that talks about
    it, and misses the record that owns it.
    """
    target, absent = trial.item("target", id=_readable()), _readable()
    await trial.stored(target)
    await trial.stored(trial.item(f"we discussed {target.id} and {absent}"))
    await trial.indexed()
    got = await trial.retrieved(target.id)
    trial.require(
        got is not None and got.id == target.id and trial.is_same(target.content, got.content),
        "R1",
        "retrieve returns the record that has the id",
        "nothing came back" if got is None else "another record came back",
        "use the service's read by identity, not its search",
    )
    trial.require(
        await trial.retrieved(absent) is None,
        "R1",
        "an id that is only mentioned in a text is unknown",
        "the text that mentions it came back",
        "use the service's read by identity, not its search",
    )


@case("retrieve.foreign", "C5", "R2", needs=(PlantsForeignRecord,))
async def foreign(trial: Trial) -> None:
    """An identity that resolves to a record of another kind returns `None`.

    Services are shared: the same id space holds notes, audit entries, graph
    nodes. None of them is a memory.
    """
    identity = await _planted(trial)
    outcome = await trial.attempt(trial.store.retrieve(identity))
    trial.require(
        outcome is None,
        "C5",
        "an identity of another native kind returns None",
        f"retrieve gave {described(outcome)}",
        "check the kind of the native record before building an item from it",
    )
    namesake = trial.item("namesake", id=identity)
    stored = await trial.attempt(trial.store.store(namesake))
    got = await trial.attempt(trial.store.retrieve(identity))
    refused = isinstance(stored, Raised) and isinstance(stored.error, MemoryAdapterError)
    kept = isinstance(got, MemoryItem) and trial.is_same(namesake.content, got.content)
    trial.require(
        got is None if refused else kept and not isinstance(stored, Raised),
        "C5",
        "an item with the identity of a foreign record is kept beside it, or refused",
        f"store gave {described(stored)}, and then retrieve gave {described(got)}",
        "keep identities of different kinds apart, or raise MemoryAdapterError",
    )


@case("search.foreign", "C5", "C7", needs=(PlantsForeignRecord,))
async def foreign_hits(trial: Trial) -> None:
    """Search never shows a record of another kind, and is not disturbed by one.

    The kind is part of the query: filtering it out after the limit loses hits.
    """
    item = trial.item("among strangers")
    await trial.stored(item)
    identity = await _planted(trial)
    await trial.indexed()
    for query in (MemoryQuery(limit=1_000), MemoryQuery(text="among strangers", limit=1_000)):
        hits = await trial.found_ids(query)
        trial.require(
            identity not in hits,
            "C5",
            "search returns memory items only",
            "a record of another native kind was among the hits",
            "restrict the native query to the adapter's own kind",
        )
        trial.require(
            item.id in hits,
            "C5",
            "a foreign record does not hide items",
            "the item beside it was not found",
            "restrict the native query to the adapter's own kind, before the limit",
        )


async def _planted(trial: Trial) -> UUID:
    control = trial.control(PlantsForeignRecord)  # type: ignore[type-abstract]
    identity = await trial.rigged(control.plant_foreign_record())
    if not await trial.rigged(control.holds(identity)):
        raise RigFault("the foreign record was planted, but the service does not hold it")
    return identity


_BITS = {"high half": 1 << 127, "version": 5 << 76, "low half": 1}
"""What makes two ids differ: a part of them alone."""


@case("store.distinct", "C3", "W3")
async def distinct(trial: Trial) -> None:
    """Two items with equal content stay two items, and so do two with similar ids.

    An identity derived from the text makes them one; so does one that is cut
    to 64 bits, or forced into the form of a random UUID.
    """
    first = trial.item("the same text", tags=["first"])
    alike = {name: UUID(int=first.id.int ^ bits) for name, bits in _BITS.items()}
    second = trial.item("the same text", tags=["second"])
    await trial.stored(first)
    await trial.stored(second)
    items = [first, second]
    for name, identity in alike.items():
        similar = trial.item("the same text", tags=[name], id=identity)
        outcome = await trial.attempt(trial.store.store(similar))
        if isinstance(outcome, Raised) and isinstance(outcome.error, MemoryAdapterError):
            trial.notes.append(f"refused: an id that differs in its {name} alone")
        else:
            items.append(similar)
    for item in items:
        got = await trial.retrieved(item.id)
        trial.require(
            got is not None and got.id == item.id and trial.is_same(item.tags, got.tags),
            "C3",
            "items are told apart by their id",
            "an item with the same content, or a similar id, took the place of another",
            "derive the native identity from item.id alone",
        )


@case("store.replace", "W5", "C3", version=2)
async def replace(trial: Trial) -> None:
    """Storing an id again replaces the item whole, or is refused with a typed error.

    Services ignore the second write, keep both, or merge the two: a key that
    was removed lives on.
    """
    old_tag, new_tag = f"old{trial.mark}", f"new{trial.mark}"
    old = trial.item("first version", tags=[old_tag, trial.mark], metadata={"old": 1, "k": 1})
    new = trial.item(
        "second version",
        tags=[new_tag, trial.mark],
        metadata={"k": 2},
        id=old.id,
        created_at=old.created_at + 86_400,
    )
    await trial.stored(old)
    await trial.indexed()
    outcome = await trial.attempt(trial.store.store(new))
    if isinstance(outcome, Raised):
        trial.require(
            isinstance(outcome.error, MemoryAdapterError),
            "W5",
            "a second write of one id is taken, or refused with MemoryAdapterError",
            f"store raised {described(outcome)}",
            "raise MemoryAdapterError from the native conflict",
        )
        trial.notes.append("an id can be written once only")
        new = old
    await trial.indexed()
    got = await trial.retrieved(old.id)
    whole = got is not None and trial.is_same(new.content, got.content)
    trial.require(
        whole and got is not None and trial.is_same(new.tags, got.tags),
        "W5",
        "after an acknowledged second write, the second version is what is stored",
        "the item is gone" if got is None else "the first version, or a mixture, came back",
        "replace the record whole, or refuse the write",
    )
    if got is not None and trial.manifest is not None and trial.manifest.preserves_metadata:
        trial.require(
            trial.is_same(new.metadata, got.metadata),
            "W5",
            "a replaced item keeps nothing of the old metadata",
            f"sent {new.metadata}, got {got.metadata}",
            "replace the metadata; do not merge it",
        )
    if got is not None and new is not old and "created_at" in _native(trial):
        trial.require(
            _is_nearer(got.created_at, new.created_at, old.created_at),
            "W5",
            "a replaced item keeps nothing of the old created_at",
            "created_at is still that of the first version",
            "replace the record whole, its time included",
        )
    await _judge_found(trial, new, {old_tag: new is old, new_tag: new is not old})


async def _judge_found(trial: Trial, last: MemoryItem, tags: dict[str, bool]) -> None:
    """Whether search knows the last version, and it alone; with a tag goes whether it finds it."""
    for tag, wanted in tags.items():
        found = last.id in await trial.found_ids(MemoryQuery(tags=[tag], limit=10))
        trial.require(
            found is wanted,
            "W5",
            "search finds an item by what was stored last, and by nothing older",
            f"the item was {'' if found else 'not '}found by the tag {tag!r}",
            "replace the item's entries in every index",
        )
    page = await trial.found(MemoryQuery(tags=[trial.mark], limit=10))
    hits = [hit for hit in page if hit.id == last.id]
    trial.require(
        len(hits) == 1,
        "W5",
        "an item that was written twice is found once",
        f"it was found {len(hits)} times",
        "write under the item's id, so that the second write takes the first one's place",
    )
    other = trial.item("first version").content
    trial.require(
        trial.is_same(last.content, other)
        or not any(trial.is_same(other, hit.content) for hit in hits),
        "W5",
        "search gives the last acknowledged version",
        "a hit is the first version, after the second was acknowledged",
        "replace the item's entries in every index",
    )


def _is_nearer(time: Any, new: float, old: float) -> bool:
    """Whether a time is rather the new one, though perhaps rounded; other types are no matter."""
    return not isinstance(time, int | float) or abs(time - new) < abs(time - old)


def _native(trial: Trial) -> frozenset[MemoryItemField]:
    return trial.manifest.native_item_fields if trial.manifest else frozenset()


CASES = (identifier, unknown, direct, foreign, foreign_hits, distinct, replace)

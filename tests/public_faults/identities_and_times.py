"""Faults in identities and in times: B26 to B37."""

from __future__ import annotations

from uuid import UUID, uuid1, uuid4

from tests.public_faults.bench import Bench, Ending

from memory_fidelity import MemoryItem
from memory_fidelity.exact import same


async def identity_as_text(bench: Bench) -> Ending:
    """B26: the identity goes in and comes out as a UUID, of whatever version and spelling."""
    for identity in (uuid4(), uuid1(), UUID(int=0), UUID(int=2**128 - 1)):
        item = MemoryItem(id=identity, content="m")
        assert same(await bench.store.store(item), identity)
        kept = await bench.store.retrieve(UUID(identity.hex.upper()))
        assert kept is not None
        assert same(kept.id, identity)
        (hit,) = [hit for hit in await bench.search(limit=10) if hit.id == identity]
        assert same(hit.id, identity)
        await _is_alone(bench, identity)
    return "preserved"


async def _is_alone(bench: Bench, identity: UUID) -> None:
    """Identities that share a half with one that is known, or differ by one bit, are unknown."""
    for changed in (1, 1 << 62, 1 << 64, 1 << 78, 1 << 127):
        near = UUID(int=identity.int ^ changed)
        assert await bench.store.retrieve(near) is None, f"{near} was read as {identity}"


async def reserved_names(bench: Bench) -> Ending:
    """B28: metadata keys with the names that services keep for themselves."""
    bench.needs("metadata")
    shadows = {"id": "ext-7", "_id": "mine", "content": "shadow", "tags": "x", "created_at": "y"}
    item = MemoryItem(content="own", tags=["t"], metadata=shadows)
    ending = await bench.stores_or_refuses(item)
    names = ["kind", "document", "$and", "lionagi", "namespace", "properties", "", "_collection"]
    for name in names:
        await bench.stores_or_refuses(MemoryItem(content="own", metadata={name: "mine"}))
    return ending


async def ranked_retrieval(bench: Bench) -> Ending:
    """B29: a text that mentions an identity, before and after the record that owns it."""
    owner = MemoryItem(content="target")
    await bench.store.store(MemoryItem(content=f"we discussed {owner.id}", tags=[str(owner.id)]))
    assert await bench.store.retrieve(owner.id) is None
    await bench.store.store(owner)
    await bench.store.store(MemoryItem(content=f"again {owner.id}", tags=[str(owner.id)]))
    return await bench.keeps(owner)


async def identity_from_text(bench: Bench) -> Ending:
    """B30: two records of equal text, tags and time."""
    bench.needs("metadata")
    items = [MemoryItem(content="same", tags=["t"], metadata={"n": n}) for n in (1, 2)]
    for item in items:
        await bench.store.store(item)
    endings = {await bench.keeps(item) for item in items}
    assert await bench.found(text="same") == {item.id for item in items}
    return endings.pop()


async def microseconds(bench: Bench) -> Ending:
    """B32: a time of microseconds, one of more, and one before 1970."""
    return await _times(bench, 1767323045.678901, 1735689600.1234567, -86400.000001)


async def another_day(bench: Bench) -> Ending:
    """B33: an early hour in UTC, the first second of a year, and the hours of a changed clock."""
    bench.needs("created_at")
    return await _times(bench, 1767236400.0, 1767225600.0, 1774746000.0, 0.0)


async def local_dates(bench: Bench) -> Ending:
    """B36: a filter on a date, which no zone may move."""
    item = MemoryItem(content="m", created_at=1767225540.0, tags=["t"])
    await bench.store.store(item)
    dates = {"created_after": 1767225600.0}
    return await bench.unsupported("created_after", tags=["t"], filters=dates)


async def naive_times(bench: Bench) -> Ending:
    """B37: what comes back is a number, so that nothing naive is read in a zone."""
    bench.needs("created_at")
    item = MemoryItem(content="m", created_at=1767323045.0)
    await bench.store.store(item)
    kept = await bench.store.retrieve(item.id)
    (hit,) = await bench.search()
    assert kept is not None
    assert {type(each.created_at) for each in (kept, hit)} == {float}
    return await bench.keeps(item)


async def _times(bench: Bench, *times: float) -> Ending:
    endings = set()
    for time in times:
        item = MemoryItem(content="m", created_at=time)
        await bench.store.store(item)
        endings.add(await bench.keeps(item))
    assert len(endings) == 1, f"expected one ending for one kind of value, got {endings}"
    return endings.pop()

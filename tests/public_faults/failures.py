"""Faults in what is late, gone, foreign, malformed or written twice: B65 to B79."""

from __future__ import annotations

from collections.abc import Awaitable
from uuid import uuid4

from tests.public_faults.bench import Bench, Ending

from memory_fidelity import (
    MemoryAdapterError,
    MemoryAdapterUnavailable,
    MemoryItem,
    MemoryQuery,
)


async def late_index(bench: Bench) -> Ending:
    """B65: what was just written is retrieved at once, and may be missed only if declared."""
    for item in [MemoryItem(content=f"fresh {n}", tags=["t"]) for n in range(3)]:
        await bench.store.store(item)
        assert await bench.store.retrieve(item.id) is not None
        seen = {hit.id for hit in await bench.store.search(MemoryQuery(tags=["t"]))}
        late = bench.manifest.search_consistency == "eventual"
        assert late or item.id in seen, "immediate, and missed by the search"
        assert item.id in await bench.found(tags=["t"])
    return "eventual_allowed"


async def missing_index(bench: Bench) -> Ending:
    """B68: where nothing was ever written, a search is empty or unavailable, and not for ever."""
    ending: Ending = "eventual_allowed"
    try:
        assert await bench.store.search(MemoryQuery(text="needle")) == []
    except MemoryAdapterUnavailable:
        ending = "unavailable"
    item = MemoryItem(content="needle")
    await bench.store.store(item)
    assert await bench.found(text="needle") == {item.id}
    await bench.harness.make_transport_unavailable()
    await _is_unavailable(bench.store.search(MemoryQuery(text="needle")))
    return ending


async def another_client(bench: Bench) -> Ending:
    """B69: a second store, opened and used before, finds what the first one wrote."""
    await bench.store.store(MemoryItem(content="before", tags=["before"]))
    await bench.harness.make_search_index_visible()
    second = await bench.harness.make_store()
    assert len(await second.search(MemoryQuery())) == 1
    for text in ("one", "two"):
        item = MemoryItem(content=text, tags=[text])
        await bench.store.store(item)
        assert await second.retrieve(item.id) is not None
        await bench.harness.make_search_index_visible()
        assert [hit.id for hit in await second.search(MemoryQuery(tags=[text]))] == [item.id]
    return "preserved"


async def counted_from_input(bench: Bench) -> Ending:
    """B71: a success that does not say what was written."""
    withhold = bench.control("withhold_next_identity")
    item = MemoryItem(content="m")
    await withhold()
    error = await _error_of(bench.store.store(item))
    assert not isinstance(error, MemoryAdapterUnavailable)
    # The store goes on: the same item can be written now.
    assert await bench.store.store(item) == item.id
    await bench.keeps(item)
    return "rejected_typed"


async def outage(bench: Bench) -> Ending:
    """B72: the service cannot be reached, by a store that is connected or by a new one."""
    item = MemoryItem(content="x")
    await bench.store.store(item)
    await bench.harness.make_transport_unavailable()
    fresh = await bench.harness.make_store()
    for store in (bench.store, fresh):
        await _is_unavailable(store.retrieve(item.id))
        await _is_unavailable(store.retrieve(uuid4()))
        await _is_unavailable(store.search(MemoryQuery(text="x x x abc")))
        await _is_unavailable(store.search(MemoryQuery(tags=["t"], limit=1)))
        await _is_unavailable(store.search(MemoryQuery()))
        await _is_unavailable(store.store(MemoryItem(content="b")))
    return "unavailable"


async def foreign(bench: Bench) -> Ending:
    """B73: a record that someone else wrote, for something else."""
    identity = await bench.control("plant_foreign_record")()
    assert await bench.control("holds")(identity), "the foreign record is not there"
    item = MemoryItem(content="ours")
    await bench.store.store(item)
    assert await bench.store.retrieve(identity) is None
    assert await bench.found() == {item.id}
    return "none"


async def malformed(bench: Bench) -> Ending:
    """B75: an answer that is no record, to a search and to a retrieval."""
    corrupt = bench.control("corrupt_next_response")
    item = MemoryItem(content="valid")
    await bench.store.store(item)
    await bench.harness.make_search_index_visible()
    for call in (
        lambda: bench.store.search(MemoryQuery()),
        lambda: bench.store.retrieve(item.id),
    ):
        await corrupt()
        error = await _error_of(call())
        assert not isinstance(error, MemoryAdapterUnavailable)
        assert error.__cause__ is not None, f"{error}: expected the native error as its cause"
    return "rejected_typed"


async def ignored_duplicate(bench: Bench) -> Ending:
    """B76: one identity is written again, with another text, and with the first one again."""
    first = MemoryItem(content="v1", tags=["one"])
    await bench.store.store(first)
    for text in ("v2", "v1", "v3"):
        ending = await bench.stores_or_refuses(MemoryItem(id=first.id, content=text, tags=[text]))
        assert ending == "preserved"
    assert await bench.found(limit=10) == {first.id}
    assert await bench.found(tags=["one"]) == set()
    return "preserved"


async def merged_metadata(bench: Bench) -> Ending:
    """B77: keys that the second write has not are gone, and so are tags."""
    bench.needs("metadata")
    first = MemoryItem(content="v1", tags=["old"], metadata={"old": "1", "k": "1", "m": {"a": "1"}})
    await bench.store.store(first)
    later = MemoryItem(id=first.id, content="v2", tags=[], metadata={"k": "2", "m": "3"})
    endings = [await bench.stores_or_refuses(later)]
    endings += [await bench.stores_or_refuses(MemoryItem(id=first.id, content="v3", metadata={}))]
    assert set(endings) == {"preserved"}
    return "preserved"


async def lost_acknowledgement(bench: Bench) -> Ending:
    """B79: the write is carried out, its answer is lost, and the caller writes once more."""
    lose = bench.control("break_next_call")
    await bench.store.store(MemoryItem(content="before"))
    item = MemoryItem(content="once", tags=["once"])
    await lose()
    await _is_unavailable(bench.store.store(item))
    assert await bench.found(tags=["once"]) <= {item.id}, "written under another identity"
    await bench.store.store(item)
    assert len(await bench.search()) == 2, "written twice"
    assert await bench.keeps(item) == "preserved"
    return "unavailable"


async def _is_unavailable(call: Awaitable[object]) -> None:
    error = await _error_of(call)
    assert isinstance(error, MemoryAdapterUnavailable), f"expected unavailable, got {error!r}"
    assert error.__cause__ is not None, f"{error}: expected the native error as its cause"


async def _error_of(call: Awaitable[object]) -> MemoryAdapterError:
    try:
        answer = await call
    except MemoryAdapterError as error:
        return error
    raise AssertionError(f"expected a MemoryAdapterError, got {answer!r}")

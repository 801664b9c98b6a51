"""When search sees a write on a real pair of servers, and what a promoted standby is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from memory_fidelity import (
    MemoryAdapterUnavailable,
    MemoryItem,
    MemoryQuery,
    NotYetSearchable,
    item_differences,
    until_searchable,
)
from memory_fidelity.adapters.postgres import PostgresMemoryStore
from memory_fidelity.adapters.postgres_cluster import PostgresPair, shared
from memory_fidelity.adapters.postgres_live import (
    LivePostgres,
    LivePostgresRemoteApply,
    LivePostgresReplica,
)
from memory_fidelity.store import ExternalMemoryStore

pytestmark = pytest.mark.usefixtures("servers")


def _on(harness: LivePostgres, scenario: Callable[[ExternalMemoryStore], Awaitable[None]]) -> None:
    async def run() -> None:
        try:
            await scenario(await harness.make_store())
        finally:
            await harness.close()

    asyncio.run(run())


def _items(count: int) -> list[MemoryItem]:
    return [
        MemoryItem(content=f"needle {n}", tags=[f"tag-{n}"], metadata={"n": n, "f": 1e22})
        for n in range(count)
    ]


async def _found(store: ExternalMemoryStore, items: list[MemoryItem]) -> int:
    """How many items a search for their own tag finds."""
    hits = [await store.search(MemoryQuery(tags=item.tags)) for item in items]
    return sum(
        [hit.id for hit in each] == [item.id] for each, item in zip(hits, items, strict=True)
    )


def test_a_paused_standby_hides_writes_from_search_alone() -> None:
    """100 writes: all retrieved exactly and none found while replay is paused; then all found."""
    harness = LivePostgresReplica()

    async def scenario(store: ExternalMemoryStore) -> None:
        items = _items(100)
        for item in items:
            await store.store(item)

        kept = [await store.retrieve(item.id) for item in items]
        hidden = await _found(store, items)
        await harness.make_search_index_visible()
        shown = await _found(store, items)

        assert all(
            got is not None and item_differences(item, got, key_order=True) == ()
            for item, got in zip(items, kept, strict=True)
        )
        assert (hidden, shown) == (0, 100)

    _on(harness, scenario)


def test_with_remote_apply_every_write_is_found_at_once() -> None:
    """200 writes, each searched for as soon as it was acknowledged."""

    async def scenario(store: ExternalMemoryStore) -> None:
        found = 0
        for item in _items(200):
            await store.store(item)
            found += await _found(store, [item])

        assert found == 200

    _on(LivePostgresRemoteApply(), scenario)


def test_waiting_for_a_write_tells_a_late_index_from_a_lost_write() -> None:
    """While replay is paused the deadline passes, and the error says that the item is there."""
    harness = LivePostgresReplica()

    async def scenario(store: ExternalMemoryStore) -> None:
        item = _items(1)[0]
        await store.store(item)

        with pytest.raises(NotYetSearchable) as caught:
            await until_searchable(store, item, deadline=0)

        assert caught.value.retrieved
        await harness.make_search_index_visible()
        assert (await until_searchable(store, item, deadline=10)).searches == 1

    _on(harness, scenario)


def test_a_lost_standby_is_an_outage_of_search_alone() -> None:
    """Search never falls back to the primary, on which writes and reads go on."""
    harness = LivePostgresReplica()

    async def scenario(store: ExternalMemoryStore) -> None:
        item = _items(1)[0]
        await harness.relays[1].refuse()

        with pytest.raises(MemoryAdapterUnavailable, match="standby: expected a usable server"):
            await store.search(MemoryQuery())

        assert await store.store(item) == item.id
        assert await store.retrieve(item.id) is not None

    _on(harness, scenario)


def test_without_a_synchronous_standby_remote_apply_does_not_acknowledge() -> None:
    """Nothing waits when no standby is named synchronous, so `immediate` would be untrue (M8)."""
    harness = LivePostgresRemoteApply()

    async def scenario(store: ExternalMemoryStore) -> None:
        await asyncio.to_thread(shared().synchronous, False)

        with pytest.raises(MemoryAdapterUnavailable, match="empty synchronous_standby_names"):
            await store.store(_items(1)[0])

    _on(harness, scenario)


def test_a_promoted_standby_is_not_searched() -> None:
    """A standby that became a primary no longer replays: its answers would be stale for good."""
    with PostgresPair() as pair:

        async def run() -> None:
            store = PostgresMemoryStore(
                pair.primary.conninfo(), namespace="tea", replica=pair.standby.conninfo()
            )
            async with store:
                await store.store(_items(1)[0])
                await asyncio.to_thread(pair.caught_up)
                before = await store.search(MemoryQuery())
                await asyncio.to_thread(pair.promote)

                for query in (MemoryQuery(), MemoryQuery(text="no such text")):
                    with pytest.raises(
                        MemoryAdapterUnavailable, match="expected a standby, got a primary"
                    ):
                        await store.search(query)

                assert len(before) == 1

        asyncio.run(run())


def test_a_write_that_no_standby_confirms_is_not_acknowledged() -> None:
    """With `remote_apply` a write waits for the standby; without one its outcome is unknown."""

    async def run() -> None:
        harness = LivePostgresRemoteApply()
        try:
            store = await harness.store(timeout=0.5)
            item = _items(1)[0]
            await store.retrieve(item.id)
            await asyncio.to_thread(shared().standby.stop)

            with pytest.raises(MemoryAdapterUnavailable, match="is unknown") as caught:
                await store.store(item)

            await asyncio.to_thread(shared().standby.start)
            assert isinstance(caught.value.__cause__, TimeoutError)
            assert await store.store(item) == item.id
        finally:
            await asyncio.to_thread(_started)
            await harness.close()

    asyncio.run(run())


def _started() -> None:
    if not shared().standby.running:
        shared().standby.start()


def test_the_shared_pair_is_left_as_it_was() -> None:
    """After a run with `remote_apply`, commits of others wait for no standby."""

    async def scenario(store: ExternalMemoryStore) -> None:
        await store.store(_items(1)[0])

    _on(LivePostgresRemoteApply(), scenario)

    with shared().primary.connect() as connection:
        names = connection.execute("SHOW synchronous_standby_names").fetchone()
    assert names == ("",)

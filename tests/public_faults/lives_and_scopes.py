"""Faults in what happens at once, at the end of a store, and between scopes: B80 to B88."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import UUID

from tests.public_faults.bench import Bench, Ending
from tests.public_faults.statements import Says

from memory_fidelity import (
    ExternalMemoryStore,
    MemoryAdapterError,
    MemoryAdapterUnavailable,
    MemoryItem,
    MemoryQuery,
)
from memory_fidelity.adapters.sqlite import SqliteMemoryStore
from memory_fidelity.fake.behaviour import FULL
from memory_fidelity.fake.service import FakeService
from memory_fidelity.fake.store import FakeMemoryStore
from memory_fidelity.fake.transport import FakeTransport

_THREADS: Final = 6
_EACH: Final = 5

_ONE_LOOP: Final = Says("concurrency", "one event loop")
_SHARED: Final = (
    Says("concurrency", "Processes share a namespace safely"),
    Says("concurrency", "calls share nothing"),
    Says("connections", "None is held"),
    Says("closing", "the client belongs to whoever made it"),
)
_ONE_ID_FOR_ALL: Final = Says("duplicates", "replaces the card, whatever its kind")
_NOTHING_TO_CLOSE: Final = (Says("closing", "There is nothing to close"),)
_NO_SCOPE_IS_GIVEN: Final = (
    Says("scope", "The whole board behind one socket"),
    Says("scope", "The cards of one kind at one address"),
)


async def at_once(bench: Bench) -> Ending:
    """B80: twenty writes at once, and then ten to one identity."""
    items = [MemoryItem(content=str(n), tags=[f"t{n}"]) for n in range(20)]
    await asyncio.gather(*map(bench.store.store, items))
    for item in items:
        await bench.keeps(item)
    one = [MemoryItem(id=items[0].id, content=f"again {n}", tags=[f"t{n}"]) for n in range(10)]
    await asyncio.gather(*map(bench.store.store, one))
    kept = await bench.store.retrieve(items[0].id)
    assert kept is not None
    # A whole write, whichever was the last: never the text of one and the tags of another.
    assert kept.content == f"again {kept.tags[0][1:]}"
    assert len(await bench.search(limit=100)) == 20
    return "preserved"


async def from_threads(bench: Bench) -> Ending:
    """B81: six threads write through one store; what was acknowledged is there when it reopens."""
    if _ONE_LOOP.stands(bench):
        return "documented_semantics"
    acknowledged: list[UUID] = []

    async def write(thread: int) -> None:
        for n in range(_EACH):
            acknowledged.append(
                await bench.store.store(MemoryItem(content=f"{n} of thread {thread}"))
            )

    def run(thread: int) -> None:
        asyncio.run(write(thread))

    await asyncio.gather(*(asyncio.to_thread(run, thread) for thread in range(_THREADS)))
    await bench.store.close()
    reopened = await bench.harness.make_store()
    assert len(set(acknowledged)) == _THREADS * _EACH
    lost = [each for each in acknowledged if await reopened.retrieve(each) is None]
    assert not lost, f"acknowledged, and lost: {lost}"
    return "preserved"


async def second_client(bench: Bench) -> Ending:
    """B84: a second client in the same place; where it is welcome, it harms nothing."""
    if isinstance(bench.store, SqliteMemoryStore):
        return await _locked_by_another_client()
    first, second = MemoryItem(content="first"), MemoryItem(content="second")
    await bench.store.store(first)
    other = await bench.harness.make_store()
    try:
        await other.store(second)
    except MemoryAdapterUnavailable:
        await bench.keeps(first)
        return "unavailable"
    await bench.keeps(first)
    await bench.keeps(second)
    await bench.harness.make_transport_unavailable()
    late = await bench.harness.make_store()
    error = await _error_of(lambda: late.retrieve(first.id))
    assert isinstance(error, MemoryAdapterUnavailable), f"expected unavailable, got {error!r}"
    raise _stated(bench, _SHARED)


async def _locked_by_another_client() -> Ending:
    """A file that another client holds locked, which lets it go without having ended well."""
    item = MemoryItem(content="m")
    with TemporaryDirectory(prefix="public-faults-") as directory:
        path = Path(directory, "memory.db")
        async with SqliteMemoryStore(path) as first:
            await first.store(item)
            with closing(sqlite3.connect(path, isolation_level=None)) as holder:
                holder.execute("BEGIN IMMEDIATE")
                async with SqliteMemoryStore(path, lock_timeout=0.01) as second:
                    error = await _error_of(lambda: second.store(MemoryItem(content="late")))
                assert isinstance(error, MemoryAdapterUnavailable), f"got {error!r}"
                assert await first.retrieve(item.id) is not None
            async with SqliteMemoryStore(path, lock_timeout=0.01) as third:
                await third.store(MemoryItem(content="after the lock"))
                assert len(await third.search(MemoryQuery())) == 2
    return "unavailable"


async def after_closing(bench: Bench) -> Ending:
    """B85: closed twice, and then used."""
    item = MemoryItem(content="m")
    await bench.store.store(item)
    await bench.store.close()
    await bench.store.close()
    calls: tuple[Callable[[], Any], ...] = (
        lambda: bench.store.retrieve(item.id),
        lambda: bench.store.store(MemoryItem(content="late")),
        lambda: bench.store.search(MemoryQuery()),
    )
    errors = [await _error_of(call) for call in calls]
    if errors == [None, None, None]:
        await bench.keeps(item)
        assert await bench.stores_or_refuses(MemoryItem(content="later")) == "preserved"
        raise _stated(bench, _NOTHING_TO_CLOSE)
    assert {type(error) for error in errors} == {MemoryAdapterUnavailable}, f"got {errors}"
    # The place is not blocked by a store that is closed.
    again = await bench.harness.make_store()
    assert await again.retrieve(item.id) is not None
    return "unavailable"


async def sibling_scopes(bench: Bench) -> Ending:
    """B86: scopes whose names begin alike, or hold what LIKE takes for wildcards."""
    opened = bench.control("open_scope")
    names = ("acme", "acme-corp", "acme_corp", "acme-co", "a_me", "axme", "acm", "-")
    # The first one is the scope of a store that was given none.
    scopes: list[ExternalMemoryStore] = [await opened(name) for name in names]
    stores = [bench.store, *scopes]
    items = [MemoryItem(content=name) for name in ("", *names)]
    for store, item in zip(stores, items, strict=True):
        await store.store(item)
    await bench.harness.make_search_index_visible()
    for store, item in zip(stores, items, strict=True):
        assert [hit.content for hit in await store.search(MemoryQuery())] == [item.content]
        others = [other for other in items if other is not item]
        assert [await store.retrieve(other.id) for other in others] == [None] * len(others)
    if not _ONE_ID_FOR_ALL.stands(bench):
        await _one_identity_in_each(stores)
    return "preserved"


async def _one_identity_in_each(stores: list[ExternalMemoryStore]) -> None:
    """An identity that is used in every scope is another record in each."""
    shared = [MemoryItem(id=UUID(int=7), content=f"shared {n}") for n in range(len(stores))]
    for store, item in zip(stores, shared, strict=True):
        await store.store(item)
    kept = [await store.retrieve(UUID(int=7)) for store in stores]
    assert [each and each.content for each in kept] == [item.content for item in shared]


async def scope_left_out(bench: Bench) -> Ending:
    """B87: no scope, or an empty one, is refused; it is never all of them."""
    made = _made_with_a_scope(bench)
    if made is None:
        raise _stated(bench, _NO_SCOPE_IS_GIVEN)
    for scope in (None, ""):
        assert _is_refused(made, scope), f"{scope!r} was taken for a scope"
    return "rejected_typed"


async def hyphen_in_a_scope(bench: Bench) -> Ending:
    """B88: a scope with a hyphen is found in, by text and by tag."""
    for name in ("team-a", "team--", "9-lives", "or-1-1"):
        store: ExternalMemoryStore = await bench.control("open_scope")(name)
        item = MemoryItem(content="needle in it", tags=["t"])
        await store.store(item)
        await bench.harness.make_search_index_visible()
        for query in (MemoryQuery(text="needle"), MemoryQuery(tags=["t"]), MemoryQuery()):
            assert [hit.id for hit in await store.search(query)] == [item.id]
    return "preserved"


def _made_with_a_scope(bench: Bench) -> Callable[[Any], ExternalMemoryStore] | None:
    """The constructor of the adapter, with nothing left open but its scope; `None` without one."""
    name = type(bench.store).__name__
    if isinstance(bench.store, SqliteMemoryStore):
        return SqliteMemoryStore
    if isinstance(bench.store, FakeMemoryStore):
        transport = FakeTransport(FakeService(FULL))
        return lambda scope: FakeMemoryStore(transport, namespace=scope)
    if name == "PostgresMemoryStore":
        from memory_fidelity.adapters.postgres import PostgresMemoryStore

        return lambda scope: PostgresMemoryStore("host=127.0.0.1 port=1", namespace=scope)
    if name == "KhiveMemoryStore":
        from memory_fidelity.adapters.khive import KhiveMemoryStore, McpServer

        return lambda scope: KhiveMemoryStore(McpServer(("kkernel",)), namespace=scope)
    return None


def _is_refused(made: Callable[[Any], ExternalMemoryStore], scope: object) -> bool:
    try:
        made(scope)
    except (TypeError, ValueError, MemoryAdapterError):
        return True
    return False


async def _error_of(call: Callable[[], Any]) -> MemoryAdapterError | None:
    try:
        await call()
    except MemoryAdapterError as error:
        return error
    return None


def _stated(bench: Bench, statements: tuple[Says, ...]) -> Says:
    """The first statement that the card makes; without one it is a fault."""
    found = [words for words in statements if words.stands(bench)]
    assert found, f"{bench.card.adapter}: expected the card to say so, it says none of {statements}"
    return found[0]

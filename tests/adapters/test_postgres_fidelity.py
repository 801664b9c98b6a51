"""What a PostgreSQL store keeps, and finds, that such services commonly do not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, LiteralString

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from memory_fidelity import (
    MemoryAdapterUnavailable,
    MemoryItem,
    MemoryQuery,
    UnsupportedMemoryItem,
    item_differences,
)
from memory_fidelity.adapters.postgres import PostgresMemoryStore
from memory_fidelity.adapters.postgres_cluster import shared
from memory_fidelity.adapters.postgres_live import LivePostgres

pytestmark = pytest.mark.usefixtures("servers")


def _on_a_store(scenario: Callable[[PostgresMemoryStore], Awaitable[None]]) -> None:
    async def run() -> None:
        harness = LivePostgres()
        try:
            await scenario(await harness.store())
        finally:
            await harness.close()

    asyncio.run(run())


_HOSTILE: dict[str, dict[str, Any]] = {
    "nul": {"content": "a\x00b", "tags": ["t\x00"], "metadata": {"n": "\x00", "\x00k": 1}},
    "huge-integer": {"content": {"n": 10**5000}, "metadata": {"n": -(10**40)}},
    "exponents": {"content": [1e22, 1e16, 1.7976931348623157e308, 5e-324, -0.0]},
    "key-order": {"content": {"bb": 1, "a": 2, "": 3}, "metadata": {"z": 1, "a": {"y": 1, "b": 2}}},
    "time": {"content": "x", "created_at": 1700000000.1234567},
    "negative-zero-time": {"content": "x", "created_at": -0.0},
    "tags": {"content": "x", "tags": ["b", "a", "a", "", "NULL", "x,y", 'q"', "{}", "\\"]},
    "long-tag": {"content": "x", "tags": ["t" * 100_000]},
    "long-metadata": {"content": "x", "metadata": {"n": "v" * 100_000, "k" * 100_000: 1}},
    "long-text": {"content": "long " * 200_000},
    "deep": {"content": [[[[[[{"a": [None, True, {}]}]]]]]]},
    "decomposed": {"content": "e\u0301", "tags": ["e\u0301"]},
    "noncharacters": {"content": "\ufffe\uffff\U0001ffff"},
    "sql": {"content": "'; DROP SCHEMA memory_fidelity CASCADE; --", "tags": ["%s", "$1", "';"]},
}


@pytest.mark.parametrize("fields", _HOSTILE.values(), ids=_HOSTILE)
def test_a_hostile_item_is_kept_exactly_and_harms_no_search(fields: dict[str, Any]) -> None:
    """It comes back as it was, from retrieval and from search, and other items are still found."""

    async def scenario(store: PostgresMemoryStore) -> None:
        item, other = (
            MemoryItem(**fields),
            MemoryItem(content="other", tags=["o"], metadata={"n": 1}),
        )
        await store.store(item)
        await store.store(other)

        kept = await store.retrieve(item.id)
        listed = await store.search(MemoryQuery())

        assert kept is not None
        assert item_differences(item, kept, key_order=True) == ()
        assert [hit.id for hit in listed] == [other.id, item.id]
        assert item_differences(item, listed[1], key_order=True) == ()
        for query in ({"text": "OTHER"}, {"tags": ["o"]}, {"filters": {"n": 1}}):
            assert [hit.id for hit in await store.search(MemoryQuery(**query))] == [other.id]

    _on_a_store(scenario)


@pytest.mark.parametrize(
    ("fields", "query"),
    [
        pytest.param({"tags": ["t" * 100_000]}, {"tags": ["t" * 100_000]}, id="long-tag"),
        pytest.param({"tags": [""]}, {"tags": [""]}, id="empty-tag"),
        pytest.param({"tags": ["t\x00"]}, {"tags": ["t\x00"]}, id="tag-with-nul"),
        pytest.param(
            {"metadata": {"n": "v" * 100_000}}, {"filters": {"n": "v" * 100_000}}, id="long-value"
        ),
        pytest.param(
            {"metadata": {"n": {"b": 1, "a": [None]}}},
            {"filters": {"n": {"a": [None], "b": 1}}},
            id="nested-value",
        ),
        pytest.param({"metadata": {"n": None}}, {"filters": {"n": None}}, id="null"),
        pytest.param({"content": "ÉCOLE à Łódź"}, {"text": "école À łÓ"}, id="non-ascii"),
        pytest.param({"content": "Straße"}, {"text": "STRASSE"}, id="sharp-s"),
        pytest.param({"content": "a\x00É"}, {"text": "A\x00é"}, id="text-with-nul"),
        pytest.param({"content": "100% of_it \\ now"}, {"text": "% OF_IT \\ "}, id="like"),
        pytest.param({"content": {"Ключ": ["Слово"]}}, {"text": "слово"}, id="json-content"),
    ],
)
def test_it_is_found_by_what_it_holds(fields: dict[str, Any], query: dict[str, Any]) -> None:
    """Tags, filters and text match as the card says, whatever the values are."""

    async def scenario(store: PostgresMemoryStore) -> None:
        item = MemoryItem(**{"content": "plain", **fields})
        await store.store(MemoryItem(content="100x of it", tags=["T"], metadata={"n": 1.0}))
        await store.store(item)

        assert [hit.id for hit in await store.search(MemoryQuery(**query))] == [item.id]

    _on_a_store(scenario)


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"content": "half \ud83d"}, id="content"),
        pytest.param({"content": "x", "tags": ["\udc00"]}, id="tag"),
        pytest.param({"content": "x", "metadata": {"k": "\ud83d"}}, id="metadata"),
    ],
)
def test_half_a_character_is_refused_before_transport(fields: dict[str, Any]) -> None:
    """UTF-8 cannot carry it, so it is refused with its place, and nothing is sent."""
    store = PostgresMemoryStore("host=127.0.0.1 port=1", namespace="tea")

    with pytest.raises(UnsupportedMemoryItem):
        asyncio.run(store.store(MemoryItem(**fields)))


def test_namespaces_are_exact() -> None:
    """No namespace sees into another whose name is longer, of other case or of other spaces."""
    names = ["tea", "TEA", "tea ", "teas", "t%", "te_"]
    place = shared().primary.conninfo()

    async def run() -> list[list[str]]:
        stores = [PostgresMemoryStore(place, namespace=name) for name in names]
        for store, name in zip(stores, names, strict=True):
            await store.store(MemoryItem(content=name))
        found = [[hit.content for hit in await store.search(MemoryQuery())] for store in stores]
        for store in stores:
            await store.close()
        return found

    found = asyncio.run(run())

    _execute(place, "DELETE FROM memory_fidelity.item WHERE namespace = ANY(%s)", names)
    assert found == [[name] for name in names]


def test_one_id_lives_in_several_namespaces() -> None:
    """The identity of a row is its namespace and its id; neither write touches the other."""
    place = shared().primary.conninfo()
    item = MemoryItem(content="one")

    async def run() -> list[MemoryItem | None]:
        first = PostgresMemoryStore(place, namespace="first")
        second = PostgresMemoryStore(place, namespace="second")
        async with first, second:
            await first.store(item)
            await second.store(MemoryItem(id=item.id, content="two"))
            return [await first.retrieve(item.id), await second.retrieve(item.id)]

    kept = asyncio.run(run())

    _execute(place, "DELETE FROM memory_fidelity.item WHERE id = %s", item.id)
    assert [each and each.content for each in kept] == ["one", "two"]


def _execute(place: str, statement: LiteralString, *values: object) -> None:
    with psycopg.connect(place, autocommit=True) as connection:
        connection.execute(statement, values)


@pytest.fixture
def database(request: pytest.FixtureRequest) -> Any:
    """A database of its own, made with the options that the test gives."""
    options: LiteralString = getattr(request, "param", "")
    place = shared().primary.conninfo()
    _execute(place, "CREATE DATABASE other TEMPLATE template0 " + options)
    yield shared().primary.conninfo("other")
    _execute(place, "DROP DATABASE other WITH (FORCE)")


async def _stored(place: str, item: MemoryItem) -> None:
    async with PostgresMemoryStore(place, namespace="tea") as store:
        await store.store(item)


@pytest.mark.parametrize("database", ["LOCALE_PROVIDER libc LOCALE 'C'"], indirect=True)
def test_text_is_found_whatever_the_locale(database: str) -> None:
    """In a database of locale C, whose own functions fold ASCII only, text is found, too."""

    async def run() -> list[MemoryItem]:
        async with PostgresMemoryStore(database, namespace="tea") as store:
            await store.store(MemoryItem(content="ÉCOLE"))
            return await store.search(MemoryQuery(text="école"))

    assert len(asyncio.run(run())) == 1


@pytest.mark.parametrize("database", ["ENCODING 'SQL_ASCII' LOCALE 'C'"], indirect=True)
def test_another_encoding_is_refused(database: str) -> None:
    """A database that is not in UTF-8 could not keep every text."""
    with pytest.raises(MemoryAdapterUnavailable, match="a database in UTF8, got one in SQL_ASCII"):
        asyncio.run(_stored(database, MemoryItem(content="tea")))


@pytest.mark.parametrize(
    ("stamp", "got"),
    [
        pytest.param("NULL", "stamped None", id="foreign"),
        pytest.param("'memory-fidelity 2'", "stamped 'memory-fidelity 2'", id="newer"),
    ],
)
def test_another_schema_is_refused_and_left_alone(
    database: str, stamp: LiteralString, got: str
) -> None:
    """A schema of the name that is not this version's own is neither used nor changed."""
    _execute(database, "CREATE SCHEMA memory_fidelity")
    _execute(database, "COMMENT ON SCHEMA memory_fidelity IS " + stamp)

    with pytest.raises(MemoryAdapterUnavailable, match=got):
        asyncio.run(_stored(database, MemoryItem(content="tea")))

    with psycopg.connect(database) as connection:
        tables = connection.execute("SELECT 1 FROM pg_tables WHERE schemaname = 'memory_fidelity'")
        assert tables.fetchall() == []


def test_tables_are_made_once_by_many(database: str) -> None:
    """Eight stores whose first calls come at one moment all find the tables."""

    async def run() -> None:
        await asyncio.gather(*(_stored(database, MemoryItem(content=str(n))) for n in range(8)))

    asyncio.run(run())

    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT count(*) FROM memory_fidelity.item").fetchone() == (8,)


def test_without_leave_to_make_them_missing_tables_are_told(database: str) -> None:
    """`create=False` makes nothing."""

    async def run() -> None:
        async with PostgresMemoryStore(database, namespace="tea", create=False) as store:
            await store.retrieve(MemoryItem(content="x").id)

    with pytest.raises(MemoryAdapterUnavailable, match="got no such schema"):
        asyncio.run(run())


def test_the_trigram_index_serves_the_search(database: str) -> None:
    """Of many rows, a search for a rare text reads the index, as the planner explains."""
    asyncio.run(_stored(database, MemoryItem(content="tea")))
    _execute(
        database,
        "INSERT INTO memory_fidelity.item (namespace, id, kind, created_at, body, folded, terms) "
        "SELECT 'tea', gen_random_uuid(), 'memory', 0, '[]', md5(n::text), '{}' "
        "FROM generate_series(1, 20000) AS n",
    )
    _execute(database, "VACUUM ANALYZE memory_fidelity.item")

    with psycopg.connect(database) as connection:
        plan = connection.execute(
            "EXPLAIN SELECT id FROM memory_fidelity.item WHERE namespace = 'tea' "
            "AND kind = 'memory' AND folded LIKE '%rare needle%' ORDER BY seq DESC LIMIT 10"
        ).fetchall()
    assert "item_text" in str(plan)


def test_the_password_never_shows() -> None:
    """Neither a failed connection nor the store itself shows it."""
    place = make_conninfo(shared().primary.conninfo(), password="hunter-2")  # noqa: S106 - not one
    store = PostgresMemoryStore(place, namespace="tea")

    with pytest.raises(MemoryAdapterUnavailable) as caught:
        asyncio.run(store.retrieve(MemoryItem(content="x").id))

    shown = f"{caught.value!r} {caught.value.__cause__!r} {store!r} {vars(store)!r} {store.card!r}"
    assert "hunter-2" not in shown


def test_a_connection_string_that_cannot_be_read_is_not_quoted() -> None:
    """libpq's own message would quote the text, password included."""
    with pytest.raises(ValueError, match="primary: expected a connection string") as caught:
        PostgresMemoryStore("password=hunter-2 =broken", namespace="tea")

    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__

"""What an adapter makes of the service's answers: new items, or a typed error."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from tests.adapter.shelf import Shelf, card_of, manifest_of

from memory_fidelity import (
    MemoryAdapterError,
    MemoryItem,
    MemoryQuery,
    Record,
    UnsupportedMemoryQuery,
    item_differences,
    memory_query,
)

_ID = UUID(int=7)
_OTHER = UUID(int=8)
_WHOLE = Record(_ID, {"a": [1]}, ["hot"], 1735689600.25, {"user": {"n": [1]}})
_NOTHING_BUT_ANCHORS: dict[str, Any] = {
    "native_item_fields": ["id", "content", "tags"],
    "dropped_item_fields": ["created_at", "metadata"],
    "retrieve_fidelity": "native_fields",
    "search_fidelity": "native_fields",
    "preserves_metadata": False,
}


class _Fresh(Shelf):
    """A service whose records are built anew out of text."""

    fresh_records = True


def _item(**parts: Any) -> MemoryItem:
    stated: dict[str, Any] = {
        "id": _ID,
        "content": {"a": [1]},
        "tags": ["hot"],
        "created_at": 1735689600.25,
        "metadata": {"user": {"n": [1]}},
    }
    return MemoryItem(**stated | parts)


def _retrieved(shelf: Shelf, answer: object) -> MemoryItem | None:
    shelf.on_retrieve = lambda item_id: answer
    return asyncio.run(shelf.retrieve(_ID))


def _found(shelf: Shelf, answer: object, **query: Any) -> list[MemoryItem]:
    shelf.on_search = lambda search: answer
    return asyncio.run(shelf.search(memory_query(**query)))


def _stored(shelf: Shelf, answer: object) -> UUID:
    shelf.on_store = lambda record: answer
    return asyncio.run(shelf.store(_item()))


@pytest.mark.parametrize(
    "identity",
    [
        pytest.param(_ID, id="uuid"),
        pytest.param(str(_ID), id="text"),
        pytest.param(_ID.hex.upper(), id="text without hyphens, in capitals"),
        pytest.param(_ID.urn, id="urn"),
    ],
)
def test_an_acknowledged_write_returns_the_items_id(identity: object) -> None:
    """Whatever form the service writes the identity in, the caller gets a UUID (C2)."""
    stored = _stored(Shelf(), identity)

    assert type(stored) is UUID
    assert stored == _ID


@pytest.mark.parametrize(
    "identity",
    [
        pytest.param(None, id="none"),
        pytest.param("", id="empty"),
        pytest.param("ok", id="text that is no identity"),
        pytest.param(7, id="number"),
        pytest.param(10**5000, id="huge number"),
    ],
)
def test_a_reply_without_identity_is_a_failed_write(identity: object) -> None:
    """Success without a usable identity is no success (W4)."""
    with pytest.raises(
        MemoryAdapterError,
        match=rf"^shelf: store: expected the identity {_ID} in the reply, got none that is usable$",
    ) as caught:
        _stored(Shelf(), identity)

    assert isinstance(caught.value.__cause__, ValueError)


@pytest.mark.parametrize("other", [UUID(int=1), UUID(int=2**128 - 1)], ids=["smaller", "greater"])
def test_a_reply_with_another_identity_is_a_failed_write(other: UUID) -> None:
    """The service must not choose an identity of its own (W3)."""
    with pytest.raises(
        MemoryAdapterError, match=rf"expected the identity {_ID} in the reply, got {other}$"
    ):
        _stored(Shelf(), other)


def test_an_unknown_identity_is_none() -> None:
    """Nothing there is `None`, not an empty item (R2, C4)."""
    assert _retrieved(Shelf(), None) is None


@pytest.mark.parametrize("item_id", [pytest.param(str(_ID), id="text"), pytest.param(5, id="int")])
def test_an_identity_that_is_no_uuid_is_refused(item_id: Any) -> None:
    """A wrong argument is a typed error, and reaches no service (R1)."""
    shelf = Shelf()

    with pytest.raises(MemoryAdapterError, match=r"^shelf: retrieve: expected a UUID, got"):
        asyncio.run(shelf.retrieve(item_id))

    assert shelf.sent == []


@pytest.mark.parametrize("store_type", [Shelf, _Fresh])
def test_a_retrieved_item_is_whole(store_type: type[Shelf]) -> None:
    """Every field comes back exactly, in a plain item of lionagi's (C3)."""
    item = _retrieved(store_type(), _WHOLE)

    assert type(item) is MemoryItem
    assert item_differences(_item(), item) == ()


@pytest.mark.parametrize("store_type", [Shelf, _Fresh])
def test_hits_are_whole_items(store_type: type[Shelf]) -> None:
    """Hits are plain items of lionagi's, with every field exact (C7)."""
    (hit,) = _found(store_type(), [_WHOLE])

    assert type(hit) is MemoryItem
    assert item_differences(_item(), hit) == ()


def _mutate(item: MemoryItem | None) -> None:
    assert item is not None
    item.content["a"].append(2)
    item.tags.append("cold")
    item.metadata["user"]["n"].append(2)
    item.metadata["new"] = True


def test_changing_a_retrieved_item_changes_nothing_stored() -> None:
    """A result is the caller's own, at every depth (R4)."""
    shelf = Shelf()
    asyncio.run(shelf.store(_item()))
    _mutate(asyncio.run(shelf.retrieve(_ID)))

    again = asyncio.run(shelf.retrieve(_ID))

    assert again is not None
    assert item_differences(_item(), again) == ()


def test_changing_a_hit_changes_nothing_stored() -> None:
    """A hit is the caller's own, at every depth (R4)."""
    shelf = Shelf()
    asyncio.run(shelf.store(_item()))
    _mutate(*asyncio.run(shelf.search(MemoryQuery())))

    (again,) = asyncio.run(shelf.search(MemoryQuery()))

    assert item_differences(_item(), again) == ()


def test_a_dropped_field_reads_as_its_default() -> None:
    """The card's default stands in, in both operations, and is never shared (W2)."""
    shelf = Shelf(
        manifest_of(**_NOTHING_BUT_ANCHORS),
        card_of(defaults={"created_at": 0.0, "metadata": {"origin": ["shelf"]}}),
    )
    record = _WHOLE._replace(created_at=None, metadata=None)

    retrieved = _retrieved(shelf, record)
    (hit,) = _found(shelf, [record])
    hit.metadata["origin"].append("caller")

    expected = _item(created_at=0.0, metadata={"origin": ["shelf"]})
    assert retrieved is not None
    assert item_differences(expected, retrieved) == ()
    assert _found(shelf, [record])[0].metadata == {"origin": ["shelf"]}


def _without_tags_in_hits() -> Shelf:
    return Shelf(
        manifest_of(search_fidelity="native_fields", search_returns_tags=False),
        card_of(absent_in_hits={"tags": []}),
    )


def test_a_field_that_hits_lack_reads_as_declared() -> None:
    """The card says what a native field reads as where hits lack it (C12)."""
    (hit,) = _found(_without_tags_in_hits(), [_WHOLE._replace(tags=None)])

    assert hit.tags == []


def test_a_field_that_hits_lack_is_still_owed_to_retrieval() -> None:
    """What may be absent in hits may not be absent in a retrieved record (R3)."""
    with pytest.raises(MemoryAdapterError, match="malformed"):
        _retrieved(_without_tags_in_hits(), _WHOLE._replace(tags=None))


def _with(**parts: Any) -> Record:
    return _WHOLE._replace(**parts)


_MALFORMED = [
    pytest.param({"id": _ID, "content": "tea"}, id="mapping"),
    pytest.param(tuple(_WHOLE), id="plain tuple"),
    pytest.param("tea", id="text"),
    pytest.param(_with(id=None), id="no id"),
    pytest.param(_with(id="seven"), id="id that is none"),
    pytest.param(_with(content=b"x"), id="bytes for content"),
    pytest.param(_with(content=[float("nan")]), id="nan in content"),
    pytest.param(_with(tags=None), id="no tags"),
    pytest.param(_with(tags=("hot",)), id="tuple for tags"),
    pytest.param(_with(tags="hot"), id="text for tags"),
    pytest.param(_with(tags=["hot", 1]), id="number for a tag"),
    pytest.param(_with(created_at=None), id="no time"),
    pytest.param(_with(created_at="2025-01-01"), id="text for the time"),
    pytest.param(_with(created_at=True), id="flag for the time"),
    pytest.param(_with(created_at=float("inf")), id="infinite time"),
    pytest.param(_with(metadata=None), id="no metadata"),
    pytest.param(_with(metadata="{}"), id="text for metadata"),
    pytest.param(_with(metadata=[1, 2]), id="list for metadata"),
    pytest.param(_with(metadata={1: 2}), id="number for a metadata key"),
    pytest.param(_with(metadata={"lion_class": "x"}), id="class of another item"),
]


@pytest.mark.parametrize("answer", _MALFORMED)
def test_a_malformed_record_is_an_error_of_retrieval(answer: object) -> None:
    """Nothing is guessed into a record that is not whole; the cause is chained (E4)."""
    with pytest.raises(
        MemoryAdapterError,
        match=r"^shelf: retrieve: expected a whole record, got one that is malformed \(",
    ) as caught:
        _retrieved(Shelf(), answer)

    assert caught.value.__cause__ is not None


@pytest.mark.parametrize("answer", _MALFORMED)
def test_a_malformed_record_is_an_error_of_search(answer: object) -> None:
    """One bad hit fails the search: it is neither left out nor repaired (E4)."""
    with pytest.raises(
        MemoryAdapterError,
        match=r"^shelf: search: expected a whole record, got one that is malformed \(",
    ) as caught:
        _found(Shelf(), [_WHOLE, answer])

    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(_with(created_at=1), id="time as int"),
        pytest.param(_with(metadata="{}"), id="text for metadata"),
        pytest.param(_with(tags=["hot", 1]), id="number for a tag"),
    ],
)
def test_fresh_records_are_checked_for_kind_as_well(answer: object) -> None:
    """Leaving out the copy does not leave out the check (E4)."""
    with pytest.raises(MemoryAdapterError, match="malformed"):
        _retrieved(_Fresh(), answer)


def test_the_content_of_fresh_records_is_not_copied() -> None:
    """An adapter that builds its records anew is spared the second copy."""
    item = _retrieved(_Fresh(), _WHOLE)

    assert item is not None
    assert item.content is _WHOLE.content


@pytest.mark.parametrize("other", [UUID(int=1), UUID(int=2**128 - 1)], ids=["smaller", "greater"])
def test_a_record_of_another_identity_is_an_error(other: UUID) -> None:
    """Retrieval by identity never returns another item (R1)."""
    with pytest.raises(
        MemoryAdapterError, match=rf"^shelf: retrieve: expected the record {_ID}, got {other}$"
    ):
        _retrieved(Shelf(), _WHOLE._replace(id=other))


def test_an_equal_identity_is_the_same() -> None:
    """A service gives back an identity of its own making, equal to the one asked for."""
    assert _retrieved(Shelf(), _WHOLE._replace(id=UUID(_ID.hex))) is not None


def _records() -> Iterator[Record]:
    """More records than any limit."""
    number = 0
    while True:
        number += 1
        yield _with(id=UUID(int=number))


@pytest.mark.parametrize("limit", [1, 3])
def test_no_more_hits_than_the_limit(limit: int) -> None:
    """However many the service gives, at most `limit` come through, in its order (C8)."""
    hits = _found(Shelf(), _records(), limit=limit)

    assert [hit.id.int for hit in hits] == list(range(1, limit + 1))


def test_a_limit_of_zero_asks_nobody() -> None:
    """Zero hits need no service (Q3)."""
    shelf = Shelf()

    assert _found(shelf, [_WHOLE], limit=0) == []
    assert shelf.sent == []


def test_a_refused_query_asks_nobody() -> None:
    """A query that cannot be served reaches no service (Q2)."""
    shelf = Shelf()

    with pytest.raises(UnsupportedMemoryQuery, match="unsupported memory query keys: limit, zone"):
        _found(shelf, [_WHOLE], limit=-1, filters={"zone": 1})

    assert shelf.sent == []


@pytest.mark.parametrize(
    "query", [pytest.param({"text": "tea"}, id="mapping"), pytest.param(None, id="none")]
)
def test_a_query_that_is_none_is_refused(query: Any) -> None:
    """A wrong argument is a typed error."""
    with pytest.raises(MemoryAdapterError, match=r"^shelf: search: expected a MemoryQuery, got"):
        asyncio.run(Shelf().search(query))


def test_no_hits_is_an_empty_list() -> None:
    """An answer without records is an answer."""
    assert _found(Shelf(), []) == []

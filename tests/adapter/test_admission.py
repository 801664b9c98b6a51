"""What an adapter takes, and what it refuses before anything is sent (W1 to W3)."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest
from tests.adapter.shelf import Shelf, card_of, manifest_of

from memory_fidelity import MemoryItem, Record, UnsupportedMemoryItem, same

_ID = UUID(int=7)
_LION_CLASS = "lionagi.protocols.memory.MemoryItem"
_NOTHING_BUT_ANCHORS: dict[str, Any] = {
    "native_item_fields": ["id", "content", "tags"],
    "dropped_item_fields": ["created_at", "metadata"],
    "retrieve_fidelity": "native_fields",
    "search_fidelity": "native_fields",
    "preserves_metadata": False,
}


class _Note(MemoryItem):
    pass


class _Undecided:
    def __eq__(self, other: object) -> bool:
        raise ValueError("the truth value is ambiguous")

    __hash__ = None  # type: ignore[assignment]  # unhashable, as such values are


class _ShortTexts(Shelf):
    """Refuses content of more than three characters, as a service with a limit would."""

    def refuse(self, record: Record) -> None:
        """Refuse long texts."""
        if len(record.content) > 3:
            raise UnsupportedMemoryItem("content", "expected at most 3 characters, got more")


def _item(**parts: Any) -> MemoryItem:
    stated: dict[str, Any] = {"id": _ID, "created_at": 1735689600.25, "content": "tea"}
    return MemoryItem(**stated | parts)


def _changed(**parts: Any) -> MemoryItem:
    """An item that was changed after validation, as lionagi allows."""
    item = _item()
    vars(item).update(parts)
    return item


def _sent(shelf: Shelf, item: MemoryItem) -> Record:
    asyncio.run(shelf.store(item))
    (record,) = shelf.sent
    assert isinstance(record, Record)
    return record


def _refused(shelf: Shelf, item: MemoryItem) -> UnsupportedMemoryItem:
    with pytest.raises(UnsupportedMemoryItem) as caught:
        asyncio.run(shelf.store(item))
    assert shelf.sent == []
    return caught.value


def test_a_whole_item_is_sent_as_a_record() -> None:
    """Every native field reaches the service exactly."""
    item = _item(content={"a": [1, 2.5]}, tags=["x", "x", ""], metadata={"user": {"n": None}})

    record = _sent(Shelf(), item)

    assert same(
        record,
        Record(_ID, {"a": [1, 2.5]}, ["x", "x", ""], 1735689600.25, {"user": {"n": None}}),
    )


def test_a_record_shares_nothing_with_the_item() -> None:
    """Changing the item afterwards, nested values too, does not reach the service."""
    item = _item(content=[[1]], tags=["a"], metadata={"nested": {"list": [1]}})
    record = _sent(Shelf(), item)

    item.content[0].append(2)
    item.tags.append("b")
    item.metadata["nested"]["list"].append(2)

    assert record[1:] == ([[1]], ["a"], 1735689600.25, {"nested": {"list": [1]}})


def test_dropped_fields_are_not_sent() -> None:
    """A field that is declared dropped stays at home (W2)."""
    shelf = Shelf(
        manifest_of(**_NOTHING_BUT_ANCHORS),
        card_of(defaults={"created_at": 0.0, "metadata": {}}),
    )

    record = _sent(shelf, _item(metadata={"user": "ada"}))

    assert record == Record(_ID, "tea", [], None, None)


def test_dropped_fields_are_not_judged() -> None:
    """What is never kept need not be keepable."""
    shelf = Shelf(
        manifest_of(**_NOTHING_BUT_ANCHORS),
        card_of(defaults={"created_at": 0.0, "metadata": {}}),
    )

    record = _sent(shelf, _changed(created_at=float("nan"), metadata={(1, 2): b"x"}))

    assert record == Record(_ID, "tea", [], None, None)


def test_the_class_name_of_lionagi_is_metadata_like_any_other() -> None:
    """The one value of `lion_class` that an item may hold is kept."""
    record = _sent(Shelf(), _item(metadata={"lion_class": _LION_CLASS}))

    assert record.metadata == {"lion_class": _LION_CLASS}


@pytest.mark.parametrize(
    ("item", "path", "reason"),
    [
        pytest.param(_Note(content="tea"), "item", "expected MemoryItem, got _Note", id="subclass"),
        pytest.param("tea", "item", "expected MemoryItem, got str", id="no item"),
        pytest.param(None, "item", "expected MemoryItem, got NoneType", id="none"),
        pytest.param(_changed(id=str(_ID)), "id", "expected UUID, got str", id="id as text"),
        pytest.param(
            _changed(tags=[1, 2]), "tags[0]", "expected str, got int", id="tags after validation"
        ),
        pytest.param(_changed(tags=("a",)), "tags", "expected list, got tuple", id="tags as tuple"),
        pytest.param(
            _item(tags=["a", "\ud800"]),
            "tags[1]",
            "expected whole characters, got a lone surrogate",
            id="surrogate in a tag",
        ),
        pytest.param(
            _item(created_at=float("nan")),
            "created_at",
            "expected a finite float, got nan",
            id="nan",
        ),
        pytest.param(
            _item(created_at=float("inf")),
            "created_at",
            "expected a finite float, got inf",
            id="infinite time",
        ),
        pytest.param(
            _changed(created_at=10**5000),
            "created_at",
            "expected a finite float, got int",
            id="time as a huge int",
        ),
        pytest.param(
            _changed(metadata="abc"), "metadata", "expected dict, got str", id="metadata as text"
        ),
        pytest.param(
            _changed(metadata={"lion_class": "acme.Other"}),
            "metadata.lion_class",
            f"expected '{_LION_CLASS}' or no such key",
            id="class of another item",
        ),
        pytest.param(
            _changed(metadata={"lion_class": None}),
            "metadata.lion_class",
            f"expected '{_LION_CLASS}' or no such key",
            id="no class",
        ),
        pytest.param(
            _changed(metadata={"lion_class": _Undecided()}),
            "metadata.lion_class",
            "expected a JSON value, got _Undecided",
            id="class that cannot be compared",
        ),
        pytest.param(
            _item(metadata={"price": [1, 2, float("inf")]}),
            "metadata.price[2]",
            "expected a finite float, got inf",
            id="nested metadata",
        ),
        pytest.param(
            _item(metadata={1: "a"}), "metadata", "expected str keys, got int", id="metadata keys"
        ),
        pytest.param(
            _item(content=b"x"), "content", "expected a JSON value, got bytes", id="bytes"
        ),
        pytest.param(
            _item(content="a\udc80"),
            "content",
            "expected whole characters, got a lone surrogate",
            id="surrogate in content",
        ),
    ],
)
def test_what_cannot_be_kept_is_refused_before_transport(
    item: MemoryItem, path: str, reason: str
) -> None:
    """The refusal names the place, and nothing was sent (W1)."""
    error = _refused(Shelf(), item)

    assert (error.path, error.reason) == (path, reason)


@pytest.mark.parametrize(
    ("kinds", "content", "reason"),
    [
        pytest.param(["text"], {"a": 1}, "expected text, got dict", id="json for text"),
        pytest.param(["text"], None, "expected text, got NoneType", id="none for text"),
        pytest.param(
            ["json"], "tea", "expected a JSON value other than text, got str", id="text for json"
        ),
    ],
)
def test_content_of_an_undeclared_kind_is_refused(
    kinds: list[str], content: object, reason: str
) -> None:
    """The card says which content is taken; the rest is refused (W1)."""
    error = _refused(Shelf(card=card_of(content=kinds)), _item(content=content))

    assert (error.path, error.reason) == ("content", reason)


@pytest.mark.parametrize(
    ("kinds", "content"),
    [
        pytest.param(["text"], "", id="empty text"),
        pytest.param(["json"], {"a": [None]}, id="json"),
        pytest.param(["json"], None, id="none is json"),
        pytest.param(["text", "json"], "tea", id="text of both"),
        pytest.param(["text", "json"], False, id="json of both"),
    ],
)
def test_content_of_a_declared_kind_is_taken(kinds: list[str], content: object) -> None:
    """What the card declares is sent exactly."""
    record = _sent(Shelf(card=card_of(content=kinds)), _item(content=content))

    assert same(record.content, content)


def test_a_service_may_refuse_more() -> None:
    """The hook sees the record and refuses it before it is sent."""
    error = _refused(_ShortTexts(), _item(content="coffee"))

    assert error.path == "content"


def test_a_hook_lets_the_rest_through() -> None:
    """What the hook does not refuse is stored."""
    assert _sent(_ShortTexts(), _item(content="tea")).content == "tea"

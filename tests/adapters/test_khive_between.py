"""What comes between the requests of one operation: another writer, a deletion, a refusal."""

from __future__ import annotations

from typing import Any, Final

import pytest
from tests.adapters.khive_scene import raised
from tests.adapters.khive_script import on_script, said

from memory_fidelity import (
    MemoryAdapterError,
    MemoryAdapterUnavailable,
    MemoryItem,
    item_differences,
    memory_query,
)
from memory_fidelity.adapters._khive_calls import KhiveNotFound, KhiveRefused
from memory_fidelity.adapters.khive import KhiveMemoryStore

ITEM: Final = MemoryItem(content="tea", tags=["taste"])
GONE: Final = said("not found: note a")
CONFLICT: Final = said("conflict: note a changed concurrently after it was read")
NOWHERE: Final = said({"rows": []})
ONE: Final = said({"rows": [{"n_id": "a", "n_created_at": 1}]})
BEGUN: Final = said({"id": "a"})
DELETED: Final = {"deleted": True, "id": "b"}
MEMORY: Final[dict[str, Any]] = {
    "id": "a",
    "kind": "memory",
    "content": "tea",
    "created_at": "2026-12-03T05:06:45.498445Z",
    "properties": {
        "lionagi": {"id": str(ITEM.id), "created_at": ITEM.created_at, "metadata": {}},
        "tags": ["taste"],
    },
}
TWO: Final = said({"rows": [{"n_id": "b", "n_created_at": 2}, {"n_id": "a", "n_created_at": 1}]})


def store_item(store: KhiveMemoryStore) -> Any:
    """Store the item."""
    return store.store(ITEM)


def retrieve_item(store: KhiveMemoryStore) -> Any:
    """Retrieve the item."""
    return store.retrieve(ITEM.id)


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param((ONE, said(MEMORY)), id="there"),
        pytest.param((NOWHERE, BEGUN, said(MEMORY), ONE), id="new"),
        pytest.param((ONE, GONE, NOWHERE, BEGUN, said(MEMORY), ONE), id="deleted-meanwhile"),
        pytest.param((ONE, CONFLICT, ONE, said(MEMORY)), id="written-meanwhile"),
        pytest.param((TWO, said(MEMORY, DELETED)), id="two-there"),
        pytest.param((TWO, said(MEMORY, "not found: note b")), id="other-deleted-meanwhile"),
        pytest.param(
            (NOWHERE, BEGUN, said(MEMORY), TWO, said(MEMORY, DELETED)), id="race-for-a-new-id"
        ),
        pytest.param(
            (NOWHERE, BEGUN, said(MEMORY), NOWHERE, NOWHERE, BEGUN, said(MEMORY), ONE),
            id="deleted-by-a-rival-that-won",
        ),
    ],
)
def test_a_write_ends_with_the_item(answers: tuple[dict[str, Any], ...]) -> None:
    """Each answer is asked for, and the last one acknowledges the item's own id."""
    assert on_script(store_item, *answers) == ITEM.id


def test_an_item_that_is_deleted_between_lookup_and_read_is_not_there() -> None:
    """It is looked for once more, and then known not to exist (R2)."""
    assert on_script(retrieve_item, ONE, GONE, NOWHERE) is None


def test_an_item_that_is_replaced_between_lookup_and_read_is_found() -> None:
    """Another native record has taken its place."""
    kept = on_script(retrieve_item, ONE, GONE, ONE, said(MEMORY))

    assert kept is not None
    assert item_differences(ITEM, kept) == ()


def test_a_hit_that_is_deleted_before_it_is_read_is_left_out() -> None:
    """The other hits are what a search finds."""

    async def search(store: KhiveMemoryStore) -> list[MemoryItem]:
        return await store.search(memory_query(text="tea"))

    hits = on_script(search, said([{"id": "a"}, {"id": "b"}]), said(MEMORY, "not found: note b"))

    assert [hit.id for hit in hits] == [ITEM.id]


@pytest.mark.parametrize(
    "answers",
    [pytest.param((ONE, CONFLICT) * 50, id="written"), pytest.param((ONE, GONE) * 50, id="gone")],
)
def test_a_write_gives_up_in_the_end(answers: tuple[dict[str, Any], ...]) -> None:
    """After fifty attempts it is an error, which says that nothing was still."""
    error = on_script(lambda store: raised(store_item(store)), *answers)

    assert type(error) is MemoryAdapterError
    assert isinstance(error.__cause__, KhiveNotFound)
    assert str(error.__cause__).endswith("got it changed 50 times")


def test_a_read_gives_up_in_the_end() -> None:
    """An item that is always deleted and never missing is no answer."""
    error = on_script(lambda store: raised(retrieve_item(store)), *(ONE, GONE) * 50)

    assert type(error) is MemoryAdapterError
    assert isinstance(error.__cause__, KhiveNotFound)


@pytest.mark.parametrize(
    ("answers", "cause"),
    [
        pytest.param(
            (NOWHERE, BEGUN, said("write blocked: secret"), said(DELETED)),
            KhiveRefused,
            id="new-refused",
        ),
        pytest.param(
            (NOWHERE, BEGUN, said("write blocked: secret"), said("not found: note a")),
            KhiveRefused,
            id="new-refused-and-gone",
        ),
        pytest.param((ONE, said("write blocked: secret")), KhiveRefused, id="refused"),
        pytest.param((TWO, said(MEMORY, "invalid input: id")), KhiveRefused, id="other-refused"),
        pytest.param((ONE, said({**MEMORY, "content": "te"})), ValueError, id="another-text"),
        pytest.param((ONE, said({"id": "a"})), ValueError, id="no-properties"),
        pytest.param((ONE, said({**MEMORY, "kind": "observation"})), ValueError, id="kind"),
    ],
)
def test_a_write_that_is_not_acknowledged_is_an_error(
    answers: tuple[dict[str, Any], ...], cause: type[Exception]
) -> None:
    """Khive refused it, or what it says to have kept is not the item (W4)."""
    error = on_script(lambda store: raised(store_item(store)), *answers)

    assert type(error) is MemoryAdapterError
    assert isinstance(error.__cause__, cause)


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param((TWO, said(MEMORY, "storage: disk")), id="other-not-deleted"),
        pytest.param((NOWHERE, BEGUN), id="ended-after-the-placeholder"),
        pytest.param((NOWHERE, BEGUN, said("write blocked: secret")), id="ended-before-deleting"),
        pytest.param((NOWHERE, BEGUN, said(MEMORY)), id="ended-before-the-second-look"),
    ],
)
def test_a_write_whose_end_is_unknown_is_unavailable(answers: tuple[dict[str, Any], ...]) -> None:
    """The item may have been written, so the error is an outage (W5)."""
    error = on_script(lambda store: raised(store_item(store)), *answers)

    assert type(error) is MemoryAdapterUnavailable
    assert str(error).endswith("whether the item was written is unknown")


def test_a_record_of_another_item_is_an_error() -> None:
    """What a lookup led to must have the id that was asked for (E4)."""
    other = {"id": str(MemoryItem(content="x").id), "created_at": 1.0, "metadata": {}}
    memory = {**MEMORY, "properties": {**MEMORY["properties"], "lionagi": other}}

    error = on_script(lambda store: raised(retrieve_item(store)), ONE, said(memory))

    assert f"expected the record {ITEM.id}, got {other['id']}" in str(error)


def test_a_hit_that_cannot_be_read_is_an_outage() -> None:
    """A search does not leave out what it could not read (Q5)."""

    async def search(store: KhiveMemoryStore) -> Exception:
        return await raised(store.search(memory_query(text="tea")))

    error = on_script(search, said([{"id": "a"}, {"id": "b"}]), said(MEMORY, "storage: disk"))

    assert type(error) is MemoryAdapterUnavailable

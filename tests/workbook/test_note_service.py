"""The note service does what its description says, for whoever speaks HTTP to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode

import pytest

from memory_fidelity.workbook.note_service import NoteService

NOTE: dict[str, Any] = {
    "kind": "note",
    "text": "Prefers Green tea",
    "labels": ["taste", "Tea"],
    "time": 1735689600.123,
    "extra": {"user": "ada", "n": 1},
}


@pytest.fixture
def service() -> Iterator[NoteService]:
    """A service, empty."""
    with NoteService() as running:
        yield running


def _ask(service: NoteService, method: str, path: str, body: str | None = None) -> tuple[int, Any]:
    connection = HTTPConnection(service.address, timeout=5)
    try:
        connection.request(method, path, body)
        reply = connection.getresponse()
        return reply.status, json.loads(reply.read())
    finally:
        connection.close()


def _put(service: NoteService, identity: str, **changes: Any) -> tuple[int, Any]:
    return _ask(service, "PUT", f"/notes/{identity}", json.dumps({**NOTE, **changes}))


def _found(service: NoteService, **asked: Any) -> list[str]:
    _, page = _ask(service, "GET", f"/notes?{urlencode(asked, doseq=True)}")
    return [note["id"] for note in page["notes"]]


def test_a_note_comes_back(service: NoteService) -> None:
    """What was put is what is got, with its id."""
    put = _put(service, "a")

    assert put == (200, {"id": "a"})
    assert _ask(service, "GET", "/notes/a") == (200, {"id": "a", **NOTE})


def test_a_note_replaces_another(service: NoteService) -> None:
    """The second note of an id takes the place of the first."""
    _put(service, "a")
    _put(service, "a", text="Coffee", extra={})

    assert _ask(service, "GET", "/notes/a")[1] == {
        "id": "a",
        **NOTE,
        "text": "Coffee",
        "extra": {},
    }


def test_an_unknown_note_is_not_found(service: NoteService) -> None:
    """An id that nothing has is answered by 404."""
    assert _ask(service, "GET", "/notes/a")[0] == 404


def test_time_is_kept_to_the_millisecond(service: NoteService) -> None:
    """What is finer is rounded."""
    _put(service, "a", time=1735689600.1234567)

    assert _ask(service, "GET", "/notes/a")[1]["time"] == 1735689600.123


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/notes", json.dumps(NOTE)),
        ("/notes/a", "{"),
        ("/notes/a", "[]"),
        ("/notes/a", json.dumps({"text": "no more"})),
        ("/notes/a", json.dumps({**NOTE, "labels": "taste"})),
    ],
    ids=["no id", "no JSON", "no object", "a part is missing", "a part of another type"],
)
def test_what_is_no_note_is_refused(service: NoteService, path: str, body: str) -> None:
    """Nothing but a whole note with an id is kept."""
    status, _ = _ask(service, "PUT", path, body)

    assert status == 400
    assert _found(service) == []


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, ["a", "b"]),
        ({"kind": "task"}, ["b"]),
        ({"text": "green TEA"}, ["a"]),
        ({"text": ""}, ["a", "b"]),
        ({"label": ["taste", "nothing"]}, ["a"]),
        ({"label": "tea"}, []),
        ({"label": ""}, []),
        ({"extra.user": '"ada"'}, ["a"]),
        ({"extra.n": "1"}, ["a"]),
        ({"extra.n": "true"}, []),
        ({"extra.user": "null"}, []),
        ({"kind": "task", "text": "green"}, []),
    ],
    ids=lambda value: str(value),
)
def test_search(service: NoteService, asked: dict[str, Any], found: list[str]) -> None:
    """A note is found if it fits everything that is asked."""
    _put(service, "a")
    _put(service, "b", kind="task", text="Buy milk", labels=[], extra={})

    assert _found(service, **asked) == found


def test_found_notes_lack_extra(service: NoteService) -> None:
    """A page gives summaries."""
    _put(service, "a")

    _, page = _ask(service, "GET", "/notes")

    assert page["notes"] == [
        {"id": "a", **{name: value for name, value in NOTE.items() if name != "extra"}}
    ]


def test_ten_are_a_page(service: NoteService) -> None:
    """The eleventh note is on the next page, which is the last."""
    put = [_put(service, f"{n:02}") for n in range(11)]

    first = _ask(service, "GET", "/notes")[1]
    second = _ask(service, "GET", f"/notes?after={first['next']}")[1]

    assert (len(put), len(first["notes"])) == (11, 10)
    assert ([note["id"] for note in second["notes"]], second["next"]) == (["10"], None)


def test_everything_is_forgotten(service: NoteService) -> None:
    """`DELETE /notes` leaves nothing."""
    _put(service, "a")
    _ask(service, "DELETE", "/notes")

    assert _found(service) == []


def test_a_stopped_service_refuses_connections(service: NoteService) -> None:
    """Nobody answers at its address, twice or not."""
    service.stop()
    service.stop()

    with pytest.raises(ConnectionRefusedError):
        _ask(service, "GET", "/notes")


def test_two_services_share_nothing(service: NoteService) -> None:
    """Each has an address and notes of its own."""
    _put(service, "a")

    with NoteService() as other:
        assert (other.address == service.address, _found(other)) == (False, [])


def test_closing_twice_is_safe() -> None:
    """The second time there is nothing left to close."""
    service = NoteService()
    service.close()
    address = service.address
    service.close()

    assert service.address == address

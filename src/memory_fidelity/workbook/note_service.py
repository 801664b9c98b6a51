"""A small service of notes over HTTP, to write an adapter for.

It is not made for memories: it keeps notes of any kind, in ways of its own.

- `PUT /notes/<id>` with a note as JSON keeps it, in place of any of the same
  id: `kind`, `text`, `labels`, `time` in seconds, kept to the millisecond, and
  `extra`, an object. The reply is `{"id": ...}`.
- `GET /notes/<id>` gives the note, or 404.
- `GET /notes?kind=&text=&label=&extra.<key>=&after=` gives ten notes at most,
  first written first, without their `extra`, and in `next` the value of
  `after` for the following ten, or null. A text is looked for in any case; of
  several labels, one is enough; the value of an `extra.<key>` is JSON.
- `DELETE /notes` forgets everything.
"""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from socket import SO_REUSEADDR, SOL_SOCKET, socket
from socketserver import ThreadingTCPServer
from threading import Lock, Thread
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

__all__ = ["NoteService"]

_PAGE: Final = 10
_FIELDS: Final = {"kind": str, "text": str, "labels": list, "time": float, "extra": dict}
_Answer = tuple[int, dict[str, Any]]


class NoteService:
    """One running service, on a port of this machine that was free.

    It runs in threads of this process until it is closed, and holds its notes
    in memory. Use it as a context manager, or close it.
    """

    def __init__(self) -> None:
        """Start it, empty."""
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._held = socket()
        self._running = True
        self._thread = Thread(target=self._server.serve_forever, args=(0.005,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Host and port, as `127.0.0.1:49152`."""
        return "{}:{}".format(*self._server.server_address)

    def stop(self) -> None:
        """Refuse every connection from now on; the notes are gone. Twice is safe."""
        if self._running:
            self._running = False
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()
            # Kept, without listening: else another service could answer in its place.
            self._held.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
            self._held.bind(self._server.server_address)

    def close(self) -> None:
        """Stop it, and give up its port. Twice is safe."""
        self.stop()
        self._held.close()

    def __enter__(self) -> NoteService:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Server(ThreadingTCPServer):
    allow_reuse_address = True
    request_queue_size = 128  # so that many connections at once need no second try

    def __init__(self, *given: Any) -> None:
        self.notes: dict[str, dict[str, Any]] = {}
        self.lock = Lock()
        super().__init__(*given)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 5.0

    def do_PUT(self) -> None:
        """Keep a note."""
        identity = self._identity()
        note = _note(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        if identity is None or note is None:
            return self._answer(400, {"error": "expected a note"})
        with self.server.lock:
            self.server.notes[identity] = {"id": identity, **note}
        return self._answer(200, {"id": identity})

    def do_GET(self) -> None:
        """Give one note, or a page of them."""
        identity = self._identity()
        with self.server.lock:
            notes = dict(self.server.notes)
        if identity is None:
            self._answer(200, _page(notes, _asked(self.path)))
        elif identity in notes:
            self._answer(200, notes[identity])
        else:
            self._answer(404, {"error": "no such note"})

    def do_DELETE(self) -> None:
        """Forget every note."""
        with self.server.lock:
            self.server.notes.clear()
        self._answer(200, {})

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is given
        """Write nothing: a lesson shows what it prints itself."""

    def _identity(self) -> str | None:
        return unquote(urlsplit(self.path).path.removeprefix("/notes").removeprefix("/")) or None

    def _answer(self, status: int, answer: dict[str, Any]) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _note(body: bytes) -> dict[str, Any] | None:
    """The note in a request, or `None` where there is none."""
    try:
        sent = json.loads(body)
    except ValueError:
        return None
    if not isinstance(sent, dict) or sent.keys() != _FIELDS.keys():
        return None
    if not all(type(sent[name]) is kind for name, kind in _FIELDS.items()):
        return None
    return {**sent, "time": round(sent["time"], 3)}


def _asked(path: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(path).query, keep_blank_values=True)


def _page(notes: dict[str, dict[str, Any]], asked: dict[str, list[str]]) -> dict[str, Any]:
    found = [note for note in notes.values() if _matches(note, asked)]
    start = int(asked.get("after", ["0"])[0])
    page = [
        {name: value for name, value in note.items() if name != "extra"}
        for note in found[start : start + _PAGE]
    ]
    return {"notes": page, "next": start + _PAGE if start + _PAGE < len(found) else None}


def _matches(note: dict[str, Any], asked: dict[str, list[str]]) -> bool:
    text, labels = asked.get("text", [""])[0], asked.get("label")
    return (
        asked.get("kind", [note["kind"]])[0] == note["kind"]
        and text.casefold() in note["text"].casefold()
        and (labels is None or not set(labels).isdisjoint(note["labels"]))
        and all(_holds(note["extra"], name, values[0]) for name, values in asked.items())
    )


def _holds(extra: dict[str, Any], name: str, value: str) -> bool:
    key = name.removeprefix("extra.")
    return key == name or (key in extra and json.dumps(extra[key]) == value)

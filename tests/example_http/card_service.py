"""A card index over HTTP: the service of the example, and its client library.

It keeps cards of any kind: `kind`, `text`, `labels`, `time` in seconds, and
`extra`, an object that it never looks into. All bodies are JSON.

- `PUT /cards/<id>` keeps a card, in place of any of the same id: `{"id": ...}`,
  or 422 where the body is none.
- `GET /cards/<id>` gives the card, or 404.
- `POST /search` with `kind`, `text`, `labels` and `limit` gives the `cards` that
  match, the last written first, without their `extra`. A text is looked for in
  any case; of several labels, one is enough.
- `DELETE /cards` forgets everything: `{}`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, Self

from memory_fidelity.json_codec import decode, encode

__all__ = ["Ask", "Card", "CardClient", "CardError", "CardService"]

Card = dict[str, Any]
"""What is put, and what is shown; a hit has no `extra`."""

Ask = Callable[..., Awaitable[Any]]
"""Makes one request of a method, a path and a body, as `CardClient.ask` does."""

_FIELDS: Final = {"kind": str, "text": str, "labels": list, "time": float, "extra": dict}
_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_Answer = tuple[str, dict[str, Any]]
_Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class CardService:
    """One index, empty until a card is put; it listens within `async with`."""

    host: Final = "127.0.0.1"

    def __init__(self) -> None:
        """Open nothing."""
        self.port = 0
        """The port that it listens on."""
        self._cards: dict[str, Card] = {}
        self._serving: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, self.host, 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for writer in self._serving.values():
            writer.close()
        await asyncio.gather(*self._serving)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving[task] = writer
        try:
            while True:
                asked, body = await _received(reader)
                method, path, _ = asked.split(" ")
                status, answer = self._answer(method, path, body)
                writer.write(_message(f"HTTP/1.1 {status}", answer))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client is gone
        finally:
            del self._serving[task]
            writer.close()

    def _answer(self, method: str, path: str, body: bytes) -> _Answer:
        match method, path.split("/")[1:]:
            case "PUT", ["cards", name]:
                return self._put(name, decode(body.decode()))
            case "GET", ["cards", name] if name in self._cards:
                return "200 OK", self._cards[name]
            case "POST", ["search"]:
                return "200 OK", {"cards": self._found(**decode(body.decode()))}
            case "DELETE", ["cards"]:
                self._cards.clear()
                return "200 OK", {}
        return "404 Not Found", {}

    def _put(self, name: str, card: Card) -> _Answer:
        if {field: type(value) for field, value in card.items()} != _FIELDS:
            return "422 Unprocessable Content", {}
        self._cards.pop(name, None)
        self._cards[name] = {"id": name, **card}
        return "200 OK", {"id": name}

    def _found(self, kind: str, text: str, labels: list[str], limit: int) -> list[Card]:
        found = [
            {field: value for field, value in card.items() if field != "extra"}
            for card in reversed(self._cards.values())
            if card["kind"] == kind
            and text.casefold() in card["text"].casefold()
            and (not labels or set(labels) & set(card["labels"]))
        ]
        return found[:limit]


class CardError(Exception):
    """The service refused a request; the text is the status of its reply."""


class CardClient:
    """Speaks to a card index, over connections that it keeps for later calls."""

    def __init__(self, host: str, port: int, *, timeout: float = 5.0) -> None:
        """Connect to nothing yet; `timeout` is in seconds, for a whole call."""
        self._place = (host, port)
        self._timeout = timeout
        self._idle: list[_Connection] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        while self._idle:
            writer = self._idle.pop()[1]
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """Make one request, and return what the reply says; `None` for what is not there.

        Raises:
            OSError: the service cannot be reached, is too slow, or was lost before its reply.
            CardError: the service refused the request.
        """
        async with asyncio.timeout(self._timeout):
            connection = self._kept() or await asyncio.open_connection(*self._place)
            reader, writer = connection
            try:
                writer.write(_message(f"{method} {path} HTTP/1.1\r\nHost: cards", body))
                status, reply = await _received(reader)
            except asyncio.IncompleteReadError as error:
                writer.close()
                raise ConnectionResetError("the reply has no end") from error
            except BaseException:
                writer.close()
                raise
        self._idle.append(connection)
        match status.split(" ")[1]:
            case "200":
                return decode(reply.decode())
            case "404":
                return None
            case code:
                raise CardError(code)

    def _kept(self) -> _Connection | None:
        while self._idle:
            reader, writer = self._idle.pop()
            if not reader.at_eof() and not writer.is_closing():
                return reader, writer
            writer.close()
        return None


def _message(start: str, body: object) -> bytes:
    """A request or reply with this start, the line and any headers, and this body."""
    content = encode(body).encode()
    return f"{start}\r\nContent-Length: {len(content)}\r\n\r\n".encode() + content


async def _received(reader: asyncio.StreamReader) -> tuple[str, bytes]:
    """The first line and the body of the next request or reply."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    body = await reader.readexactly(int(length[1]) if length else 0)
    return head.partition(b"\r\n")[0].decode(), body

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
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import Any, Final, Self

import httpx

from memory_fidelity.json_codec import decode, encode

__all__ = ["Ask", "Card", "CardClient", "CardError", "CardService"]

Card = dict[str, Any]
"""What is put, and what is shown; a hit has no `extra`."""

Ask = Callable[..., Awaitable[Any]]
"""Makes one request of a method, a path and a body, as `CardClient.ask` does."""

_FIELDS: Final = {"kind": str, "text": str, "labels": list, "time": float, "extra": dict}
_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_Answer = tuple[str, dict[str, Any]]


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
                head = await reader.readuntil(b"\r\n\r\n")
                length = _LENGTH.search(head)
                body = await reader.readexactly(int(length[1]) if length else 0)
                method, path, _ = head.decode("latin-1").split(" ", 2)
                writer.write(_reply(*self._answer(method, path, body)))
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


def _reply(status: str, answer: dict[str, Any]) -> bytes:
    body = encode(answer).encode()
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


class CardError(Exception):
    """The service refused a request; the text is the status of its reply."""


class CardClient:
    """Speaks to a card index, over connections that it keeps for the next call."""

    def __init__(self, host: str, port: int, *, timeout: float = 5.0) -> None:
        """Connect to nothing yet; `timeout` is in seconds, for each step of a call."""
        self._http = httpx.AsyncClient(
            base_url=f"http://{host}:{port}",
            timeout=timeout,
            trust_env=False,
            # Never used, and to read the certificates of the machine takes longer than a case.
            verify=SSLContext(PROTOCOL_TLS_CLIENT),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """Make one request, and return what the reply says; `None` for what is not there.

        Raises:
            httpx.TransportError: the service cannot be reached, or was lost before its reply.
            CardError: the service refused the request.
            ValueError: the reply is not JSON.
        """
        reply = await self._http.request(method, path, content=encode(body))
        if reply.status_code == httpx.codes.NOT_FOUND:
            return None
        if reply.is_error:
            raise CardError(str(reply.status_code))
        return decode(reply.text)

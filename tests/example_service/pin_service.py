"""A pinboard behind a socket: the service of the example, and its client library.

A request is one line of words, and the reply is lines, the last of them `END`.
Words are percent-encoded; a list is written with a comma after each member.

- `PIN id labels text` pins a text: `OK id`, or `NO` if a text is too long.
- `MEMO id text` leaves a memo, which shares the ids and is no pin: `OK id`.
- `GET id` gives `PIN id labels text`, `MEMO id text`, or nothing.
- `FIND limit labels text` gives pins that carry every label and hold the text,
  both in any case, as they were at the last `SYNC`; newest first.
- `SYNC` brings the index up to date: `OK`. `WIPE` empties the board: `OK`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

__all__ = ["LONGEST", "PinClient", "PinService"]

LONGEST = 16_384
"""Bytes that a text may have."""

_LINE = 2**20


class PinService:
    """One board, empty until something is pinned; close it after use."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="pins")
        self.path = Path(self._folder.name, "socket")
        self._board: dict[str, list[str]] = {}
        self._index: dict[str, list[str]] = {}
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen, if it does not do so already."""
        if self._server is None:
            self._server = await asyncio.start_unix_server(self._serve, self.path, limit=_LINE)

    async def stop(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self.path.unlink(missing_ok=True)

    async def close(self) -> None:
        """Stop, and forget everything; twice is safe."""
        await self.stop()
        self._folder.cleanup()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        verb, *words = (await reader.readline()).decode().rstrip("\n").split(" ")
        writer.write("".join(f"{line}\n" for line in (*self._answer(verb, words), "END")).encode())
        writer.close()

    def _answer(self, verb: str, words: list[str]) -> list[str]:
        match verb:
            case "PIN" if len(unquote(words[2]).encode()) > LONGEST:
                return ["NO too long"]
            case "PIN" | "MEMO":
                self._board.pop(words[0], None)
                self._board[words[0]] = [verb, *words]
                return [f"OK {words[0]}"]
            case "GET":
                return [" ".join(self._board[words[0]])] if words[0] in self._board else []
            case "FIND":
                found = [pin for pin in reversed(self._index.values()) if _matches(pin, *words[1:])]
                return [" ".join(pin) for pin in found[: int(words[0])]]
            case "SYNC":
                self._index = {name: pin for name, pin in self._board.items() if pin[0] == "PIN"}
            case "WIPE":
                self._board, self._index = {}, {}
        return ["OK"]


def _matches(pin: list[str], labels: str, text: str) -> bool:
    _, _, pinned_labels, pinned_text = pin
    return _folded(labels) <= _folded(pinned_labels) and _fold(text) in _fold(pinned_text)


def _folded(labels: str) -> set[str]:
    return {_fold(label) for label in labels.split(",")[:-1]}


def _fold(word: str) -> str:
    return unquote(word).casefold()


class PinClient:
    """Speaks to a pinboard; each request has a connection of its own."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def ask(self, *words: str) -> list[str]:
        """Send one line, and return the lines of the reply.

        Raises:
            OSError: the service cannot be reached, or was lost before the end of its reply.
        """
        reader, writer = await asyncio.open_unix_connection(self._path)
        try:
            writer.write((" ".join(words) + "\n").encode())
            await writer.drain()
            *lines, end = (await reader.read()).decode().split("\n")[:-1] or [""]
        finally:
            writer.close()
            await writer.wait_closed()
        if end != "END":
            raise ConnectionResetError("the reply has no end")
        return lines

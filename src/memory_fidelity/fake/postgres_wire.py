"""What a client sends in PostgreSQL's protocol 3.0, read out of a stream of bytes.

The stream may be cut anywhere. It gives the client's messages, and from them
the statements that it asks for, with their values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from psycopg import Error, abc, pq
from psycopg.adapt import Transformer

from memory_fidelity.testing.harness import Call

__all__ = [
    "Asked",
    "Bind",
    "CancelRequest",
    "ClientMessage",
    "ClientStream",
    "Close",
    "Conversation",
    "Describe",
    "EncryptionRequest",
    "Execute",
    "Other",
    "Parse",
    "ProtocolViolation",
    "Query",
    "Startup",
    "Sync",
    "Terminate",
    "Value",
    "requests",
]

_LONGEST: Final = 2**30
_LONGEST_FIRST: Final = 10_000
"""Bytes; a message that claims more than PostgreSQL takes is no message."""

_PROTOCOL: Final = 3 << 16
_CANCEL: Final = (1234 << 16) + 5678
_SSL: Final = (1234 << 16) + 5679
_GSS: Final = (1234 << 16) + 5680


class ProtocolViolation(ValueError):
    """The bytes of a client are no messages of protocol 3.0, or are out of order."""


class Startup(NamedTuple):
    """The first message of a session: its user, its database and its settings."""

    parameters: dict[str, str]


class EncryptionRequest(NamedTuple):
    """The question whether the connection can be encrypted."""


class CancelRequest(NamedTuple):
    """The only message of a connection that cancels what another one waits for."""

    process: int
    key: bytes


class Query(NamedTuple):
    """A statement without values, to be carried out at once."""

    statement: str


class Parse(NamedTuple):
    """A statement to be prepared; the name of the next one alone is empty."""

    name: str
    statement: str
    types: tuple[int, ...]
    """The type of each value, as an OID; 0 if the server is to say."""


class Bind(NamedTuple):
    """The values of a prepared statement."""

    portal: str
    name: str
    formats: tuple[int, ...]
    """0 for text and 1 for binary: one for each value, one for all, or none for text."""
    values: tuple[bytes | None, ...]
    result_formats: tuple[int, ...]


class Describe(NamedTuple):
    """The question for the columns of a portal (P) or of a prepared statement (S)."""

    kind: str
    name: str


class Execute(NamedTuple):
    """A portal to be carried out."""

    portal: str


class Close(NamedTuple):
    """A portal (P) or a prepared statement (S) that is no longer needed."""

    kind: str
    name: str


class Sync(NamedTuple):
    """The end of a request: commits it, unless in a transaction block."""


class Terminate(NamedTuple):
    """The end of a session."""


class Other(NamedTuple):
    """A message of any other kind, such as a password, which is not kept."""

    kind: str


ClientMessage = (
    Startup
    | EncryptionRequest
    | CancelRequest
    | Query
    | Parse
    | Bind
    | Describe
    | Execute
    | Close
    | Sync
    | Terminate
    | Other
)


class ClientStream:
    """Reads the messages of one client out of its bytes."""

    def __init__(self) -> None:
        """Expect the start of a session."""
        self._bytes = bytearray()
        self._is_started = False

    def messages(self, chunk: bytes) -> list[ClientMessage]:
        """Take the next bytes, and return the messages that they complete.

        Raises:
            ProtocolViolation: they are none.
        """
        self._bytes += chunk
        found = []
        try:
            while (message := self._next()) is not None:
                found.append(message)
        except (IndexError, ValueError) as error:
            raise ProtocolViolation(
                f"client: expected messages of protocol 3.0, got others ({error})"
            ) from error
        return found

    def _next(self) -> ClientMessage | None:
        head = 1 if self._is_started else 0
        if len(self._bytes) < head + 4:
            return None
        length = int.from_bytes(self._bytes[head : head + 4])
        if not 4 <= length <= (_LONGEST if self._is_started else _LONGEST_FIRST):
            raise ProtocolViolation(f"a length of {length}")
        if len(self._bytes) < head + length:
            return None
        kind = self._bytes[:head].decode("latin-1")
        fields = _Fields(bytes(self._bytes[head + 4 : head + length]))
        del self._bytes[: head + length]
        return _message(kind, fields) if self._is_started else self._first(fields)

    def _first(self, fields: _Fields) -> ClientMessage:
        code = fields.int32()
        if code in (_SSL, _GSS):
            return EncryptionRequest()
        if code == _CANCEL:
            return CancelRequest(fields.int32(), fields.rest())
        if code != _PROTOCOL:
            raise ProtocolViolation(f"protocol {code >> 16}.{code & 0xFFFF}")
        self._is_started = True
        parameters = {}
        while name := fields.text():
            parameters[name] = fields.text()
        return Startup(parameters)


class _Fields:
    """The fields of one message, in their order."""

    def __init__(self, payload: bytes) -> None:
        self._payload = payload
        self._at = 0

    def take(self, count: int) -> bytes:
        end = self._at + count
        if count < 0 or end > len(self._payload):
            raise ProtocolViolation("a message that ends too early")
        taken, self._at = self._payload[self._at : end], end
        return taken

    def rest(self) -> bytes:
        return self.take(len(self._payload) - self._at)

    def text(self) -> str:
        text = self.take(self._payload.index(b"\x00", self._at) - self._at)
        self._at += 1
        return text.decode()

    def int16(self) -> int:
        return int.from_bytes(self.take(2))

    def int32(self) -> int:
        return int.from_bytes(self.take(4))

    def value(self) -> bytes | None:
        length = int.from_bytes(self.take(4), signed=True)
        return None if length == -1 else self.take(length)

    def many(self, read: Callable[[], Any]) -> tuple[Any, ...]:
        return tuple(read() for _ in range(self.int16()))


def _message(kind: str, fields: _Fields) -> ClientMessage:
    match kind:
        case "Q":
            return Query(fields.text())
        case "P":
            return Parse(fields.text(), fields.text(), fields.many(fields.int32))
        case "B":
            return Bind(
                fields.text(),
                fields.text(),
                fields.many(fields.int16),
                fields.many(fields.value),
                fields.many(fields.int16),
            )
        case "D":
            return Describe(fields.take(1).decode("latin-1"), fields.text())
        case "E":
            return Execute(fields.text())
        case "C":
            return Close(fields.take(1).decode("latin-1"), fields.text())
        case "S":
            return Sync()
        case "X":
            return Terminate()
        case _:
            return Other(kind)


class Value(NamedTuple):
    """A bound value as it was sent."""

    type: int
    """Its OID, or 0 if the server is to say."""
    format: int
    data: bytes | None
    """`None` is NULL."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A statement to be carried out, and its values."""

    statement: str
    values: tuple[Value, ...] = ()

    def call(self) -> Call:
        """Return it as a journal shows it: the statement, and each value as a text."""
        codec = Transformer()
        values = [
            f"${number} = {_readable(value, codec)}"
            for number, value in enumerate(self.values, start=1)
        ]
        first_word = next(iter(self.statement.split(maxsplit=1)), "")
        return Call(first_word, "\n".join([self.statement, *values]))


@dataclass(slots=True)
class Conversation:
    """What one client has prepared and bound so far."""

    prepared: dict[str, Parse] = field(default_factory=dict)
    portals: dict[str, Asked] = field(default_factory=dict)

    def heard(self, message: ClientMessage) -> Asked | None:
        """Take note of a message, and return what it asks to be carried out, if it does.

        Raises:
            LookupError: it names a statement or a portal that there is not.
        """
        match message:
            case Query(statement):
                return Asked(statement)
            case Parse(name):
                self.prepared[name] = message
            case Bind(portal, name):
                self.portals[portal] = _bound(self.prepared[name], message)
            case Execute(portal):
                return self.portals[portal]
            case Close("S", name):
                self.prepared.pop(name, None)
            case Close(_, name):
                self.portals.pop(name, None)
        return None


def requests() -> Callable[[bytes], Iterable[Call]]:
    """Return a reader for the bytes of one client, which tells every statement that they ask for.

    What is prepared once and bound later is told each time, with its values.
    The start and the end of a session ask for nothing.

    The reader raises `ProtocolViolation` for bytes that are no messages, such
    as those of an encrypted connection.
    """
    stream, conversation = ClientStream(), Conversation()

    def calls(chunk: bytes) -> list[Call]:
        heard = [conversation.heard(message) for message in stream.messages(chunk)]
        return [asked.call() for asked in heard if asked is not None]

    return calls


def _bound(statement: Parse, message: Bind) -> Asked:
    count = len(message.values)
    types = (*statement.types, *[0] * count)[:count]
    formats = message.formats or (0,)
    formats = formats * count if len(formats) == 1 else formats
    if len(formats) != count:
        raise ProtocolViolation(f"client: expected {count} formats, got {len(formats)}")
    return Asked(statement.statement, tuple(map(Value, types, formats, message.values)))


def _readable(value: Value, codec: abc.Transformer) -> str:
    if value.data is None:
        return "NULL"
    try:
        return str(codec.get_loader(value.type, pq.Format(value.format)).load(value.data))
    except (ValueError, Error):
        return repr(value.data)  # what the server will refuse

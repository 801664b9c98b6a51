"""What a server sends in PostgreSQL's protocol 3.0, built as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

__all__ = [
    "BIND_COMPLETE",
    "CLOSE_COMPLETE",
    "ENCRYPTION_REFUSED",
    "NO_DATA",
    "PARSE_COMPLETE",
    "Column",
    "authentication_ok",
    "backend_key",
    "command_complete",
    "data_row",
    "error_response",
    "notice_response",
    "parameter_status",
    "ready_for_query",
    "row_description",
]


class Column(NamedTuple):
    """A column of an answer."""

    name: str
    type: int
    size: int
    """Bytes; -1 if they vary."""
    table: int = 0
    """The OID of the table that it is read from, or 0."""
    number: int = 0


def _built(kind: bytes, *parts: bytes) -> bytes:
    payload = b"".join(parts)
    return kind + _int32(len(payload) + 4) + payload


def _int32(number: int) -> bytes:
    return number.to_bytes(4, signed=True)


def _int16(number: int) -> bytes:
    return number.to_bytes(2, signed=True)


def _text(text: str) -> bytes:
    return text.encode() + b"\x00"


ENCRYPTION_REFUSED: Final = b"N"
PARSE_COMPLETE: Final = _built(b"1")
BIND_COMPLETE: Final = _built(b"2")
CLOSE_COMPLETE: Final = _built(b"3")
NO_DATA: Final = _built(b"n")


def authentication_ok() -> bytes:
    """The client is who it says; no password is asked for."""
    return _built(b"R", _int32(0))


def parameter_status(name: str, value: str) -> bytes:
    """A setting has this value."""
    return _built(b"S", _text(name), _text(value))


def backend_key(process: int, key: bytes) -> bytes:
    """What a request to cancel must show."""
    return _built(b"K", _int32(process), key)


def ready_for_query(status: Literal["I", "T", "E"]) -> bytes:
    """The next request can come: outside a transaction block, in one, or in a failed one."""
    return _built(b"Z", status.encode())


def row_description(columns: Sequence[Column]) -> bytes:
    """The columns of the rows that follow, all of them sent as text."""
    described = (
        _text(name) + _int32(table) + _int16(number) + _int32(oid) + _int16(size) + _int32(-1)
        for name, oid, size, table, number in columns
    )
    return _built(b"T", _int16(len(columns)), *(each + _int16(0) for each in described))


def data_row(values: Sequence[bytes | None]) -> bytes:
    """A row; `None` is NULL."""
    sent = (_int32(-1) if value is None else _int32(len(value)) + value for value in values)
    return _built(b"D", _int16(len(values)), *sent)


def command_complete(tag: str) -> bytes:
    """A statement was carried out."""
    return _built(b"C", _text(tag))


def error_response(severity: Literal["ERROR", "FATAL"], sqlstate: str, text: str) -> bytes:
    """A statement failed; `FATAL` ends the session, too."""
    return _report(b"E", severity, sqlstate, text)


def notice_response(severity: Literal["WARNING", "NOTICE"], sqlstate: str, text: str) -> bytes:
    """Something that the client may want to know."""
    return _report(b"N", severity, sqlstate, text)


def _report(kind: bytes, severity: str, sqlstate: str, text: str) -> bytes:
    fields = (("S", severity), ("V", severity), ("C", sqlstate), ("M", text))
    return _built(kind, *(code.encode() + _text(value) for code, value in fields), b"\x00")

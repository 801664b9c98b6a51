"""What a client of PostgreSQL sends, byte by byte, as the protocol has it."""

from __future__ import annotations

import struct
from collections.abc import Iterable

__all__ = ["EXECUTE", "STARTUP", "SYNC", "bind", "first", "message", "parse"]


def message(kind: str, payload: bytes = b"") -> bytes:
    """A message of a session: its kind, its length, its fields."""
    return kind.encode() + struct.pack("!i", len(payload) + 4) + payload


def first(code: int, payload: bytes = b"") -> bytes:
    """A message that comes before a session, and is told by a number."""
    return struct.pack("!ii", len(payload) + 8, code) + payload


def _shorts(numbers: Iterable[int]) -> bytes:
    found = list(numbers)
    return struct.pack(f"!h{len(found)}h", len(found), *found)


def parse(name: str, statement: str, *types: int) -> bytes:
    """A statement to be prepared."""
    sent = f"{name}\0{statement}\0".encode()
    return message("P", sent + struct.pack(f"!h{len(types)}i", len(types), *types))


def bind(name: str, formats: Iterable[int], *values: bytes | None) -> bytes:
    """The values of a prepared statement, for the portal without a name."""
    sent = [
        struct.pack("!i", -1) if value is None else struct.pack("!i", len(value)) + value
        for value in values
    ]
    payload = f"\0{name}\0".encode() + _shorts(formats) + struct.pack("!h", len(values))
    return message("B", payload + b"".join(sent) + _shorts([]))


STARTUP = first(3 << 16, b"user\0ada\0database\0d\0\0")
EXECUTE = message("E", b"\0\0\0\0\0")
SYNC = message("S")

"""One item as one row: what is written, and the record that is read back."""

from __future__ import annotations

from typing import Any, NamedTuple
from uuid import UUID

from memory_fidelity.adapter import Record
from memory_fidelity.adapters._sqlite_text import searchable
from memory_fidelity.errors import MemoryAdapterError
from memory_fidelity.json_codec import decode, encode

__all__ = ["Body", "Row", "body_of", "record_of", "row_of"]


class Row(NamedTuple):
    """A record as it is written."""

    id: bytes
    body: str
    folded: str
    tags: list[str]
    metadata: dict[str, Any]


class Body(NamedTuple):
    """The parts of an item that are kept as one JSON text.

    `created_at` is one of them, because a REAL column forgets the sign of -0.0.
    """

    content: Any
    metadata: dict[str, Any]
    tags: list[str]
    created_at: float


def row_of(record: Record) -> Row:
    """Return the row that keeps a record whole."""
    tags, metadata = record.tags or [], record.metadata or {}
    return Row(
        id=record.id.bytes,
        body=encode([record.content, metadata, tags, record.created_at]),
        folded=searchable(record.content),
        tags=tags,
        metadata=metadata,
    )


def body_of(text: str) -> Body:
    """Return what a row's body says.

    Raises:
        MemoryAdapterError: it is not the body of an item (E4).
    """
    try:
        content, metadata, tags, created_at = parts = decode(text)
        if not (
            type(parts) is list
            and type(metadata) is dict
            and type(tags) is list
            and type(created_at) is float
        ):
            raise TypeError("the parts of the body are of other types")
    except (TypeError, ValueError, RecursionError) as error:
        raise MemoryAdapterError(
            "sqlite: read: expected the body of a memory item in the row, "
            f"got something else ({type(error).__name__})"
        ) from error
    return Body(content, metadata, tags, created_at)


def record_of(identity: bytes, text: str) -> Record:
    """Return the record in a row, built anew.

    Raises:
        MemoryAdapterError: the row does not hold one (E4).
    """
    body = body_of(text)
    try:
        item_id = UUID(bytes=identity)
    except (TypeError, ValueError) as error:
        raise MemoryAdapterError(
            "sqlite: read: expected the 16 bytes of a UUID in the row, got something else"
        ) from error
    return Record(item_id, body.content, body.tags, body.created_at, body.metadata)

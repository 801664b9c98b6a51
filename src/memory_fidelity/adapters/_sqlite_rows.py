"""One item as one row: what is written, and the record that is read back."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from pydantic_core import SchemaValidator, core_schema

from memory_fidelity.adapter import Record
from memory_fidelity.adapters._folded_text import searchable
from memory_fidelity.errors import MemoryAdapterError
from memory_fidelity.json_codec import decode, encode

__all__ = ["Row", "record_of", "row_of"]

# Makes a UUID out of 16 bytes in a quarter of the time of its constructor.
_UUID: Final = SchemaValidator(core_schema.uuid_schema())


class Row(NamedTuple):
    """A record as it is written."""

    id: bytes
    body: str
    folded: str
    tags: list[str]
    metadata: dict[str, Any]


def row_of(record: Record) -> Row:
    """Return the row that keeps a record whole.

    `created_at` is part of the body, because a REAL column forgets the sign of -0.0.
    """
    tags, metadata = record.tags or [], record.metadata or {}
    return Row(
        id=record.id.bytes,
        body=encode([record.content, metadata, tags, record.created_at]),
        folded=searchable(record.content),
        tags=tags,
        metadata=metadata,
    )


def record_of(identity: bytes, text: str) -> Record:
    """Return the record in a row, built anew.

    Raises:
        MemoryAdapterError: the row does not hold a memory item (E4).
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
        return Record(_UUID.validate_python(identity), content, tags, created_at, metadata)
    except (TypeError, ValueError, RecursionError) as error:
        raise MemoryAdapterError(
            "sqlite: read: expected a memory item in the row, "
            f"got something else ({type(error).__name__})"
        ) from error

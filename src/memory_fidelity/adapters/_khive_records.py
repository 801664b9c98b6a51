"""How an item is kept as a memory of khive, and how one is told from all others.

khive has a place for content and tags alone. The rest of an item stands in one
property, since properties are merged by their top-level keys: so a write
replaces an item whole. Each profile has a property of its own, and takes the
memories of the other for foreign ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, Literal
from uuid import UUID

from memory_fidelity.adapter import Record
from memory_fidelity.adapters._khive_calls import MOST_BYTES, Call, ops
from memory_fidelity.errors import UnsupportedMemoryItem
from memory_fidelity.json_codec import encode

__all__ = [
    "MOST_NESTED",
    "Profile",
    "identity",
    "lookup",
    "native_age",
    "reads_as_reference",
    "record",
    "refuse",
    "update",
]

Profile = Literal["envelope", "plain"]
"""`envelope` keeps all of an item; `plain` keeps its id, text and tags."""

MOST_NESTED: Final = 59
"""Levels of content or metadata: khive takes 64 in a request, of which the call has five."""

_PROPERTY: Final[dict[Profile, str]] = {"envelope": "lionagi", "plain": "lionagi_plain"}
_INTEGERS: Final = range(-(2**63), 2**64)
_REFERENCE: Final = re.compile(r"\$prev(\Z|[.\[])")
_NOWHERE: Final = str(UUID(int=0))
_MOST_ROWS: Final = 50
"""Records of one id that a lookup gives; more than one is left by writers that raced."""


def refuse(item: Record, profile: Profile) -> None:
    """Raise `UnsupportedMemoryItem` for what khive would refuse, or alter without a word."""
    _refuse_part(item.content, "content", 0)
    for index, tag in enumerate(item.tags or ()):
        _refuse_text(tag, f"tags[{index}]")
    _refuse_part(item.metadata, "metadata", 0)
    size = len(ops([update(_NOWHERE, item, profile)]).encode())
    if size > MOST_BYTES:
        raise UnsupportedMemoryItem(
            "item", f"expected at most {MOST_BYTES} bytes as a request to khive, got {size}"
        )


def reads_as_reference(text: str) -> bool:
    """Whether khive takes a text for the result of another call, which it then refuses."""
    return _REFERENCE.match(text) is not None


def lookup(item_id: UUID, profile: Profile, namespace: str) -> Call:
    """Return the query that finds the records of an id, exactly and never by rank (R1)."""
    # A literal of khive's queries has no escapes, and a UUID's own text needs none.
    condition = f'n.properties.{_PROPERTY[profile]}.id = "{item_id}"'
    query = f"MATCH (n:memory) WHERE {condition} RETURN n.id, n.created_at LIMIT {_MOST_ROWS}"
    return "query", {"query": query, "namespace": namespace}


def update(native_id: str, item: Record, profile: Profile) -> Call:
    """Return the call that makes the memory of this native id the item, and nothing else."""
    kept: dict[str, Any] = {"id": str(item.id)}
    if profile == "envelope":
        kept |= {"created_at": item.created_at, "metadata": item.metadata}
    if type(item.content) is not str:
        kept["content"] = item.content
    return "update", {
        "id": native_id,
        "kind": "note",
        "content": "\n".join(_lines(item.content)),
        "properties": {_PROPERTY[profile]: kept, "tags": item.tags},
    }


def identity(memory: dict[str, Any], profile: Profile) -> str | None:
    """Return the item's id that a memory has, or `None` if it is no item of this profile.

    Raises:
        KeyError, TypeError: it is no memory of khive's.
    """
    kept = (memory["properties"] or {}).get(_PROPERTY[profile])
    return None if memory["kind"] != "memory" or kept is None else kept["id"]


def record(memory: dict[str, Any], profile: Profile) -> Record:
    """Return the item that a memory is.

    Raises:
        KeyError, TypeError, ValueError: a part of it is missing, or is something else.
    """
    kept = memory["properties"][_PROPERTY[profile]]
    if type(memory["content"]) is not str:
        raise TypeError(f"content: expected a text, got {type(memory['content']).__name__}")
    return Record(
        id=UUID(kept["id"]),
        content=kept.get("content", memory["content"]),
        tags=memory["properties"]["tags"],
        created_at=kept["created_at"] if profile == "envelope" else None,
        metadata=kept["metadata"] if profile == "envelope" else None,
    )


def native_age(row: dict[str, Any]) -> tuple[int, str]:
    """The order in which all writers and readers choose among the records of one id."""
    return row["n_created_at"], row["n_id"]


def _lines(value: Any) -> Iterator[str]:
    """What is searched of content: text itself, else its strings and scalars, each in a line.

    Keys are left out: khive's guard takes a UUID after a word such as `key` for a secret.
    """
    match value:
        case str():
            yield value
        case dict():
            for part in value.values():
                yield from _lines(part)
        case list():
            for part in value:
                yield from _lines(part)
        case _:
            yield encode(value)


def _refuse_part(value: Any, path: str, depth: int) -> None:
    match value:
        case str():
            _refuse_text(value, path)
        case int() if type(value) is int and value not in _INTEGERS:
            raise UnsupportedMemoryItem(
                path, f"expected an integer of 64 bits, got one of {value.bit_length()} bits"
            )
        case dict() | list() if depth == MOST_NESTED:
            raise UnsupportedMemoryItem(path, f"expected at most {MOST_NESTED} levels, got more")
        case dict():
            for key, part in value.items():
                _refuse_part(part, f"{path}.{key}", depth + 1)
        case list():
            for index, part in enumerate(value):
                _refuse_part(part, f"{path}[{index}]", depth + 1)


def _refuse_text(text: str, path: str) -> None:
    if reads_as_reference(text):
        raise UnsupportedMemoryItem(
            path, "expected text that khive takes as it is, got `$prev`, alone or before `.` or `[`"
        )

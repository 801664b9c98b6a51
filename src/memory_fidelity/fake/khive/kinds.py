"""The kinds of records, and what a new one of each looks like."""

from __future__ import annotations

from typing import Any, Final

from .fields import Refused
from .notes import Note

__all__ = ["is_entity", "kinds_of", "new_entity", "new_note", "require_kind", "tags_of", "viewed"]

_ENTITIES: Final = frozenset(
    {"artifact", "concept", "dataset", "document", "org", "person", "project", "service"}
)
_NOTES: Final = frozenset(
    {"decision", "finding", "insight", "memory", "observation", "question", "reference"}
)
_GROUPS: Final = {"entity": _ENTITIES, "note": _NOTES}


def kinds_of(kind: str) -> frozenset[str]:
    """Return the kinds that a kind stands for: itself, or all of `entity` or `note`.

    Raises:
        Refused: there is none of this name here.
    """
    require_kind(kind)
    return _GROUPS.get(kind, frozenset({kind}))


def require_kind(kind: str) -> None:
    """Refuse a kind that is none; khive has some more, which are not imitated."""
    known = sorted(_ENTITIES | _NOTES | _GROUPS.keys())
    if kind not in known:
        raise Refused(f'invalid input: unknown kind "{kind}"; valid: {" | ".join(known)}')


def is_entity(kind: str) -> bool:
    """Whether records of this kind are entities, and no notes."""
    return kind == "entity" or kind in _ENTITIES


def new_note(kind: str, namespace: str, properties: Any, **fields: Any) -> Note:
    """Return a note that was not kept yet."""
    return {
        "content": None,
        "decay_factor": None,
        "deleted_at": None,
        "expires_at": None,
        "kind": kind,
        "name": None,
        "namespace": namespace,
        "properties": properties,
        "salience": None,
        "status": "active",
        **fields,
    }


def new_entity(
    kind: str, namespace: str, properties: Any, name: str | None, tags: list[str]
) -> Note:
    """Return an entity that was not kept yet.

    Raises:
        Refused: its kind is not told, or it has no name.
    """
    if kind == "entity":
        raise Refused("invalid input: kind=entity requires a specific kind")
    if name is None:
        raise Refused("invalid input: kind=entity requires 'name'")
    if not name.strip():
        raise Refused("invalid input: name must not be empty")
    return {
        "content_ref": None,
        "deleted_at": None,
        "description": None,
        "entity_type": None,
        "kind": kind,
        "merge_event_id": None,
        "merged_into": None,
        "name": name,
        "namespace": namespace,
        "properties": properties,
        "tags": tags,
    }


def viewed(note: Note) -> Note:
    """Return a record as it is read: a property of the name `status` comes before its own."""
    properties = note["properties"]
    given = properties.get("status") if isinstance(properties, dict) else None
    if "status" not in note or not isinstance(given, str):
        return note
    return {**note, "lifecycle": note["status"], "status": given}


def tags_of(note: Note) -> list[str]:
    """Return the tags of a record: an entity's own, or those among a note's properties."""
    if "tags" in note:
        tags = note["tags"]
    else:
        properties = note["properties"]
        tags = properties.get("tags") if isinstance(properties, dict) else None
    return [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []

"""The verbs of khive that a store and lionagi's provider use, as 0.8.0 answers them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from inspect import Parameter, signature
from typing import Any, Final

from .gate import secret_in
from .notes import Note, Notes
from .recall import hits, is_meaningful, shown
from .state import KhiveSettings

__all__ = ["Refused", "Verbs"]

_NOTES: Final = frozenset({"decision", "insight", "memory", "observation", "question", "reference"})
_MATCH: Final = re.compile(
    r"MATCH \(n(?::(\w+))?\) WHERE n\.properties\.(\w+)\.(\w+) = \"([^\"\\]*)\""
    r" RETURN n\.id(, n\.created_at)? LIMIT (\d+)"
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NAMESPACE: Final = re.compile(r"[A-Za-z0-9._:-]{1,256}")
_LONGEST_PAGE: Final = 200

_FIELDS: Final[dict[str, dict[str, str]]] = {
    "brain.auto_feedback": {"query": "a string", "results": "a sequence"},
    "create": {"content": "a string", "tags": "a sequence", "properties": "a map"},
    "delete": {"id": "a string"},
    "get": {"id": "a string"},
    "list": {"kind": "a string", "tags": "a sequence", "limit": "u32", "offset": "u32"},
    "memory.recall": {"query": "a string", "tags": "a sequence", "limit": "u32", "top_k": "u32"},
    "memory.remember": {"content": "a string", "tags": "a sequence"},
    "query": {"query": "a string"},
    "update": {"id": "a string", "content": "a string", "properties": "a map"},
}
_TYPES: Final[dict[str, type]] = {"a string": str, "a sequence": list, "a map": dict, "u32": int}
_UNLISTED: Final = frozenset({"config", "namespace"})
"""Fields that khive takes, and does not list."""


class Refused(Exception):
    """A call that was read and refused: khive's error, and its reason where it gives one."""

    def __init__(self, error: Any, reason: str | None = None) -> None:
        super().__init__(error)
        self.error = error
        self.reason = reason


class Verbs:
    """Carries out the verbs on the notes of one folder."""

    def __init__(self, notes: Notes, settings: Callable[[], KhiveSettings]) -> None:
        """Take the notes, and what tells how khive is when a verb is called."""
        self._notes = notes
        self._settings = settings
        self._verbs: dict[str, Callable[..., Any]] = {
            "brain.auto_feedback": self._feedback,
            "create": self._create,
            "delete": self._delete,
            "get": self._get,
            "list": self._list,
            "memory.recall": self._recall,
            "memory.remember": self._remember,
            "query": self._query,
            "update": self._update,
            "verbs": self._listed_verbs,
        }

    def do(self, verb: str, arguments: dict[str, Any]) -> Any:
        """Carry out a call and return its result.

        Raises:
            Refused: it cannot be carried out.
        """
        settings = self._settings()
        offered = self._offered(settings)
        if verb not in offered:
            known = ", ".join(offered)
            raise Refused(
                f'invalid input: unknown verb "{verb}"; available: {known}', "verb-refused"
            )
        if settings.broken_storage:
            raise Refused("storage: unable to open database file")
        if settings.writer_busy and verb in ("create", "delete", "memory.remember", "update"):
            raise Refused(_BUSY)
        _check(verb, arguments, offered[verb])
        return offered[verb](**arguments)

    def _offered(self, settings: KhiveSettings) -> dict[str, Callable[..., Any]]:
        return {
            verb: carry_out
            for verb, carry_out in self._verbs.items()
            if verb not in settings.missing_verbs
        }

    def _listed_verbs(self) -> dict[str, Any]:
        verbs = [
            {"verb": verb, "signature": _signature(verb, carry_out)}
            for verb, carry_out in self._offered(self._settings()).items()
        ]
        return {"total": len(verbs), "verbs": verbs}

    def _remember(
        self,
        content: str,
        tags: list[str] | None = None,
        salience: float = 0.3,
        memory_type: str = "episodic",
        namespace: str = "local",
    ) -> dict[str, Any]:
        if not content.strip():
            raise Refused("invalid input: content must not be empty")
        properties: dict[str, Any] = {"memory_type": memory_type}
        if tags:
            properties["tags"] = _tags(tags)
        _guard(content, tags or [])
        note = self._notes.add(
            "memory",
            _namespace(namespace),
            self._indexes,
            content=content,
            properties=properties,
            salience=salience,
            decay_factor=0.02,
        )
        shown = ("created_at", "decay_factor", "id", "kind", "salience")
        return {**{name: note[name] for name in shown}, "memory_type": memory_type}

    def _create(
        self,
        kind: str,
        content: str | None = None,
        name: str | None = None,
        tags: list[str] | None = None,
        properties: dict[str, Any] | None = None,
        namespace: str = "local",
    ) -> Note:
        if kind == "memory" and self._settings().refuses_create_memory:
            raise Refused("invalid input: a memory is made with memory.remember, not with create")
        if kind in _NOTES and content is None:
            raise Refused("invalid input: missing field `content`")
        _guard(content, name, tags, properties)
        kept = {**(properties or {}), **({"tags": _tags(tags)} if tags else {})}
        return self._notes.add(
            kind,
            _namespace(namespace),
            self._indexes,
            content=content,
            name=name,
            properties=kept or None,
        )

    def _update(
        self,
        id: str,  # noqa: A002 - khive's name
        kind: str = "note",
        content: str | None = None,
        properties: dict[str, Any] | None = None,
        tags: list[str] | None = None,
    ) -> Note:
        if tags is not None:
            raise Refused(
                "invalid input: field 'tags' is not valid for a note; valid fields: name, "
                "content, salience, decay_factor, properties"
            )
        note = self._notes.get(id)
        if note is None or len(id) == 8:
            raise Refused(f"not found: {kind} {id}")
        _guard(content, properties)
        return self._notes.replace(
            {
                **note,
                "content": note["content"] if content is None else content,
                "properties": {**(note["properties"] or {}), **(properties or {})},
            },
            self._indexes,
        )

    def _delete(
        self,
        id: str,  # noqa: A002 - khive's name
        hard: bool = False,
    ) -> dict[str, Any]:
        # What is deleted softly is not found any more either.
        if not self._notes.remove(id):
            raise Refused(f"not found: not found: {id}")
        return {"deleted": True, "id": id, "kind": None}

    def _get(self, id: str) -> Note:  # noqa: A002 - khive's name
        note = self._notes.get(id)
        if note is None:
            raise Refused(f"not found: not found: {id}")
        return note

    def _list(
        self,
        kind: str,
        tags: list[str] | None = None,
        limit: int = 20,
        offset: int = 0,
        namespace: str = "local",
    ) -> dict[str, Any]:
        wanted = {tag.lower() for tag in tags or ()}
        found = [
            note
            for note in self._notes.all(kind, namespace)
            if not wanted or wanted & {tag.lower() for tag in _tags_of(note)}
        ]
        most = min(limit, _LONGEST_PAGE)
        return {
            "effective_limit": most,
            "items": found[::-1][offset : offset + most],
            "limit_clamped": most < limit,
            "requested_limit": limit,
        }

    def _query(self, query: str, namespace: str = "local") -> dict[str, Any]:
        found = _MATCH.fullmatch(query)
        if found is None:
            raise Refused("query: parse error at position 0: expected keyword 'MATCH'")
        kind, group, name, value, dated, limit = found.groups()
        matching = self._notes.matching(kind, namespace, group, name, value)
        rows = [_row(note, dated is not None) for note in matching]
        return {
            "has_more": len(rows) > int(limit),
            "offset": 0,
            "page_size": int(limit),
            "rows": rows[: int(limit)],
            "truncated": False,
        }

    def _recall(
        self,
        query: str,
        limit: int = 10,
        top_k: int | None = None,
        min_score: float = 0.0,
        tags: list[str] | None = None,
        tag_mode: str = "any",
        full_content: bool = True,
        fusion_strategy: str = "weighted",
        config: dict[str, Any] | None = None,
        namespace: str = "local",
    ) -> Any:
        if not query.strip():
            raise Refused("invalid input: query must not be empty")
        if not is_meaningful(query):
            raise Refused(
                f'invalid input: query "{query}" does not contain enough meaningful content (must '
                "have at least 2 alphabetic or CJK characters and not consist of repeated "
                "characters)"
            )
        embeds = self._settings().embeddings
        if fusion_strategy == "vector_only" and not embeds:
            return []
        notes = list(self._notes.all("memory", namespace, indexed=embeds))
        # khive gives one hit where none is asked for by `limit`, and none by `top_k`.
        most = max(limit, 1) if top_k is None else top_k
        # What a vector is near to is not imitated: it is near to all that is embedded.
        text = None if fusion_strategy == "vector_only" else query
        found = hits(notes, text, tags, tag_mode, most)
        return shown([hit for hit in found if hit["score"] >= min_score], full_content, config)

    def _feedback(
        self,
        query: str,
        results: list[dict[str, Any]],
        served_by_profile_id: str | None = None,
        target_id: str | None = None,
        signal: str | None = None,
        namespace: str = "local",
    ) -> dict[str, Any]:
        reason = "no_signal" if results else "no_results"
        return {"emitted": False, "reason": reason, "verb": "brain.auto_feedback"}

    @property
    def _indexes(self) -> bool:
        return not self._settings().delays_index


_BUSY: Final = {
    "kind": "unavailable",
    "code": "writer_task_begin_busy",
    "message": "writer task could not begin a transaction: database is locked",
    "retryable": True,
}


def _check(verb: str, arguments: dict[str, Any], carry_out: Callable[..., Any]) -> None:
    known = signature(carry_out).parameters
    for name in arguments.keys() - known.keys():
        listed = ", ".join(f"`{each}`" for each in known)
        raise Refused(f"invalid input: unknown field `{name}`, expected one of {listed}")
    for name, parameter in known.items():
        if parameter.default is Parameter.empty and name not in arguments:
            raise Refused(f"invalid input: missing field `{name}`")
    for name, expected in _FIELDS.get(verb, {}).items():
        value = arguments.get(name)
        is_absent = value is None and known[name].default is not Parameter.empty
        if not is_absent and type(value) is not _TYPES[expected]:
            raise Refused(f"invalid input: invalid type: {_described(value)}, expected {expected}")
        if expected == "u32" and isinstance(value, int) and value < 0:
            raise Refused(f"invalid input: invalid value: integer `{value}`, expected u32")


def _described(value: Any) -> str:
    match value:
        case None:
            return "null"
        case dict():
            return "map"
        case list():
            return "sequence"
        case str():
            return f'string "{value}"'
        case bool():
            return f"boolean `{str(value).lower()}`"
        case int():
            return f"integer `{value}`"
        case _:
            return f"floating point `{value}`"


def _signature(verb: str, carry_out: Callable[..., Any]) -> str:
    fields = [
        name if parameter.default is Parameter.empty else f"{name}?"
        for name, parameter in signature(carry_out).parameters.items()
        if name not in _UNLISTED or (name == "namespace" and verb.startswith("memory."))
    ]
    return f"{verb}({', '.join(fields)})"


def _guard(*values: Any) -> None:
    pattern = secret_in(*values)
    if pattern is not None:
        raise Refused(f"write blocked: content matches secret pattern {pattern}", "gate-refusal")


def _tags(tags: list[Any]) -> list[str]:
    for tag in tags:
        if not isinstance(tag, str):
            raise Refused(f"invalid input: invalid type: {_described(tag)}, expected a string")
    return tags


def _tags_of(note: Note) -> list[str]:
    tags = (note["properties"] or {}).get("tags")
    return tags if isinstance(tags, list) else []


def _namespace(namespace: str) -> str:
    if _NAMESPACE.fullmatch(namespace) is None:
        raise Refused(f'invalid input: invalid namespace "{namespace}": not letters and digits')
    return namespace


def _row(note: Note, dated: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"n_id": note["id"]}
    if dated:
        age = datetime.fromisoformat(note["created_at"]) - _EPOCH
        row["n_created_at"] = age // timedelta(microseconds=1)
    return row

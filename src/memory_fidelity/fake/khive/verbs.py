"""The verbs of khive that a store and lionagi's provider use, as 0.8.0 answers them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from inspect import signature as signature_of
from typing import Any, Final

from .fields import Refused, checked, described, signature
from .gate import secret_in
from .gql import parsed
from .kinds import is_entity, kinds_of, new_entity, new_note, require_kind, tags_of, viewed
from .notes import Note, Notes
from .recall import hits, refuse_recall, shown
from .state import KhiveSettings

__all__ = ["Refused", "Verbs"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NAMESPACE: Final = re.compile(r"[A-Za-z0-9._:-]{1,256}")
_PREFIX: Final = re.compile(r"[0-9a-f]{8}")
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_PAGES: Final = {False: (20, 200), True: (50, 500)}
"""Of notes, and of entities: how many a list has, unless asked for more, and at most."""
_TYPES: Final = {"episodic": (0.3, 0.02), "semantic": (0.5, 0.005)}
"""Salience and decay of memories of each type."""
_WRITES: Final = frozenset({"create", "delete", "memory.remember", "update"})
_FIELDS: Final = {
    False: ("name", "content", "salience", "decay_factor", "properties"),
    True: ("name", "description", "tags", "properties", "entity_type"),
}
"""What can be changed of a note, and of an entity."""
_BUSY: Final = {
    "kind": "unavailable",
    "code": "writer_task_begin_busy",
    "message": "writer task could not begin a transaction: database is locked",
    "retryable": True,
}


class Verbs:
    """Carries out the verbs on the records of one folder."""

    def __init__(self, notes: Notes, settings: Callable[[], KhiveSettings]) -> None:
        """Take the records, and what tells how khive is when a verb is called."""
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
            "whoami": self._whoami,
        }

    def do(self, verb: str, arguments: dict[str, Any]) -> Any:
        """Carry out a call and return its result.

        Raises:
            Refused: it cannot be carried out.
        """
        settings = self._settings()
        if verb not in self._verbs or verb in settings.missing_verbs:
            known = ", ".join(sorted(self._verbs.keys() - settings.missing_verbs))
            raise Refused(
                f'invalid input: unknown verb "{verb}"; available: {known}', "verb-refused"
            )
        if settings.broken_storage:
            raise Refused("storage: unable to open database file")
        if settings.writer_busy and verb in _WRITES:
            raise Refused(_BUSY)
        if arguments.get("help") is True:
            return described(verb, _missing(settings, verb))
        given = checked(verb, arguments, _missing(settings, verb))
        namespace = given.setdefault("namespace", "local")
        if _NAMESPACE.fullmatch(namespace) is None:
            raise Refused(f'invalid input: invalid namespace "{namespace}": expected a plain name')
        return self._verbs[verb](**_imitated(verb, given, self._verbs[verb]))

    def _listed_verbs(self) -> dict[str, Any]:
        settings = self._settings()
        verbs = [
            {"verb": verb, "signature": signature(verb, _missing(settings, verb))}
            for verb in self._verbs
            if verb not in settings.missing_verbs
        ]
        return {"total": len(verbs), "verbs": verbs}

    def _whoami(self) -> dict[str, Any]:
        return {
            "actor_id": "local",
            "actor_kind": "anonymous",
            "namespace": "local",
            "unattributed": True,
            "visible_namespaces": ["local"],
        }

    def _remember(
        self,
        content: str,
        namespace: str,
        tags: list[str] | None = None,
        salience: float | None = None,
        memory_type: str = "episodic",
    ) -> dict[str, Any]:
        if not content.strip():
            raise Refused("invalid input: content must not be empty")
        if memory_type not in _TYPES:
            raise Refused(
                f'invalid input: unknown memory_type "{memory_type}"; valid: episodic | semantic'
            )
        if salience is not None and not 0 <= salience <= 1:
            raise Refused(f"invalid input: salience must be in [0, 1], got {salience}")
        _guard(content, tags)
        usual, decay = _TYPES[memory_type]
        properties = {"memory_type": memory_type, **({"tags": tags} if tags else {})}
        kept = {"content": content, "salience": usual if salience is None else salience}
        note = self._notes.add(
            new_note("memory", namespace, properties, decay_factor=decay, **kept), self._indexes
        )
        told = ("created_at", "decay_factor", "id", "kind", "salience")
        return {**{name: note[name] for name in told}, "memory_type": memory_type}

    def _create(
        self,
        namespace: str,
        kind: str | None = None,
        content: str | None = None,
        name: str | None = None,
        tags: list[str] | None = None,
        properties: Any = None,
        salience: float | None = None,
    ) -> Note:
        if kind is None:
            raise Refused("invalid input: create requires 'kind'")
        require_kind(kind)
        if kind == "memory" and self._settings().refuses_create_memory:
            raise Refused("invalid input: a memory is made with memory.remember, not with create")
        _guard(content, name, tags, properties)
        if is_entity(kind):
            return self._notes.add(new_entity(kind, namespace, properties, name, tags or []))
        if content is None:
            raise Refused("invalid input: kind=note requires 'content'")
        _refuse_salience(salience)
        if tags and not isinstance(properties, dict | None):
            raise Refused(
                "invalid input: create: note `tags` cannot be merged into non-object `properties`"
            )
        kept = {**(properties or {}), "tags": tags} if tags else properties
        note = new_note(
            "observation" if kind == "note" else kind,
            namespace,
            kept,
            content=content,
            name=name,
            salience=salience,
        )
        return viewed(self._notes.add(note, self._indexes))

    def _update(self, id: str, kind: str | None = None, **changed: Any) -> Note:  # noqa: A002 - khive's name
        note = self._found(id, kind)
        known = _FIELDS["tags" in note]
        for name in changed:
            if name not in known:
                one = "an entity" if "tags" in note else "a note"
                raise Refused(
                    f"invalid input: field '{name}' is not valid for {one}; valid fields: "
                    + ", ".join(known)
                )
        _refuse_salience(changed.get("salience"))
        _guard(*changed.values())
        if "properties" in changed:
            changed["properties"] = _merged(note["properties"], changed["properties"])
        return self._notes.replace({**note, **changed}, self._indexes)

    def _delete(self, id: str, kind: str | None = None, hard: bool = False) -> dict[str, Any]:  # noqa: A002 - khive's name
        note = self._found(id, kind, removed=hard)
        if hard:
            self._notes.remove(note["id"])
        else:
            self._notes.hide(note)
        return {"deleted": True, "id": id, "kind": kind}

    def _get(self, id: str, include_deleted: bool = False) -> Note:  # noqa: A002 - khive's name
        note = self._notes.get(id, removed=include_deleted)
        if note is None:
            raise Refused(f"not found: not found: {id}")
        return viewed(note)

    def _list(
        self,
        kind: str,
        namespace: str,
        tags: list[str] | None = None,
        limit: int | None = None,
        offset: int = 0,
    ) -> dict[str, Any]:
        wanted = {tag.lower() for tag in tags or ()}
        found = [
            viewed(note)
            for note in self._notes.all(kinds_of(kind), namespace)
            if not wanted or wanted & {tag.lower() for tag in tags_of(note)}
        ]
        usual, longest = _PAGES[is_entity(kind)]
        asked = usual if limit is None else limit
        most = min(asked, longest)
        return {
            "effective_limit": most,
            "items": found[::-1][offset : offset + most],
            "limit_clamped": most < asked,
            "requested_limit": asked,
        }

    def _query(self, query: str, namespace: str) -> dict[str, Any]:
        match = parsed(query)
        found = self._notes.matching(match.kind, namespace, match.path, match.value)
        rows = [_row(note, match.name, match.is_dated) for note in found]
        return {
            "has_more": 0 < match.limit < len(rows),
            "offset": 0,
            "page_size": match.limit,
            "rows": rows[: match.limit],
            "truncated": False,
        }

    def _recall(
        self,
        query: str,
        namespace: str,
        limit: int = 10,
        top_k: int | None = None,
        min_score: float = 0.0,
        tags: list[str] | None = None,
        tag_mode: str = "any",
        full_content: bool = True,
        fusion_strategy: str = "weighted",
        config: dict[str, Any] | None = None,
    ) -> Any:
        refuse_recall(query, min_score, tag_mode, fusion_strategy)
        embeds = self._settings().embeddings
        if fusion_strategy == "vector_only" and not embeds:
            return []
        notes = list(self._notes.all(("memory",), namespace, indexed=embeds))
        # khive gives one hit where none is asked for by `limit`, and none by `top_k`.
        most = max(limit, 1) if top_k is None else top_k
        # What a vector is near to is not imitated: it is near to all that is embedded.
        text = None if fusion_strategy == "vector_only" else query
        least = min_score / 100 if min_score > 1 else min_score
        found = hits(notes, text, tags, tag_mode, least)
        return shown(found[:most], full_content, config or {})

    def _feedback(
        self,
        query: str,
        results: list[dict[str, Any]],
        served_by_profile_id: str | None = None,
        target_id: str | None = None,
        signal: str | None = None,
    ) -> dict[str, Any]:
        reason = "no_signal" if results else "no_results"
        return {"emitted": False, "reason": reason, "verb": "brain.auto_feedback"}

    def _found(self, native_id: str, kind: str | None, *, removed: bool = False) -> Note:
        """The record that is to be changed: of this id, or its beginning, and of this kind."""
        if kind is not None:
            require_kind(kind)
        note = self._notes.get(native_id, removed=removed)
        if note is None and _PREFIX.fullmatch(native_id):
            raise Refused(f'invalid input: no record matches prefix: "{native_id}"')
        if note is None and not _UUID.fullmatch(native_id):
            raise Refused(f'not found: entity not found: "{native_id}"')
        if kind is None and note is not None:
            return note
        kept = None if note is None else "entity" if is_entity(note["kind"]) else "note"
        if note is None or kept != ("entity" if is_entity(kind or "") else "note"):
            one = "not found" if kind is None else "entity" if is_entity(kind) else "note"
            raise Refused(f"not found: {one}{':' if kind is None else ''} {native_id}")
        if note["kind"] not in kinds_of(kind or kept):
            raise Refused(
                f"invalid input: kind mismatch: {native_id} exists with kind '{note['kind']}', not "
                f"'{kind}'"
            )
        return note

    @property
    def _indexes(self) -> bool:
        return not self._settings().delays_index


def _missing(settings: KhiveSettings, verb: str) -> frozenset[str]:
    pairs = (field.rpartition(".") for field in settings.missing_fields)
    return frozenset(name for of_verb, _, name in pairs if of_verb == verb)


def _imitated(verb: str, given: dict[str, Any], carry_out: Callable[..., Any]) -> dict[str, Any]:
    """The arguments that matter; a namespace does not where something is named by its id."""
    taken = signature_of(carry_out).parameters
    if "namespace" not in taken:
        del given["namespace"]
    if verb not in ("update", "verbs"):
        for name in sorted(given.keys() - taken.keys()):
            raise Refused(f"internal: the fake of khive has no `{name}` in `{verb}`")
    return {} if verb == "verbs" else given


def _guard(*values: Any) -> None:
    pattern = secret_in(*values)
    if pattern is not None:
        raise Refused(f"write blocked: content matches secret pattern {pattern}", "gate-refusal")


def _refuse_salience(salience: float | None) -> None:
    if salience is not None and not 0 <= salience <= 1:
        raise Refused(
            f"invalid input: salience must be a finite value in [0.0, 1.0]; got {salience}"
        )


def _merged(kept: Any, changed: Any) -> dict[str, Any]:
    if not isinstance(changed, dict):
        raise Refused("invalid input: properties must be patched with an object")
    return {**(kept if isinstance(kept, dict) else {}), **changed}


def _row(note: Note, name: str, dated: bool) -> dict[str, Any]:
    row: dict[str, Any] = {f"{name}_id": note["id"]}
    if dated:
        age = datetime.fromisoformat(note["created_at"]) - _EPOCH
        row[f"{name}_created_at"] = age // timedelta(microseconds=1)
    return row

"""How khive shows results unless asked to be verbose: shortened, for an agent's prompt."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

__all__ = ["abridged"]

_WHOLE_VERBS: Final = frozenset({"get", "query"})
_WHOLE_IDS: Final = frozenset({"full_id", "parent_id", "session_id"})
_TIMES: Final = frozenset({"created_at", "updated_at"})
_SHOWN_IF_EMPTY: Final = frozenset({"deleted_at", "items", "results"})
_OF_THE_CALLER: Final = "properties"


def abridged(verb: str, result: Any) -> Any:
    """Return a result with short ids, ages and scores, and without what is empty.

    That is done in an item's own metadata, too, but for the ages. What was read
    by its id is shown whole.
    """
    return result if verb in _WHOLE_VERBS else _abridged(result)


def _abridged(value: Any, name: str = "", *, is_ours: bool = True) -> Any:
    match value:
        case dict():
            shown = {
                key: _abridged(part, key, is_ours=is_ours and key != _OF_THE_CALLER)
                for key, part in value.items()
            }
            return {
                key: part
                for key, part in shown.items()
                if part not in (None, [], {}) or key in _SHOWN_IF_EMPTY
            }
        case list():
            return [_abridged(part, is_ours=is_ours) for part in value]
        case str() if is_ours and name in _TIMES:
            age = datetime.now(UTC) - datetime.fromisoformat(value)
            return f"{int(age.total_seconds())}s ago"
        case str() if _is_id(name) and _is_identity(value):
            return value[:8]
        case float() if name == "score":
            return round(value, 3)
        case _:
            return value


def _is_id(name: str) -> bool:
    return (name == "id" or name.endswith("_id")) and name not in _WHOLE_IDS


def _is_identity(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False

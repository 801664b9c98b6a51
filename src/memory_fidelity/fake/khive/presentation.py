"""How khive shows results unless asked to be verbose: shortened, for an agent's prompt."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

__all__ = ["abridged"]

_ALWAYS_SHOWN: Final = "deleted_at"


def abridged(value: Any, name: str = "") -> Any:
    """Return a result with short ids and ages, and without what is empty.

    That is done wherever it stands, in an item's own metadata, too.
    """
    match value:
        case dict():
            shown = {key: abridged(part, key) for key, part in value.items()}
            return {
                key: part
                for key, part in shown.items()
                if part not in (None, [], {}) or key == _ALWAYS_SHOWN
            }
        case list():
            return [abridged(part) for part in value]
        case str() if name == "created_at":
            age = datetime.now(UTC) - datetime.fromisoformat(value)
            return f"{int(age.total_seconds())}s ago"
        case str() if name != "full_id" and _is_identity(value):
            return value[:8]
        case _:
            return value


def _is_identity(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False

"""Whether the khive that was started can do what the manifest says (M8)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from memory_fidelity.adapters._khive_calls import KhiveUnusable, asked_each
from memory_fidelity.adapters._khive_card import Declared
from memory_fidelity.adapters.mcp_session import Ask
from memory_fidelity.errors import MemoryAdapterUnavailable

__all__ = ["require_capability"]

_NEEDED: Final[dict[str, frozenset[str]]] = {
    "delete": frozenset({"hard", "id"}),
    "get": frozenset({"id"}),
    "list": frozenset({"kind", "limit", "offset", "tags"}),
    "memory.recall": frozenset({"full_content", "limit", "namespace", "query", "tag_mode", "tags"}),
    "memory.remember": frozenset({"content", "namespace"}),
    "query": frozenset({"query"}),
    "update": frozenset({"content", "id", "kind", "properties"}),
}
"""Every verb that is used, with those of its fields that khive lists."""

_FIELD: Final = re.compile(r"[(,]\s*(\w+)")


async def require_capability(ask: Ask, declared: Declared) -> None:
    """Return if the service has what the store was declared with; one request.

    Raises:
        MemoryAdapterUnavailable: it lacks something, or embeds although its
            search was declared to be immediate.
        OSError, KeyError, TypeError, ValueError: it gave no valid answer.
    """
    # Only vectors can answer it: nothing, where there are none.
    by_vector = {
        "query": "whether anything is embedded",
        "fusion_strategy": "vector_only",
        "limit": 1,
        "namespace": declared.namespace,
    }
    verbs, embedded = await asked_each(ask, ("verbs", {}), ("memory.recall", by_vector))
    if isinstance(verbs, Exception):
        raise verbs
    if missing := sorted(_missing(verbs["verbs"])):
        raise MemoryAdapterUnavailable(
            f"{declared.adapter}: expected a khive with {', '.join(missing)}, got one without"
        )
    if not declared.embeddings and (embedded or isinstance(embedded, KhiveUnusable)):
        raise MemoryAdapterUnavailable(
            f"{declared.adapter}: expected a khive without embeddings, since search was declared "
            "to be immediate, got one that embeds"
        )


def _missing(verbs: list[dict[str, Any]]) -> Iterator[str]:
    offered = {verb["verb"]: set(_FIELD.findall(verb["signature"])) for verb in verbs}
    for verb, fields in _NEEDED.items():
        if verb not in offered:
            yield f"`{verb}`"
        else:
            yield from (f"`{verb}({field})`" for field in fields - offered[verb])

"""Which filters a store honours: each key is tried on an item that matches, and on others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from memory_fidelity.errors import UnsupportedMemoryQuery
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.cases.filters import TEMPTING, filed, mapping_of
from memory_fidelity.testing.endings import Raised, described
from memory_fidelity.testing.trial import Trial

__all__ = ["Filters", "filters_that_work"]

_INVENTED: Final = "mf-a-key-of-nobody"
"""If this key is honoured, so is any."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What became of each key that was tried."""

    working: frozenset[str]
    """Keys that find what holds the value, and nothing else."""
    evidence: tuple[str, ...]
    notes: tuple[str, ...]


async def filters_that_work(trial: Trial) -> Filters:
    """Try the declared keys, keys that many services know, and one that nobody knows."""
    endings: dict[str, list[str]] = {}
    for key in _keys(trial):
        endings.setdefault(await _ending(trial, key), []).append(key)
    working = frozenset(endings.get(_HONOURED, ()))
    notes = []
    if _INVENTED in working:
        working -= {_INVENTED}
        notes.append(
            "any key of metadata is taken as a filter, which no manifest can say: "
            "an adapter lists its keys, and refuses all others"
        )
    return Filters(
        working=working,
        evidence=tuple(f"{ending}: {', '.join(keys)}" for ending, keys in endings.items()),
        notes=tuple(notes),
    )


_HONOURED: Final = "found what holds the value, and nothing else"


def _keys(trial: Trial) -> Iterator[str]:
    declared = sorted(trial.manifest.supported_filters) if trial.manifest else []
    yield from dict.fromkeys((*declared, *(key for key in TEMPTING if key), _INVENTED))


async def _ending(trial: Trial, key: str) -> str:
    tag = f"filter {key} {trial.mark}"
    path, value, matching, other = _examples(trial, key)
    items = {
        "matching": filed(trial, {path: matching}, tag),
        "other": filed(trial, {path: other}, tag),
        "bare": trial.item(f"without {tag}", tags=[tag]),
    }
    for item in items.values():
        await trial.attempt(trial.store.store(item))
    await trial.indexed()
    query = MemoryQuery(tags=[tag], filters={key: value}, limit=10)
    outcome = await trial.attempt(trial.store.search(query))
    if isinstance(outcome, Raised):
        refused = isinstance(outcome.error, UnsupportedMemoryQuery)
        return "refused by name" if refused else f"raised {described(outcome)}"
    hits = {hit.id for hit in outcome if isinstance(hit, MemoryItem)}
    found = [name for name, item in items.items() if item.id in hits]
    if found == ["matching"]:
        return _HONOURED
    return "ignored" if len(found) == len(items) else f"found {', '.join(found) or 'nothing'}"


def _examples(trial: Trial, key: str) -> tuple[str, Any, Any, Any]:
    """Where a filter looks, its value, a stored value that it finds, and one that it does not."""
    mapping = mapping_of(trial, key)
    if mapping is None:
        return f"metadata[{key!r}]", "ada", "ada", "bob"
    return mapping.path, mapping.value, mapping.matching[0], mapping.other[0]

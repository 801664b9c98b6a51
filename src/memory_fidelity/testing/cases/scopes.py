"""Scopes: stores over one service that are kept apart by a name (L2, C9)."""

from __future__ import annotations

from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.case import case
from memory_fidelity.testing.harness import OpensScopes
from memory_fidelity.testing.trial import Trial

__all__ = ["CASES"]

_NAMES = ("team", "team-1", "team_1", "team-10")
"""The first starts all others, the second the last; the third matches the second as a pattern."""

_HOME = "the scope of make_store"


@case("scope.isolated", "L2", "C9", needs=(OpensScopes,))
async def isolated(trial: Trial) -> None:
    """A store finds and retrieves what is in its own scope, and nothing of another one.

    Namespaces that are compared by their start or as a pattern, or whose names
    are normalised, show one user what another one stored.
    """
    stores = {_HOME: trial.store}
    for name in _NAMES:
        stores[name] = await trial.scope(name)
    # The same text and tag everywhere, so that nothing but the scope tells the items apart.
    items = {name: trial.item(f"kept {trial.mark}", tags=[trial.mark]) for name in stores}
    for name, item in items.items():
        trial.store = stores[name]
        await trial.stored(item)
    await trial.indexed()
    for name in stores:
        trial.store = stores[name]
        await _judge_hits(trial, name, items)
        await _judge_retrieved(trial, name, items)


async def _judge_hits(trial: Trial, name: str, items: dict[str, MemoryItem]) -> None:
    for shape, query in (
        ("an empty query", MemoryQuery(limit=1_000)),
        ("a text", MemoryQuery(text=trial.mark, limit=1_000)),
        ("a tag", MemoryQuery(tags=[trial.mark], limit=1_000)),
        ("a text and a tag", MemoryQuery(text=trial.mark, tags=[trial.mark], limit=1_000)),
    ):
        hits = await trial.found_ids(query)
        shown = [scope for scope, item in items.items() if item.id in hits]
        trial.require(
            shown == [name],
            "L2",
            f"{shape} in {name} finds what is in {name} only",
            f"it found what is in {', '.join(shown) or 'no scope'}",
            "make the whole name of the scope part of the native query, compared for equality",
        )


async def _judge_retrieved(trial: Trial, name: str, items: dict[str, MemoryItem]) -> None:
    shown = [scope for scope, item in items.items() if await trial.retrieved(item.id) is not None]
    trial.require(
        shown == [name],
        "L2",
        f"retrieve in {name} reads what is in {name} only",
        f"it read what is in {', '.join(shown) or 'no scope'}",
        "make the whole name of the scope part of the native identity",
    )


CASES = (isolated,)

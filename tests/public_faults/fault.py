"""One public fault: where it was reported, what goes wrong, and which endings are right."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from tests.public_faults.bench import Bench, Ending

__all__ = ["Fault", "Kind", "Play", "faults_of"]

Kind = Literal[
    "metadata_type",
    "tags",
    "text",
    "identity",
    "time",
    "filter",
    "injection",
    "limit",
    "empty_query",
    "consistency",
    "transport_error",
    "wrong_kind",
    "duplicate",
    "concurrency",
    "lifecycle",
    "isolation",
    "suite",
]

Play = Callable[[Bench], Awaitable[Ending]]
"""Plays the smallest input of a fault, and returns the ending that was observed."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One row of the table."""

    id: str
    kind: Kind
    source: str
    story: str
    endings: frozenset[Ending]
    play: Play


def faults_of(
    kind: Kind, *faults: tuple[str, str, str, tuple[Ending, ...], Play]
) -> tuple[Fault, ...]:
    """Return the rows of one kind: id, source, story, right endings, and how it is played."""
    return tuple(
        Fault(name, kind, source, story, frozenset(endings), play)
        for name, source, story, endings, play in faults
    )

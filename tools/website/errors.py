"""The page of errors: which there are, when each is raised, and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import getdoc
from typing import Final

from tools.website.blocks import clause_links, heading, paragraphs, table

from memory_fidelity.choose import UnmetNeed, UnmetNeeds
from memory_fidelity.errors import (
    MemoryAdapterError,
    MemoryAdapterUnavailable,
    UnsupportedMemoryItem,
    UnsupportedMemoryQuery,
)

__all__ = ["errors_page"]

_OPERATION: Final = (
    (MemoryAdapterError, ("C16", "W4", "E1", "E4"), "unknown: ask before writing again"),
    (UnsupportedMemoryQuery, ("C8", "C10", "Q2", "Q3"), "nothing was sent"),
    (UnsupportedMemoryItem, ("W1", "W2", "W3"), "nothing was sent, nothing was written"),
    (MemoryAdapterUnavailable, ("C15", "E3", "M8"), "unknown: it may have been carried out"),
)


def errors_page() -> str:
    """Return the errors that an operation can end in, and those before first use."""
    return "\n\n".join(_parts()) + "\n"


def _parts() -> Iterator[str]:
    yield "# Errors"
    yield (
        "An operation of an adapter ends in a value or in one of four errors. The service's own "
        "error never escapes: it is the cause (`__cause__`) of the one that is raised "
        f"({clause_links(['E2'])}). No error stands for an empty answer, and no answer for an "
        f"error ({clause_links(['C15', 'E5'])})."
    )
    yield table(
        ("error", "of a write that ended so", "clauses"),
        (
            (f"[`{kind.__name__}`](#{kind.__name__.lower()})", known, clause_links(clauses))
            for kind, clauses, known in _OPERATION
        ),
    )
    for kind, _, _ in _OPERATION:
        yield from _error(kind)
    yield heading(2, "Before first use", "before-first-use")
    yield (
        "A manifest, item or query that is invalid by itself is a `pydantic.ValidationError`, as "
        "in lionagi. A store that does not give what an application needs is refused by "
        "[`require`](api.md#memory_fidelity.require):"
    )
    yield from _error(UnmetNeeds, level=3)
    example = UnmetNeeds(
        "acme",
        (
            UnmetNeed("immediate", "search_consistency", "immediate", "eventual"),
            UnmetNeed("filter:user", "supported_filters", "user", "none"),
        ),
    )
    yield f"```text\n{example}\n```"


def _error(kind: type[Exception], level: int = 2) -> Iterator[str]:
    parents = " > ".join(
        f"`{parent.__name__}`"
        for parent in kind.__mro__[1:]
        if parent not in (Exception, object) and parent is not BaseException
    )
    yield heading(level, f"`{kind.__name__}`", kind.__name__.lower())
    yield f"A kind of {parents}."
    yield paragraphs(getdoc(kind) or "")
    if kind is UnsupportedMemoryQuery:
        yield f"```text\n{UnsupportedMemoryQuery(['team', 'owner'])}\n```"
    if kind is UnsupportedMemoryItem:
        found = UnsupportedMemoryItem("metadata.price[2]", "expected a finite number, got NaN")
        yield f"```text\n{found}\n```"

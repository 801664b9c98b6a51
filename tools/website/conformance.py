"""The pages of the cases and of the clauses, each linked to the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from tools.website.blocks import clause_links, heading, prose

from memory_fidelity.testing.case import Case
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.clauses import CLAUSES

__all__ = ["ELSEWHERE", "cases_page", "clauses_page"]

_CONCERNS: Final = {
    "surface": "What an adapter is",
    "identity": "Identity",
    "fidelity": "What is kept",
    "writes": "Writing",
    "queries": "Searching",
    "matching": "What matches",
    "filters": "Filters",
    "scopes": "Scopes",
    "consistency": "When a write can be found",
    "failures": "Outages, refusals and bad replies",
    "cancellation": "Cancelled calls",
    "lifecycle": "Closing",
    "accuracy": "The manifest itself",
}
_LETTERS: Final = {
    "M": "The manifest",
    "C": "The conformance matrix",
    "W": "Writing",
    "R": "Retrieving",
    "Q": "Searching",
    "E": "Errors",
    "L": "Lifecycle",
    "X": "Stores and context providers",
}
_PROVIDER: Final = ("it is about lionagi's own provider", "tests/lionagi/test_provider.py")
_SEPARATION: Final = ("it is about lionagi's own provider", "tests/lionagi/test_separation.py")
ELSEWHERE: Final = {
    "M11": ("it is about applications", "tests/test_choose.py"),
    "L1": ("it is about lionagi's own protocol", "tests/test_store.py"),
    "X1": ("it is about one adapter", "tests/site/test_evidence.py"),
    **dict.fromkeys(("X2", "X3", "X6"), _PROVIDER),
    **dict.fromkeys(("X4", "X5"), _SEPARATION),
}
"""Clauses that no case can prove, with the reason, and the tests that do."""


def cases_page() -> str:
    """Return every case by concern: what must be observed, why, and what it needs."""
    return "\n\n".join(_cases()) + "\n"


def clauses_page(lessons: Mapping[str, Iterable[str]]) -> str:
    """Return every clause with the cases that prove it.

    `lessons` gives, by clause, links to the lessons that refer to it.
    """
    return "\n\n".join(_clauses(lessons)) + "\n"


def _cases() -> Iterator[str]:
    yield "# Cases"
    yield (
        f"Every adapter is asked the same {len(CASES)} questions. The id of a case is stable; its "
        "version rises when its meaning changes. `memory-fidelity explain` says the same in a "
        "terminal, and `memory-fidelity check --only` runs some of them."
    )
    concern = ""
    for case in CASES:
        room = case.body.__module__.rpartition(".")[2]
        if room != concern:
            concern = room
            yield heading(2, _CONCERNS[room], room)
        yield from _case(case)


def _case(case: Case) -> Iterator[str]:
    yield heading(3, f"`{case.id}`", case.id)
    yield f"**{prose(case.title)}**"
    if case.why:
        yield prose(case.why)
    facts = [f"Proves {clause_links(case.clauses)}", f"lanes: {', '.join(case.lanes)}"]
    if case.needs:
        controls = (
            f"[{need.__name__}](api.md#memory_fidelity.testing.{need.__name__})"
            for need in case.needs
        )
        facts.append(f"needs {', '.join(sorted(controls))}")
    yield f"{'; '.join(facts)}; version {case.version}."


def _clauses(lessons: Mapping[str, Iterable[str]]) -> Iterator[str]:
    yield "# Clauses"
    yield (
        "The contract of an external memory store. Each clause says which [cases](cases.md) prove "
        "it; code, lessons and findings refer to it by its id."
    )
    letter = ""
    for clause, text in CLAUSES.items():
        if clause[0] != letter:
            letter = clause[0]
            yield heading(2, f"{letter}: {_LETTERS[letter].lower()}", _LETTERS[letter].split()[-1])
        yield heading(3, clause, clause.lower())
        yield prose(text)
        proofs = [case for case in CASES if clause in case.clauses]
        links = ", ".join(f"[`{case.id}`](cases.md#{case.id})" for case in proofs)
        yield f"Proved by {links}." if proofs else _elsewhere(*ELSEWHERE[clause])
        if taught := list(lessons.get(clause, ())):
            yield f"In the lessons: {', '.join(taught)}."


def _elsewhere(reason: str, tests: str) -> str:
    return f"No case of an adapter can prove it, since {reason}; `{tests}` does."

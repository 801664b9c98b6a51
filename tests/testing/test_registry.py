"""The registry of cases and the corpus: complete, unambiguous, explained."""

from __future__ import annotations

from collections import Counter

import pytest

from memory_fidelity.testing.case import Case
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.clauses import CLAUSES
from memory_fidelity.testing.corpus import Specimen, specimens

PROVEN = {clause for case in CASES for clause in case.clauses}
SPECIMENS = [
    *specimens("content"),
    *specimens("tags"),
    *specimens("metadata"),
    *specimens("created_at"),
]


def test_ids_are_unique() -> None:
    """An id names one case."""
    repeated = [name for name, count in Counter(case.id for case in CASES).items() if count > 1]

    assert repeated == []


@pytest.mark.parametrize("clause", [name for name in CLAUSES if name[0] in "CWRQE"])
def test_every_clause_of_behaviour_has_a_case(clause: str) -> None:
    """Each clause on conformance, writes, reads, queries and errors is proved by a case."""
    assert clause in PROVEN


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_clauses_are_known(case: Case) -> None:
    """A case names clauses that exist, and at least one."""
    assert case.clauses
    assert set(case.clauses) <= set(CLAUSES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_title_is_one_sentence(case: Case) -> None:
    """The title says what must be observed, in a sentence that fits a line."""
    assert case.title.endswith(".")
    assert len(case.title) <= 100


def test_most_cases_say_why() -> None:
    """Every case whose title does not say all explains what usually goes wrong."""
    silent = {case.id for case in CASES if not case.why}

    assert silent == {
        "consistency.immediate",
        "search.typed",
        "write.rejected",
    }


def test_specimens_are_unique_and_explained() -> None:
    """A name names one value of a field, and each value has its reason."""
    names = Counter((specimen.field, specimen.name) for specimen in SPECIMENS)

    assert [name for name, count in names.items() if count > 1] == []
    assert [specimen.name for specimen in SPECIMENS if not specimen.why] == []


@pytest.mark.parametrize("field", ["content", "tags", "metadata", "created_at"])
def test_corpus_is_built_anew(field: str) -> None:
    """Changing a value of one run does not reach the next."""
    first, second = specimens(field), specimens(field)  # type: ignore[arg-type]  # closed set

    assert _shared(first, second) == []


def _shared(first: tuple[Specimen, ...], second: tuple[Specimen, ...]) -> list[str]:
    return [
        a.name
        for a, b in zip(first, second, strict=True)
        if a.value is b.value and isinstance(a.value, list | dict)
    ]

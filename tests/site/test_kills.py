"""The committed kill matrices and the coverage of the contract say what the code does now."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from tools.website.coverage import coverage_page, gaps, proving_tests
from tools.website.kills import KILLS, MUTATED, read_kills, without_passes

from memory_fidelity.testing.clauses import CLAUSES
from memory_fidelity.testing.faults import FAULTS
from memory_fidelity.testing.mutation import Mutation
from memory_fidelity.testing.runner import suite_id
from memory_fidelity.testing.targets import harness, lanes

ROOT = Path(__file__).parents[2]
AGAIN = "the kill matrices are out of date: run `make evidence`"
COMMITTED = read_kills(ROOT / "docs" / KILLS)
SAMPLE = list(FAULTS)[::12]
"""Tried against every case; all are tried against their own in `tests/testing/faults`."""


@cache
def mutation(target: str) -> Mutation:
    """The faults of one adapter, whose honest transcripts are made once."""
    return Mutation(harness(lanes(target)["fake"]))


@pytest.mark.parametrize("target", MUTATED)
def test_every_fault_is_published(target: str) -> None:
    """No fault is left out, and none survives; the suite is the one of today."""
    report = COMMITTED[target]

    assert report.suite == suite_id(), AGAIN
    assert {each.fault for each in report.results} == set(FAULTS), AGAIN
    assert {each.killing for each in report.results} <= {"killed", "not applicable"}
    assert len(report.of("killed")) >= 100


@pytest.mark.parametrize("name", SAMPLE)
def test_matrix_is_as_published(name: str) -> None:
    """Another run over the fake finds the fault with the same cases."""
    published = {each.fault: each for each in COMMITTED["fake"].results}

    assert without_passes(mutation("fake").result(FAULTS[name])) == published[name], AGAIN


def test_contract_is_covered() -> None:
    """Each clause has a case or a test, and each case finds a fault."""
    assert gaps(proving_tests(ROOT / "tests"), COMMITTED) == ()


def test_a_gap_stops_the_build() -> None:
    """A clause that nothing proves is told, and no page is made."""
    with pytest.raises(ValueError, match="L1 has neither a case nor a test"):
        coverage_page({clause: [] for clause in CLAUSES}, COMMITTED)

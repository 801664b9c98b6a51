"""The page of contract coverage: every clause, and all that proves it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tools.website.blocks import clause_links, prose, table
from tools.website.kills import Kills

from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.clauses import CLAUSES

__all__ = ["coverage_page", "gaps", "proving_tests"]

_CLAUSE: Final = re.compile(r"\b[MCWRQELX]\d{1,2}\b")
_DOCUMENTED: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def proving_tests(folder: Path) -> dict[str, list[str]]:
    """Return, by clause, the test modules whose docstrings name it."""
    found: dict[str, list[str]] = {clause: [] for clause in CLAUSES}
    for path in sorted(folder.rglob("test_*.py")):
        for clause in sorted(_named(path)):
            found.setdefault(clause, []).append(path.relative_to(folder.parent).as_posix())
    return found


def gaps(tests: Mapping[str, list[str]], kills: Kills) -> tuple[str, ...]:
    """Return every clause that nothing proves, and every case that finds no fault."""
    return tuple(_gaps(tests, kills))


def coverage_page(tests: Mapping[str, list[str]], kills: Kills) -> str:
    """Return the page.

    Raises:
        ValueError: there is a gap.
    """
    if missing := gaps(tests, kills):
        raise ValueError(f"contract coverage: expected no gap, got {'; '.join(missing)}")
    return "\n\n".join(_page(tests, kills)) + "\n"


def _named(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = (
        ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, _DOCUMENTED)
    )
    return {clause for text in texts for clause in _CLAUSE.findall(text) if clause in CLAUSES}


def _gaps(tests: Mapping[str, list[str]], kills: Kills) -> Iterator[str]:
    for clause in CLAUSES:
        if not tests.get(clause) and not _cases(clause):
            yield f"{clause} has neither a case nor a test"
    found = {case for report in kills.values() for each in report.results for case in each.killers}
    for case in CASES:
        if case.id not in found | _ELSEWHERE:
            yield f"{case.id} finds no fault"


_ELSEWHERE: Final = frozenset({"manifest.lanes", "harness.reset", "card.losses"})
"""Cases that no fault over these targets can need: two lanes, a faulty harness, a loss.

`tests/testing` holds them against faults of their own.
"""


def _cases(clause: str) -> list[str]:
    return [case.id for case in CASES if clause in case.clauses]


def _page(tests: Mapping[str, list[str]], kills: Kills) -> Iterator[str]:
    yield "---\nhide: [toc]\n---"
    yield "# Contract coverage"
    yield (
        "Every clause of the contract with all that proves it: the cases that each adapter is "
        "asked, the deliberate faults that those cases find over the SQLite store "
        "([the kill matrix](../evidence/kills.md)), and the tests of this project that name the "
        "clause. The table is made when the site is built; a clause without a proof, or a case "
        "that finds no fault, stops the build."
    )
    yield table(
        ("clause", "it says", "cases", "faults found", "tests"),
        (
            (
                clause_links([clause]),
                prose(text),
                ", ".join(f"[`{case}`](cases.md#{case})" for case in _cases(clause)),
                str(_found(clause, kills) or ""),
                ", ".join(f"`{path}`" for path in _short(tests[clause])),
            )
            for clause, text in CLAUSES.items()
        ),
    )


def _found(clause: str, kills: Kills) -> int:
    cases = {*_cases(clause)}
    return sum(bool(cases & {*each.killers}) for each in kills["sqlite"].results)


def _short(paths: list[str]) -> list[str]:
    names = [path.removeprefix("tests/") for path in paths]
    return names if len(names) <= 4 else [*names[:3], f"and {len(names) - 3} more"]

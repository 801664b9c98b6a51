"""`list` and `explain`: what can be judged, and by what."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from textwrap import wrap
from typing import Annotated

import typer

from memory_fidelity.commands.refusal import Refused
from memory_fidelity.testing.case import Case
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.clauses import CLAUSES
from memory_fidelity.testing.rendering.text import WIDTH
from memory_fidelity.testing.targets import TARGETS

__all__ = ["explain", "list_all"]


def list_all() -> int:
    """List the built-in targets, the cases and the clauses they prove."""
    typer.echo("Targets")
    for name, target in TARGETS.items():
        lanes = "fake, live" if target.live else "fake"
        typer.echo(f"  {name:<20}{lanes:<12}{target.summary}")
    typer.echo(f"\nCases ({len(CASES)})")
    width = max(len(case.id) for case in CASES) + 2
    for case in CASES:
        typer.echo(f"  {case.id:<{width}}{', '.join(case.clauses)}")
    return 0


def explain(
    name: Annotated[
        str,
        typer.Argument(metavar="CASE-OR-CLAUSE", help="Such as search.limit.zero, or C8."),
    ],
) -> int:
    """Say what a case or a clause means, and what proves it."""
    cases = {case.id: case for case in CASES}
    if name in cases:
        typer.echo("\n".join(_case_lines(cases[name])))
    elif name.upper() in CLAUSES:
        typer.echo("\n".join(_clause_lines(name.upper())))
    else:
        close = get_close_matches(name, [*cases, *CLAUSES])
        hint = f"; close to it: {', '.join(close)}" if close else ""
        raise Refused(
            f"{name}: expected the id of a case or a clause, found neither{hint}; "
            "`memory-fidelity list` shows all cases"
        )
    return 0


def _case_lines(case: Case) -> Iterator[str]:
    yield f"{case.id} (version {case.version})"
    yield from _paragraph(case.title)
    if case.why:
        yield ""
        yield from _paragraph(case.why)
    yield ""
    yield f"  lanes: {', '.join(case.lanes)}"
    if case.needs:
        controls = ", ".join(sorted(control.__name__ for control in case.needs))
        yield from _paragraph(f"needs of the harness: {controls}")
    yield "  proves:"
    for clause in case.clauses:
        yield from _paragraph(f"{clause}: {CLAUSES[clause]}", "    ")


def _clause_lines(clause: str) -> Iterator[str]:
    yield clause
    yield from _paragraph(CLAUSES[clause])
    yield ""
    proofs = [case for case in CASES if clause in case.clauses]
    yield "  proved by:" if proofs else "  no shared case proves it"
    for case in proofs:
        yield from _paragraph(f"{case.id}: {case.title}", "    ")


def _paragraph(text: str, indent: str = "  ") -> list[str]:
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)

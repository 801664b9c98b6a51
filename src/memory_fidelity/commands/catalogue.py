"""`list` and `explain`: what can be judged, by what, and what an author gives for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from inspect import getdoc, iscoroutinefunction, signature
from textwrap import wrap
from typing import Annotated, Any, Final

import typer
from pydantic import BaseModel

from memory_fidelity.card import AdapterCard, FilterMapping, Lifecycle, LossFixture, Refusal
from memory_fidelity.choose import Needs
from memory_fidelity.commands.refusal import Refused
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.testing.case import Case
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.clauses import CLAUSES
from memory_fidelity.testing.harness import MemoryAdapterHarness, NamesService
from memory_fidelity.testing.rendering.text import WIDTH
from memory_fidelity.testing.targets import TARGETS

__all__ = ["explain", "list_all"]

_CONTROLS: Final[dict[str, type]] = {
    control.__name__: control
    for control in sorted(
        {need for case in CASES for need in case.needs}, key=lambda control: control.__name__
    )
}
_PROTOCOLS: Final[dict[str, type]] = {
    MemoryAdapterHarness.__name__: MemoryAdapterHarness,
    **_CONTROLS,
    NamesService.__name__: NamesService,
}
_FORMS: Final[dict[str, type[BaseModel]]] = {
    form.__name__: form
    for form in (
        MemoryAdapterManifest,
        AdapterCard,
        FilterMapping,
        Lifecycle,
        LossFixture,
        Refusal,
        Needs,
    )
}


def list_all() -> int:
    """List targets, cases with the clauses they prove, and what an author writes.

    `explain` tells more of each case, clause, control and declaration.
    """
    typer.echo("Targets")
    for name, target in TARGETS.items():
        lanes = "fake, live" if target.live else "fake"
        typer.echo(f"  {name:<23}{lanes:<12}{target.summary}")
    typer.echo(f"\nCases ({len(CASES)})")
    width = max(len(case.id) for case in CASES) + 2
    for case in CASES:
        typer.echo(f"  {case.id:<{width}}{', '.join(case.clauses)}")
    for heading, described in (("Controls of a harness", _CONTROLS), ("Declarations", _FORMS)):
        typer.echo(f"\n{heading}")
        for name, what in described.items():
            line = f"{name:<{width}}{_paragraphs(what)[0]}"
            typer.echo("\n".join(_paragraph(line, hang=" " * width)))
    return 0


def explain(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="Such as search.limit.zero, C8, Journal, AdapterCard."),
    ],
) -> int:
    """Say what a case, clause, control or declaration means.

    `list` names them all, save the clauses, which are M1 to M11, C1 to C17 and so on.
    """
    cases = {case.id: case for case in CASES}
    if name in cases:
        typer.echo("\n".join(_case_lines(cases[name])))
    elif name.upper() in CLAUSES:
        typer.echo("\n".join(_clause_lines(name.upper())))
    elif name in _PROTOCOLS:
        typer.echo("\n".join(_protocol_lines(_PROTOCOLS[name])))
    elif name in _FORMS:
        typer.echo("\n".join(_form_lines(_FORMS[name])))
    else:
        close = get_close_matches(name, [*cases, *CLAUSES, *_PROTOCOLS, *_FORMS])
        hint = f"; close to it: {', '.join(close)}" if close else ""
        raise Refused(
            f"{name}: expected a case, clause, control or declaration, found none{hint}; "
            "`memory-fidelity list` shows them"
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


def _protocol_lines(protocol: type) -> Iterator[str]:
    yield f"memory_fidelity.testing.{protocol.__name__}"
    for text in _paragraphs(protocol):
        yield from _paragraph(text)
    for name, member in vars(protocol).items():
        if not name.startswith("_"):
            yield ""
            yield f"  {_head(name, member)}"
            for text in _paragraphs(member):
                yield from _paragraph(text, "    ")
    needing = [case.id for case in CASES if protocol in case.needs]
    if needing:
        yield ""
        yield from _paragraph("without it on the fake lane, not run: " + ", ".join(needing))


def _head(name: str, member: Any) -> str:
    if isinstance(member, property) and member.fget is not None:
        return f"{name}: {signature(member.fget).return_annotation}"
    keyword = "async def" if iscoroutinefunction(member) else "def"
    return f"{keyword} {name}{signature(member)}".replace("'", "")


def _form_lines(form: type[BaseModel]) -> Iterator[str]:
    yield f"memory_fidelity.{form.__name__}"
    for text in _paragraphs(form):
        yield from _paragraph(text)
    for name, field in form.model_fields.items():
        yield ""
        optional = "" if field.is_required() else "; may be left out"
        yield from _paragraph(f"{name}: {_type_name(field.annotation)}{optional}", hang="  ")
        yield from _paragraph(str(field.description), "    ")


def _type_name(annotation: Any) -> str:
    name = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", name)


def _paragraphs(described: object) -> list[str]:
    return (getdoc(described) or "").split("\n\n")


def _paragraph(text: str, indent: str = "  ", hang: str = "") -> list[str]:
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + hang)

"""`choose`: which adapters give what an application needs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any, Final, get_args

import typer
from pydantic import ValidationError

from memory_fidelity.choose import Needs, unmet
from memory_fidelity.commands.checking import every_target, import_from_here
from memory_fidelity.commands.refusal import Refused
from memory_fidelity.manifest import ITEM_FIELDS, Fidelity, MemoryAdapterManifest
from memory_fidelity.testing.examine import closed, open_trial
from memory_fidelity.testing.harness import HarnessFactory
from memory_fidelity.testing.targets import BrokenTarget, harness, lanes
from memory_fidelity.testing.trial import RigFault, Setting

__all__ = ["choose", "parse_needs"]

_FLAGS: Final = {"metadata": "metadata", "tags": "tags_in_hits", "immediate": "immediate"}
_SYNTAX: Final = (
    f"{', '.join(_FLAGS)}, filter:KEY, field:{{{','.join(ITEM_FIELDS)}}}, "
    f"retrieve=LEAST or search=LEAST, where LEAST is {' or '.join(get_args(Fidelity))}"
)


def choose(
    need: Annotated[list[str], typer.Option("--need", metavar="NEED", help=f"One of: {_SYNTAX}.")],
    targets: Annotated[
        list[str] | None, typer.Argument(help="Built-in names or module:Harness; none means all.")
    ] = None,
) -> int:
    """Show which adapters meet every need, and what the others lack.

    Exit codes: 0 some adapter does, 1 none does, 4 usage.
    """
    needs = parse_needs(need)
    import_from_here()
    names = targets or every_target()
    factories = {name: harness(next(iter(lanes(name).values()))) for name in names}
    fits = False
    for name, factory in factories.items():
        missing = unmet(needs, asyncio.run(_manifest(name, factory)))
        fits = fits or not missing
        typer.echo(f"{name}: {'does not fit' if missing else 'fits'}")
        for one in missing:
            typer.echo(f"  {one}")
    typer.echo("\nEach by the manifest of its harness; a store set up otherwise may say otherwise.")
    return 0 if fits else 1


def parse_needs(words: Sequence[str]) -> Needs:
    """Return the needs that are written as `metadata`, `filter:user` or `retrieve=full`.

    Raises:
        Refused: a word is none of these.
    """
    given: dict[str, Any] = {"filters": set(), "fields": set()}
    for word in words:
        name, mark, value = word.partition("=" if "=" in word.partition(":")[0] else ":")
        match name, mark, value:
            case (("metadata" | "tags" | "immediate"), "", ""):
                given[_FLAGS[name]] = True
            case (("filter" | "field"), ":", key) if key:
                given[f"{name}s"].add(key)
            case (("retrieve" | "search"), "=", _):
                given[name] = value
            case _:
                raise Refused(f"--need {word}: expected one of: {_SYNTAX}")
    try:
        return Needs.model_validate(given)
    except ValidationError as error:
        wrong = ", ".join(repr(fault["input"]) for fault in error.errors())
        raise Refused(f"--need: expected one of: {_SYNTAX}; got {wrong}") from error


async def _manifest(name: str, factory: HarnessFactory) -> MemoryAdapterManifest:
    try:
        trial = open_trial(Setting(factory, "fake"))
        try:
            await trial.open()
        finally:
            await closed(trial.harness)
    except RigFault as fault:
        raise BrokenTarget(f"{name}: {fault}") from fault
    if trial.manifest is not None:
        return trial.manifest
    raise Refused(f"{name}: expected a store with a manifest, got one without")

"""`observe`: which manifest is true of a store, whatever it declares."""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path
from typing import Annotated

import typer

from memory_fidelity.commands.checking import import_from_here
from memory_fidelity.commands.files import require_writable, write_file
from memory_fidelity.commands.refusal import Refused
from memory_fidelity.commands.terminal import show
from memory_fidelity.testing.bare import harnessed
from memory_fidelity.testing.observing import observe_store
from memory_fidelity.testing.rendering.observed import observed_text
from memory_fidelity.testing.targets import BrokenTarget, harness, lanes
from memory_fidelity.testing.trial import RigFault, Untried
from memory_fidelity.testing.verdict import EXIT_CODES, Lane

__all__ = ["observe"]


def observe(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="A built-in name (see `list`), module:Harness, or module:Store, "
            "for a memory store that can be made without arguments.",
        ),
    ],
    live: Annotated[
        bool, typer.Option("--live", help="Observe the live lane of a built-in target.")
    ] = False,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="F", help="Write what was seen as JSON.")
    ] = None,
) -> int:
    """Infer from behaviour alone the strongest manifest that is true of a store.

    Any memory store will do, with or without a manifest. Exit codes: 0 it
    declares just that, or nothing, 1 it declares something else, or breaks
    what no manifest allows, 2 the service cannot be had, 3 harness fault, 4 usage.
    """
    if json is not None:
        require_writable(json)
    lane: Lane = "live" if live else "fake"
    place = lanes(target).get(lane)
    if place is None:
        raise Refused(f"{target}: expected a target with a {lane} lane, it has none")
    import_from_here()
    try:
        observed = asyncio.run(
            observe_store(
                harnessed(harness(place)),
                lane=lane,
                target=target,
                reproduce=shlex.join(["memory-fidelity", "observe", target, *["--live"] * live]),
            )
        )
    except Untried as missing:
        typer.echo(f"memory-fidelity: {target}: not observed: {missing}", err=True)
        return EXIT_CODES["incomplete"]
    except RigFault as fault:
        raise BrokenTarget(f"{target}: {fault}") from fault
    show(observed_text(observed))
    if json is not None:
        write_file(json, observed.model_dump_json(indent=2) + "\n")
        typer.echo(f"JSON report written to {json}", err=True)
    return EXIT_CODES["non-conformant"] if observed.differences or observed.breaches else 0

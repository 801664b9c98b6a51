"""`mutate`: put deliberate faults into an adapter, and see which cases find them."""

from __future__ import annotations

import os
import shlex
import sys
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from memory_fidelity.commands.checking import import_from_here
from memory_fidelity.commands.fault_pool import tried
from memory_fidelity.commands.files import require_writable, write_file
from memory_fidelity.commands.refusal import Refused
from memory_fidelity.commands.terminal import show
from memory_fidelity.testing.faults import FAULTS
from memory_fidelity.testing.kills import FaultResult
from memory_fidelity.testing.mutation import Mutation, NoBaseline, kill_report
from memory_fidelity.testing.rendering.kills import kills_text
from memory_fidelity.testing.rendering.kills_html import kills_document
from memory_fidelity.testing.targets import harness, lanes
from memory_fidelity.testing.verdict import EXIT_CODES

__all__ = ["mutate"]


def mutate(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET", help="A built-in name (see `list`), or module:Harness over a fake."
        ),
    ],
    only: Annotated[
        str | None, typer.Option(metavar="GLOB", help="Try these faults alone, as `limit.*`.")
    ] = None,
    every_case: Annotated[
        bool,
        typer.Option("--every-case", help="Run every case on each fault, not its own alone: slow."),
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Processes; one per processor if not set."),
    ] = None,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="F", help="Write the report as JSON.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="F", help="Write it as a web page.")
    ] = None,
) -> int:
    """Put deliberate faults around an adapter, and show which cases find them.

    Exit codes: 0 every fault was killed by its own case, 1 one was not,
    2 the adapter is not conformant to begin with, 3 a fault could not be
    seen over this adapter, or harness fault, 4 usage.
    """
    for path in (json, html):
        if path is not None:
            require_writable(path)
    if json is not None and html is not None and json.resolve() == html.resolve():
        raise Refused("mutate: expected each report in a file of its own, got one file twice")
    names = [name for name in FAULTS if only is None or fnmatchcase(name, only)]
    if not names:
        raise Refused(f"mutate: expected a pattern that matches a fault, got {only!r}")
    place = _fake_place(target)
    import_from_here()
    started, clock = datetime.now(UTC), perf_counter()
    try:
        mutation = Mutation(harness(place))
        mutation.baseline()
    except NoBaseline as error:
        typer.echo(f"memory-fidelity: {target}: {error}", err=True)
        return EXIT_CODES["incomplete"]
    report = kill_report(
        _results(place, names, jobs or os.cpu_count() or 1, every_case=every_case),
        mutation.manifest.adapter,
        target=target,
        started=started,
        seconds=perf_counter() - clock,
        reproduce=_again(target, only, every_case),
    )
    show(kills_text(report))
    if json is not None:
        write_file(json, report.model_dump_json(indent=2) + "\n")
        typer.echo(f"JSON report written to {json}", err=True)
    if html is not None:
        write_file(html, kills_document(report))
        typer.echo(f"HTML report written to {html}", err=True)
    if report.of("inert"):
        return EXIT_CODES["harness error"]
    return 0 if report.kills_all else EXIT_CODES["non-conformant"]


def _results(place: str, names: list[str], jobs: int, *, every_case: bool) -> list[FaultResult]:
    results = []
    with Progress(
        MofNCompleteColumn(),
        BarColumn(),
        TextColumn("{task.description}"),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as progress:
        task = progress.add_task("", total=len(names))
        for result in tried(place, names, jobs=min(jobs, len(names)), every_case=every_case):
            results.append(result)
            progress.update(task, advance=1, description=result.fault)
    return results


def _fake_place(target: str) -> str:
    place = lanes(target).get("fake")
    if place is None:
        raise Refused(f"{target}: expected a target with a fake lane, it has none")
    return place


def _again(target: str, only: str | None, every_case: bool) -> str:
    words = ["memory-fidelity", "mutate", target]
    words += ["--only", only] if only else []
    words += ["--every-case"] if every_case else []
    return shlex.join(words)

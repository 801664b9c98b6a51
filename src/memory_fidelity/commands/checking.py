"""`check` judges one adapter; `table` shows several side by side."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import typer

from memory_fidelity.commands.files import require_writable, write_file
from memory_fidelity.commands.refusal import Refused
from memory_fidelity.commands.terminal import Counter, show
from memory_fidelity.testing.rendering.html import document
from memory_fidelity.testing.rendering.interchange import report_json
from memory_fidelity.testing.rendering.junit import junit_xml
from memory_fidelity.testing.rendering.table import fidelity_table
from memory_fidelity.testing.rendering.text import full_text
from memory_fidelity.testing.report import Report
from memory_fidelity.testing.runner import check_sync
from memory_fidelity.testing.targets import TARGETS, UnknownTarget, harness, installed, lanes
from memory_fidelity.testing.verdict import EXIT_CODES, Lane, worst

__all__ = ["check", "every_target", "import_from_here", "table"]

_RENDERINGS: Final[dict[str, Callable[[Report], str]]] = {
    "JSON": report_json,
    "JUnit": junit_xml,
    "HTML": document,
}


def check(
    target: Annotated[
        str | None,
        typer.Argument(help="A built-in name (see `list`), or module:Harness over a fake."),
    ] = None,
    live: Annotated[
        str | None,
        typer.Option(metavar="TARGET", help="A harness over the live service, likewise."),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(metavar="GLOB", help="Run these cases alone; the verdict is incomplete."),
    ] = None,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="F", help="Write the report as JSON.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="F", help="Write it as JUnit XML.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="F", help="Write it as a web page.")
    ] = None,
) -> int:
    """Run the conformance matrix on one adapter, and give the verdict.

    Exit codes: 0 conformant, 1 non-conformant, 2 incomplete or inconclusive,
    3 harness fault, 4 usage.
    """
    outputs = {
        form: path for form, path in zip(_RENDERINGS, (json, junit, html), strict=True) if path
    }
    for path in outputs.values():
        require_writable(path)
    if len({path.resolve() for path in outputs.values()}) < len(outputs):
        raise Refused("check: expected each report in a file of its own, got one file twice")
    report = _judge(_places(target, live), only, _again(target, live, only))
    show(full_text(report))
    for form, path in outputs.items():
        write_file(path, _RENDERINGS[form](report))
        typer.echo(f"{form} report written to {path}", err=True)
    return EXIT_CODES[report.verdict]


def table(
    targets: Annotated[
        list[str] | None, typer.Argument(help="Built-in names or module:Harness; none means all.")
    ] = None,
) -> int:
    """Show manifests and verdicts of several adapters side by side.

    The matrix is run on each. The exit code is that of the worst verdict.
    """
    names = targets or every_target()
    places = {name: _places(name, None) for name in names}
    reports = {
        name: _judge(place, None, _again(name, None, None)) for name, place in places.items()
    }
    show(fidelity_table(reports))
    return EXIT_CODES[worst(report.verdict for report in reports.values())]


def every_target() -> list[str]:
    """Return the built-in targets that can be judged here, and tell which ones cannot."""
    names = installed()
    for name, target in TARGETS.items():
        if name not in names:
            typer.echo(f"{name} is left out: {target.driver} is not installed", err=True)
    return names


def import_from_here() -> None:
    """Make the modules of the current directory importable, as `python -m` does."""
    here = os.getcwd()
    if here not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)


def _places(target: str | None, live: str | None) -> dict[Lane, str]:
    if target is None and live is None:
        raise Refused(
            "check: expected a TARGET or --live TARGET, got neither; `memory-fidelity list` "
            "shows the built-in ones"
        )
    places = {} if target is None else lanes(target)
    if live is not None:
        places["live"] = live if ":" in live else _live_place(live)
    return places


def _live_place(name: str) -> str:
    place = lanes(name).get("live")
    if place is None:
        raise UnknownTarget(f"--live {name}: expected a target with a live lane, it has none")
    return place


def _judge(places: dict[Lane, str], only: str | None, again: str) -> Report:
    import_from_here()
    factories = {lane: harness(place) for lane, place in places.items()}
    try:
        with Counter(sys.stderr, lanes=len(factories)) as progress:
            return check_sync(
                fake=factories.get("fake"),
                live=factories.get("live"),
                only=only,
                progress=progress,
                reproduce=again,
            )
    except ValueError as error:
        raise Refused(str(error)) from error


def _again(target: str | None, live: str | None, only: str | None) -> str:
    words = ["memory-fidelity", "check"]
    words += [target] if target else []
    words += ["--live", live] if live else []
    words += ["--only", only] if only else []
    return shlex.join(words)

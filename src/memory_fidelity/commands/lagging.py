"""`lag`: how long a write takes to be found by search."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress

from memory_fidelity.commands.checking import import_from_here
from memory_fidelity.commands.files import require_writable, write_file
from memory_fidelity.commands.refusal import Refused
from memory_fidelity.commands.terminal import show
from memory_fidelity.errors import MemoryAdapterError
from memory_fidelity.testing.endings import fault_of
from memory_fidelity.testing.examine import closed, open_trial
from memory_fidelity.testing.lag import DEADLINE, WRITES, Lag, measure_lag
from memory_fidelity.testing.lag_report import LagReport, lag_report
from memory_fidelity.testing.rendering.lag import BLOCKS, LETTERS, lag_text
from memory_fidelity.testing.runner import declarations
from memory_fidelity.testing.targets import BrokenTarget, harness, lanes
from memory_fidelity.testing.trial import RigFault, Setting, Untried
from memory_fidelity.testing.verdict import EXIT_CODES

__all__ = ["lag"]


@dataclass(frozen=True, slots=True)
class _Measured:
    lag: Lag
    unclosed: str | None
    """What went wrong with closing the harness."""


def lag(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="A built-in name (see `list`), of which the live lane is taken if it has one, "
            "or module:Harness.",
        ),
    ],
    writes: Annotated[
        int, typer.Option("--writes", metavar="N", min=1, help="Writes to make.")
    ] = WRITES,
    deadline: Annotated[
        float, typer.Option("--deadline", metavar="S", help="Seconds to search for each.")
    ] = DEADLINE,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="F", help="Write the report as JSON.")
    ] = None,
    figure: Annotated[
        Path | None,
        typer.Option("--figure", metavar="F", help="Draw the distribution: F.png or F.svg."),
    ] = None,
) -> int:
    """Measure how long a write takes to be found by search.

    Exit codes: 0 every write was seen, 2 some were not, 3 harness fault, 4 usage.
    """
    if not 0 <= deadline < inf:
        raise Refused(f"--deadline {deadline}: expected 0 seconds or more, and an end")
    for path in (json, figure):
        if path is not None:
            require_writable(path)
    if json is not None and figure is not None and json.resolve() == figure.resolve():
        raise Refused("lag: expected a file of its own for each output, got one file twice")
    draw = None if figure is None else _drawing(figure)
    import_from_here()
    # A built-in target's live lane comes last; where it has none, its fake is measured.
    *_, place = lanes(target).values()
    setting = Setting(harness(place), "live")
    started = datetime.now(UTC)
    try:
        measured = asyncio.run(_measured(target, setting, writes, deadline))
    except Untried as missing:
        typer.echo(f"memory-fidelity: {target}: not measured: {missing}", err=True)
        return EXIT_CODES["incomplete"]
    report = lag_report(
        measured.lag,
        target=target,
        harness=place,
        declared=declarations(setting),
        when=started,
        reproduce=_again(target, writes, deadline),
    )
    show(lag_text(report, BLOCKS if _has_blocks() else LETTERS))
    if json is not None:
        write_file(json, report.model_dump_json(indent=2) + "\n")
        typer.echo(f"JSON report written to {json}", err=True)
    if figure is not None and draw is not None:
        _write_figure(figure, draw(report))
        typer.echo(f"figure written to {figure}", err=True)
    if measured.unclosed:
        raise BrokenTarget(f"{target}: {measured.unclosed}")
    return 0 if measured.lag.seen == measured.lag.writes else EXIT_CODES["inconclusive"]


def _drawing(path: Path) -> Callable[[LagReport], bytes]:
    suffix = path.suffix.lower()
    if suffix not in (".png", ".svg"):
        raise Refused(f"{path}: expected a name that ends in .png or .svg, got another one")
    try:
        from memory_fidelity.workbook.lag import lag_figure, lag_svg
    except ModuleNotFoundError as error:
        package, *_ = str(error.name).split(".")
        if package not in ("matplotlib", "pandas"):
            raise
        raise Refused(
            f"--figure needs {package}, which comes with the extra `workbook`: "
            "pip install 'memory-fidelity[workbook]'"
        ) from error
    return lag_svg if suffix == ".svg" else lambda report: lag_figure(report).png


def _write_figure(path: Path, drawn: bytes) -> None:
    try:
        path.write_bytes(drawn)
    except OSError as error:
        raise Refused(f"{path}: could not be written: {error.strerror}") from error


async def _measured(target: str, setting: Setting, writes: int, deadline: float) -> _Measured:
    unclosed = None
    try:
        trial = open_trial(setting)
        try:
            await trial.open()
            # A harness may hold its index back from the start, until it is told otherwise.
            await trial.indexed()
            with _progress() as progress:
                task = progress.add_task("", total=writes)
                found = await measure_lag(
                    trial.store,
                    writes=writes,
                    deadline=deadline,
                    progress=lambda: progress.update(task, advance=1, refresh=True),
                )
        finally:
            unclosed = await closed(trial.harness)
    except RigFault as fault:
        raise BrokenTarget(f"{target}: {fault}") from fault
    except MemoryAdapterError as error:
        raise BrokenTarget(f"{target}: the measurement ended early: {fault_of(error)}") from error
    return _Measured(found, unclosed)


def _progress() -> Progress:
    """Counts the writes on a terminal, and leaves nothing behind; elsewhere silent."""
    return Progress(
        MofNCompleteColumn(),
        BarColumn(),
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,  # a thread that draws would be measured, too
        disable=not sys.stderr.isatty(),
    )


def _has_blocks() -> bool:
    try:
        "".join(BLOCKS).encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


def _again(target: str, writes: int, deadline: float) -> str:
    words = ["memory-fidelity", "lag", target]
    words += ["--writes", str(writes)] if writes != WRITES else []
    words += ["--deadline", f"{deadline:g}"] if deadline != DEADLINE else []
    return shlex.join(words)

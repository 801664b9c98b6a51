"""`diff`, `badge` and `schema`: what is made of reports that were written before."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from memory_fidelity.commands.files import load_report, require_writable, write_file
from memory_fidelity.commands.terminal import show
from memory_fidelity.testing.evidence import standing
from memory_fidelity.testing.rendering.badge import badge_svg
from memory_fidelity.testing.rendering.diff import changes, changes_text, got_worse
from memory_fidelity.testing.rendering.interchange import published_schema

__all__ = ["badge", "diff", "schema"]


def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD.json", help="The earlier report.")],
    new: Annotated[Path, typer.Argument(metavar="NEW.json", help="The later report.")],
) -> int:
    """Show what changed between two reports.

    Exit codes: 0 nothing got worse, 1 something did, 4 usage.
    """
    found = changes(load_report(old), load_report(new))
    show(changes_text(found))
    return int(got_worse(found))


def badge(
    report: Annotated[Path, typer.Argument(metavar="REPORT", help="What `check --json` wrote.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="F", help="Write it there, not to the screen."),
    ] = None,
) -> int:
    """Draw a badge (SVG): the grade and the cases behind it.

    A live run of more than half a year ago makes the grade *stale*.
    """
    written = load_report(report)
    grade = standing(written, now=datetime.now(UTC))
    drawn = badge_svg(written.model_copy(update={"grade": grade}))
    if output is None:
        typer.echo(drawn, nl=False)
        return 0
    require_writable(output)
    write_file(output, drawn)
    typer.echo(f"badge written to {output}", err=True)
    return 0


def schema() -> int:
    """Print the JSON Schema of the report."""
    typer.echo(published_schema(), nl=False)
    return 0

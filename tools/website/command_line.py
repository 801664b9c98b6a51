"""The page of the command line: what each command says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import Final

from tools.website.blocks import heading, table

from memory_fidelity.commands.program import run
from memory_fidelity.testing.verdict import EXIT_CODES

__all__ = ["COMMANDS", "command_line_page"]

COMMANDS: Final = (
    "check",
    "table",
    "list",
    "explain",
    "diff",
    "badge",
    "choose",
    "lag",
    "schema",
)


def command_line_page() -> str:
    """Return the help of each command, as the program prints it."""
    return "\n\n".join(_parts()) + "\n"


def _parts() -> Iterator[str]:
    yield "# Command line"
    yield (
        "`memory-fidelity` comes with the extra `testing`; `python -m memory_fidelity` is the "
        "same. Targets are built-in names, which `memory-fidelity list` shows, or "
        "`module:Harness`, imported from the current folder or from what is installed."
    )
    yield heading(2, "Exit codes", "exit-codes")
    by_code: dict[int, list[str]] = {}
    for verdict, code in EXIT_CODES.items():
        by_code.setdefault(code, []).append(verdict)
    meanings = [(str(code), " or ".join(names)) for code, names in sorted(by_code.items())]
    yield table(
        ("code", "the verdict of `check` and `table`, or what else happened"),
        [
            *meanings,
            ("4", "the command was not understood, or could not be carried out as it was given"),
            ("130", "it was interrupted"),
            ("141", "nobody read its output to the end"),
        ],
    )
    yield "`choose` and `diff` end in 0 or 1, and `lag` in 0 or 2, as their help says."
    yield _helped()
    for command in COMMANDS:
        yield heading(2, f"`{command}`", command)
        yield _helped(command)


def _helped(*command: str) -> str:
    said = StringIO()
    with redirect_stdout(said):
        run([*command, "--help"])
    return f"```text\n{said.getvalue().strip()}\n```"

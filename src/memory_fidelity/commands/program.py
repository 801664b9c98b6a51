"""The program: its commands, and the exit code of whatever happens in them."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Annotated, Final, cast

import typer

from memory_fidelity import __version__
from memory_fidelity.cli import USAGE
from memory_fidelity.commands.catalogue import explain, list_all
from memory_fidelity.commands.checking import check, table
from memory_fidelity.commands.choosing import choose
from memory_fidelity.commands.lagging import lag
from memory_fidelity.commands.mutating import mutate
from memory_fidelity.commands.observing import observe
from memory_fidelity.commands.reading import badge, diff, schema
from memory_fidelity.commands.refusal import Refused
from memory_fidelity.testing.targets import BrokenTarget, UnknownTarget
from memory_fidelity.testing.verdict import EXIT_CODES

__all__ = ["run"]

_INTERRUPTED: Final = 130
_UNREAD: Final = 141
_FAULT: Final = EXIT_CODES["harness error"]

# typer exports only this leaf of its usage errors; the class above it is the one to catch.
_UsageError: Final = cast("type[typer.BadParameter]", typer.BadParameter.__base__)

_program = typer.Typer(
    name="memory-fidelity",
    help="Tell, with executed evidence, what a memory service keeps, alters, drops and delays.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"memory-fidelity {__version__}")
        raise typer.Exit


@_program.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Take the options that come before a command."""


_COMMANDS: Final[dict[str, Callable[..., int]]] = {
    "check": check,
    "table": table,
    "list": list_all,
    "explain": explain,
    "diff": diff,
    "badge": badge,
    "choose": choose,
    "lag": lag,
    "mutate": mutate,
    "observe": observe,
    "schema": schema,
}
for _name, _command in _COMMANDS.items():
    _program.command(_name)(_command)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit code.

    This is where every error ends: a crash must not end in the exit code 1,
    which says that an adapter does not conform, and a harness that ends the
    process must not end it in a 0.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        # What a service sent may be beyond the terminal's character set.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = typer.main.get_command(_program).main(
            None if arguments is None else list(arguments),
            prog_name="memory-fidelity",
            standalone_mode=False,
        )
    except _UsageError as error:
        error.show()
        return USAGE
    except (Refused, UnknownTarget) as error:
        typer.echo(f"memory-fidelity: {error}", err=True)
        return USAGE
    except BrokenTarget as error:
        typer.echo(f"memory-fidelity: {error}", err=True)
        return _FAULT
    except (typer.Abort, KeyboardInterrupt):
        return _INTERRUPTED
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the boundary that the docstring names
        # typer and rich leave with 1 when nobody reads on, as in `| head`.
        if isinstance(error.__context__, BrokenPipeError):
            return _UNREAD
        traceback.print_exc()
        return _FAULT
    return code if isinstance(code, int) else 0

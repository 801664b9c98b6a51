"""The command `memory-fidelity`, as far as the base install goes."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["USAGE", "main"]

USAGE = 4
"""Exit code of a command that could not be carried out as it was given."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit code; without arguments, those of the process.

    0 conformant, 1 non-conformant, 2 incomplete or inconclusive, 3 harness
    fault, 4 usage. A missing extra is named on the standard error stream.
    """
    try:
        from memory_fidelity.commands.program import run
    except ModuleNotFoundError as error:
        package, *_ = str(error.name).split(".")
        if package not in ("rich", "typer"):
            raise
        sys.stderr.write(
            f"memory-fidelity needs {package}, which comes with the extra `testing`: "
            "pip install 'memory-fidelity[testing]'\n"
        )
        return USAGE
    return run(arguments)

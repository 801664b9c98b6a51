"""Files that commands read and write, with errors that a user can act on."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from memory_fidelity.commands.refusal import Refused
from memory_fidelity.testing.rendering.interchange import read_report
from memory_fidelity.testing.report import Report

__all__ = ["load_report", "require_writable", "write_file"]


def require_writable(path: Path) -> None:
    """Refuse, before any work is done, a path that cannot be written.

    Raises:
        Refused: it is a directory, or its directory is missing or closed.
    """
    if str(path) == "-":
        raise Refused("-: expected a file to write; standard output goes by /dev/stdout")
    if path.is_dir():
        raise Refused(f"{path}: expected a file to write, got a directory")
    if not path.parent.is_dir():
        raise Refused(f"{path}: expected the directory {path.parent} to exist, it does not")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise Refused(f"{path}: expected to be allowed to write it, got no permission")


def write_file(path: Path, text: str) -> None:
    """Write a whole file or nothing: a reader never sees half of it.

    Raises:
        Refused: it could not be written.
    """
    # Asked of the path itself: /dev/stdout resolves to the name of a pipe, which is no path.
    special = path.exists() and not path.is_file()
    place = path if special else path.resolve()
    draft = place if special else place.with_name(f".{os.getpid()}.part")
    try:
        draft.write_text(text, encoding="utf-8")
        if not special:
            draft.replace(place)
    except OSError as error:
        if not special:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
        raise Refused(f"{path}: could not be written: {error.strerror}") from error


def load_report(path: Path) -> Report:
    """Read a report that `check --json` wrote.

    Raises:
        Refused: there is no such file, or it is no report.
    """
    try:
        return read_report(path.read_bytes())
    except OSError as error:
        raise Refused(f"{path}: could not be read: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise Refused(
            f"{path}: expected a report of schema version 1, got {place}: {first['msg']}"
        ) from error

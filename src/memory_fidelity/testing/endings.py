"""How a call ended, and how that is told: the same in every run, and without secrets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memory_fidelity.errors import MemoryAdapterError
from memory_fidelity.store import MemoryItem

__all__ = ["Raised", "described", "fault_of"]


@dataclass(frozen=True, slots=True)
class Raised:
    """A call that ended in an exception."""

    error: BaseException


def described(outcome: object) -> str:
    """What a call gave, in few words and without ids, which differ in every run.

    The text of a native error is left out: it may hold a connection string.
    """
    match outcome:
        case Raised(MemoryAdapterError() as error):
            return f"{type(error).__name__}: {_printable(error)}"[:160]
        case Raised(error):
            return type(error).__name__
        case None:
            return "None"
        case MemoryItem():
            return f"a {type(outcome).__name__}"
        case list():
            return f"a list of {len(outcome)}"
        case _:
            return f"a {type(outcome).__name__}"


_CREDENTIALS: Final = re.compile(
    r"(://)[^/\s@]*@|((?:password|passwd|pwd|secret|token|key)\s*[=:]\s*)[^\s;&,]+", re.IGNORECASE
)


def fault_of(error: Exception) -> str:
    """What a harness raised, with its text, since nothing else says what to mend.

    What looks like a credential in it is struck out.
    """
    text = _CREDENTIALS.sub(
        lambda found: f"{found[1]}***@" if found[1] else f"{found[2]}***", _printable(error)
    )
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _printable(error: BaseException) -> str:
    return str(error).encode("utf-8", "backslashreplace").decode()

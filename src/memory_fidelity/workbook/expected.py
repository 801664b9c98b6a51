"""An error that is part of a lesson: shown by its message, and missed if it does not come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["expect"]


@contextmanager
def expect(*kinds: type[Exception]) -> Iterator[None]:
    """Print the error that the block raises, as `Kind: message`, its notes and its causes.

    No traceback is shown, which would hold the paths of one machine.

    Raises:
        AssertionError: the block raised nothing.
    """
    try:
        yield
    except kinds as error:
        print("\n".join(_lines(error)))  # noqa: T201 - printing is what it is for
    else:
        names = " or ".join(kind.__name__ for kind in kinds)
        raise AssertionError(f"expected {names}, got no error")


def _lines(error: BaseException) -> Iterator[str]:
    yield f"{type(error).__name__}: {error}"
    yield from (f"  {note}" for note in getattr(error, "__notes__", ()))
    if error.__cause__ is not None:
        # Its text may hold what is different on each machine, such as a port.
        yield f"  caused by {type(error.__cause__).__name__}"

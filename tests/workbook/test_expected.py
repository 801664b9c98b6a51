"""`expect`: an error that belongs to a lesson."""

from __future__ import annotations

import pytest

from memory_fidelity import MemoryAdapterError, MemoryAdapterUnavailable
from memory_fidelity.workbook import expect


def refused() -> None:
    """Raise what an adapter raises: with notes, and with a cause that knows too much."""
    try:
        raise OSError("port 54321")
    except OSError as cause:
        error = MemoryAdapterUnavailable("no answer")
        error.add_note("a note")
        raise error from cause


def test_the_error_is_shown_without_the_text_of_its_cause(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Kind, message, notes and the kind of the cause are printed."""
    with expect(MemoryAdapterError):
        refused()

    assert capsys.readouterr().out == (
        "MemoryAdapterUnavailable: no answer\n  a note\n  caused by OSError\n"
    )


def test_an_error_that_does_not_come_is_missed() -> None:
    """A lesson whose error is gone turns red."""
    message = "expected KeyError or OSError, got no error"

    with pytest.raises(AssertionError, match=message), expect(KeyError, OSError):
        pass


def test_another_error_passes_through() -> None:
    """Only the error that was announced is part of the lesson."""
    with pytest.raises(ZeroDivisionError), expect(KeyError):
        raise ZeroDivisionError

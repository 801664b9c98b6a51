"""What a trial says: in few words, the same in every run, and without secrets."""

from __future__ import annotations

import pytest

from memory_fidelity.errors import MemoryAdapterError
from memory_fidelity.store import MemoryItem
from memory_fidelity.testing.endings import Raised, described, fault_of


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        pytest.param(None, "None", id="nothing"),
        pytest.param(MemoryItem(), "a MemoryItem", id="an item"),
        pytest.param([1, 2], "a list of 2", id="a list"),
        pytest.param({}, "a dict", id="something else"),
        pytest.param(
            Raised(MemoryAdapterError("refused")), "MemoryAdapterError: refused", id="typed"
        ),
        pytest.param(Raised(OSError("postgres://ada:pw@host")), "OSError", id="native"),
        pytest.param(
            Raised(MemoryAdapterError("\ud800")),
            "MemoryAdapterError: \\ud800",
            id="half a character",
        ),
    ],
)
def test_described(outcome: object, expected: str) -> None:
    """Ids and the text of native errors stay out."""
    assert described(outcome) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("no service", "OSError: no service", id="plain"),
        pytest.param("", "OSError", id="empty"),
        pytest.param("at pg://ada:pw@host/db", "OSError: at pg://***@host/db", id="address"),
        pytest.param("password=pw host=h", "OSError: password=*** host=h", id="keyword"),
        pytest.param("API-Key: abc, then", "OSError: API-Key: ***, then", id="header"),
    ],
)
def test_fault_of(text: str, expected: str) -> None:
    """A harness's error keeps its text, less what looks like a credential."""
    assert fault_of(OSError(text)) == expected

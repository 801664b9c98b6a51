"""Text from a service, made fit to show."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_fidelity.testing.rendering.wording import claim_text, printable, settled
from memory_fidelity.testing.report import Finding

_ANY_TEXT = st.text(st.characters(exclude_categories=()))


@settings(deadline=None)
@given(_ANY_TEXT)
def test_printable_is_printable(text: str) -> None:
    """Whatever comes in, every line that comes out can be printed."""
    assert printable(text).replace("\n", "").isprintable()


@settings(deadline=None)
@given(st.text(st.characters(categories=["L", "N", "P", "S"]) | st.just("\n")))
def test_printable_keeps_what_can_be_read(text: str) -> None:
    """Letters, digits, signs and line breaks stay as they are."""
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("\x1b", r"\x1b", id="escape"),
        pytest.param("\t", r"\t", id="tab"),
        pytest.param("\r", r"\r", id="carriage return"),
        pytest.param("\u202e", r"\u202e", id="direction"),
        pytest.param("\xa0", r"\xa0", id="no-break space"),
        pytest.param("\ud800", r"\ud800", id="lone surrogate"),
        pytest.param("\U000e0001", r"\U000e0001", id="language tag"),
    ],
)
def test_printable_escapes(text: str, expected: str) -> None:
    """What cannot be seen, or moves other text, is written as an escape."""
    assert printable(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("00000000-0000-4000-8000-0123456789AB", "[id]", id="id"),
        pytest.param("at 0x7f0102030405>", "at [address]>", id="memory address"),
        pytest.param("2026-01-02T03:04:05.678901+00:00", "[time]", id="time"),
        pytest.param("2026-01-02 03:04", "[time]", id="time without seconds"),
        pytest.param("localhost:6379", "[address]", id="host and port"),
        pytest.param("[::1]:6379", "[address]", id="numeric host and port"),
        pytest.param("sent 1735689600.25, got 0x10", "sent 1735689600.25, got 0x10", id="values"),
        pytest.param("2026-01-02", "2026-01-02", id="date alone"),
    ],
)
def test_settled(text: str, expected: str) -> None:
    """What differs from run to run is replaced, and values are not."""
    assert settled(text) == expected


@pytest.mark.parametrize(
    ("subject", "claim", "expected"),
    [
        pytest.param("C8", "at most N hits", "C8: at most N hits", id="clause"),
        pytest.param("manifest.adapter", "adapter='x'", "adapter='x'", id="named by the claim"),
    ],
)
def test_claim_names_its_subject_once(subject: str, claim: str, expected: str) -> None:
    """The subject leads the claim, unless the claim says it itself."""
    finding = Finding(subject=subject, claim=claim, observed="", change="")

    assert claim_text(finding) == expected

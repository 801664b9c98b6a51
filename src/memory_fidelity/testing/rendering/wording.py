"""Text from a service, made fit to show: printable, and the same in every run."""

from __future__ import annotations

import re
from typing import Final

from memory_fidelity.testing.report import Finding

__all__ = ["claim_text", "printable", "settled"]

_PASSING: Final = (
    (re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE), "[id]"),
    (re.compile(r"\b0x[0-9a-f]{6,}\b", re.IGNORECASE), "[address]"),
    (
        re.compile(
            r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z\b|[+-]\d\d:?\d\d\b)?"
        ),
        "[time]",
    ),
    (re.compile(r"(?:\blocalhost|\b127\.0\.0\.1|\[::1\]):\d{1,5}\b"), "[address]"),
)


def printable(text: str) -> str:
    """Return the text with control, format and invalid characters as escapes.

    Line breaks stay. What a service sent can then neither steer a terminal,
    nor reorder what is read, nor make a file invalid.
    """
    return "".join(
        mark if mark.isprintable() or mark == "\n" else mark.encode("unicode_escape").decode()
        for mark in text
    )


def settled(text: str) -> str:
    """Return the text without what differs from run to run: ids, addresses and times."""
    for pattern, stand_in in _PASSING:
        text = pattern.sub(stand_in, text)
    return text


def claim_text(finding: Finding) -> str:
    """Return the claim of a finding, with its subject before it unless it names that itself."""
    *_, name = finding.subject.split(".")
    return finding.claim if name in finding.claim else f"{finding.subject}: {finding.claim}"

"""khive's guard against secrets: what looks like one is not written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

__all__ = ["secret_in"]

_UUID: Final = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_WORD: Final = r"(?:api[_-]?key|auth|key|secret|token)"

_PATTERNS: Final = {
    "uuid-near-trigger": re.compile(rf"{_WORD}\W{{1,3}}({_UUID})", re.IGNORECASE),
    "hex-near-trigger": re.compile(rf"{_WORD}\W{{1,3}}([0-9a-f]{{32}})\b", re.IGNORECASE),
    "jwt": re.compile(r"\b(eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})"),
    "pem": re.compile(r"(-----BEGIN [A-Z ]*PRIVATE KEY-----)"),
    "aws-access-key": re.compile(r"\b(AKIA[0-9A-Z]{16})\b"),
    "github-token": re.compile(r"\b(gh[pousr]_\w{36,})"),
    "openai-key": re.compile(r"\b(sk-[\w-]{20,})"),
}


def secret_in(*values: Any) -> str | None:
    """Return the name of the pattern that a text in these values matches, or `None`.

    Each text is looked at by itself; a word in one and a UUID in another are no secret.
    """
    for text in _texts(values):
        for name, pattern in _PATTERNS.items():
            if pattern.search(text):
                return name
    return None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)

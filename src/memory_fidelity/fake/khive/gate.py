"""khive's guard against secrets: what looks like one is not written."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

__all__ = ["secret_in"]

_PATTERNS: Final = {
    "anthropic-api-key": re.compile(r"\bsk-ant-[\w-]{20,}"),
    "aws-access-key-id": re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}"),
    "github-token": re.compile(r"\b(?:gh[pousr]_\w{36,}|github_pat_\w{22,})"),
    "jwt": re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}"),
    "openai-api-key": re.compile(r"\bsk-(?:proj-)?[A-Za-z0-9]{30,}"),
    "pem-private-key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    "slack-token": re.compile(r"\bxox[abprs]-\d{10,}-\d{10,}-\w{20,}"),
    "stripe-restricted-key": re.compile(r"\brk_live_\w{20,}"),
    "stripe-secret-key": re.compile(r"\bsk_live_\w{20,}"),
    "url-userinfo": re.compile(r"\b[a-z]+://[^\s:/@]+:[^\s/@]+@"),
}
"""What is a secret wherever it stands."""

_SUSPECTS: Final = {
    "uuid-near-trigger": re.compile(
        r"(?<![^\s=:(\"'{\[])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])", re.IGNORECASE
    ),
    "hex-credential-token": re.compile(r"\b[0-9a-f]{32}(?:[0-9a-f]{8}|[0-9a-f]{32})?\b", re.I),
}
"""What is a secret near a word that says so."""
_TRIGGER: Final = re.compile(
    r"(?<!\w)(?:(?:access|api|client|private|secret|session)_(?:key|secret)|auth_token|apikey|auth"
    r"|bearer|credential|key|passwd|password|secret|token)(?!\w)",
    re.IGNORECASE | re.ASCII,
)
_ASSIGNED: Final = re.compile(rf"{_TRIGGER.pattern}[:=]", _TRIGGER.flags)
_NEAR: Final = 120
"""Characters before and after a suspect, in which such a word makes it a secret."""
_RANDOM: Final = 4.5
"""Bits of each byte, of a word that looks as if it were drawn by chance."""
_WHOLE: Final = re.compile(r"\S+")


def secret_in(*values: Any) -> str | None:
    """Return the name of the pattern that a text in these values matches, or `None`.

    Each text is looked at by itself, the names of properties too; a word in one
    and a UUID in another are no secret.
    """
    return next((name for text in _texts(values) for name in _secrets(text)), None)


def _secrets(text: str) -> Iterator[str]:
    for whole in _WHOLE.finditer(text):
        if _has_trigger_near(text, whole):
            yield from _suspected(whole[0])
    for name, pattern in _PATTERNS.items():
        if pattern.search(text):
            yield name


def _suspected(word: str) -> Iterator[str]:
    for name, pattern in _SUSPECTS.items():
        if pattern.search(word):
            yield name
    if _entropy(word.encode()) >= _RANDOM:
        yield "high-entropy-token"


def _entropy(data: bytes) -> float:
    shares = [count / len(data) for count in Counter(data).values()]
    return -sum(share * math.log2(share) for share in shares)


def _has_trigger_near(text: str, whole: re.Match[str]) -> bool:
    if _ASSIGNED.search(whole[0]):
        return True
    before = text[max(0, whole.start() - _NEAR) : whole.start()]
    after = text[whole.end() : whole.end() + _NEAR]
    return bool(_TRIGGER.search(before) or _TRIGGER.search(after))


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for name, part in value.items():
                yield name
                yield from _texts(part)
        case list() | tuple():
            for part in value:
                yield from _texts(part)
        case _:
            pass

"""The ways in which the fake can alter what it was given, and their declarations."""

from __future__ import annotations

from collections.abc import Collection
from math import floor
from typing import Any, Final

from memory_fidelity.card import LossFixture, Operation
from memory_fidelity.json_codec import encode

__all__ = [
    "CLIPPED_LENGTH",
    "as_text",
    "clipped",
    "clipped_content",
    "folded",
    "folded_tags",
    "metadata_as_text",
    "texts_of",
    "whole_seconds",
    "whole_seconds_of",
]

CLIPPED_LENGTH: Final = 24
"""How many characters of a text a clipped hit shows."""


def as_text(value: Any) -> str:
    """Return text as it is, and any other JSON value as its JSON text."""
    return value if isinstance(value, str) else encode(value)


def texts_of(metadata: dict[str, Any]) -> dict[str, str]:
    """Return the mapping with every value turned into text."""
    return {key: as_text(value) for key, value in metadata.items()}


def whole_seconds_of(created_at: float) -> float:
    """Return the last whole second that is not after the time."""
    return float(floor(created_at))


def clipped(content: Any) -> Any:
    """Return the start of a text; any other content as it is."""
    return content[:CLIPPED_LENGTH] if isinstance(content, str) else content


def folded(tags: list[str]) -> list[str]:
    """Return the tags without their case."""
    return [tag.casefold() for tag in tags]


def metadata_as_text(on: Collection[Operation]) -> LossFixture:
    """Declare that the values of metadata come back as text."""
    return LossFixture(
        name="metadata-as-text",
        field="metadata",
        why="The service has text columns only.",
        sent={"n": 3, "ok": True, "user": "ada", "of": [1, 2.5]},
        expected={"n": "3", "ok": "true", "user": "ada", "of": "[1,2.5]"},
        on=frozenset(on),
        transform=texts_of,
    )


def whole_seconds(on: Collection[Operation]) -> LossFixture:
    """Declare that times come back cut to seconds."""
    return LossFixture(
        name="created-at-in-whole-seconds",
        field="created_at",
        why="The service counts time in whole seconds.",
        sent=1767323045.678901,
        expected=1767323045.0,
        on=frozenset(on),
        transform=whole_seconds_of,
    )


def clipped_content(on: Collection[Operation]) -> LossFixture:
    """Declare that only the start of a text comes back."""
    return LossFixture(
        name="content-clipped",
        field="content",
        why="The service shows the start of a text.",
        sent="A text of more than twenty-four characters",
        expected="A text of more than twen",
        on=frozenset(on),
        transform=clipped,
    )


def folded_tags(on: Collection[Operation]) -> LossFixture:
    """Declare that tags come back without their case."""
    return LossFixture(
        name="tags-folded",
        field="tags",
        why="The service shows tags as it indexes them.",
        sent=["Alpha", "beta"],
        expected=["alpha", "beta"],
        on=frozenset(on),
        transform=folded,
    )

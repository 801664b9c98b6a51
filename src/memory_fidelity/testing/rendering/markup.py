"""Markup whose every text is escaped, which the type checker can see."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import NewType

from memory_fidelity.testing.rendering.wording import printable

__all__ = ["Markup", "element", "joined", "prose", "text"]

Markup = NewType("Markup", str)
"""A piece of HTML or SVG: only `text` and `element` make one out of a plain string."""


def text(value: str) -> Markup:
    """Return a text as markup: printable, with every special character escaped."""
    return Markup(escape(printable(value)))


def prose(value: str) -> Markup:
    """Return a text as markup, in which what stands in backticks is code."""
    pieces = re.split(r"`([^`]+)`", value)
    return joined(
        (
            element("code", text(piece)) if number % 2 else text(piece)
            for number, piece in enumerate(pieces)
        ),
        separator="",
    )


def element(name: str, /, *children: Markup, **attributes: str) -> Markup:
    """Return one element; `class_` stands for `class`, and `_` in a name for `-`."""
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"' for key, value in attributes.items()
    )
    return Markup(f"<{name}{shown}>{''.join(children)}</{name}>")


def joined(pieces: Iterable[Markup], separator: str = "\n") -> Markup:
    """Return pieces of markup as one, with a plain text between them."""
    return Markup(text(separator).join(pieces))

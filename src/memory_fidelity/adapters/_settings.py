"""Settings that several adapters take, checked when an instance is made."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["filter_keys", "whole_text"]


def filter_keys(filters: Iterable[str]) -> frozenset[str]:
    """Return the metadata keys that are to be filtered on.

    Raises:
        TypeError: they are not several `str`.
        ValueError: one of them is not whole characters.
    """
    # A single str is an iterable of str, too: of its characters.
    keys = [filters] if isinstance(filters, str) else list(filters)
    if isinstance(filters, str) or not all(type(key) is str for key in keys):
        raise TypeError(f"filters: expected several metadata keys, got {filters!r}")
    return frozenset(whole_text("filters", key) for key in keys)


def whole_text(setting: str, text: str) -> str:
    """Return the text of a setting, if UTF-8 can carry it.

    Raises:
        TypeError: it is no `str`.
        ValueError: it has half a character in it.
    """
    if not isinstance(text, str):
        raise TypeError(f"{setting}: expected str, got {type(text).__name__}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{setting}: expected whole characters, got {text!r}") from error
    return text

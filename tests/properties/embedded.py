"""The adapters that need no server, and how each one matches, said independently of its code."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from memory_fidelity import ExternalMemoryStore, MemoryAdapter, same
from memory_fidelity.json_codec import encode
from memory_fidelity.manifest import ITEM_FIELDS, MemoryItemField
from memory_fidelity.testing import Journal
from memory_fidelity.testing.targets import harness, lanes

__all__ = ["EMBEDDED", "FILTERS", "Embedded", "Scene", "opened", "scene_of"]

FILTERS = frozenset({"n", "user"})
"""The metadata keys that the harnesses make filters of, where metadata is kept."""


@dataclass(frozen=True)
class Embedded:
    """What the model has to know of an adapter beyond its manifest and card."""

    target: str
    said: Callable[[Any], str]
    """The text of a content, before case is folded, as `text_match` describes it."""
    equal: Callable[[Any, Any], bool] = same
    """Whether a filter's value finds a stored one, as `meaning` describes it."""
    fields: tuple[MemoryItemField, ...] = ITEM_FIELDS
    """The fields that it looks at; the others are dropped."""


@dataclass(frozen=True)
class Scene:
    """A harness with a store over its service."""

    harness: Any
    store: MemoryAdapter

    def sent(self) -> int:
        """How many requests have reached the service."""
        assert isinstance(self.harness, Journal)
        return len(self.harness.calls())


async def scene_of(adapter: Embedded) -> Scene:
    """A new service and a store over it."""
    made = harness(lanes(adapter.target)["fake"])()
    return Scene(made, _adapter(await made.make_store()))


@asynccontextmanager
async def opened(adapter: Embedded) -> AsyncIterator[Scene]:
    """A new service and a store over it, until the block ends."""
    scene = await scene_of(adapter)
    try:
        yield scene
    finally:
        await scene.harness.close()


def _adapter(store: ExternalMemoryStore) -> MemoryAdapter:
    assert isinstance(store, MemoryAdapter)
    return store


def _json_text(content: Any) -> str:
    return content if isinstance(content, str) else encode(content)


def _lines(content: Any) -> Iterator[str]:
    match content:
        case str():
            yield content
        case dict():
            for key, value in content.items():
                yield key
                yield from _lines(value)
        case list():
            for value in content:
                yield from _lines(value)
        case _:
            yield encode(content)


def _by_line(content: Any) -> str:
    return "\n".join(_lines(content))


def _equal_as_text(wanted: Any, stored: Any) -> bool:
    return _json_text(wanted) == _json_text(stored)


EMBEDDED = [
    pytest.param(adapter, id=adapter.target)
    for adapter in (
        Embedded("fake", _json_text),
        Embedded("fake-eventual", _json_text),
        Embedded("fake-lossy", _json_text, _equal_as_text),
        Embedded("fake-native-fields", _json_text, fields=("id", "content", "tags")),
        Embedded("sqlite", _by_line),
        Embedded("sqlite-deferred", _by_line),
    )
]

"""The store protocol, and queries whose keywords are checked (L1)."""

from __future__ import annotations

from typing import Any, get_type_hints
from uuid import UUID

import lionagi.protocols.memory as lionagi_memory
import pytest
from pydantic import ValidationError
from tests.adapter.shelf import Shelf

import memory_fidelity
from memory_fidelity import (
    ExternalMemoryStore,
    InMemoryStore,
    MemoryItem,
    MemoryQuery,
    MemoryStore,
    memory_query,
)


@pytest.mark.parametrize("name", ["MemoryItem", "MemoryQuery", "MemoryStore", "InMemoryStore"])
def test_the_memory_types_are_those_of_lionagi(name: str) -> None:
    """The base contract is re-exported, never re-implemented."""
    assert getattr(memory_fidelity, name) is getattr(lionagi_memory, name)


def test_a_store_without_a_manifest_stays_a_memory_store() -> None:
    """The base protocol gains nothing (M7)."""
    store = InMemoryStore()

    assert isinstance(store, MemoryStore)
    assert not isinstance(store, ExternalMemoryStore)


def test_an_adapter_is_an_external_memory_store() -> None:
    """The three operations and a manifest make one, without inheritance (M7)."""
    assert isinstance(Shelf(), ExternalMemoryStore)


class _ManifestAlone:
    manifest = Shelf().manifest


def test_a_manifest_alone_is_no_store() -> None:
    """The protocol keeps the three operations of the base store (M7)."""
    assert not isinstance(_ManifestAlone(), ExternalMemoryStore)


@pytest.mark.parametrize(
    ("operation", "argument", "result"),
    [
        pytest.param("store", {"item": MemoryItem}, UUID, id="store"),
        pytest.param("retrieve", {"item_id": UUID}, MemoryItem | None, id="retrieve"),
        pytest.param("search", {"query": MemoryQuery}, list[MemoryItem], id="search"),
    ],
)
def test_adapter_signatures_are_those_of_the_protocol(
    operation: str, argument: dict[str, Any], result: object
) -> None:
    """An adapter can stand wherever lionagi's protocol is asked for."""
    declared = get_type_hints(getattr(Shelf, operation))

    assert declared == {**argument, "return": result}


def test_a_plain_query_has_the_defaults_of_lionagi() -> None:
    """Leaving everything out gives lionagi's own empty query."""
    assert memory_query() == MemoryQuery()


def test_every_part_of_a_query_is_passed_on() -> None:
    """The parts arrive in the query as they were given."""
    query = memory_query(text="tea", tags=("green", "hot"), filters={"user": "ada"}, limit=3)

    assert query == MemoryQuery(text="tea", tags=["green", "hot"], filters={"user": "ada"}, limit=3)


def test_an_unknown_keyword_is_a_type_error() -> None:
    """A misspelt part is an error, where lionagi searches everything."""
    misspelt: dict[str, Any] = {"filter": {"user": "ada"}}

    with pytest.raises(TypeError, match="filter"):
        memory_query(**misspelt)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"tags": "urgent"}, id="a text in place of tags"),
        pytest.param({"tags": [1]}, id="a tag that is not text"),
        pytest.param({"text": 5}, id="a text that is a number"),
        pytest.param({"filters": {1: "ada"}}, id="a filter key that is not text"),
        pytest.param({"limit": None}, id="no limit"),
        pytest.param({"limit": 2.5}, id="half a hit"),
    ],
)
def test_values_of_a_wrong_type_stay_pydantic_errors(parts: dict[str, Any]) -> None:
    """An invalid query is a `ValidationError`, not one of the adapter's errors (E2)."""
    with pytest.raises(ValidationError):
        memory_query(**parts)

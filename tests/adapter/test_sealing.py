"""What a subclass of the base class can and cannot replace."""

from __future__ import annotations

from collections.abc import Callable
from inspect import getattr_static
from typing import Any

import pytest
from tests.adapter.shelf import Shelf, card_of, manifest_of

from memory_fidelity import MemoryAdapter

_SEALED = ("admit", "card", "manifest", "retrieve", "search", "store")


def _replacing(name: str) -> object:
    return type("Loose", (Shelf,), {name: None})


def _mixing_in(name: str) -> object:
    mixin = type("Mixin", (), {name: None})
    return type("Loose", (mixin, Shelf), {})


def _replacing_a_property(name: str) -> object:
    return type("Loose", (Shelf,), {name: property(lambda self: None)})


@pytest.mark.parametrize("name", _SEALED)
@pytest.mark.parametrize("derive", [_replacing, _mixing_in, _replacing_a_property])
def test_the_rules_cannot_be_replaced(derive: Callable[[str], object], name: str) -> None:
    """Replacing a public operation or declaration fails when the class is made."""
    with pytest.raises(TypeError, match=f"Loose replaces {name}, which hold the rules"):
        derive(name)


def test_every_replacement_is_named() -> None:
    """The error names all that is replaced, and what to supply instead."""
    with pytest.raises(
        TypeError, match=r"replaces search, store, .* native_retrieve and native_search instead"
    ):
        type("Loose", (Shelf,), {"store": None, "search": None})


def test_the_native_operations_can_be_replaced() -> None:
    """Subclasses of a subclass stay free in what is theirs."""
    derived = type("Other", (Shelf,), {"native_search": None, "refuse": None, "close": None})

    assert issubclass(derived, Shelf)


@pytest.mark.parametrize("missing", ["native_store", "native_retrieve", "native_search"])
def test_no_native_operation_can_be_forgotten(missing: str) -> None:
    """An adapter that lacks an operation cannot be made."""
    operations: dict[str, Any] = {
        name: getattr(Shelf, name)
        for name in ("native_store", "native_retrieve", "native_search")
        if name != missing
    }
    incomplete = type("Incomplete", (MemoryAdapter,), operations)

    with pytest.raises(TypeError, match=missing):
        incomplete(manifest_of(), card_of())


def test_the_declarations_are_those_that_were_given() -> None:
    """Manifest and card are handed out as they came in, each time (M8)."""
    manifest, card = manifest_of(), card_of()
    store = Shelf(manifest, card)

    assert store.manifest is store.manifest is manifest
    assert store.card is store.card is card


@pytest.mark.parametrize("name", ["manifest", "card"])
def test_a_declaration_cannot_be_exchanged(name: str) -> None:
    """An instance keeps its declarations for as long as it lives (M8)."""
    with pytest.raises(AttributeError, match=name):
        setattr(Shelf(), name, None)


def test_a_card_that_contradicts_the_manifest_is_refused() -> None:
    """Contradictions show when the adapter is made, all of them."""
    with pytest.raises(
        ValueError, match=r"card and manifest disagree: adapter: .*; supported_filters: "
    ):
        Shelf(manifest_of(supported_filters=[]), card_of(adapter="acme"))


@pytest.mark.parametrize("name", ["admit", "retrieve", "search", "store"])
def test_what_holds_the_rules_is_final(name: str) -> None:
    """A type checker refuses to replace it before the class is ever made."""
    assert getattr(MemoryAdapter, name).__final__ is True


@pytest.mark.parametrize("name", ["card", "manifest"])
def test_what_is_declared_is_final(name: str) -> None:
    """The same of the two properties."""
    assert getattr_static(MemoryAdapter, name).fget.__final__ is True

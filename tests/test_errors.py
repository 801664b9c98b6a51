"""The typed errors: what they say, keep and survive."""

from __future__ import annotations

import copy
import pickle

import pytest

from memory_fidelity import (
    MemoryAdapterError,
    MemoryAdapterUnavailable,
    UnsupportedMemoryItem,
    UnsupportedMemoryQuery,
)


def test_rejected_keys_are_sorted_and_unique() -> None:
    """Every rejected key is named once, in sorted order (E1, C10)."""
    error = UnsupportedMemoryQuery(["zone", "limit", "zone", "author"])

    assert error.rejected_keys == ("author", "limit", "zone")


def test_query_message_is_the_one_of_the_contract() -> None:
    """The message lists the keys behind one fixed phrase (E1)."""
    error = UnsupportedMemoryQuery({"limit", "author"})

    assert str(error) == "unsupported memory query keys: author, limit"


def test_item_error_keeps_its_parts() -> None:
    """The path and the reason can be read apart from the message (W1)."""
    error = UnsupportedMemoryItem("metadata.price[2]", "expected a finite float, got nan")

    assert (error.path, error.reason) == ("metadata.price[2]", "expected a finite float, got nan")
    assert str(error) == (
        "unsupported memory item: metadata.price[2]: expected a finite float, got nan"
    )


@pytest.mark.parametrize(
    "error_type",
    [
        pytest.param(UnsupportedMemoryQuery, id="query"),
        pytest.param(UnsupportedMemoryItem, id="item"),
        pytest.param(MemoryAdapterUnavailable, id="unavailable"),
    ],
)
def test_every_error_is_an_adapter_error(error_type: type[Exception]) -> None:
    """One `except MemoryAdapterError` catches whatever an operation raises (E1)."""
    assert issubclass(error_type, MemoryAdapterError)


def test_the_root_is_a_runtime_error() -> None:
    """Code that knows nothing of this package can still catch a failure (E1)."""
    assert MemoryAdapterError.__bases__ == (RuntimeError,)


_PICKLED = [
    pytest.param(UnsupportedMemoryQuery(["b", "a"]), id="query"),
    pytest.param(UnsupportedMemoryItem("tags[0]", "expected str, got int"), id="item"),
    pytest.param(MemoryAdapterUnavailable("acme: store: gone"), id="unavailable"),
]


@pytest.mark.parametrize("error", _PICKLED)
def test_pickling_keeps_type_message_and_parts(error: MemoryAdapterError) -> None:
    """An error that crosses a process boundary arrives as it was."""
    arrived = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes

    assert type(arrived) is type(error)
    assert str(arrived) == str(error)
    assert vars(arrived) == vars(error)


@pytest.mark.parametrize("error", _PICKLED)
def test_notes_survive_pickling_and_copying(error: MemoryAdapterError) -> None:
    """Notes say what was expected and given, so they travel with the error."""
    noted = copy.copy(error)
    noted.add_note("limit: expected an int of 0 or more, got str")

    arrived = pickle.loads(pickle.dumps(noted))  # noqa: S301 - our own bytes

    assert arrived.__notes__ == ["limit: expected an int of 0 or more, got str"]

"""Targets: every built-in one exists, and a wrong one says what was looked for."""

from __future__ import annotations

import pytest

from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.testing.harness import MemoryAdapterHarness
from memory_fidelity.testing.targets import TARGETS, UnknownTarget, harness, lanes

PLACES = [place for name in TARGETS for place in lanes(name).values()]


@pytest.mark.parametrize("place", PLACES)
def test_built_in_harness_exists(place: str) -> None:
    """What the registry names can be imported, and makes a harness."""
    assert isinstance(harness(place)(), MemoryAdapterHarness)


def test_name_with_a_colon_is_a_fake() -> None:
    """A harness of the caller's own is the fake lane, unless it is given as live."""
    assert lanes("acme.testing:Harness") == {"fake": "acme.testing:Harness"}


def test_harness_is_the_class_itself() -> None:
    """Nothing is made yet: the suite makes a harness for each case."""
    assert harness("memory_fidelity.fake.harness:FakeHarness") is FakeHarness


@pytest.mark.parametrize(
    ("place", "message"),
    [
        pytest.param("memory_fidelity.fake:", "expected module:Harness", id="no name"),
        pytest.param(":Harness", "expected module:Harness", id="no module"),
        pytest.param("memory_fidelity.nothing:H", "found no memory_fidelity.nothing", id="module"),
        pytest.param("memory_fidelity.fake.harness:FakeHarnes", "FakeHarness", id="close"),
        pytest.param("memory_fidelity:__version__", "got str", id="not callable"),
    ],
)
def test_wrong_place(place: str, message: str) -> None:
    """The error says what was looked for, where, and what is close to it."""
    with pytest.raises(UnknownTarget, match=message):
        harness(place)

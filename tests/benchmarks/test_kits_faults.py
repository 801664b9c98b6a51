"""The faults for other kits: what they do to what is kept, and what is said about each of them."""

from __future__ import annotations

from typing import Any

import pytest
from benchmarks.kits.faults import FAULTS, as_text, keeps
from benchmarks.kits.kit import FOLDERS
from benchmarks.kits.ours import OURS
from benchmarks.kits.probes import PROBES
from benchmarks.kits.trial import kit

from memory_fidelity import same
from memory_fidelity.testing.faults import FAULTS as OUR_FAULTS


@pytest.mark.parametrize(
    ("fault", "text", "kept"),
    [
        pytest.param("text.non-ascii-removed", "naïve", "nave", id="non-ascii"),
        pytest.param("text.truncated", "x" * 33, "x" * 32, id="truncated"),
        pytest.param("text.trimmed", " x ", "x", id="trimmed"),
        pytest.param("text.lower-cased", {"a": ["X", 1]}, {"a": ["x", 1]}, id="lower-cased-inside"),
        pytest.param("search.limit-ignored", " É ", " É ", id="about-something-else"),
        pytest.param(None, " É ", " É ", id="none"),
    ],
)
def test_text_is_altered_by_faults_in_text(fault: str | None, text: Any, kept: Any) -> None:
    """All texts in a value, and nothing but texts."""
    assert same(keeps(fault, text, {"n": 1}), (kept, {"n": 1}))


@pytest.mark.parametrize(
    ("fault", "metadata", "kept"),
    [
        pytest.param(
            "metadata.integers-as-floats",
            {"n": [1], "b": True},
            {"n": [1.0], "b": True},
            id="floats",
        ),
        pytest.param("metadata.as-text", {"n": 1, "l": [2]}, {"n": "1", "l": ["2"]}, id="as-text"),
        pytest.param("metadata.none-removed", {"n": None, "m": 0}, {"m": 0}, id="none-removed"),
        pytest.param("metadata.flattened", {"a": {"b": {"c": 1}}}, {"a.b.c": 1}, id="flattened"),
        pytest.param("metadata.flattened", {"a": {}}, {"a": {}}, id="empty-is-not-lost"),
        pytest.param("delete.ignored", {"n": 1}, {"n": 1}, id="about-something-else"),
    ],
)
def test_metadata_are_altered_by_faults_in_metadata(fault: str, metadata: Any, kept: Any) -> None:
    """By these faults alone, and with the text as it was."""
    assert same(keeps(fault, " É ", metadata), (" É ", kept))


def test_nothing_is_no_text() -> None:
    """A filter for nothing stays one when filters are compared as text."""
    assert same(as_text({"value": None, "of": 1}), {"value": None, "of": "1"})


def test_every_fault_has_a_probe() -> None:
    """No fault is planted that cannot be shown active."""
    assert PROBES.keys() == FAULTS.keys()


def test_our_faults_of_the_same_kinds_exist() -> None:
    """Renaming one of them is noticed here, and not when the kits are run."""
    assert OURS.keys() <= FAULTS.keys()
    assert set(OURS.values()) <= OUR_FAULTS.keys()


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_kit_is_given_at_least_fifteen_faults(folder: str) -> None:
    """A kit can be described where it is not installed."""
    described = kit(folder)

    assert len(FAULTS) - len(described.left_out) >= 15
    assert described.left_out.keys() <= FAULTS.keys()


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_is_beyond_a_kit_is_put_before_it(folder: str) -> None:
    """A fault is either left out, or said to be beyond the promises, and not both."""
    described = kit(folder)

    assert described.beyond.keys() <= FAULTS.keys() - described.left_out.keys()


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_kit_is_switched_off_in_two_ways(folder: str) -> None:
    """To see what it concludes from nothing."""
    assert len(kit(folder).switches) == 2

"""Frames: what each one holds, in plain sorted text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from pandas import DataFrame

from memory_fidelity import MemoryItem, Needs
from memory_fidelity.fake import EVENTUAL, FULL, LOSSY, NATIVE_FIELDS, FakeHarness
from memory_fidelity.testing import Call, check_sync
from memory_fidelity.testing.subjects import LimitIgnored
from memory_fidelity.workbook import (
    calls_frame,
    findings_frame,
    items_frame,
    journey_frame,
    losses_frame,
    manifests_frame,
    needs_frame,
)

SENT = MemoryItem(
    id=UUID(int=1), created_at=12.5, content="tea", tags=["a"], metadata={"n": 1, "user": "ada"}
)


def cells(frame: DataFrame) -> list[list[Any]]:
    """The frame's cells, its index in front."""
    return [list(row) for row in frame.itertuples(name=None)]


def test_items_are_shown_without_what_differs_from_run_to_run() -> None:
    """One row per item: content, tags, metadata."""
    assert cells(items_frame([SENT])) == [[1, "'tea'", "['a']", "{'n': 1, 'user': 'ada'}"]]


def test_manifests_stand_side_by_side() -> None:
    """Every field but the name is a row, whose sets are sorted."""
    frame = manifests_frame([FULL.manifest(), NATIVE_FIELDS.manifest()])

    assert list(frame.columns) == ["fake", "fake-native-fields"]
    assert cells(frame)[:3] == [
        ["native_item_fields", "content, created_at, id, metadata, tags", "content, id, tags"],
        ["dropped_item_fields", "none", "created_at, metadata"],
        ["supported_filters", "n, user", "none"],
    ]


def test_calls_are_listed_as_they_were_sent() -> None:
    """One row per request."""
    assert cells(calls_frame([Call("put", "{}")])) == [[1, "put", "{}"]]


def test_a_journey_names_the_fate_of_every_part() -> None:
    """Kept, altered and dropped, each by its path; a default is no alteration."""
    native = {"id": str(SENT.id), "content": "tea", "tags": ["a"], "metadata": {"n": "1"}}
    got = MemoryItem(
        id=SENT.id, created_at=0.0, content="tea", tags=[], metadata={"n": "1", "new": True}
    )

    frame = journey_frame(SENT, native, got)

    assert dict(frame["fate"].items()) == {
        "id": "kept",
        "created_at": "dropped",
        "metadata.n": "altered",
        "metadata.user": "dropped",
        "metadata.new": "added",
        "content": "kept",
        "tags": "altered",
    }
    assert list(frame.loc["metadata.n"]) == ["1", "'1'", "'1'", "altered"]


def test_a_journey_that_was_refused_ends_at_its_start() -> None:
    """Nothing was sent and nothing came back."""
    frame = journey_frame(SENT, None, None)

    assert set(frame["fate"]) == {"refused"}
    assert set(frame["native record"]) == set(frame["came back"]) == {"nothing"}


def test_a_finding_is_listed_once() -> None:
    """Case, what is false, the claim and the observation, for each thing that was found."""
    frame = findings_frame(check_sync(fake=LimitIgnored))

    assert set(frame["false"]) == {"C8", "C9"}
    assert not frame.reset_index().duplicated().any()


def test_no_finding_gives_an_empty_frame() -> None:
    """A conformant adapter has none."""
    assert findings_frame(check_sync(fake=FakeHarness)).empty


def test_needs_that_are_not_met_say_what_is_there_instead() -> None:
    """Only needs that tell the adapters apart are rows."""
    needs = Needs(immediate=True, metadata=True, tags_in_hits=True)

    frame = needs_frame(needs, [EVENTUAL.manifest(), LOSSY.manifest()])

    assert cells(frame) == [["immediate", "eventual", "met"], ["metadata", "met", "False"]]


def test_two_configurations_of_one_adapter_have_a_column_each() -> None:
    """Their manifests bear the same name and say different things."""
    fewer = replace(FULL, filters=("n",))

    frame = needs_frame(Needs(filters=frozenset({"user"})), [FULL.manifest(), fewer.manifest()])

    assert cells(frame) == [["filter:user", "met", "n"]]


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        pytest.param("fake", "fake", "–", id="the same"),
        pytest.param("fake", "other", "nothing", id="an equal one"),
        pytest.param("fake", "fake-eventual", "1", id="a later one"),
    ],
)
def test_a_move_counts_the_promises_that_it_loses(before: str, after: str, lost: str) -> None:
    """From the adapter of the row to that of the column."""
    equal = replace(FULL, name="other")
    frame = losses_frame([FULL.manifest(), equal.manifest(), EVENTUAL.manifest()])

    assert frame.loc[before, after] == lost

"""Verbs of the fake that are missing, and records that are no memories."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memory_fidelity.fake.khive.state import KhiveSettings
from memory_fidelity.fake.khive.verbs import Refused
from memory_fidelity.fake.khive_service import FakeKhive


@pytest.fixture
def khive() -> Iterator[FakeKhive]:
    """A fake of the service, empty."""
    with FakeKhive() as running:
        yield running


def test_a_missing_field_is_not_listed_and_unknown(khive: FakeKhive) -> None:
    """As in a khive of another version; other fields of the verb are there."""
    khive.settings = KhiveSettings(missing_fields=("memory.recall.tag_mode",))
    signatures = {each["verb"]: each["signature"] for each in khive.do("verbs")["verbs"]}

    with pytest.raises(Refused, match="unknown field `tag_mode`"):
        khive.do("memory.recall", query="green tea", tag_mode="all")

    assert "tag_mode" not in signatures["memory.recall"]
    assert "tags?" in signatures["memory.recall"]


def test_a_field_that_is_not_imitated_is_refused(khive: FakeKhive) -> None:
    """Rather than left out of account; khive would take it."""
    with pytest.raises(Refused, match="internal: the fake of khive has no `source_id`"):
        khive.do("memory.remember", content="green tea", source_id="x")


def test_records_of_several_kinds_are_kept_apart(khive: FakeKhive) -> None:
    """An entity, an observation and a memory with one property are found by their kinds."""
    same = {"properties": {"a": {"id": "Q"}}}
    entity = khive.do("create", kind="concept", name="tea", **same)
    note = khive.do("create", kind="observation", content="tea", **same)
    memory = khive.do("create", kind="memory", content="tea", **same)

    rows = khive.do("query", query='MATCH (n:memory) WHERE n.properties.a.id = "q" RETURN n.id')

    assert rows["rows"] == [{"n_id": memory["id"]}]
    assert khive.do("list", kind="entity")["items"] == [entity]
    assert khive.do("list", kind="note")["items"] == [memory, note]
    assert [hit["id"] for hit in khive.do("memory.recall", query="tea")] == [memory["id"]]


def test_what_was_removed_softly_is_no_record(khive: FakeKhive) -> None:
    """It is there for those who ask for what was removed, until it is removed for good."""
    native_id = khive.do("memory.remember", content="green tea")["id"]

    khive.do("delete", id=native_id)
    hidden = khive.do("get", id=native_id, include_deleted=True)
    left = khive.records()
    khive.do("delete", id=native_id, hard=True)

    assert hidden["status"] == "deleted"
    assert left == []
    with pytest.raises(Refused, match="not found"):
        khive.do("get", id=native_id, include_deleted=True)

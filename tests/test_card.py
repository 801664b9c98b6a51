"""The card: typed statements, and where they contradict a manifest."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError
from tests.adapter.shelf import card_of, manifest_of

from memory_fidelity import FilterMapping, LossFixture, Refusal

_TRIMMED: dict[str, Any] = {
    "name": "trimmed",
    "field": "content",
    "why": "the service trims text",
    "sent": " a ",
    "expected": "a",
}
_MAPPING: dict[str, Any] = {
    "key": "user",
    "path": "metadata.user",
    "meaning": "equal",
    "value": "ada",
    "matching": ["ada"],
    "other": ["Ada"],
    "wire": "ada",
}


@pytest.mark.parametrize(
    ("sent", "got", "predicted"),
    [
        pytest.param(" a ", "a", True, id="its own example"),
        pytest.param(" a ", " a ", False, id="example that came back whole"),
        pytest.param(" b ", "b", False, id="another value"),
    ],
)
def test_a_loss_without_a_rule_covers_its_example_alone(
    sent: str, got: str, predicted: bool
) -> None:
    """A fixture says nothing about values that it does not show."""
    loss = LossFixture(**_TRIMMED)

    assert loss.predicts(sent, got) is predicted


@pytest.mark.parametrize(
    ("got", "predicted"),
    [
        pytest.param("b", True, id="as the rule says"),
        pytest.param(" b ", False, id="kept whole"),
        pytest.param("c", False, id="altered otherwise"),
    ],
)
def test_a_rule_covers_exactly_what_it_predicts(got: str, predicted: bool) -> None:
    """With a rule, any value is covered if the rule gives exactly what came back."""
    loss = LossFixture(**_TRIMMED, transform=str.strip)

    assert loss.predicts(" b ", got) is predicted


def test_predictions_are_typed() -> None:
    """A loss that predicts 1 does not cover 1.0."""
    loss = LossFixture(**_TRIMMED | {"sent": "1", "expected": 1})

    assert not loss.predicts("1", 1.0)


def test_the_rule_of_a_loss_is_neither_written_nor_shown() -> None:
    """Code does not reach a file or a repr, which would hold an address."""
    loss = LossFixture(**_TRIMMED, transform=str.strip)

    assert "transform" not in loss.model_dump()
    assert "transform" not in repr(loss)


def test_the_operations_of_a_loss_are_written_sorted() -> None:
    """Output never depends on the order of a set."""
    assert json.loads(LossFixture(**_TRIMMED).model_dump_json())["on"] == ["retrieve", "search"]


def test_the_content_kinds_of_a_card_are_written_sorted() -> None:
    """Output never depends on the order of a set."""
    assert json.loads(card_of().model_dump_json())["content"] == ["json", "text"]


def test_the_sample_of_a_refusal_is_not_written() -> None:
    """A sample may be a value that no file can hold."""
    refusal = Refusal(name="bytes", field="content", why="text only", sample=b"\xff")

    assert "sample" not in refusal.model_dump()


def test_a_written_card_can_be_read_without_its_samples() -> None:
    """A report holds the card, and is readable where the samples are not at hand."""
    refusal = Refusal(name="bytes", field="content", why="text only", sample=b"\xff")
    card = card_of(refusals=[refusal])

    read = type(card).model_validate_json(card.model_dump_json())

    assert [(known.name, known.sample) for known in read.refusals] == [("bytes", None)]


def test_a_refusal_is_not_stated_without_a_sample() -> None:
    """What the suite tries cannot be left out where the card is made."""
    with pytest.raises(ValidationError, match="sample"):
        Refusal.model_validate({"name": "bytes", "field": "content", "why": "text only"})


@pytest.mark.parametrize(
    ("statement", "stated"),
    [
        pytest.param(LossFixture, _TRIMMED | {"on": []}, id="loss on no operation"),
        pytest.param(LossFixture, _TRIMMED | {"field": "score"}, id="loss of no item field"),
        pytest.param(LossFixture, _TRIMMED | {"why": ""}, id="loss without a reason"),
        pytest.param(FilterMapping, _MAPPING | {"path": "content"}, id="filter on content"),
        pytest.param(FilterMapping, _MAPPING | {"path": "metadata"}, id="filter on no key"),
        pytest.param(FilterMapping, _MAPPING | {"matching": []}, id="filter without a match"),
        pytest.param(FilterMapping, _MAPPING | {"boost": 2}, id="extra statement"),
    ],
)
def test_a_statement_that_says_too_little_is_refused(
    statement: type[BaseModel], stated: dict[str, Any]
) -> None:
    """A card is closed and has no empty answers."""
    with pytest.raises(ValidationError):
        statement(**stated)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("metadata.user", id="key"),
        pytest.param("metadata['a.b']", id="key that is no name"),
        pytest.param("created_at", id="time"),
    ],
)
def test_a_filter_leads_into_metadata_or_to_the_time(path: str) -> None:
    """The places that a filter can stand for are accepted."""
    assert FilterMapping(**_MAPPING | {"path": path}).path == path


def test_a_card_without_an_answer_is_refused() -> None:
    """Each of the eight lifecycle answers is required (L2)."""
    lifecycle = card_of().lifecycle.model_dump()
    del lifecycle["retries"]

    with pytest.raises(ValidationError, match=r"lifecycle\.retries"):
        card_of(lifecycle=lifecycle)


def test_a_card_that_agrees_has_nothing_to_report() -> None:
    """The honest pair has no disagreement."""
    assert card_of().disagreements(manifest_of()) == ()


_LOSSY = {"retrieve_fidelity": "lossy", "search_fidelity": "lossy"}
_NO_METADATA = {
    "native_item_fields": ["id", "content", "tags", "created_at"],
    "dropped_item_fields": ["metadata"],
    "preserves_metadata": False,
    "retrieve_fidelity": "native_fields",
    "search_fidelity": "native_fields",
}


@pytest.mark.parametrize(
    ("card", "manifest", "expected"),
    [
        pytest.param(
            {"adapter": "acme"},
            {},
            ["adapter: the card says 'acme', the manifest 'shelf'"],
            id="another adapter",
        ),
        pytest.param(
            {},
            _NO_METADATA,
            [
                (
                    "dropped_item_fields: the card gives defaults for [], "
                    "the manifest drops ['metadata']"
                )
            ],
            id="dropped field without a default",
        ),
        pytest.param(
            {"filters": []},
            {},
            ["supported_filters: the card maps [], the manifest lists ['n', 'user']"],
            id="filters without a mapping",
        ),
        pytest.param(
            {"filters": [*card_of().filters, card_of().filters[0]]},
            {},
            ["supported_filters: the card maps a filter more than once"],
            id="a filter mapped twice",
        ),
        pytest.param(
            {"losses": [_TRIMMED | {"field": "metadata"}], "defaults": {"metadata": {}}},
            _NO_METADATA | _LOSSY,
            ["dropped_item_fields: the card names losses of ['metadata'], which is dropped"],
            id="a loss of a dropped field",
        ),
        pytest.param(
            {"absent_in_hits": {"metadata": {}}, "defaults": {"metadata": {}}},
            _NO_METADATA,
            ["native_item_fields: hits cannot lack ['metadata'], which are not native"],
            id="hits that lack a dropped field",
        ),
        pytest.param(
            {"absent_in_hits": {"id": None}},
            {"search_fidelity": "native_fields"},
            ["native_item_fields: hits cannot lack ['id'], which are not native"],
            id="hits that lack the id",
        ),
        pytest.param(
            {"absent_in_hits": {"tags": []}},
            {"search_fidelity": "native_fields"},
            ["search_returns_tags: the card says that hits lack tags"],
            id="tags",
        ),
        pytest.param(
            {"absent_in_hits": {"created_at": 0.0}},
            {},
            ["search_fidelity: full, but hits lack ['created_at']"],
            id="full search with a gap",
        ),
        pytest.param(
            {},
            _LOSSY,
            [
                "retrieve_fidelity: lossy, but the card names no loss on retrieve",
                "search_fidelity: lossy, but the card names no loss on search",
            ],
            id="lossy without a loss",
        ),
        pytest.param(
            {"losses": [_TRIMMED]},
            {},
            [
                "retrieve_fidelity: full, but the card names the losses ['trimmed']",
                "search_fidelity: full, but the card names the losses ['trimmed']",
            ],
            id="losses of what is full",
        ),
        pytest.param(
            {"losses": [_TRIMMED | {"on": ["retrieve", "search"]}]},
            {"search_fidelity": "lossy"},
            ["retrieve_fidelity: full, but the card names the losses ['trimmed']"],
            id="loss on an operation that is full",
        ),
        pytest.param(
            {"losses": [_TRIMMED | {"on": ["search"]}]},
            _LOSSY,
            ["retrieve_fidelity: lossy, but the card names no loss on retrieve"],
            id="loss on the other operation",
        ),
        pytest.param(
            {"adapter": "acme", "filters": []},
            {},
            [
                "adapter: the card says 'acme', the manifest 'shelf'",
                "supported_filters: the card maps [], the manifest lists ['n', 'user']",
            ],
            id="everything at once",
        ),
    ],
)
def test_contradictions_are_all_named(
    card: dict[str, Any], manifest: dict[str, Any], expected: list[str]
) -> None:
    """Each statement that cannot be true beside the manifest is named, with both sides."""
    assert card_of(**card).disagreements(manifest_of(**manifest)) == tuple(expected)


@pytest.mark.parametrize(
    ("card", "manifest"),
    [
        pytest.param({"losses": [_TRIMMED]}, _LOSSY, id="lossy with a loss"),
        pytest.param(
            {"losses": [_TRIMMED | {"on": ["search"]}]},
            {"search_fidelity": "lossy"},
            id="search alone lossy",
        ),
        pytest.param({"defaults": {"metadata": {}}}, _NO_METADATA, id="dropped with a default"),
        pytest.param(
            {"absent_in_hits": {"tags": [], "metadata": {}}},
            {"search_fidelity": "native_fields", "search_returns_tags": False},
            id="hits that lack what the manifest leaves open",
        ),
    ],
)
def test_declared_gaps_agree(card: dict[str, Any], manifest: dict[str, Any]) -> None:
    """A loss that both declare is no disagreement."""
    assert card_of(**card).disagreements(manifest_of(**manifest)) == ()

"""The report as JSON, and the schema that is published for it."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from memory_fidelity import Refusal
from memory_fidelity.testing.rendering.interchange import (
    derived_schema,
    published_schema,
    read_report,
    report_json,
)
from memory_fidelity.testing.report import Report

from .reports import card, contradicted, lane, proved, report, result

REFUSAL = Refusal(name="nul", field="content", why="the column ends there", sample=b"\xff\x00")
WITH_CARD = report(lane("fake", result("a")), stated=card((REFUSAL,)))
REPORTS = [
    pytest.param(proved(), id="proved"),
    pytest.param(contradicted(), id="contradicted"),
    pytest.param(report(lane("fake"), manifest=None), id="without manifest"),
    pytest.param(WITH_CARD, id="with card"),
]


def test_published_schema_is_current() -> None:
    """The committed schema is the one that follows from the models."""
    assert published_schema() == derived_schema()


@pytest.mark.parametrize("told", REPORTS)
def test_json_follows_the_schema(told: Report) -> None:
    """Every report validates against the published schema."""
    schema = json.loads(published_schema())
    Draft202012Validator.check_schema(schema)

    Draft202012Validator(schema).validate(json.loads(report_json(told)))


def test_schema_refuses_what_is_no_report() -> None:
    """The control of the test above: the schema does tell a report from something else."""
    schema = json.loads(published_schema())
    stated = json.loads(report_json(proved())) | {"verdict": "fine"}

    assert not Draft202012Validator(schema).is_valid(stated)


@pytest.mark.parametrize("told", REPORTS)
def test_json_is_read_back(told: Report) -> None:
    """A report that was written is read back, and writes the same again."""
    text = report_json(told)

    assert report_json(read_report(text)) == text


def test_samples_of_refusals_are_left_out() -> None:
    """A sample may be anything, so JSON holds none."""
    read = read_report(report_json(WITH_CARD))

    assert read.card == card((REFUSAL.model_copy(update={"sample": None}),))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{}", id="empty"),
        pytest.param("<html>", id="no JSON"),
        pytest.param(
            report_json(proved()).replace('"schema_version": 1', '"schema_version": 2'),
            id="newer schema",
        ),
    ],
)
def test_something_else_is_refused(text: str) -> None:
    """What is no report of this version is an error."""
    with pytest.raises(ValidationError):
        read_report(text)

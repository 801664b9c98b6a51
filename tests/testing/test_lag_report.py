"""The report on lag: what is derived from the sightings, and its form as JSON."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from memory_fidelity.fake.harness import EventualFake
from memory_fidelity.testing.lag import Lag
from memory_fidelity.testing.lag_report import FoundBy, LagReport, Quantile, round_times
from memory_fidelity.testing.runner import Declarations, declarations
from memory_fidelity.testing.trial import Setting

from .lags import lag, report

PARTLY = lag((0, 0.0012), (0.002, 0.0031), (5.1, None))


@pytest.mark.parametrize(
    ("measured", "most", "expected"),
    [
        pytest.param(
            lag((0, 0.00021), (0, 0.0004)),
            12,
            [0.0002, 0.00025, 0.0003, 0.0004],
            id="fine, where the lags are alike",
        ),
        pytest.param(
            lag((0, 0.0011), (0, 0.9)),
            12,
            [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1],
            id="coarser, where they are not",
        ),
        pytest.param(
            lag((0, 1e-6), (0, 20)),
            3,
            [1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100],
            id="no coarser than powers of ten",
        ),
        pytest.param(PARTLY, 3, [0.001, 0.002, 0.005, 5], id="with the deadline"),
        pytest.param(lag((0, 5.2), (5, None)), 12, [5, 6], id="seen behind the deadline"),
        pytest.param(lag((5, None)), 12, [5], id="none seen"),
        pytest.param(lag((0, 0)), 12, [0], id="a clock that stands still"),
    ],
)
def test_times_are_round_and_span_what_was_seen(
    measured: Lag, most: int, expected: list[float]
) -> None:
    """From before the first sight to after the last, in steps that fit the number of rows."""
    assert round_times(measured, most=most) == expected


def test_quantiles_are_derived() -> None:
    """Five of them, and one behind the deadline has no upper bound."""
    assert report(PARTLY).quantiles == (
        Quantile(name="min", share=0, least=0, most=0.0012),
        Quantile(name="median", share=0.5, least=0.002, most=0.0031),
        Quantile(name="p90", share=0.9, least=5.1, most=None),
        Quantile(name="p99", share=0.99, least=5.1, most=None),
        Quantile(name="max", share=1, least=5.1, most=None),
    )


def test_the_distribution_is_derived() -> None:
    """At round times, and what was not seen is part of none of them."""
    found = report(PARTLY).found

    assert found[0] == FoundBy(seconds=0.001, least=0, most=1)
    assert FoundBy(seconds=0.0025, least=1, most=2) in found
    assert found[-1] == FoundBy(seconds=5, least=2, most=2)


def test_it_says_what_it_was_measured_on() -> None:
    """What the manifest says, and versions."""
    told = report(PARTLY, declarations(Setting(EventualFake, "fake")))

    assert (told.adapter, told.declared) == ("fake-eventual", "eventual")
    assert set(told.environment.packages) == {"lionagi", "memory-fidelity", "pydantic"}


def test_it_names_the_service() -> None:
    """With the versions that the harness gave."""
    assert report(PARTLY, Declarations(service={"Acme": "1.4"})).service == {"Acme": "1.4"}


def test_json_is_read_back() -> None:
    """A report that was written is the same when it is read, and follows the model's schema."""
    told = report(PARTLY)
    text = told.model_dump_json()

    assert LagReport.model_validate_json(text) == told
    assert Draft202012Validator(LagReport.model_json_schema(mode="serialization")).is_valid(
        json.loads(text)
    )

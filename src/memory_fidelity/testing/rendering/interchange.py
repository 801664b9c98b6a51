"""The report as JSON, the source of every other rendering, and the schema of that JSON."""

from __future__ import annotations

import json
from importlib.resources import files

from memory_fidelity.testing.report import Report

__all__ = ["derived_schema", "published_schema", "read_report", "report_json"]


def report_json(report: Report) -> str:
    """Return the report as indented JSON, which ends in a line break."""
    return report.model_dump_json(indent=2) + "\n"


def read_report(text: str | bytes) -> Report:
    """Return the report that `report_json` wrote.

    Samples of refusals and rules of losses are not part of JSON, and are absent.

    Raises:
        pydantic.ValidationError: the text is no report of this schema version.
    """
    return Report.model_validate_json(text)


def derived_schema() -> str:
    """Return the JSON Schema that follows from the report's models."""
    schema = Report.model_json_schema(mode="serialization")
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps(dialect | schema, indent=2) + "\n"


def published_schema() -> str:
    """Return the JSON Schema that is published, as this package contains it."""
    path = files("memory_fidelity.testing").joinpath("report-1.schema.json")
    return path.read_text(encoding="utf-8")

"""Every public fault that is played here, as plain data."""

from __future__ import annotations

from typing import Final

from tests.public_faults.table_of_queries import QUERIES
from tests.public_faults.table_of_services import SERVICES
from tests.public_faults.table_of_values import VALUES

__all__ = ["FAULTS", "rows"]

FAULTS: Final = (*VALUES, *QUERIES, *SERVICES)
"""All of them, in the order of their ids."""


def rows() -> list[dict[str, str]]:
    """Return the table as plain data, ready to be shown on a page."""
    return [
        {
            "id": fault.id,
            "kind": fault.kind,
            "source": fault.source,
            "story": fault.story,
            "right endings": ", ".join(sorted(fault.endings)),
        }
        for fault in FAULTS
    ]

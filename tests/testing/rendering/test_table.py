"""Several reports side by side."""

from __future__ import annotations

from memory_fidelity import MemoryAdapterManifest
from memory_fidelity.testing.rendering.table import fidelity_table

from .reports import contradicted, lane, proved, report, result

BARE = MemoryAdapterManifest(
    adapter="bare",
    native_item_fields=frozenset({"id", "content", "tags"}),
    dropped_item_fields=frozenset({"metadata", "created_at"}),
    supported_filters=frozenset(),
    search_consistency="eventual",
    retrieve_fidelity="native_fields",
    search_fidelity="native_fields",
    search_returns_tags=False,
    preserves_metadata=False,
)

TABLE = """\
                      acme               bare               none
------------------------------------------------------------------------------
adapter               acme               bare               no manifest
native_item_fields    all five           content, id, tags  no manifest
dropped_item_fields   none               created_at,        no manifest
                                         metadata
supported_filters     kind, user         none               no manifest
search_consistency    immediate          eventual           no manifest
retrieve_fidelity     full               native_fields      no manifest
search_fidelity       lossy              native_fields      no manifest
search_returns_tags   yes                no                 no manifest
preserves_metadata    yes                no                 no manifest
lanes                 fake 2, live 7     fake 1             fake 1
verdict               non-conformant     conformant         conformant
grade                 contradicted       modelled           modelled
"""


def test_table() -> None:
    """A column per report under its name, a row per fact of the manifest, then the verdict."""
    passing = lane("fake", result("a"))
    reports = {
        "acme": contradicted(),
        "bare": report(passing, manifest=BARE),
        "none": report(passing, manifest=None),
    }

    assert fidelity_table(reports) == TABLE


def test_more_reports_make_further_tables() -> None:
    """However many reports there are, no line is longer than 80 columns."""
    text = fidelity_table({f"acme-{number}": proved() for number in range(7)})

    assert max(map(len, text.splitlines())) <= 80
    assert text.count("preserves_metadata") == 3
    assert [name for name in range(7) if f"acme-{name}" not in text] == []

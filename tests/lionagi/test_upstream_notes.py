"""The notes for upstream are about the versions that their programs run on.

The programs themselves are run with those of all other pages.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

pytest.importorskip("fastmcp", reason="comes with the extra `workbook`")

DOCS = Path(__file__).parents[2] / "docs"
NOTES = (DOCS / "explanation" / "notes-for-upstream.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("package", ["lionagi", "fastmcp", "mcp"])
def test_a_note_names_the_version_that_it_is_seen_in(package: str) -> None:
    """With another version the notes are to be looked at again."""
    assert f"{package} {version(package)}" in NOTES

"""The notes for upstream are about the versions that their programs run on.

The programs themselves are run with those of all other pages.
"""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from pathlib import Path

import pytest
from tests.lionagi.khive_scene import OF_TEA, provided, provider_of

DOCS = Path(__file__).parents[2] / "docs"
NOTES = (DOCS / "explanation" / "notes-for-upstream.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("package", ["lionagi", "fastmcp", "mcp"])
def test_a_note_names_the_version_that_it_is_seen_in(package: str) -> None:
    """With another version the notes are to be looked at again."""
    assert f"{package} {version(package)}" in NOTES


def test_the_provider_cannot_connect_to_khive_itself(khive_program: str, tmp_path: Path) -> None:
    """What the fifth note says of khive 0.8.0: the turn is degraded, although khive is in order."""
    khive = {
        "command": khive_program,
        "args": ["mcp", "--db", str(tmp_path / "khive.db"), "--no-embed"],
        "env": {"HOME": str(tmp_path), "KHIVE_NO_DAEMON": "1", "KHIVE_NO_EMBED": "true"},
    }
    provider = provider_of(khive)

    async def turn() -> tuple[str | None, str | None]:
        return await provided(provider, OF_TEA), provider.degradation_reason

    assert asyncio.run(turn()) == (None, "transport_failure:MCPError")

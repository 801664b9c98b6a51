"""The README's example of the PostgreSQL store, on a real server."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from memory_fidelity.adapters.postgres_cluster import shared

README: Final = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
PLACE: Final = '"dbname=memory"'

pytestmark = pytest.mark.usefixtures("servers")


def test_the_example_finds_what_it_stored(tmp_path: Path) -> None:
    """As it is printed, but for the place of the server."""
    blocks = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    (program,) = (block for block in blocks if PLACE in block)

    run = subprocess.run(
        [
            *(sys.executable, "-W", "error", "-c"),
            program.replace(PLACE, repr(shared().primary.conninfo())),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (run.stdout, run.stderr) == ("['Prefers oolong.']\n", "")

"""Compare the kits, and write what was found: `python -m benchmarks.kits --help`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from benchmarks.command_line import say
from benchmarks.kits.comparing import judge
from benchmarks.kits.kit import FOLDERS
from benchmarks.kits.ours import own_verdicts
from benchmarks.kits.page import with_results
from benchmarks.kits.results import Comparison

__all__ = ["main"]

_PLACE: Final = Path(__file__).parent


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and return its exit code."""
    asked = _parser().parse_args(arguments)
    results, page = asked.into / "results.json", asked.into / "README.md"
    if not asked.page_only:
        found = Comparison(
            when=datetime.now(UTC).date(),
            kits={folder: judge(folder, say) for folder in FOLDERS},
            suite=own_verdicts(),
        )
        results.write_text(found.model_dump_json(indent=1) + "\n", encoding="utf-8")
    found = Comparison.model_validate_json(results.read_text(encoding="utf-8"))
    page.write_text(with_results(page.read_text(encoding="utf-8"), found), encoding="utf-8")
    say(f"written: {results}, {page}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.kits",
        description="Put faults into the backends of other kits, and see what their tests find.",
    )
    add = parser.add_argument
    add("--into", type=Path, default=_PLACE, help="where results.json and README.md are")
    add("--page-only", action="store_true", help="make the page of the results that are there")
    return parser


if __name__ == "__main__":
    sys.exit(main())

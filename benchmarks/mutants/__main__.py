"""`make mutants`: change the product's own source, one place at a time, and run its tests.

Survivors must have a reason in `survivors.toml`; one without a reason, or a reason
without a survivor, ends the program in 1.
"""

from __future__ import annotations

import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from os import cpu_count
from pathlib import Path
from typing import Final

from benchmarks.mutants.page import page
from benchmarks.mutants.plan import MODULES
from benchmarks.mutants.running import mutants_of

_ROOT: Final = Path(__file__).parents[2]
_HERE: Final = Path(__file__).parent


def main() -> int:
    """Run all mutants, write the page, and tell whether every survivor has its reason."""
    folder = _ROOT / "build" / "mutants"
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(cpu_count()) as pool:
        made = pool.map(partial(mutants_of, root=_ROOT, folder=folder), MODULES)
        mutants = [mutant for each in made for mutant in each]
    reasons = tomllib.loads((_HERE / "survivors.toml").read_text(encoding="utf-8"))["survivor"]
    text, open_points = page(mutants, reasons)
    (_HERE / "README.md").write_text(text, encoding="utf-8")
    for point in open_points:
        sys.stderr.write(f"{point}\n")
    return 1 if open_points else 0


if __name__ == "__main__":
    sys.exit(main())

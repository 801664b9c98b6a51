"""Runs cosmic-ray on a copy of the project, so that no mutant is ever in the project itself."""

from __future__ import annotations

import ast
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.mutants.plan import Module

__all__ = ["Mutant", "mutants_of"]

_COPIED: Final = ("src", "tests", "pyproject.toml", "benchmarks", "tools", "docs", "notebooks")
_TIMEOUT: Final = 60.0
"""Seconds after which a mutant is taken to loop for ever, which the tests would notice."""

_Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change to one place of a module, and whether a test noticed it."""

    module: str
    operator: str
    line: int
    column: int
    before: str
    """The line as it is in the product."""
    killed: bool


def mutants_of(module: Module, root: Path, folder: Path) -> list[Mutant]:
    """Make every mutant of a module in `folder`, and run its tests on each."""
    copy = folder / module.name
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    for name in _COPIED:
        place = root / name
        if place.is_dir():
            shutil.copytree(place, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(place, copy / name)
    config, session = folder / f"{module.name}.toml", folder / f"{module.name}.sqlite"
    config.write_text(_config(module, root), encoding="utf-8")
    session.unlink(missing_ok=True)
    _cosmic_ray(copy, "init", config, session)
    source = (copy / module.path).read_text(encoding="utf-8")
    _leave_out_annotations(session, source)
    _cosmic_ray(copy, "exec", config, session)
    return list(_read(session, module, source.splitlines()))


def _config(module: Module, root: Path) -> str:
    python = root / ".venv" / "bin" / "python"
    command = f"{python} -m pytest -x -q -p no:nbval -p no:xdist -p no:cacheprovider"
    return (
        "[cosmic-ray]\n"
        f'module-path = "{module.path}"\n'
        f"timeout = {_TIMEOUT}\n"
        "excluded-modules = []\n"
        f'test-command = "{command} {" ".join(module.tests)}"\n'
        "[cosmic-ray.distributor]\n"
        'name = "local"\n'
    )


def _cosmic_ray(copy: Path, command: str, config: Path, session: Path) -> None:
    # The copy's own source comes before the one that the environment has installed.
    environment = os.environ | {
        "PYTHONPATH": str(copy / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",  # a mutant must not be taken for the one before it
    }
    program = Path(sys.executable).with_name("cosmic-ray")
    subprocess.run(  # noqa: S603 - the program of this very environment, on files made here
        [program, command, config, session], cwd=copy, env=environment, check=True
    )


def _leave_out_annotations(session: Path, source: str) -> None:
    """Annotations are never evaluated here, so that no test can notice a change in one."""
    spans = list(_annotations(source))
    with closing(sqlite3.connect(session)) as database, database:
        places = database.execute(
            "SELECT job_id, start_pos_row, start_pos_col FROM mutation_specs"
        ).fetchall()
        unseen = [
            (job,)
            for job, row, column in places
            if any(start <= (row, column) < end for start, end in spans)
        ]
        database.executemany("DELETE FROM mutation_specs WHERE job_id = ?", unseen)
        database.executemany("DELETE FROM work_items WHERE job_id = ?", unseen)


def _annotations(source: str) -> Iterator[tuple[_Place, _Place]]:
    for node in ast.walk(ast.parse(source)):
        for name in ("annotation", "returns"):
            part = getattr(node, name, None)
            if isinstance(part, ast.expr):
                end = (part.end_lineno or 0, part.end_col_offset or 0)
                yield (part.lineno, part.col_offset), end


def _read(session: Path, module: Module, lines: list[str]) -> Iterator[Mutant]:
    with closing(sqlite3.connect(session)) as database:
        rows = database.execute(
            "SELECT operator_name, start_pos_row, start_pos_col, test_outcome "
            "FROM mutation_specs JOIN work_results USING (job_id) "
            "ORDER BY start_pos_row, start_pos_col, operator_name"
        )
        for operator, row, column, outcome in rows:
            yield Mutant(
                module=module.path,
                operator=str(operator).removeprefix("core/"),
                line=row,
                column=column,
                before=lines[row - 1].strip(),
                killed=outcome != "SURVIVED",
            )

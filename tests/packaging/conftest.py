"""The distributions of this project, and an environment that holds them and lionagi alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Distributions:
    """What `python -m build` makes."""

    sdist: Path
    wheel: Path


@dataclass(frozen=True)
class Run:
    """How a process ended, and what it printed."""

    status: int
    output: str
    errors: str


@dataclass(frozen=True)
class Interpreter:
    """A Python, run without anything that this process was given."""

    path: Path

    def run(self, *arguments: str) -> Run:
        """Run it in an empty folder's worth of settings, and wait."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        done = subprocess.run(
            [self.path, *arguments], env=kept, capture_output=True, text=True, check=False
        )
        return Run(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="session")
def here() -> Interpreter:
    """The Python that runs the tests, with everything that is installed for it."""
    return Interpreter(Path(sys.executable))


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory, here: Interpreter) -> Distributions:
    """Both distributions, the wheel built from the sdist, without network."""
    folder = tmp_path_factory.mktemp("distributions")
    built = here.run("-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT))
    assert built.status == 0, built.output + built.errors
    return Distributions(next(folder.glob("*.tar.gz")), next(folder.glob("*.whl")))


@pytest.fixture(scope="session")
def alone(
    tmp_path_factory: pytest.TempPathFactory, here: Interpreter, distributions: Distributions
) -> Interpreter:
    """An environment with the wheel, lionagi and what lionagi itself requires: nothing else."""
    folder = tmp_path_factory.mktemp("alone")
    made = here.run("-m", "venv", "--without-pip", str(folder))
    assert made.status == 0, made.errors
    python = Interpreter(folder / "bin" / "python")
    packages = Path(
        python.run("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").output.strip()
    )
    for entry in _entries("lionagi"):
        (packages / entry.name).symlink_to(entry)
    wheel = str(distributions.wheel)
    pip = ("-m", "pip", "--python", str(python.path), "install", "--no-index", "--no-deps")
    installed = here.run(*pip, wheel)
    assert installed.status == 0, installed.errors
    return python


def _entries(name: str) -> set[Path]:
    """What a distribution and all that it requires put into site-packages."""
    return {
        Path(str(found.locate_file(file.parts[0])))
        for found in _closure(name)
        for file in found.files or ()
        if file.parts[0] not in ("..", "__pycache__")
    }


def _closure(name: str) -> Iterator[Distribution]:
    todo, seen = [Requirement(name)], set[tuple[str, frozenset[str]]]()
    while todo:
        wanted = todo.pop()
        key = (wanted.name.lower(), frozenset(wanted.extras))
        if key in seen:
            continue
        seen.add(key)
        found = distribution(wanted.name)
        yield found
        extras = wanted.extras | {""}
        for requirement in map(Requirement, found.requires or ()):
            marker = requirement.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras):
                todo.append(requirement)

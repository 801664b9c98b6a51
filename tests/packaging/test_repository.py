"""What holds of every file in the repository."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import memory_fidelity

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))

# In pieces, so that this file does not hold what it looks for.
FORBIDDEN = re.compile(
    "|".join(
        [
            *(f"/{folder}/" for folder in ("work", "root", "home", "Users", "tmp")),
            *(rf"{host}\.{top}" for host, top in [("pypi", "org"), ("python" + "hosted", "org")]),
            *(rf"{host}\.{top}" for host, top in [("npmjs", "org"), ("npmjs", "com")]),
        ]
    )
)


def _tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _entries(lock: Path) -> list[str]:
    """A lock's requirements, each with its continuation lines."""
    return lock.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()


def test_modules_are_short() -> None:
    """No file of source or tests has more than 400 lines."""
    modules = [path for room in ("src", "tests") for path in (ROOT / room).rglob("*.py")]

    assert {str(path.relative_to(ROOT)) for path in modules if len(_lines(path)) > 400} == set()


def test_files_name_no_machine_and_no_registry() -> None:
    """Nothing in the repository works, or reads, as if it belonged to one machine."""
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match[0]}"
        for path in _tracked()
        for number, line in enumerate(_lines(path), 1)
        if (match := FORBIDDEN.search(line))
    ]

    assert found == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_locks_hold_versions_and_hashes_alone(lock: Path) -> None:
    """Each entry is pinned and hashed, and no line says where to fetch it from."""
    entry = re.compile(r"[a-z0-9-]+==[^ ]+( ;[^\\]+?)?( +--hash=sha256:[0-9a-f]{64})+")

    assert [line for line in _entries(lock) if not entry.fullmatch(line)] == []


def test_version_has_one_source() -> None:
    """The installed distribution and the package agree, since one is read from the other."""
    assert version("memory-fidelity") == memory_fidelity.__version__


def test_changelog_renders() -> None:
    """The fragments make up the next entry of the changelog."""
    drafted = subprocess.run(
        [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "next"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "### " in drafted.stdout or f"## {memory_fidelity.__version__}" in drafted.stdout

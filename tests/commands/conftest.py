"""A command, run in this process in an empty directory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from memory_fidelity.cli import main

MODULE = "acme_harness_of_these_tests"

SOURCE = """\
from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.store import InMemoryStore

NUMBER = 3


class Acme(FakeHarness):
    class Nested(FakeHarness):
        pass


class Faulty(FakeHarness):
    async def make_store(self):
        raise LookupError("no service")


class Rock:
    pass


class Undeclared(FakeHarness):
    async def make_store(self):
        return InMemoryStore()
"""


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it printed."""

    code: int
    output: str
    errors: str


Run = Callable[..., Ended]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current directory: empty, save for a module of harnesses."""
    (tmp_path / f"{MODULE}.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("NO_COLOR", "1")
    yield tmp_path
    sys.modules.pop(MODULE, None)


@pytest.fixture
def run(here: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs one command there."""

    def ended(*arguments: str) -> Ended:
        code = main(arguments)
        output, errors = capsys.readouterr()
        return Ended(code, output, errors)

    return ended

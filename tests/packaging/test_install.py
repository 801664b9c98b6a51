"""Where the packages of a lock file are taken from."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@dataclass
class Index:
    """An index of packages that has none, and what it was asked for."""

    address: str = ""
    asked: set[str] = field(default_factory=set)


class _Empty(BaseHTTPRequestHandler):
    def __init__(self, index: Index, *arguments: Any) -> None:
        self._index = index
        super().__init__(*arguments)

    def do_GET(self) -> None:
        """Note the question, and have nothing."""
        self._index.asked.add(self.path)
        self.send_error(404)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the parent's name
        """Say nothing."""


@pytest.fixture
def index() -> Iterator[Index]:
    """A server on this machine, whose address holds a password."""
    found = Index()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Empty, found)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        found.address = f"http://someone:secret@127.0.0.1:{server.server_port}/simple"
        yield found
        server.shutdown()


def _install(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    lock = folder / "lock.txt"
    lock.write_text(f"no-such-package==1 --hash=sha256:{'0' * 64}\n", encoding="utf-8")
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        ["sh", "tools/install.sh", sys.prefix, str(lock)],
        cwd=ROOT,
        env={**kept, "PIP_CONFIG_FILE": os.devnull, **settings},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_index_is_the_one_that_pip_is_set_up_to_use(tmp_path: Path, index: Index) -> None:
    """It is asked for the packages, and the password in its address is not printed."""
    done = _install(tmp_path, PIP_INDEX_URL=index.address)

    assert done.returncode != 0
    assert "/simple/no-such-package/" in index.asked
    assert "secret" not in done.stdout + done.stderr


def test_no_index_is_asked_where_pip_must_not(tmp_path: Path, index: Index) -> None:
    """An installation from a folder stays one."""
    done = _install(tmp_path, PIP_NO_INDEX="1", PIP_INDEX_URL=index.address)

    assert done.returncode != 0
    assert index.asked == set()

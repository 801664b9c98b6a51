"""The harnesses that can be named: built-in ones, and any `module:Harness`."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from pathlib import PurePath
from typing import Final

from memory_fidelity.testing.harness import HarnessFactory
from memory_fidelity.testing.verdict import Lane

__all__ = [
    "TARGETS",
    "BrokenTarget",
    "Target",
    "UnknownTarget",
    "harness",
    "installed",
    "lanes",
]


@dataclass(frozen=True, slots=True)
class Target:
    """Where the harnesses of one adapter are found, as `module:qualified name`."""

    fake: str | None
    live: str | None
    summary: str
    driver: str | None = None
    """The package that its adapter imports, which comes with an extra."""


_SQLITE = "memory_fidelity.adapters.sqlite_harness"
_FAKE = "memory_fidelity.fake.harness"
_POSTGRES = "memory_fidelity.adapters.postgres_harness"
_POSTGRES_LIVE = "memory_fidelity.adapters.postgres_live"
_KHIVE = "memory_fidelity.adapters.khive_harness"
_KHIVE_LIVE = "memory_fidelity.adapters.khive_live"

TARGETS: Final[dict[str, Target]] = {
    "fake": Target(f"{_FAKE}:FakeHarness", None, "deterministic: full, immediate"),
    "fake-eventual": Target(f"{_FAKE}:EventualFake", None, "the same with a delayed index"),
    "fake-lossy": Target(f"{_FAKE}:LossyFake", None, "the same with named losses"),
    "fake-native-fields": Target(
        f"{_FAKE}:NativeFieldsFake", None, "the same without metadata and creation time"
    ),
    "sqlite": Target(
        f"{_SQLITE}:RiggedSqlite", f"{_SQLITE}:SqliteFile", "a SQLite file: full, immediate"
    ),
    "sqlite-deferred": Target(
        f"{_SQLITE}:RiggedSqliteDeferred",
        f"{_SQLITE}:SqliteFileDeferred",
        "the same, searchable only after a refresh",
    ),
    "postgres": Target(
        f"{_POSTGRES}:FakePostgres",
        f"{_POSTGRES_LIVE}:LivePostgres",
        "a PostgreSQL database: full, immediate",
        driver="psycopg",
    ),
    "postgres-replica": Target(
        f"{_POSTGRES}:FakePostgresReplica",
        f"{_POSTGRES_LIVE}:LivePostgresReplica",
        "the same, searched on a lagging standby",
        driver="psycopg",
    ),
    "postgres-remote-apply": Target(
        f"{_POSTGRES}:FakePostgresRemoteApply",
        f"{_POSTGRES_LIVE}:LivePostgresRemoteApply",
        "the same, each write waits for the standby",
        driver="psycopg",
    ),
    "khive": Target(
        f"{_KHIVE}:RiggedKhive",
        f"{_KHIVE_LIVE}:LiveKhive",
        "a khive service: full, immediate",
        driver="mcp",
    ),
    "khive-plain": Target(
        f"{_KHIVE}:RiggedKhivePlain",
        f"{_KHIVE_LIVE}:LiveKhivePlain",
        "the same with id, text and tags alone",
        driver="mcp",
    ),
    "khive-embeddings": Target(
        f"{_KHIVE}:RiggedKhiveEmbeddings", None, "the same, recalled late", driver="mcp"
    ),
}
"""The built-in targets, by name."""


def installed() -> list[str]:
    """Return the built-in targets whose driver is here; the others need an extra."""
    return [
        name
        for name, target in TARGETS.items()
        if target.driver is None or find_spec(target.driver) is not None
    ]


class UnknownTarget(ValueError):
    """No harness goes by this name; the message says what was looked for and what exists."""


class BrokenTarget(RuntimeError):
    """The module of a harness exists and cannot be imported; the cause says why."""


def lanes(name: str) -> dict[Lane, str]:
    """Return where the harnesses of a target are found, by lane; `module:Harness` is a fake.

    Raises:
        UnknownTarget: the name is neither built in nor has it a colon.
    """
    if ":" in name:
        return {"fake": name}
    if name not in TARGETS:
        raise UnknownTarget(_unknown(name))
    target = TARGETS[name]
    found: dict[Lane, str | None] = {"fake": target.fake, "live": target.live}
    return {lane: place for lane, place in found.items() if place is not None}


def harness(place: str) -> HarnessFactory:
    """Import the harness at `module:qualified name`, and return it.

    Raises:
        UnknownTarget: there is no such module, or nothing callable of that name in it.
        BrokenTarget: importing the module failed.
    """
    module_name, _, qualified_name = place.partition(":")
    if module_name.endswith(".py"):
        raise UnknownTarget(
            f"{place}: expected module:Harness, got a file; name its module as an import does, "
            f"such as {PurePath(module_name).stem}:{qualified_name.lstrip(':') or 'Harness'}"
        )
    if not all(name.isidentifier() for name in (module_name + "." + qualified_name).split(".")):
        raise UnknownTarget(
            f"{place}: expected module:Harness, got something else; it is written "
            "with dots and without parentheses, such as acme.testing:AcmeHarness"
        )
    found: object = _module(module_name, place)
    for name in qualified_name.split("."):
        if name not in dir(found):
            offered = [known for known in dir(found) if not known.startswith("_")]
            raise UnknownTarget(
                f"{place}: expected {qualified_name} in {module_name}, found no {name!r}"
                f"{_close(name, offered)}"
            )
        found = getattr(found, name)
    if not callable(found):
        raise UnknownTarget(
            f"{place}: expected a harness class, or a function that makes a harness, "
            f"got {type(found).__name__}"
        )
    return found


def _module(name: str, place: str) -> object:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name and f"{name}.".startswith(f"{error.name}."):
            raise UnknownTarget(
                f"{place}: expected the module {name}, found no {error.name} "
                "on the import path or in the current directory"
            ) from error
        raise BrokenTarget(_import_failed(name, place, str(error))) from error
    except (Exception, SystemExit) as error:
        # Importing runs a stranger's code, which may raise anything, or try to end the process.
        raise BrokenTarget(
            _import_failed(name, place, f"{type(error).__name__}: {error}")
        ) from error


def _import_failed(name: str, place: str, why: str) -> str:
    return f"{place}: importing {name} failed: {why}; `python -c 'import {name}'` shows where"


def _unknown(name: str) -> str:
    names = ", ".join(TARGETS)
    return (
        f"{name}: expected a built-in target or module:Harness, found neither"
        f"{_close(name, list(TARGETS))}; built in: {names}"
    )


def _close(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known)
    return f"; close to it: {', '.join(close)}" if close else ""

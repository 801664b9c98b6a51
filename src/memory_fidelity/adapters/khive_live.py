"""The live lane of the khive store: khive's own program, behind a recording pipe.

The program is the one that `KHIVE_KKERNEL` names, or `kkernel` on `PATH`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Final
from uuid import UUID, uuid4

from memory_fidelity.adapters._khive_calls import asked
from memory_fidelity.adapters._khive_journal import khive_calls
from memory_fidelity.adapters._khive_records import Profile, lookup
from memory_fidelity.adapters.khive import KhiveMemoryStore, khive_server
from memory_fidelity.adapters.mcp_session import Ask, McpServer, McpSession
from memory_fidelity.store import ExternalMemoryStore
from memory_fidelity.testing.harness import ServiceMissing
from memory_fidelity.testing.pipe import Pipe, json_lines
from memory_fidelity.testing.relayed import Relayed

__all__ = ["LiveKhive", "LiveKhivePlain", "khive_program"]

_PROGRAM: Final = "KHIVE_KKERNEL"
_NAMESPACE: Final = "fidelity"
_KINDS: Final = ("memory", "observation")
_PAGE: Final = 100
_PATIENCE: Final = 40.0


def khive_program() -> str:
    """Return the path of khive's program.

    Raises:
        ServiceMissing: there is none.
    """
    named = os.environ.get(_PROGRAM, "kkernel")
    found = shutil.which(named)
    if found is None:
        raise ServiceMissing(f"khive: expected its program as {_PROGRAM} or kkernel, got none")
    return found


class LiveKhive(Relayed[McpServer]):
    """A database of its own for one case, and a process of khive for each store."""

    profile: ClassVar[Profile] = "envelope"

    def __init__(self) -> None:
        """Start nothing yet."""
        super().__init__()
        self.pipe: Pipe | None = None
        """What the processes of the stores are behind, once there is one."""
        self._session: McpSession | None = None
        self._program = ""

    @property
    def service(self) -> Mapping[str, str]:
        """Versions of the program, once a store was made, and of the client."""
        khive = {"khive": _version(self._program)} if self._program else {}
        return {**khive, "mcp": version("mcp")}

    async def make_store(self) -> ExternalMemoryStore:
        """Return a new store on the database.

        Raises:
            ServiceMissing: khive's program is not here.
        """
        return await self.open_scope(_NAMESPACE)

    async def open_scope(self, name: str) -> ExternalMemoryStore:
        """Return a new store on the database, in the namespace of this name."""
        return await self.store(namespace=name)

    async def store(self, **settings: Any) -> KhiveMemoryStore:
        """The same with settings of the store's, such as its timeout."""
        server = await self.client()
        given = {"namespace": _NAMESPACE, "profile": self.profile, **settings}
        return await self.opened(KhiveMemoryStore(server, **given))

    async def connect(self) -> McpServer:
        """Find khive, and return how to start it behind a pipe."""
        self._program = khive_program()
        # Its processes may still be writing beside the database when they are killed.
        folder = TemporaryDirectory(prefix="khive-", ignore_cleanup_errors=True)
        self.closes(_closing(folder))
        direct = khive_server(Path(folder.name) / "khive.db", program=self._program)
        environment = {**direct.environment, "HOME": folder.name, "PATH": os.defpath}
        self.pipe = Pipe(
            direct.command,
            environment=environment,
            directory=Path(folder.name),
            requests=json_lines(khive_calls),
        )
        self.closes(self.pipe.close)
        await self.pipe.start()
        self.relays.append(self.pipe.relay)
        beside = McpServer(direct.command, environment)
        self._session = McpSession(beside, timeout=_PATIENCE, concurrency=1, accept=_any)
        self.closes(self._session.close)
        return McpServer(self.pipe.command)

    async def reset(self) -> None:
        """Delete every memory of the namespace, and every planted record."""
        for kind in _KINDS:
            listed = {"kind": kind, "limit": _PAGE, "namespace": _NAMESPACE}
            while items := (await self._ask("list", listed))["items"]:
                for item in items:
                    await self._ask("delete", {"id": item["id"], "hard": True})

    async def plant_foreign_record(self) -> UUID:
        """Make an observation that has the properties of an item."""
        identity = uuid4()
        ours = {"id": str(identity), "created_at": 1.0, "metadata": {}}
        await self._ask(
            "create",
            {
                "kind": "observation",
                "content": "An observation that is no memory",
                "properties": {"lionagi": ours, "lionagi_plain": ours},
                "namespace": _NAMESPACE,
            },
        )
        return identity

    async def holds(self, identity: UUID) -> bool:
        """Whether khive has a record with this identity among its properties, of any kind."""
        verb, arguments = lookup(identity, self.profile, _NAMESPACE)
        query = arguments["query"].replace("(n:memory)", "(n)")
        return bool((await self._ask(verb, {**arguments, "query": query}))["rows"])

    async def _ask(self, verb: str, arguments: dict[str, Any]) -> Any:
        await self.client()
        if self._session is None:
            raise RuntimeError("khive: expected a session beside the stores', got none")
        (result,) = await asked(self._session.call, (verb, arguments))
        return result


class LiveKhivePlain(LiveKhive):
    """The same with stores that keep id, text and tags alone."""

    profile: ClassVar[Profile] = "plain"


async def _any(ask: Ask) -> None:
    """Every khive will do for planting and deleting."""


def _closing(folder: TemporaryDirectory[str]) -> Any:
    async def close() -> None:
        folder.cleanup()

    return close


@cache
def _version(program: str) -> str:
    """What the program says of itself, such as `0.8.0`."""
    said = subprocess.run(  # noqa: S603 - the reader's own program
        [program, "--version"], capture_output=True, text=True, timeout=_PATIENCE, check=True
    ).stdout
    return said.split()[1]

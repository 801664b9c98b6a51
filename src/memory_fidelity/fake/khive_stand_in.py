"""`KhiveStandIn`: one service that several clients are given, and that can be made to fail."""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memory_fidelity.fake import khive_server

__all__ = ["KhiveStandIn"]


class KhiveStandIn:
    """A khive service in a folder of its own, which is removed when it is closed.

    It starts no process: each client does, with `mcp_config`, and all of them
    then share the folder. Use it as a context manager, or close it once its
    clients are closed.
    """

    def __init__(self) -> None:
        """Make it, empty and in order."""
        self._owned = TemporaryDirectory(prefix="khive-")
        self._folder = Path(self._owned.name)

    @property
    def mcp_config(self) -> dict[str, Any]:
        """What a client of MCP needs to start a process of the service."""
        # As a file, and isolated: importing this package would take longer than all the rest.
        return {
            "command": sys.executable,
            "args": ["-I", khive_server.__file__, str(self._folder)],
        }

    def break_down(self) -> None:
        """From now on no process of the service answers, and none starts."""
        (self._folder / khive_server.OUTAGE).touch()

    def recover(self) -> None:
        """Answer again, with everything that was kept; processes that ended stay ended."""
        (self._folder / khive_server.OUTAGE).unlink(missing_ok=True)

    def lose_next_reply(self) -> None:
        """Carry out the next write, and end the process in place of its reply, once."""
        (self._folder / khive_server.LOSE_REPLY).touch()

    def records(self) -> list[dict[str, Any]]:
        """Every record as the service has it, first written first, outages notwithstanding."""
        database = self._folder / khive_server.DATABASE
        if not database.exists():
            return []
        with closing(sqlite3.connect(database)) as connection:
            rows = connection.execute("SELECT record FROM records ORDER BY number").fetchall()
        return [json.loads(text) for (text,) in rows]

    def forget(self) -> None:
        """Remove every record."""
        (self._folder / khive_server.DATABASE).unlink(missing_ok=True)

    def close(self) -> None:
        """Remove its folder. Twice is safe."""
        self._owned.cleanup()

    def __enter__(self) -> KhiveStandIn:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

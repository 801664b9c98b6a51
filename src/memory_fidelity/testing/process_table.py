"""Which processes descend from one, and which of them still live."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

__all__ = ["Entry", "family", "processes"]


class Entry(NamedTuple):
    """What is known of one process."""

    parent: int
    """Process id of the one that made it, or has taken it over."""
    state: str
    """The letter by which the system names it: T is halted, Z ended and not yet collected."""

    @property
    def lives(self) -> bool:
        """Whether it has not ended."""
        return self.state not in "ZX"


def processes() -> dict[int, Entry]:
    """Return every process of this machine, by its id."""
    table = {}
    # Small Linux images have no `ps`, and macOS has no `/proc`.
    if sys.platform == "linux":
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                status = (folder / "stat").read_bytes()
            except OSError:
                # It has ended since it was listed.
                continue
            # The name, up to the last parenthesis, may hold anything.
            state, parent = status.rpartition(b")")[2].split()[:2]
            table[int(folder.name)] = Entry(int(parent), state.decode())
    else:
        command = ["/bin/ps", "-A", "-o", "pid=,ppid=,stat="]
        listed = subprocess.run(  # noqa: S603 - a constant
            command, check=True, capture_output=True, text=True
        )
        for line in listed.stdout.splitlines():
            pid, parent, state = line.split(maxsplit=2)
            table[int(pid)] = Entry(int(parent), state[0])
    return table


def family(pid: int) -> set[int]:
    """Return the process and all that descend from it, those in sessions of their own, too."""
    table = processes()
    found = {pid}
    while more := {child for child, entry in table.items() if entry.parent in found} - found:
        found |= more
    return found

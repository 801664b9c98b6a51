"""What is arranged for the processes of one folder: settings, faults, and a journal.

All of it is files, since a process is told nothing after it was started. A
fault is used up by the process that removes its file first.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

__all__ = ["FAULTS", "Fault", "KhiveSettings", "State", "arguments_text"]

Fault = Literal[
    "conflict", "corrupt", "hang", "hang a read", "lose", "lose a write", "refuse", "withhold"
]
"""What can be planted, once, in the next call to which it can happen.

`refuse`: a write is refused, as by the guard against secrets. `conflict`: an
update is refused, since another one came between. `withhold`: an update
succeeds, and its result has no identity. `corrupt`: a read is answered with
what is no record. `lose`: the call is carried out, and the process ends
before its reply; `lose a write` likewise. `hang`: a write is carried out, and
its reply waits for `resume`; `hang a read` likewise.
"""

_WRITES: Final = frozenset({"create", "delete", "memory.remember", "update"})
_READS: Final = frozenset({"get", "list", "memory.recall", "query"})

FAULTS: Final[dict[Fault, frozenset[str]]] = {
    "conflict": frozenset({"update"}),
    "refuse": _WRITES - {"delete"},
    "withhold": frozenset({"create", "update"}),
    "corrupt": frozenset({"get", "list", "memory.recall"}),
    "lose": _WRITES | _READS,
    "lose a write": _WRITES,
    "hang": _WRITES,
    "hang a read": _READS,
}
"""The verbs that each fault can happen to."""


@dataclass(frozen=True, slots=True)
class KhiveSettings:
    """How this khive differs from the one that it is a fake of."""

    embeddings: bool = False
    """Whether a recall finds only what was embedded, which may be later."""
    delays_index: bool = False
    """Whether new notes stay out of recall until they are indexed."""
    refuses_create_memory: bool = False
    """Whether a memory can be made by `memory.remember` alone, as in versions to come."""
    missing_verbs: tuple[str, ...] = ()
    """Verbs that it does not have."""
    missing_fields: tuple[str, ...] = ()
    """Fields that it does not have, such as `memory.recall.tag_mode`."""
    writer_busy: bool = False
    """Whether another process has locked the database for writing."""
    broken_storage: bool = False
    """Whether the database cannot be read."""


class State:
    """The arrangements of one folder."""

    def __init__(self, folder: Path) -> None:
        """Use the files of the folder."""
        self._folder = folder
        self._outage = folder / "outage"
        self._settings = folder / "settings.json"
        self._journal = folder / "calls"

    def is_down(self) -> bool:
        """Whether no process answers, nor starts."""
        return self._outage.exists()

    def set_down(self, down: bool) -> None:
        """From now on no process answers nor starts, or they do."""
        if down:
            self._outage.touch()
        else:
            self._outage.unlink(missing_ok=True)

    @property
    def settings(self) -> KhiveSettings:
        """How khive is at the moment."""
        try:
            given = json.loads(self._settings.read_text("utf-8"))
        except FileNotFoundError:
            return KhiveSettings()
        lists = {name: tuple(part) for name, part in given.items() if isinstance(part, list)}
        return KhiveSettings(**{**given, **lists})

    @settings.setter
    def settings(self, settings: KhiveSettings) -> None:
        # Replaced as a whole: another process may be reading it.
        new = self._settings.with_suffix(".new")
        new.write_text(json.dumps(asdict(settings)), "utf-8")
        new.replace(self._settings)

    def plant(self, fault: Fault) -> None:
        """Have the fault happen to the next call to which it can."""
        self._file(fault).touch()

    def claims(self, fault: Fault, verb: str) -> bool:
        """Whether the fault was planted for this call; it is used up by that."""
        if verb not in FAULTS[fault]:
            return False
        planted = self._file(fault)
        try:
            if fault.startswith("hang"):
                # In one step, so that another process never finds it neither planted nor begun.
                planted.rename(self._hanging)
            else:
                planted.unlink()
        except FileNotFoundError:
            return False
        return True

    @property
    def hangs(self) -> bool:
        """Whether a reply is held back."""
        return self._hanging.exists()

    def resume(self) -> None:
        """Let the reply through that is held back, and plant no such fault any more."""
        for file in (self._file("hang"), self._file("hang a read"), self._hanging):
            file.unlink(missing_ok=True)

    def note(self, verb: str, text: str) -> None:
        """Add a call to the journal, before it is carried out."""
        line = json.dumps([verb, text]) + "\n"
        file = os.open(self._journal, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            os.write(file, line.encode())
        finally:
            os.close(file)

    def noted(self) -> list[tuple[str, str]]:
        """Return every call so far, oldest first: verb and arguments."""
        with suppress(FileNotFoundError):
            # Behind the last end of a line is what another process is about to write.
            *lines, _ = self._journal.read_text("utf-8").split("\n")
            return [(verb, text) for verb, text in map(json.loads, lines)]
        return []

    @property
    def _hanging(self) -> Path:
        return self._folder / "hanging"

    def _file(self, fault: Fault) -> Path:
        return self._folder / f"next-{fault.replace(' ', '-')}"


def arguments_text(arguments: dict[str, Any]) -> str:
    """Return the arguments of a call as the journal has them."""
    return json.dumps(arguments, ensure_ascii=False)

"""`FakeKhive`: one fake of a khive service that several clients are given."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from memory_fidelity.fake.khive.notes import Note, Notes
from memory_fidelity.fake.khive.state import Fault, KhiveSettings, State
from memory_fidelity.fake.khive.verbs import Verbs
from memory_fidelity.testing.harness import Call

__all__ = ["FakeKhive"]

# The package is found beside this file, without all that importing it from here would bring.
_START: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from khive.server import main; sys.exit(main(sys.argv[2]))"
)


class FakeKhive:
    """A khive service in a folder of its own, which is removed when it is closed.

    It starts no process: each client does, with `command`, and all of them then
    share the folder. Use it as a context manager, or close it once its clients
    are closed.
    """

    def __init__(self, settings: KhiveSettings | None = None) -> None:
        """Make it, empty and in order."""
        self._owned = TemporaryDirectory(prefix="khive-", ignore_cleanup_errors=True)
        self._folder = Path(self._owned.name)
        self._state = State(self._folder)
        self._notes = Notes(self._folder)
        if settings is not None:
            self._state.settings = settings

    @property
    def command(self) -> tuple[str, ...]:
        """What a client starts: a program that speaks MCP on standard input and output."""
        place = str(Path(__file__).parent)
        return (sys.executable, "-I", "-S", "-c", _START, place, str(self._folder))

    @property
    def mcp_config(self) -> dict[str, Any]:
        """The same for a client of MCP that is configured by a mapping."""
        program, *arguments = self.command
        return {"command": program, "args": arguments}

    @property
    def settings(self) -> KhiveSettings:
        """How this khive differs from the one that it is a fake of; can be set."""
        return self._state.settings

    @settings.setter
    def settings(self, settings: KhiveSettings) -> None:
        self._state.settings = settings

    def break_down(self) -> None:
        """From now on no process of the service answers, and none starts."""
        self._state.set_down(True)

    def recover(self) -> None:
        """Answer again, with everything that was kept; processes that ended stay ended."""
        self._state.set_down(False)

    def plant(self, fault: Fault) -> None:
        """Have the fault happen to the next call to which it can, once."""
        self._state.plant(fault)

    def resume(self) -> None:
        """Let the reply through that is held back."""
        self._state.resume()

    def calls(self) -> tuple[Call, ...]:
        """Every call of a verb that reached a process, oldest first."""
        return tuple(Call(verb, text) for verb, text in self._state.noted())

    def do(self, verb: str, **arguments: Any) -> Any:
        """Carry out a verb in this process, past the journal, and return its result.

        Raises:
            Refused: it cannot be carried out.
        """
        return Verbs(self._notes, lambda: self._state.settings).do(verb, arguments)

    def records(self) -> list[Note]:
        """Every record as the service has it, first written first, outages notwithstanding."""
        return self._notes.everything()

    def index(self) -> None:
        """Have recall find everything that was written so far."""
        self._notes.index()

    def forget(self) -> None:
        """Remove every record."""
        self._notes.clear()

    def close(self) -> None:
        """Remove its folder. Twice is safe."""
        self._notes.close()
        self._owned.cleanup()

    def __enter__(self) -> FakeKhive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

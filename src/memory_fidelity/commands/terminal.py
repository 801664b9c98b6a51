"""What a terminal gets that a file does not: colour, and a sign of life."""

from __future__ import annotations

from types import TracebackType
from typing import Final, Self, TextIO

from rich.console import Console
from rich.text import Text

from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.report import CaseResult
from memory_fidelity.testing.verdict import Lane

__all__ = ["Counter", "show"]

_STYLES: Final = (
    (r"(?m)^ *(FAIL|ERROR|WORSE|Contradicted)\b", "bold red"),
    (r"(?m)^ *(INCONCLUSIVE|NOT RUN)\b", "bold yellow"),
    (r"(?m)^ *(BETTER)\b", "bold green"),
    (r"(?m)^ *(NOT APPLICABLE|NOTE)\b", "dim"),
    (r"(?m)^verdict: conformant$", "bold green"),
    (r"(?m)^verdict: (non-conformant|harness error)$", "bold red"),
    (r"(?m)^verdict: (inconclusive|incomplete)$", "bold yellow"),
)
_LONGEST: Final = 79


def show(text: str) -> None:
    """Print a text, in colour if it goes to a terminal and `NO_COLOR` is not set."""
    styled = Text(text)
    for pattern, style in _STYLES:
        styled.highlight_regex(pattern, style)
    Console().print(styled, end="", soft_wrap=True)


class Counter:
    """Counts the cases on one line of a terminal, and leaves nothing behind; elsewhere silent."""

    def __init__(self, stream: TextIO, *, lanes: int) -> None:
        self._stream = stream
        self._shown = stream.isatty()
        # A line as wide as the terminal, or wider, would not be overwritten by the next one.
        self._room = min(_LONGEST, Console(file=stream).width - 1)
        self._total = lanes * len(CASES)
        self._done = 0

    def __enter__(self) -> Self:
        return self

    def __call__(self, lane: Lane, result: CaseResult) -> None:
        """Show that one more case has ended."""
        self._done += 1
        self._write(f"{self._done}/{self._total} {lane} {result.case}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._write("")

    def _write(self, line: str) -> None:
        if self._shown:
            self._stream.write(f"\r{line[: self._room]:<{self._room}}\r")
            self._stream.flush()

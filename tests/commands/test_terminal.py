"""What a terminal gets that a file does not."""

from __future__ import annotations

from io import StringIO

import pytest

from memory_fidelity.commands.terminal import Counter, show
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.report import CaseResult

RESULT = CaseResult(
    case="search.limit", version=1, clauses=("C8",), title="", outcome="pass", milliseconds=1
)


class _Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("columns", "room"),
    [pytest.param("200", 79, id="wide"), pytest.param("20", 19, id="narrow")],
)
def test_terminal_shows_progress(monkeypatch: pytest.MonkeyPatch, columns: str, room: int) -> None:
    """One line, shorter than the terminal, counts the cases, and is blank again at the end."""
    monkeypatch.setenv("COLUMNS", columns)
    terminal = _Terminal()

    with Counter(terminal, lanes=2) as progress:
        progress("live", RESULT)

    first, last = f"1/{2 * len(CASES)} live search.limit"[:room], ""
    assert terminal.getvalue() == f"\r{first:<{room}}\r\r{last:<{room}}\r"


def test_file_gets_no_progress() -> None:
    """Where nobody watches, nothing is written."""
    file = StringIO()

    with Counter(file, lanes=1) as progress:
        progress("fake", RESULT)

    assert file.getvalue() == ""


@pytest.mark.parametrize("text", ["verdict: conformant\n", "  FAIL a: [b] :smile: " + "x" * 200])
def test_plain_text_is_unchanged(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A file gets the text as it is: no colour, no markup, no further line breaks."""
    show(text)

    assert capsys.readouterr().out == text


def test_terminal_gets_colour(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a terminal the verdict is in colour."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")

    show("verdict: non-conformant\n")

    assert "\x1b[1;31mverdict: non-conformant\x1b[0m" in capsys.readouterr().out


def test_no_color_is_honoured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With `NO_COLOR` set, a terminal gets no colour either."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")

    show("verdict: non-conformant\n")

    assert "31m" not in capsys.readouterr().out

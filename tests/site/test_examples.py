"""Everything that the pages say to type is typed here.

The guide to writing an adapter has tests of its own. A program that begins
with the path of a source file is an excerpt of it, and must occur there. A `text` block below a
program is its whole output; in a page's `console` blocks, one session, `...` is any lines, and a
command without output may print what it likes. `echo $?` shows the ending of a
command that does not end in 0. What a `sh` block says takes the network; CI runs it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path

import pytest

from memory_fidelity.testing.targets import TARGETS

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = "how-to/write-an-adapter.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
MARK = "next command"

Blocks = list[tuple[str, str]]


def _pages() -> Iterator[Path]:
    for path in sorted(DOCS.rglob("*.md")):
        if path.relative_to(DOCS).as_posix() != GUIDE and "notebooks" not in path.parts:
            yield path


def _blocks(page: Path) -> Blocks:
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def _name(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


def _of(language: str) -> list[tuple[str, str, str]]:
    """Every block of one language: its page, itself, and the `text` block after it, if any."""
    return [
        (_name(page), text, after[1] if after[0] == "text" else "")
        for page in _pages()
        for (known, text), after in pairwise([*_blocks(page), ("", "")])
        if known == language
    ]


def _is_file(program: str) -> bool:
    return re.match(r"# \w+\.py\n", program) is not None


def _is_excerpt(program: str) -> bool:
    return re.match(r"# (?:\w+/)+\w+\.py\n", program) is not None


PROGRAMS = [
    (page, text, said)
    for page, text, said in _of("python")
    if not _is_file(text) and not _is_excerpt(text)
]
EXCERPTS = [(page, text) for page, text, _ in _of("python") if _is_excerpt(text)]
FILES = [(page, text) for page, text, _ in _of("python") if _is_file(text)]
SESSIONS = [
    (page, "".join(text for _, text, _ in blocks))
    for page, blocks in groupby(_of("console"), key=itemgetter(0))
]
INLINE = sorted(
    {
        command
        for page in _pages()
        for command in re.findall(
            r"`memory-fidelity ((?:explain|list)[^`]*)`", page.read_text(encoding="utf-8")
        )
    }
)


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder that holds the files of a page."""
    for page, text in FILES:
        if page == request.getfixturevalue("page"):
            name = text.partition("\n")[0].removeprefix("# ")
            (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def _steps(session: str) -> list[tuple[str, str]]:
    """The commands of a session, each with what is shown below it."""
    parts = re.split(r"^\$ (.*)\n", session, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def _typed(commands: list[str], folder: Path) -> list[str]:
    """Type the commands into one shell, and return what each printed."""
    lines = [f"{command}; last=$?; echo '{MARK}'; (exit $last)" for command in commands]
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    shell = subprocess.run(
        ["sh", "-c", "\n".join(lines)],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return shell.stdout.split(f"{MARK}\n")[:-1]


def _pattern(shown: str) -> str:
    """What a command must print, where `...` alone on a line is any lines."""
    return "".join(
        r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in shown.splitlines()
    )


def _occurs(excerpt: str, source: str) -> bool:
    """Whether the lines follow one another in the source, maybe further in; `...` is any lines."""
    moved = (re.sub(r"^(?!\.\.\.$|$)", " " * by, excerpt, flags=re.MULTILINE) for by in (0, 4, 8))
    return any(re.search(f"^{_pattern(lines)}", source, re.MULTILINE) for lines in moved)


def test_blocks_are_of_known_kinds() -> None:
    """No block escapes the tests below."""
    kinds = {(kind, _name(page)) for page in _pages() for kind, _ in _blocks(page)}

    assert {kind for kind, _ in kinds} <= {"python", "console", "sh", "text"}
    assert {page for page, _, _ in PROGRAMS} >= {"explanation/structural-typing.md"}
    assert len(SESSIONS) > 4


@pytest.mark.parametrize(
    "excerpt",
    [text for _, text in EXCERPTS],
    ids=[f"{page}-{number}" for number, (page, _) in enumerate(EXCERPTS, 1)],
)
def test_excerpt_occurs_in_its_file(excerpt: str) -> None:
    """Code that is shown as the project's own is its code of today."""
    path, _, lines = excerpt.removeprefix("# ").partition("\n")
    source = (DOCS.parent / path).read_text(encoding="utf-8")

    assert _occurs(lines, source), f"{path} has no longer\n{lines}"


@pytest.mark.parametrize(
    "excerpt",
    ["two\none\n", "one\n    two\n", "one\nthree\n", "one\n...\ntwo\nfour\n"],
    ids=["other-order", "other-indentation", "a-line-left-out", "a-line-too-many"],
)
def test_excerpt_that_does_not_occur_is_noticed(excerpt: str) -> None:
    """A line that moved, changed or went makes an excerpt false."""
    source = "def f():\n    one\n    two\n    three\n"

    assert not _occurs(excerpt, source)
    assert _occurs("one\n...\nthree\n", source)


@pytest.mark.parametrize(
    ("page", "program", "said"), PROGRAMS, ids=[f"{page}" for page, _, _ in PROGRAMS]
)
def test_program_prints_what_is_shown(folder: Path, page: str, program: str, said: str) -> None:
    """A program runs without a warning, and a block of text below it is its output."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == (said or run.stdout)


@pytest.mark.parametrize(("page", "session"), SESSIONS, ids=[page for page, _ in SESSIONS])
def test_session_is_as_shown(folder: Path, page: str, session: str) -> None:
    """Each command prints what is shown below it, and ends in 0 unless the ending is shown."""
    steps = [step for step in _steps(session) if not step[0].startswith("make ")]
    typed = [words for command, _ in steps for words in (command, "echo $?")]

    printed = _typed(typed, folder)[: len(typed)]

    assert [
        command
        for (command, shown), text in zip(steps, printed[::2], strict=True)
        if command != "echo $?" and shown and not re.fullmatch(_pattern(shown), text)
    ] == []
    assert _endings(steps, printed[1::2]) == []


def _endings(steps: list[tuple[str, str]], codes: list[str]) -> list[str]:
    """The commands that did not end as they are shown to."""
    following = [*steps[1:], ("", "")]
    return [
        f"{command} ended in {code.strip()}"
        for (command, _), after, code in zip(steps, following, codes, strict=True)
        if command != "echo $?" and code != (after[1] if after[0] == "echo $?" else "0\n")
    ]


@pytest.mark.parametrize(
    "target",
    sorted({command for _, text in SESSIONS for command, _ in _steps(text) if "make " in command}),
)
def test_make_knows(target: str) -> None:
    """Each `make` command has a rule."""
    makefile = (DOCS.parent / "Makefile").read_text(encoding="utf-8")

    assert re.search(rf"^{target.removeprefix('make ')}:", makefile, re.MULTILINE)


@pytest.mark.parametrize(
    "command", [line for _, text, _ in _of("sh") for line in text.splitlines()]
)
def test_ci_runs(command: str) -> None:
    """What takes the network is done on each change, or judged by the tests of the evidence."""
    done = (DOCS.parent / ".ci" / "run").read_text(encoding="utf-8").splitlines()

    assert command in {*done, *(f"memory-fidelity check {name}" for name in TARGETS)}


@pytest.mark.parametrize("command", INLINE)
def test_lookups_find_something(command: str, tmp_path: Path) -> None:
    """What a sentence says to look up can be looked up."""
    run = subprocess.run(
        [sys.executable, "-m", "memory_fidelity", *shlex.split(command)],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )

    assert run.returncode == 0

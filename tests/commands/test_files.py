"""Files that commands write: whole, or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory_fidelity.commands.files import require_writable, write_file
from memory_fidelity.commands.refusal import Refused


def test_file_is_replaced(tmp_path: Path) -> None:
    """An earlier file is replaced, and no draft is left."""
    path = tmp_path / "report.json"
    path.write_text("old", encoding="utf-8")

    write_file(path, "n\u00e9w\n")

    assert path.read_text(encoding="utf-8") == "n\u00e9w\n"
    assert list(tmp_path.iterdir()) == [path]


def test_link_is_followed(tmp_path: Path) -> None:
    """Writing to a symbolic link writes to its file, and leaves the link."""
    path, link = tmp_path / "report.json", tmp_path / "latest.json"
    link.symlink_to(path)

    write_file(link, "new")

    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == "new"


def test_pipe_is_written_to(tmp_path: Path) -> None:
    """What is no regular file is not replaced by one."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    write_file(path, "new")
    read = os.read(reader, 100)
    os.close(reader)

    assert read == b"new"
    assert path.is_fifo()


def test_standard_output_is_written_to() -> None:
    """`/dev/stdout` works where it is a pipe, which has no name to resolve it to."""
    program = (
        "from pathlib import Path; from memory_fidelity.commands.files import write_file; "
        "write_file(Path('/dev/stdout'), 'new')"
    )

    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)

    assert (ended.stdout, ended.stderr) == (b"new", b"")


def test_failure_leaves_the_earlier_file(tmp_path: Path) -> None:
    """Where no draft can be made, the earlier file stays as it was."""
    path = tmp_path / "report.json"
    path.write_text("old", encoding="utf-8")
    (tmp_path / f".{os.getpid()}.part").mkdir()

    with pytest.raises(Refused, match=r"report\.json: could not be written: Is a directory"):
        write_file(path, "new")

    assert path.read_text(encoding="utf-8") == "old"


def test_folder_is_not_written(tmp_path: Path) -> None:
    """A folder is neither replaced nor removed."""
    with pytest.raises(Refused, match="could not be written: Is a directory"):
        write_file(tmp_path, "new")

    assert tmp_path.is_dir()


def test_folder_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing permission is told before any work is done."""
    # The tests may run as root, for whom no folder is closed.
    monkeypatch.setattr(os, "access", lambda path, mode: False)

    with pytest.raises(Refused, match="got no permission"):
        require_writable(tmp_path / "report.json")


def test_writable_path_is_accepted(tmp_path: Path) -> None:
    """A new file in an open folder is fine, and is not made yet."""
    require_writable(tmp_path / "report.json")

    assert list(tmp_path.iterdir()) == []

"""Processes are listed with their parents, and those that have ended as such."""

from __future__ import annotations

import os
import subprocess
import sys

from memory_fidelity.testing.process_table import family, processes

_NESTED = """
import subprocess, sys
child = subprocess.Popen(["sleep", "60"], start_new_session=True)
print(child.pid, flush=True)
sys.stdin.read()
child.kill()
child.wait()
"""


def test_a_process_is_listed_with_its_parent() -> None:
    """The table knows this process, that it lives, and who made it."""
    entry = processes()[os.getpid()]

    assert entry.parent == os.getppid()
    assert entry.lives


def test_a_process_that_ended_does_not_live() -> None:
    """One that has ended and was not collected yet is told from one that runs."""
    with subprocess.Popen(["true"]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)

        entry = processes()[ended.pid]

    assert not entry.lives


def test_a_family_spans_sessions() -> None:
    """What a process made belongs to its family, in a session of its own, too."""
    with subprocess.Popen(
        [sys.executable, "-c", _NESTED], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())

        found = family(parent.pid)
        parent.communicate()

    assert found == {parent.pid, child}

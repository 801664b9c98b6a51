"""A server program is started, stopped and killed, and does not outlive its owner."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest

from memory_fidelity.testing.process_table import processes
from memory_fidelity.testing.server_process import (
    HOST,
    ServerNotReady,
    ServerProcess,
    free_port,
    until,
)

_SERVER = 'trap "echo orderly; exit 0" TERM; echo up; touch ready; while :; do sleep 1 & wait; done'
"""Becomes ready at once, and ends in an orderly way when it is asked to."""

_DEAF = 'trap "" TERM; touch ready; while :; do sleep 1 & wait; done'

# The child's session is its own, as those of PostgreSQL's sessions are.
_PARENT = """
import pathlib, subprocess, sys
child = subprocess.Popen(["sleep", "60"], start_new_session=True)
pathlib.Path("child").write_text(str(child.pid))
pathlib.Path("ready").touch()
child.wait()
"""

_OWNER = f"""
import sys
from pathlib import Path
from memory_fidelity.testing.server_process import ServerProcess
folder = Path(sys.argv[1])
server = ServerProcess(
    ["sh", "-c", {_SERVER!r}], ready=(folder / "ready").exists,
    log=folder / "log", directory=folder, environment={{"PATH": sys.argv[2]}},
)
server.start()
print(server.pid, flush=True)
sys.stdin.read()
"""

Make = Callable[..., ServerProcess]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Make servers out of a shell's script or a command, and end them afterwards."""
    made = []

    def make(*command: str) -> ServerProcess:
        server = ServerProcess(
            command if len(command) > 1 else ["sh", "-c", *command],
            ready=(tmp_path / "ready").exists,
            log=tmp_path / "log",
            directory=tmp_path,
            environment={"PATH": os.environ["PATH"]},
        )
        made.append(server)
        return server

    yield make
    for server in made:
        server.kill()


def _lives(pid: int) -> bool:
    table = processes()
    return pid in table and table[pid].lives


def test_a_free_port_can_be_listened_on() -> None:
    """The port is free, and none that a client could be given for its own end."""
    port = free_port()

    with socket.create_server((HOST, port)):
        assert port < 32_768


def test_a_port_in_use_is_not_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port on which something listens is passed over for the next one."""
    with socket.create_server((HOST, free_port())) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr("secrets.randbelow", lambda _: port - 20_000)

        other = free_port()

    assert other != port


def test_started_means_ready(make: Make) -> None:
    """The start returns when the server is ready, and not before."""
    server = make("sleep 0.05; touch ready; exec sleep 60")

    server.start()

    assert server.running


def test_the_process_id_is_that_of_the_server(make: Make, tmp_path: Path) -> None:
    """The server itself runs under the id that is told, behind no shell of ours."""
    server = make("echo $$ > pid; touch ready; exec sleep 60")

    server.start()

    assert (tmp_path / "pid").read_text().strip() == str(server.pid)


def test_a_server_that_ends_at_once_says_why(make: Make) -> None:
    """The error holds the status, and what the server printed."""
    server = make("echo the disk is full >&2; exit 3")

    with pytest.raises(ServerNotReady, match=r"its end with status 3; its log:\nthe disk is full"):
        server.start()


def test_a_program_that_is_not_there_says_so(make: Make) -> None:
    """A command that cannot be run is a server that ended."""
    server = make("/no/such/server", "--port=1")

    with pytest.raises(ServerNotReady, match="status 127"):
        server.start()


def test_an_error_shows_nothing_of_earlier_runs(make: Make, tmp_path: Path) -> None:
    """The log keeps what former servers wrote, and the error leaves it out."""
    (tmp_path / "log").write_text("a statement of yesterday\n")
    server = make("exit 3")

    with pytest.raises(ServerNotReady, match=r"\(empty\)$"):
        server.start()


def test_a_server_that_is_not_ready_in_time_is_ended(make: Make) -> None:
    """When the deadline has passed, the error says so and nothing is left running."""
    server = make("exec sleep 60")

    with pytest.raises(ServerNotReady, match=r"expected a ready server, got none in 0\.05 s"):
        server.start(0.05)

    assert not server.running


def test_a_running_server_is_not_started_again(make: Make) -> None:
    """A second start is refused, and the first server stays."""
    server = make(_SERVER)
    server.start()

    with pytest.raises(RuntimeError, match=f"expected no such server, got process {server.pid}"):
        server.start()

    assert server.running


def test_stopping_lets_the_server_tidy_up(make: Make, tmp_path: Path) -> None:
    """The server is asked to end, and its end is waited for."""
    server = make(_SERVER)
    server.start()

    server.stop()

    assert (tmp_path / "log").read_text() == "up\norderly\n"
    assert not server.running


def test_a_server_that_does_not_listen_is_killed(make: Make) -> None:
    """After the deadline, a server that ignores the signal is ended by force."""
    server = make(_DEAF)
    server.start()

    server.stop(0.05)

    assert not server.running


@pytest.mark.parametrize("end", [ServerProcess.stop, ServerProcess.kill], ids=["stop", "kill"])
def test_ending_twice_is_safe(make: Make, end: Callable[[ServerProcess], None]) -> None:
    """What has ended stays so."""
    server = make(_SERVER)
    server.start()

    end(server)
    end(server)

    assert not server.running


@pytest.mark.parametrize("end", [ServerProcess.stop, ServerProcess.kill], ids=["stop", "kill"])
def test_ending_what_was_never_started_is_safe(
    make: Make, end: Callable[[ServerProcess], None]
) -> None:
    """Nothing happens to a server that there never was."""
    server = make(_SERVER)

    end(server)

    assert not server.running


def test_a_server_never_started_has_no_process_id(make: Make) -> None:
    """There is no id to tell yet."""
    server = make(_SERVER)

    with pytest.raises(RuntimeError, match="expected a server that was started"):
        _ = server.pid


def test_killing_takes_children_along(make: Make, tmp_path: Path) -> None:
    """A process that the server made is gone, too, in whatever session it is."""
    server = make(sys.executable, "-S", "-c", _PARENT)
    server.start()
    child = int((tmp_path / "child").read_text())

    server.kill()

    assert not _lives(server.pid)
    assert not _lives(child)


def test_killing_gives_no_time_to_tidy_up(make: Make, tmp_path: Path) -> None:
    """The server ends without a word."""
    server = make(_SERVER)
    server.start()

    server.kill()

    assert (tmp_path / "log").read_text() == "up\n"


def test_a_killed_server_can_be_started_again(make: Make) -> None:
    """It is another process then."""
    server = make(_SERVER)
    server.start()
    first = server.pid
    server.kill()

    server.start()

    assert server.running
    assert server.pid != first


def test_a_server_that_ends_by_itself_is_not_running(make: Make) -> None:
    """Its end is seen without anyone having asked for it."""
    server = make(_SERVER)
    server.start()

    os.kill(server.pid, signal.SIGTERM)

    until(lambda: not server.running, 10, "the server to end")


def test_a_server_outlives_the_thread_that_started_it(make: Make) -> None:
    """Cases have threads of their own, and the server is not theirs."""
    server = make(_SERVER)
    thread = Thread(target=server.start)

    thread.start()
    thread.join()

    assert server.running


def test_a_server_does_not_outlive_a_killed_owner(tmp_path: Path) -> None:
    """When its owner is killed, the server is ended in its orderly way."""
    command = [sys.executable, "-c", _OWNER, str(tmp_path), os.environ["PATH"]]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        server = int(owner.stdout.readline())

        owner.kill()

    until(lambda: not _lives(server), 10, "the server to end")
    assert (tmp_path / "log").read_text() == "up\norderly\n"


def test_a_deaf_server_does_not_outlive_a_killed_owner(tmp_path: Path) -> None:
    """One that does not listen to the signal is killed a little later."""
    script = _OWNER.replace(repr(_SERVER), repr(_DEAF))
    command = [sys.executable, "-c", script, str(tmp_path), os.environ["PATH"]]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        server = int(owner.stdout.readline())

        owner.kill()

    until(lambda: not _lives(server), 15, "the server to be killed")


def test_waiting_says_what_did_not_come() -> None:
    """The error names what was expected, and for how long."""
    with pytest.raises(TimeoutError, match=r"expected the flood, got nothing .* in 0\.01 s"):
        until(lambda: False, 0.01, "the flood")

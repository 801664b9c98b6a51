"""What closing an MCP session ends, whatever it is at."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.adapters.mcp_scene import Scene, played, program

from memory_fidelity.adapters.mcp_session import Ask, McpServer
from memory_fidelity.testing.process_table import processes


def _lives(pid: str) -> bool:
    entry = processes().get(int(pid))
    return entry is not None and entry.lives


async def _error(call: asyncio.Future[str]) -> BaseException | None:
    await asyncio.wait([call])
    return call.exception()


def test_it_ends_the_process(tmp_path: Path) -> None:
    """Before it returns; twice is safe."""

    async def scenario(scene: Scene) -> bool:
        pid = await scene.ask("pid")
        await scene.session.close()
        await scene.session.close()
        return _lives(pid)

    assert not played(tmp_path, scenario)


def test_no_call_starts_it_again(tmp_path: Path) -> None:
    """It is an error of the system's kind."""

    async def scenario(scene: Scene) -> int:
        await scene.ask("pid")
        await scene.session.close()
        with pytest.raises(OSError, match="the session was closed"):
            await scene.ask("pid")
        return len(scene.starts())

    assert played(tmp_path, scenario) == 1


def test_it_ends_calls_that_wait_for_a_reply(tmp_path: Path) -> None:
    """They fail at once, and not at their deadline; those that wait for a turn do, too."""

    async def scenario(scene: Scene) -> list[bool]:
        calls = [asyncio.ensure_future(scene.ask("hang")) for _ in range(2)]
        await scene.until_called(1)
        await scene.session.close()
        return [isinstance(await _error(call), OSError) for call in calls]

    assert played(tmp_path, scenario, concurrency=1, timeout=1000) == [True, True]


def test_it_ends_a_process_that_says_nothing(tmp_path: Path) -> None:
    """And the call that started it, which would have waited for long."""
    server = McpServer(program(tmp_path, "silent"))

    async def scenario(scene: Scene) -> tuple[bool, bool]:
        call = asyncio.ensure_future(scene.ask("pid"))
        await scene.until_started()
        await scene.session.close()
        return isinstance(await _error(call), OSError), _lives(scene.starts()[0])

    assert played(tmp_path, scenario, server=server, timeout=1000) == (True, False)


def test_it_ends_a_process_that_is_being_accepted(tmp_path: Path) -> None:
    """And the call that started it."""

    async def hang(ask: Ask) -> None:
        await ask("hang", {})

    async def scenario(scene: Scene) -> tuple[bool, bool]:
        call = asyncio.ensure_future(scene.ask("pid"))
        await scene.until_called(1)
        await scene.session.close()
        return isinstance(await _error(call), OSError), _lives(scene.starts()[0])

    assert played(tmp_path, scenario, accept=hang, timeout=1000) == (True, False)


def test_a_process_that_is_accepted_after_it_is_ended(tmp_path: Path) -> None:
    """Whoever accepted it did not see that it was closed meanwhile."""
    asked, closed = asyncio.Event(), asyncio.Event()

    async def wait(ask: Ask) -> None:
        asked.set()
        await closed.wait()

    async def scenario(scene: Scene) -> tuple[bool, bool]:
        call = asyncio.ensure_future(scene.ask("pid"))
        await asked.wait()
        closing = asyncio.ensure_future(scene.session.close())
        await asyncio.wait([closing], timeout=0)
        closed.set()
        await closing
        return isinstance(await _error(call), OSError), _lives(scene.starts()[0])

    assert played(tmp_path, scenario, accept=wait) == (True, False)

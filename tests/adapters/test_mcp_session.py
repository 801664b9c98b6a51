"""An MCP session: when its process is started, used, replaced and ended."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from tests.adapters.mcp_scene import LATE, Scene, played, program

from memory_fidelity.adapters.mcp_session import McpRefused, McpServer
from memory_fidelity.testing.process_table import processes


def _lives(pid: str) -> bool:
    entry = processes().get(int(pid))
    return entry is not None and entry.lives


def test_making_one_starts_nothing(tmp_path: Path) -> None:
    """Nor does closing it."""

    async def scenario(scene: Scene) -> list[str]:
        await scene.session.close()
        return scene.starts()

    assert played(tmp_path, scenario) == []


def test_calls_share_one_process(tmp_path: Path) -> None:
    """The first of them starts it, although several come at once."""

    async def scenario(scene: Scene) -> tuple[list[str], list[str]]:
        pids = list(await asyncio.gather(*(scene.ask("pid") for _ in range(3))))
        return [*pids, await scene.ask("pid")], scene.starts()

    pids, starts = played(tmp_path, scenario)

    assert pids == starts * 4


def test_the_environment_reaches_the_program_alone(tmp_path: Path) -> None:
    """It is part of neither the text of the server nor that of this process."""
    server = McpServer(program(tmp_path), {"NAME": "hunter-2"})

    async def scenario(scene: Scene) -> str:
        return await scene.ask("name")

    assert played(tmp_path, scenario, server=server) == "hunter-2"
    assert "hunter-2" not in repr(server)
    assert "NAME" not in os.environ


@pytest.mark.parametrize("tool", ["refuse", "empty"])
def test_an_error_of_the_service_leaves_its_process(tmp_path: Path, tool: str) -> None:
    """It was answered, so the next call is of the same one."""

    async def scenario(scene: Scene) -> tuple[str, list[str]]:
        with pytest.raises(McpRefused, match=f"^{tool}: expected"):
            await scene.ask(tool)
        return await scene.ask("pid"), scene.starts()

    pid, starts = played(tmp_path, scenario)

    assert [pid] == starts


def test_a_process_that_was_lost_is_replaced(tmp_path: Path) -> None:
    """The call that lost it tells so; the next one has a new one."""

    async def scenario(scene: Scene) -> tuple[str, list[str]]:
        with pytest.raises(OSError, match=r"^end: expected a reply, got none$"):
            await scene.ask("end")
        return await scene.ask("pid"), scene.starts()

    pid, (first, second) = played(tmp_path, scenario)

    assert pid == second != first


@pytest.mark.parametrize("tool", ["hang", "babble"])
def test_a_reply_that_is_late_takes_its_process_with_it(tmp_path: Path, tool: str) -> None:
    """What it would still do belongs to no call."""

    async def scenario(scene: Scene) -> tuple[list[str], bool]:
        await scene.ask("pid")
        with pytest.raises(OSError, match="expected a reply, got none") as caught:
            await scene.ask(tool)
        await scene.session.close()
        return scene.starts(), isinstance(caught.value.__cause__, TimeoutError)

    (pid,), is_late = played(tmp_path, scenario, timeout=LATE)

    assert is_late
    assert not _lives(pid)

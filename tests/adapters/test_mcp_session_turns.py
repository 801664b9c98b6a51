"""An MCP session with several calls, some of which are cancelled; and what ends it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.adapters.mcp_scene import LATE, Scene, anything, played, program

from memory_fidelity.adapters.mcp_session import Ask, McpServer, McpSession


def test_no_more_calls_wait_for_a_reply_than_may(tmp_path: Path) -> None:
    """The others have their turn afterwards."""

    async def scenario(scene: Scene) -> list[str]:
        return list(await asyncio.gather(*(scene.ask("meet") for _ in range(6))))

    assert played(tmp_path, scenario, concurrency=2) == ["2"] * 6


def test_a_cancelled_call_leaves_the_others_and_the_process(tmp_path: Path) -> None:
    """Neither is its turn taken for good (E6)."""

    async def scenario(scene: Scene) -> tuple[list[str], list[str]]:
        hanging = [asyncio.ensure_future(scene.ask("hang")) for _ in range(2)]
        await scene.until_called(2)
        for each in hanging:
            each.cancel()
        await asyncio.wait(hanging)
        assert all(each.cancelled() for each in hanging)
        return [await scene.ask("pid"), await scene.ask("pid")], scene.starts()

    pids, starts = played(tmp_path, scenario, concurrency=2)

    assert pids == starts * 2


def test_a_call_that_is_cancelled_in_the_start_leaves_it_to_the_next(tmp_path: Path) -> None:
    """A process that was not yet accepted is ended, and another one takes its place (E6)."""
    asked = list[str]()

    async def hang_at_first(ask: Ask) -> None:
        asked.append("pid" if asked else "hang")
        await ask(asked[-1], {})

    async def scenario(scene: Scene) -> tuple[str, list[str]]:
        starting = asyncio.ensure_future(scene.ask("pid"))
        waiting = asyncio.ensure_future(scene.ask("pid"))
        await scene.until_called(1)
        starting.cancel()
        return await waiting, scene.starts()

    pid, starts = played(tmp_path, scenario, accept=hang_at_first)

    assert pid == starts[1]
    assert asked == ["hang", "pid"]


def test_each_process_is_accepted_anew(tmp_path: Path) -> None:
    """Before its first call."""

    async def refuse(ask: Ask) -> None:
        await ask("name", {})

    async def scenario(scene: Scene) -> list[str]:
        await scene.ask("pid")
        await scene.ask("pid")
        with pytest.raises(OSError, match="expected a reply"):
            await scene.ask("end")
        await scene.ask("pid")
        return scene.calls()

    calls = played(tmp_path, scenario, accept=refuse)

    assert calls == ["name", "pid", "pid", "end", "name", "pid"]


def test_a_process_that_is_not_accepted_is_ended(tmp_path: Path) -> None:
    """The caller gets the error of whoever refused it; the next call tries another one."""

    async def refuse(ask: Ask) -> None:
        raise LookupError(await ask("name", {}))

    async def scenario(scene: Scene) -> tuple[list[str], int]:
        for _ in range(2):
            with pytest.raises(LookupError, match="none"):
                await scene.ask("pid")
        return scene.calls(), len(set(scene.starts()))

    assert played(tmp_path, scenario, accept=refuse) == (["name", "name"], 2)


@pytest.mark.parametrize(
    "manner",
    [
        pytest.param("babble", id="speaks-something-else"),
        pytest.param("end", id="ends"),
        pytest.param("silent", id="says-nothing"),
    ],
)
def test_a_program_that_does_not_start_well_is_told(tmp_path: Path, manner: str) -> None:
    """By an error of the system's kind, in time."""
    server = McpServer(program(tmp_path, manner))

    async def scenario(scene: Scene) -> None:
        with pytest.raises(OSError, match="expected a process that speaks MCP, got none"):
            await scene.ask("pid")

    played(tmp_path, scenario, server=server, timeout=LATE)


def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    """With the system's error as the cause (E2)."""
    server = McpServer((str(tmp_path / "missing"),))

    async def scenario(scene: Scene) -> BaseException | None:
        with pytest.raises(OSError, match="expected a process that speaks MCP") as caught:
            await scene.ask("pid")
        return caught.value.__cause__

    assert isinstance(played(tmp_path, scenario, server=server), FileNotFoundError)


def test_another_event_loop_is_refused(tmp_path: Path) -> None:
    """The processes are those of the first one."""
    session = McpSession(
        McpServer(program(tmp_path, "end")), timeout=LATE, concurrency=1, accept=anything
    )

    async def call() -> None:
        await session.call("pid", {})

    with pytest.raises(OSError, match="expected a process that speaks MCP"):
        asyncio.run(call())
    with pytest.raises(RuntimeError, match="expected the event loop of the first call"):
        asyncio.run(call())

"""What a pipe can be told to lose, and what ends with what."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest
from tests.testing.piped import SERVER, Client, calling, piped

from memory_fidelity.testing.pipe import Pipe, json_lines
from memory_fidelity.testing.process_table import processes


def _lives(pid: int) -> bool:
    entry = processes().get(pid)
    return entry is not None and entry.lives


@pytest.mark.parametrize("size", [0, 2])
def test_a_reply_is_cut(tmp_path: Path, size: int) -> None:
    """After so many bytes; the client ends with it, and the request was carried out."""

    async def scenario(pipe: Pipe) -> tuple[bytes, int, int]:
        async with calling(pipe) as client:
            await client.ask('"tea"')
            await pipe.relay.truncate_next_reply(size)
            client.send(b'"milk"\n')
            return await client.rest(), await client.status(), len(pipe.relay.calls())

    assert piped(tmp_path, scenario) == (b"MILK"[:size], 1, 2)


def test_a_cut_ends_client_and_server(tmp_path: Path) -> None:
    """Whatever they were at; a new client gets a new server."""

    async def scenario(pipe: Pipe) -> tuple[bytes, int, str]:
        async with calling(pipe) as client:
            await client.ask('"tea"')
            await pipe.relay.cut()
            rest = await client.rest()
            await pipe.processes[0].wait()
            async with calling(pipe) as another:
                return rest, await client.status(), await another.ask('"milk"')

    assert piped(tmp_path, scenario) == (b"", 1, "MILK")


def test_a_refused_client_ends_at_once(tmp_path: Path) -> None:
    """And so do those that were there; no server is started."""

    async def scenario(pipe: Pipe) -> tuple[list[bytes], list[int], int]:
        async with calling(pipe) as client:
            await client.ask('"tea"')
            await pipe.relay.refuse()
            async with calling(pipe) as refused:
                both: list[Client] = [client, refused]
                rests = [await each.rest() for each in both]
                return rests, [await each.status() for each in both], len(pipe.processes)

    assert piped(tmp_path, scenario) == ([b"", b""], [1, 1], 1)


def test_after_a_refusal_clients_can_be_accepted_again(tmp_path: Path) -> None:
    """By the command of before."""

    async def scenario(pipe: Pipe) -> tuple[bool, str]:
        before = pipe.command
        await pipe.relay.refuse()
        await pipe.relay.accept()
        async with calling(pipe) as client:
            return pipe.command == before, await client.ask('"tea"')

    assert piped(tmp_path, scenario) == (True, "TEA")


def test_a_stalled_reply_comes_once_it_may(tmp_path: Path) -> None:
    """The server was asked meanwhile."""

    async def scenario(pipe: Pipe) -> tuple[bool, str]:
        async with calling(pipe) as client:
            await client.ask('"tea"')
            await pipe.relay.stall_replies()
            reply = asyncio.ensure_future(client.ask('"milk"'))
            await pipe.relay.held()
            was_there = reply.done()
            await pipe.relay.resume()
            return was_there, await reply

    assert piped(tmp_path, scenario) == (False, "MILK")


def test_a_stalled_request_does_not_arrive(tmp_path: Path) -> None:
    """It is held back before the server, and counted."""

    async def scenario(pipe: Pipe) -> tuple[int, int, str]:
        async with calling(pipe) as client:
            await client.ask('"tea"')
            passed = pipe.relay.bytes_to_server
            await pipe.relay.stall()
            client.send(b'"milk"\n')
            await pipe.relay.held()
            more = pipe.relay.bytes_to_server - passed
            calls = len(pipe.relay.calls())
            await pipe.relay.resume()
            return more, calls, await client.line()

    assert piped(tmp_path, scenario) == (0, 2, "MILK")


def test_the_end_of_input_is_passed_on_after_what_came_before(tmp_path: Path) -> None:
    """The server answers to the last line, and ends; so does the client."""

    async def scenario(pipe: Pipe) -> tuple[bytes, int, int]:
        async with calling(pipe) as client:
            client.send(b'"tea"\n"milk"\n')
            client.end_input()
            rest = await client.rest()
            return rest, await client.status(), await pipe.processes[0].wait()

    assert piped(tmp_path, scenario) == (b"TEA\nMILK\n", 0, 0)


def test_a_server_ends_with_a_client_that_is_killed(tmp_path: Path) -> None:
    """By the end of its input."""

    async def scenario(pipe: Pipe) -> int:
        async with calling(pipe) as client:
            await client.ask('"tea"')
        return await pipe.processes[0].wait()

    assert piped(tmp_path, scenario) == 0


def test_a_client_ends_with_its_server(tmp_path: Path) -> None:
    """As it would if it were the server itself; its input may still be open."""

    async def scenario(pipe: Pipe) -> tuple[bytes, int]:
        async with calling(pipe) as client:
            client.send(b'"tea"\n"end"\n')
            return await client.rest(), await client.status()

    assert piped(tmp_path, scenario) == (b"TEA\n", 0)


def test_a_client_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    """And gets nothing more."""

    async def scenario(pipe: Pipe) -> bytes:
        async with calling(pipe) as client:
            await client.ask('"tea"')
            pipe.processes[0].kill()
            rest = await client.rest()
            await client.status()
            return rest

    assert piped(tmp_path, scenario) == b""


def test_closing_ends_clients_and_servers(tmp_path: Path) -> None:
    """Also a server that would not end by itself; and closing twice is safe."""
    stays = (
        sys.executable,
        "-I",
        "-S",
        "-c",
        "import signal; print(1, flush=True); signal.pause()",
    )

    async def scenario() -> tuple[str, bool, int]:
        pipe = Pipe(stays, environment={}, directory=tmp_path)
        await pipe.start()
        async with calling(pipe) as client:
            said = await client.line()
            await pipe.close()
            await pipe.close()
            return said, _lives(pipe.processes[0].pid), await client.status()

    assert asyncio.run(scenario()) == ("1", False, 1)


def test_a_closed_pipe_has_no_place_for_a_client(tmp_path: Path) -> None:
    """So that nobody waits for a server that will not come."""

    async def scenario(pipe: Pipe) -> int:
        command = pipe.command
        await pipe.close()
        process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.DEVNULL)
        return await process.wait()

    assert piped(tmp_path, scenario) == 1


def test_a_line_that_cannot_be_read_is_told_when_all_has_ended(tmp_path: Path) -> None:
    """The decoder's error, as a relay tells it; no server is left by it."""

    async def scenario() -> tuple[bool, bool]:
        pipe = Pipe(SERVER, environment={}, directory=tmp_path, requests=json_lines(list))
        await pipe.start()
        async with calling(pipe) as client:
            await client.ask("[]")
            client.send(b"tea\n")
            await client.status()
            with pytest.raises(ExceptionGroup, match="expected to read every request") as caught:
                await pipe.close()
        is_told = caught.value.subgroup(json.JSONDecodeError) is not None
        return is_told, _lives(pipe.processes[0].pid)

    assert asyncio.run(scenario()) == (True, False)


def test_a_server_that_cannot_be_started_ends_its_client(tmp_path: Path) -> None:
    """Each of them; closing tells why."""

    async def scenario() -> tuple[list[bytes], list[str]]:
        pipe = Pipe((str(tmp_path / "missing"),), environment={}, directory=tmp_path)
        await pipe.start()
        async with calling(pipe) as first, calling(pipe) as second:
            rests = [await first.rest(), await second.rest()]
            await asyncio.gather(first.status(), second.status())
        with pytest.raises(ExceptionGroup, match="expected to start every server") as caught:
            await pipe.close()
        return rests, [type(error).__name__ for error in caught.value.exceptions]

    assert asyncio.run(scenario()) == ([b"", b""], ["FileNotFoundError"] * 2)

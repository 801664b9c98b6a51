"""The client's end of a pipe: bytes pass unchanged, and it ends with either side."""

from __future__ import annotations

import asyncio
import os
import random
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from memory_fidelity.testing import pipe_end

Result = TypeVar("Result")
Process = asyncio.subprocess.Process
Scenario = Callable[[Process, socket.socket], Awaitable[Result]]


def _connected(scenario: Scenario[Result], output: int = asyncio.subprocess.PIPE) -> Result:
    """Play a scenario with the program and the other end of its connection."""

    async def play() -> Result:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.setblocking(False)
            process = await _started(listener.getsockname()[1], output)
            try:
                accepting = asyncio.get_running_loop().sock_accept(listener)
                connection, _ = await asyncio.wait_for(accepting, 60)
                with connection:
                    connection.setblocking(False)
                    return await asyncio.wait_for(scenario(process, connection), 60)
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()

    return asyncio.run(play())


async def _started(port: int, output: int) -> Process:
    command = (sys.executable, "-I", "-S", pipe_end.__file__, str(port))
    return await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=output
    )


async def _received(connection: socket.socket) -> bytes:
    data = bytearray()
    while more := await asyncio.get_running_loop().sock_recv(connection, 1 << 16):
        data += more
    return bytes(data)


def test_four_mebibytes_pass_in_both_directions_unchanged() -> None:
    """At one moment; the end of what is sent is passed on, too."""
    payload = random.Random(4).randbytes(4 << 20)

    async def scenario(process: Process, connection: socket.socket) -> tuple[bytes, bytes]:
        sending = asyncio.get_running_loop().sock_sendall(connection, payload)
        output = asyncio.ensure_future(process.communicate(payload))
        got, _ = await asyncio.gather(_received(connection), sending)
        connection.shutdown(socket.SHUT_WR)
        return (await output)[0], got

    out, got = _connected(scenario)

    assert out == payload
    assert got == payload


def test_it_passes_replies_after_its_input_has_ended() -> None:
    """A server may still have to answer to the last request."""

    async def scenario(process: Process, connection: socket.socket) -> tuple[bytes, int]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        await _received(connection)
        await asyncio.get_running_loop().sock_sendall(connection, b"late")
        connection.shutdown(socket.SHUT_WR)
        return await process.stdout.read(), await process.wait()

    assert _connected(scenario) == (b"late", 0)


def test_it_ends_with_its_connection() -> None:
    """Though its input is still open."""

    async def scenario(process: Process, connection: socket.socket) -> int:
        connection.close()
        return await process.wait()

    assert _connected(scenario) == 0


def test_it_ends_when_nobody_reads_what_it_gives() -> None:
    """By the first reply that it cannot pass on."""
    reading, writing = os.pipe()
    os.close(reading)

    async def scenario(process: Process, connection: socket.socket) -> int:
        os.close(writing)
        await asyncio.get_running_loop().sock_sendall(connection, b"reply")
        return await process.wait()

    assert _connected(scenario, writing) == 1


def test_it_ends_where_nobody_listens() -> None:
    """At once, as a program that cannot work."""
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))

        async def run() -> int:
            process = await _started(unheard.getsockname()[1], asyncio.subprocess.DEVNULL)
            await process.communicate()
            return await process.wait()

        status = asyncio.run(run())

    assert status == 1

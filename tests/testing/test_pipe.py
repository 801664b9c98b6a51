"""A pipe passes lines between clients and a server of each, and can be told to lose them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.testing.piped import SERVER, calling, piped

from memory_fidelity.testing import Call
from memory_fidelity.testing.pipe import Pipe, json_lines


def test_it_has_no_relay_before_it_is_started(tmp_path: Path) -> None:
    """Nothing is opened by making it, and the error says what is missing."""
    pipe = Pipe(SERVER, environment={}, directory=tmp_path)

    with pytest.raises(RuntimeError, match="expected one that is started"):
        _ = pipe.relay


def test_closing_one_that_was_never_started_does_nothing(tmp_path: Path) -> None:
    """So it may be closed wherever it was made."""
    pipe = Pipe(SERVER, environment={}, directory=tmp_path)

    asyncio.run(pipe.close())

    assert pipe.processes == []


def test_questions_and_answers_pass(tmp_path: Path) -> None:
    """In order, in both directions."""

    async def scenario(pipe: Pipe) -> list[str]:
        async with calling(pipe) as client:
            return [await client.ask(f'"{text}"') for text in ("tea", "milk", "ü")]

    assert piped(tmp_path, scenario) == ["TEA", "MILK", "Ü"]


def test_the_server_has_its_own_directory_and_environment(tmp_path: Path) -> None:
    """And not those of the client."""

    async def scenario(pipe: Pipe) -> list[str]:
        async with calling(pipe) as client:
            return [await client.ask('"where"'), await client.ask('"name"')]

    assert piped(tmp_path, scenario) == [str(tmp_path.resolve()), "of-its-own"]


def test_each_client_has_a_server_of_its_own(tmp_path: Path) -> None:
    """The latest is the last of them."""

    async def scenario(pipe: Pipe) -> tuple[list[str], int, int]:
        async with calling(pipe) as first, calling(pipe) as second:
            answers = [await first.ask('"a"'), await second.ask('"b"'), await first.ask('"c"')]
            pids = {process.pid for process in pipe.processes}
            return answers, len(pids), pipe.relay.connections

    assert piped(tmp_path, scenario) == (["A", "B", "C"], 2, 2)


def test_calls_are_counted_as_they_are_sent(tmp_path: Path) -> None:
    """In the decoder's terms; a line in pieces is one, and what is no call is none."""

    async def scenario(pipe: Pipe) -> list[str]:
        async with calling(pipe) as client:
            client.send(b'"te')
            client.send(b'a"\n7\n')
            await client.line()
            await client.line()
            await client.ask('"milk"')
            return [call.text for call in pipe.relay.calls()]

    assert piped(tmp_path, scenario) == ["tea", "milk"]


def test_without_a_decoder_every_piece_is_a_call(tmp_path: Path) -> None:
    """As a relay has it."""

    async def scenario() -> list[str]:
        pipe = Pipe(SERVER, environment={}, directory=tmp_path)
        await pipe.start()
        try:
            async with calling(pipe) as client:
                await client.ask('"tea"')
            return [call.operation for call in pipe.relay.calls()]
        finally:
            await pipe.close()

    assert asyncio.run(scenario()) == ["bytes"]


def test_a_line_is_decoded_once_it_is_whole() -> None:
    """Of bytes that come in any pieces; and each connection has a decoder of its own."""
    decoder = json_lines(lambda message: [Call("number", str(message))])

    decode, another = decoder(), decoder()

    assert list(decode(b"[1,")) == []
    assert list(another(b"3\n")) == [Call("number", "3")]
    assert list(decode(b" 2]\n4\n5")) == [Call("number", "[1, 2]"), Call("number", "4")]

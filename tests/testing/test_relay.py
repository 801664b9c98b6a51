"""`Relay`: what passes it, what it notes, and what it loses when it is told to."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import socket
import struct
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import pytest

from memory_fidelity.testing import Call, Journal
from memory_fidelity.testing.relay import Relay

HOST = "127.0.0.1"
DEADLINE = 60.0
Scenario = Callable[[Relay, "_Echo"], Awaitable[None]]
Decoder = Callable[[bytes], Iterable[Call]]
Plant = Callable[[Relay], Awaitable[None]]


class _Echo:
    """A server that answers every piece with the same, and its client's end with a full stop."""

    def __init__(self) -> None:
        self.got = bytearray()
        self.came = asyncio.Event()
        self.asked = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.ended: asyncio.Queue[str] = asyncio.Queue()
        self.port = 0
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, HOST, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            self.got += data
            self.asked.set()
            await self.may_answer.wait()
            writer.write(data)
            await writer.drain()
        writer.write(b".")

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.came.set()
        ended = "end"
        try:
            await self.answer(reader, writer)
        except ConnectionResetError:
            ended = "reset"
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
        self.ended.put_nowait(ended)


class _EndsFirst(_Echo):
    """A server that says at once that it will send nothing."""

    async def answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        writer.write_eof()
        self.got += await reader.read()


class _Pours(_Echo):
    """A server that answers the first request with a mebibyte, and ends."""

    async def answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.got += await reader.read(1)
        writer.write(bytes(1 << 20))


class _HangsUp(_Echo):
    """A server that ends every connection at the first request."""

    async def answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.got += await reader.read(1)


class _Resets(_Echo):
    """A server that resets every connection at the first request."""

    async def answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.got += await reader.read(1)
        _reset_on_close(writer.get_extra_info("socket"))


class _Client:
    """A client that sees all that arrives before a reset, which a stream reader would not."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self._loop = asyncio.get_running_loop()

    async def send(self, data: bytes) -> None:
        await self._loop.sock_sendall(self.end, data)

    async def receive(self, size: int) -> bytes:
        """So many bytes, or fewer if the end comes first."""
        data = bytearray()
        while left := min(size - len(data), 1 << 16):
            if not (more := await self._loop.sock_recv(self.end, left)):
                break
            data += more
        return bytes(data)

    async def ask(self, data: bytes) -> bytes:
        """The echo, while all of it is sent."""
        _, reply = await asyncio.gather(self.send(data), self.receive(len(data)))
        return reply

    def reset(self) -> None:
        _reset_on_close(self.end)
        self.end.close()

    async def is_reset(self) -> bool:
        try:
            await self._loop.sock_recv(self.end, 1)
        except ConnectionResetError:
            return True
        return False


def _reset_on_close(end: socket.socket) -> None:
    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@asynccontextmanager
async def _client(port: int, window: int | None = None) -> AsyncIterator[_Client]:
    with socket.socket() as end:
        if window is not None:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        end.setblocking(False)
        await asyncio.get_running_loop().sock_connect(end, (HOST, port))
        yield _Client(end)


def _run(
    scenario: Scenario,
    requests: Callable[[], Decoder] | None = None,
    server: type[_Echo] = _Echo,
) -> None:
    """Run a scenario with a relay and the server behind it."""

    async def run() -> None:
        echo = server()
        await echo.start()
        relay = Relay(HOST, echo.port, requests=requests)
        await relay.start()
        try:
            await scenario(relay, echo)
        finally:
            await relay.close()
            await echo.stop()

    asyncio.run(asyncio.wait_for(run(), DEADLINE))


class _Lines:
    """Decodes a protocol whose requests are lines, and fails at an exclamation mark."""

    def __init__(self) -> None:
        self._begun = b""

    def __call__(self, data: bytes) -> Iterable[Call]:
        if b"!" in data:
            raise ValueError("expected no exclamation mark")
        *lines, self._begun = (self._begun + data).split(b"\n")
        return [Call(line.split()[0].decode(), line.decode()) for line in lines]


def _unread(data: bytes) -> Iterable[Call]:
    """Decodes nothing: random bytes take long to show as text."""
    return ()


def test_it_is_a_journal() -> None:
    """It shows what reached the transport."""
    assert isinstance(Relay(HOST, 1), Journal)


def test_it_has_no_port_before_it_is_started() -> None:
    """Nothing is opened by making it, and the error says what is missing."""
    with pytest.raises(RuntimeError, match="expected one that is started"):
        _ = Relay(HOST, 1).port


def test_starting_twice_is_safe() -> None:
    """The second start changes nothing."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        port = relay.port
        await relay.start()

        assert relay.port == port

    _run(scenario)


def test_it_has_no_port_after_it_was_closed() -> None:
    """Closing gives the port back, and closing again does nothing."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        await relay.close()
        await relay.close()

        with pytest.raises(RuntimeError, match="expected one that is started"):
            str(relay.port)

    _run(scenario)


def test_ten_mebibytes_pass_in_both_directions_unchanged() -> None:
    """Every byte arrives, in order, however much is under way."""
    payload = random.Random(4).randbytes(10 << 20)

    async def scenario(relay: Relay, _: _Echo) -> None:
        async with _client(relay.port) as client:
            assert await client.ask(payload) == payload

        assert (relay.bytes_to_server, relay.bytes_to_client) == (10 << 20, 10 << 20)

    _run(scenario, requests=lambda: _unread)


def test_sixty_four_clients_are_kept_apart() -> None:
    """Each of many connections at one time gets its own replies."""

    async def ask(relay: Relay, number: int) -> bytes:
        async with _client(relay.port) as client:
            return await client.ask(bytes([number]) * 20_000)

    async def scenario(relay: Relay, _: _Echo) -> None:
        replies = await asyncio.gather(*(ask(relay, number) for number in range(64)))

        assert replies == [bytes([number]) * 20_000 for number in range(64)]
        assert relay.connections == 64

    _run(scenario)


def test_a_connection_alone_is_no_call() -> None:
    """The journal is empty until something is sent."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        async with _client(relay.port):
            await echo.came.wait()

            assert (relay.connections, relay.calls()) == (1, ())

    _run(scenario)


def test_each_piece_is_a_call() -> None:
    """What is not UTF-8 is shown with backslashes."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        async with _client(relay.port) as client:
            await client.ask("grün".encode())
            await client.ask(b"\xff\x00")

        assert relay.calls() == (Call("bytes", "grün"), Call("bytes", "\\xff\x00"))

    _run(scenario)


def test_a_decoder_makes_whole_requests_out_of_pieces() -> None:
    """Each connection has a decoder of its own, so that pieces of two are never joined."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        async with _client(relay.port) as one, _client(relay.port) as two:
            await one.ask(b"get a\nge")
            await two.ask(b"put b\n")
            await one.ask(b"t c\n")

        assert [call.text for call in relay.calls()] == ["get a", "put b", "get c"]
        assert [call.operation for call in relay.calls()] == ["get", "put", "get"]

    _run(scenario, requests=_Lines)


def test_a_decoder_that_fails_is_no_outage_of_the_server() -> None:
    """What it could not read is not passed on, and closing tells of it."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        async with _client(relay.port) as client:
            await client.send(b"!")

            assert await client.is_reset()
        assert echo.got == b""
        with pytest.raises(ExceptionGroup, match="expected to read every request"):
            await relay.close()

    _run(scenario, requests=_Lines)


def test_the_end_of_a_client_reaches_the_server() -> None:
    """A client that has sent everything still gets the rest of the replies, and their end."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        async with _client(relay.port) as client:
            await client.send(b"last")
            client.end.shutdown(socket.SHUT_WR)

            assert await client.receive(100) == b"last."

    _run(scenario)


def test_the_end_of_a_server_reaches_the_client() -> None:
    """A server that will send nothing more still gets requests."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        async with _client(relay.port) as client:
            assert await client.receive(1) == b""
            await client.send(b"more")
            client.end.shutdown(socket.SHUT_WR)
            await echo.ended.get()

        assert echo.got == b"more"

    _run(scenario, server=_EndsFirst)


def test_the_last_bytes_arrive_when_both_sides_have_ended() -> None:
    """A client that reads late gets all that was under way, and a clean end."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        async with _client(relay.port, window=4096) as client, _client(echo.port) as direct:
            await client.send(b"a")
            client.end.shutdown(socket.SHUT_WR)
            await echo.ended.get()
            await direct.send(b"b")
            await direct.receive(1 << 20)

            assert await client.receive((1 << 20) + 1) == bytes(1 << 20)

    _run(scenario, server=_Pours)


def test_the_loss_of_a_client_reaches_the_server() -> None:
    """The server sees a reset, and not an end that looks intended."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        async with _client(relay.port) as client:
            await client.ask(b"a")
            client.reset()

            assert await echo.ended.get() == "reset"

    _run(scenario)


def test_the_loss_of_a_server_reaches_the_client() -> None:
    """The client sees a reset, and not an end that looks intended."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        async with _client(relay.port) as client:
            await client.send(b"a")

            assert await client.is_reset()

    _run(scenario, server=_Resets)


def test_a_client_is_reset_when_the_server_cannot_be_reached() -> None:
    """Nothing listens behind the relay; once something does, clients get there."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        await echo.stop()
        async with _client(relay.port) as client:
            assert await client.is_reset()

        await echo.start()
        async with _client(relay.port) as client:
            assert await client.ask(b"a") == b"a"

    _run(scenario)


def test_cut_resets_both_ends() -> None:
    """A connection that was in use is lost for the client and for the server."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        async with _client(relay.port) as client:
            await client.ask(b"a")
            await relay.cut()

            assert await client.is_reset()
            assert await echo.ended.get() == "reset"

    _run(scenario)


def test_cut_resets_a_connection_that_was_only_just_made() -> None:
    """What the client takes for connected is lost, whether or not the relay has seen it."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        # At once, so that the event loop has no turn in which to accept it.
        with socket.create_connection((HOST, relay.port)) as end:
            end.setblocking(False)
            await relay.cut()

            assert await _Client(end).is_reset()

    _run(scenario)


def test_cut_goes_on_listening() -> None:
    """The next connection is as good as new."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        await relay.cut()
        async with _client(relay.port) as client:
            assert await client.ask(b"a") == b"a"

    _run(scenario)


def test_refuse_resets_what_is_open() -> None:
    """An outage spares no connection."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        async with _client(relay.port) as client:
            await client.ask(b"a")
            await relay.refuse()

            assert await client.is_reset()

    _run(scenario)


def test_refuse_refuses_connections() -> None:
    """Connecting fails, as it does where no server runs."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        await relay.refuse()

        with pytest.raises(ConnectionRefusedError):
            await _client(relay.port).__aenter__()

    _run(scenario)


def test_refuse_keeps_the_port_from_others() -> None:
    """No other program can come to listen there in the meantime."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        await relay.refuse()

        with socket.socket() as other, pytest.raises(OSError, match="in use"):
            other.bind((HOST, relay.port))

    _run(scenario)


def test_accept_listens_on_the_same_port() -> None:
    """The outage ends, and clients find the server where it was."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        port = relay.port
        await relay.refuse()
        await relay.accept()
        async with _client(port) as client:
            assert await client.ask(b"a") == b"a"

    _run(scenario)


def test_accept_without_refuse_changes_nothing() -> None:
    """What is open stays open."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        async with _client(relay.port) as client:
            await client.ask(b"a")
            await relay.accept()

            assert await client.ask(b"b") == b"b"

    _run(scenario)


def test_stall_holds_requests() -> None:
    """The request is noted, and has not reached the server."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        async with _client(relay.port) as client:
            await relay.stall()
            await client.send(b"a")
            await relay.held()

            assert relay.calls() == (Call("bytes", "a"),)
            assert echo.got == b""
            assert relay.bytes_to_server == 0

    _run(scenario)


def test_stalling_again_goes_on_holding() -> None:
    """What was held back stays where it is."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        async with _client(relay.port) as client, _client(echo.port) as direct:
            await relay.stall()
            await client.send(b"a")
            await relay.held()
            await relay.stall()
            await direct.ask(b"b")

            assert echo.got == b"b"

    _run(scenario)


def test_stall_holds_the_end_of_a_client() -> None:
    """The server does not learn that the client is gone until it is resumed."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        async with _client(relay.port) as client:
            await client.ask(b"a")
            await relay.stall()
        await relay.held()

        assert echo.ended.empty()
        await relay.resume()
        assert await echo.ended.get() == "end"

    _run(scenario)


def test_stall_holds_the_loss_of_the_server() -> None:
    """A client that connects while the server is down waits, and is reset when resumed."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        await echo.stop()
        await relay.stall()
        async with _client(relay.port) as client:
            lost = asyncio.ensure_future(client.is_reset())
            await relay.held()

            assert not lost.done()
            await relay.resume()
            assert await lost

    _run(scenario)


def test_stall_leaves_with_the_client_what_does_not_fit() -> None:
    """One piece is held; the rest is not read, so a large request takes no memory here."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        await relay.stall()
        async with _client(relay.port) as client, _client(echo.port) as direct:
            sending = asyncio.ensure_future(client.send(bytes(32 << 20)))
            await relay.held()
            await direct.ask(bytes(1 << 20))

            assert not sending.done()
            assert len(relay.calls()) == 1
            await relay.cut()
            with pytest.raises(ConnectionError):
                await sending

    _run(scenario)


def test_resume_passes_on_what_stall_held() -> None:
    """A connection made meanwhile was accepted, and is answered now."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        await relay.stall()
        async with _client(relay.port) as client:
            await client.send(b"a")
            await relay.held()
            await relay.resume()

            assert await client.receive(1) == b"a"

    _run(scenario)


def test_stall_replies_lets_requests_be_carried_out() -> None:
    """The server has done what it was asked, and the client does not know."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        await relay.stall_replies()
        async with _client(relay.port) as client:
            await client.send(b"a")
            await relay.held()

            assert echo.got == b"a"
            assert relay.bytes_to_client == 0
            await relay.resume()
            assert await client.receive(1) == b"a"

    _run(scenario)


def test_stall_replies_passes_on_the_requests_that_stall_held() -> None:
    """The later of the two applies; what is then held is the reply."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        await relay.stall()
        async with _client(relay.port) as client:
            await client.send(b"a")
            await relay.held()
            await relay.stall_replies()
            await relay.held()

            assert echo.got == b"a"

    _run(scenario)


def test_a_reply_that_is_held_is_lost_with_its_connection() -> None:
    """Cut while the acknowledgement is held: carried out, and unknown to the client."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        await relay.stall_replies()
        async with _client(relay.port) as client:
            await client.send(b"a")
            await relay.held()
            await relay.cut()

            assert await client.is_reset()
            assert echo.got == b"a"

    _run(scenario)


@pytest.mark.parametrize("then", [Relay.resume, Relay.cut], ids=["resumed", "cut"])
def test_nothing_is_held_once_it_is(then: Plant) -> None:
    """`held` waits for the next thing that is held back, not for the last one."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        await relay.stall()
        async with _client(relay.port) as client, _client(echo.port) as direct:
            await client.send(b"a")
            await relay.held()
            await then(relay)
            waiting = asyncio.ensure_future(relay.held())
            await direct.ask(b"b")

            assert not waiting.done()
            waiting.cancel()

    _run(scenario)


def test_cut_next_reply_carries_out_the_request() -> None:
    """The request reached the server, and the client sees a reset in place of the reply."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        async with _client(relay.port) as client:
            await client.ask(b"a")
            await relay.cut_next_reply()
            await client.send(b"b")

            assert await client.is_reset()
            assert echo.got == b"ab"
            assert await echo.ended.get() == "reset"

    _run(scenario)


def test_cut_next_reply_happens_once() -> None:
    """The next connection gets its reply."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        await relay.cut_next_reply()
        async with _client(relay.port) as client:
            await client.send(b"a")
            await client.is_reset()
        async with _client(relay.port) as client:
            assert await client.ask(b"b") == b"b"

    _run(scenario)


def test_cut_next_reply_can_be_planted_again() -> None:
    """Each planting loses one reply."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        async with _client(relay.port) as client:
            await relay.cut_next_reply()
            await client.send(b"a")
            await client.is_reset()
        async with _client(relay.port) as client:
            await relay.cut_next_reply()
            await client.send(b"b")

            assert await client.is_reset()

    _run(scenario)


def test_cut_next_reply_spares_the_reply_to_an_earlier_request() -> None:
    """A reply that the server still owed is no reply to a further request."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        echo.may_answer.clear()
        async with _client(relay.port) as client:
            await client.send(b"a")
            await echo.asked.wait()
            await relay.cut_next_reply()
            echo.may_answer.set()

            assert await client.receive(1) == b"a"
            await client.send(b"b")
            assert await client.is_reset()

    _run(scenario)


def test_cut_next_reply_spares_a_reply_that_is_held() -> None:
    """A reply that had arrived before is no reply to a further request."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        await relay.stall_replies()
        async with _client(relay.port) as client:
            await client.send(b"a")
            await relay.held()
            await relay.cut_next_reply()
            await client.send(b"b")
            await relay.resume()

            assert await client.receive(1) == b"a"
            assert await client.is_reset()

    _run(scenario)


def test_cut_next_reply_resets_where_the_server_ends_without_a_reply() -> None:
    """An end in place of the reply would look intended."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        async with _client(relay.port) as client:
            await relay.cut_next_reply()
            await client.send(b"a")

            assert await client.is_reset()

    _run(scenario, server=_HangsUp)


@pytest.mark.parametrize("size", [1, 5, 100_000, 200_000], ids="{}".format)
def test_truncate_next_reply_passes_on_so_many_bytes(size: int) -> None:
    """The first bytes arrive, however many pieces they come in, and then a reset."""
    payload = random.Random(7).randbytes(200_000)

    async def scenario(relay: Relay, _: _Echo) -> None:
        await relay.truncate_next_reply(size)
        async with _client(relay.port) as client:
            reply = (await asyncio.gather(client.send(payload), client.receive(size)))[1]

            assert reply == payload[:size]
            assert await client.is_reset()

    _run(scenario)


def test_truncate_next_reply_takes_no_negative_size() -> None:
    """It is refused, and nothing is planted."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        with pytest.raises(ValueError, match="expected 0 bytes or more, got -1"):
            await relay.truncate_next_reply(-1)
        async with _client(relay.port) as client:
            assert await client.ask(b"a") == b"a"

    _run(scenario)


def test_a_client_that_gives_up_leaves_the_relay_as_it_was() -> None:
    """Cancelling one client's call disturbs nobody else."""

    async def scenario(relay: Relay, echo: _Echo) -> None:
        await relay.stall_replies()
        async with _client(relay.port) as client:
            asking = asyncio.ensure_future(client.ask(b"a"))
            await relay.held()
            asking.cancel()
        await relay.resume()

        assert await echo.ended.get() == "end"
        async with _client(relay.port) as client:
            assert await client.ask(b"b") == b"b"

    _run(scenario)


async def _nothing(relay: Relay) -> None:
    pass


@pytest.mark.parametrize(
    "before",
    [_nothing, Relay.cut, Relay.refuse, Relay.stall, Relay.stall_replies, Relay.cut_next_reply],
    ids=["passing", "cut", "refusing", "stalled", "replies stalled", "fault planted"],
)
def test_closing_leaves_nothing_behind(before: Plant) -> None:
    """No task and no descriptor is left, whatever was under way."""

    async def scenario(_other: Relay, echo: _Echo) -> None:
        others, descriptors = asyncio.all_tasks(), len(os.listdir("/dev/fd"))
        relay = Relay(HOST, echo.port)
        await relay.start()
        async with _client(relay.port), _client(relay.port) as client:
            await client.ask(b"a")
            await before(relay)
            with suppress(ConnectionError):
                await client.send(b"b")
            await relay.close()
        await echo.ended.get()
        await echo.ended.get()

        assert asyncio.all_tasks() == others
        assert len(os.listdir("/dev/fd")) == descriptors

    _run(scenario)


def test_closing_does_not_wait_for_a_client_that_does_not_read() -> None:
    """What is under way is dropped."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        async with _client(relay.port) as client:
            sending = asyncio.ensure_future(client.send(bytes(64 << 20)))
            await client.receive(1)
            await relay.close()

            with pytest.raises(ConnectionError):
                await sending

    _run(scenario)


def test_a_connection_that_cannot_be_accepted_is_told_on_closing() -> None:
    """Out of descriptors, the relay ends its listener, where it would spin."""

    async def scenario(relay: Relay, _: _Echo) -> None:
        with socket.create_connection((HOST, relay.port)) as end, _no_more_descriptors():
            end.setblocking(False)
            await relay.cut()

            assert await _Client(end).is_reset()
        with pytest.raises(ExceptionGroup, match="expected to read every request"):
            await relay.close()

    _run(scenario)


@contextmanager
def _no_more_descriptors() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

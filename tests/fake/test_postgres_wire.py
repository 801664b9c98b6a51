"""The wire protocol of PostgreSQL: a client's bytes are read as what it asks for."""

from __future__ import annotations

import asyncio
import struct
from uuid import UUID

import psycopg
import pytest
from tests.fake.postgres_messages import EXECUTE, STARTUP, SYNC, bind, first, message, parse

from memory_fidelity.adapters._postgres_sql import RETRIEVE
from memory_fidelity.fake.postgres_replies import (
    NO_DATA,
    Column,
    command_complete,
    data_row,
    error_response,
    ready_for_query,
    row_description,
)
from memory_fidelity.fake.postgres_server import FakePostgresCluster
from memory_fidelity.fake.postgres_wire import (
    CancelRequest,
    ClientStream,
    Close,
    Describe,
    EncryptionRequest,
    Other,
    ProtocolViolation,
    Startup,
    Sync,
    Terminate,
    requests,
)
from memory_fidelity.testing.harness import Call
from memory_fidelity.testing.relay import Relay

_SELECT = "SELECT id FROM item WHERE a = $1 AND b = $2"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_calls_do_not_depend_on_where_the_stream_is_cut(size: int) -> None:
    """A message counts once it is complete, whatever came with it."""
    sent = STARTUP + message("Q", b"BEGIN\0") + parse("", _SELECT) + bind("", [], b"1", None)
    sent += EXECUTE + SYNC
    read = requests()

    calls = [call for at in range(0, len(sent), size) for call in read(sent[at : at + size])]

    assert calls == [Call("BEGIN", "BEGIN"), Call("SELECT", f"{_SELECT}\n$1 = 1\n$2 = NULL")]


def test_a_statement_prepared_once_is_told_each_time() -> None:
    """What is bound later still shows its statement, and its own values."""
    read = requests()
    read(STARTUP + parse("s", _SELECT) + SYNC)

    calls = [
        *read(bind("s", [], b"1", b"2") + EXECUTE + SYNC),
        *read(bind("s", [], b"3", b"4") + EXECUTE + SYNC),
    ]

    assert [call.text for call in calls] == [
        f"{_SELECT}\n$1 = 1\n$2 = 2",
        f"{_SELECT}\n$1 = 3\n$2 = 4",
    ]


@pytest.mark.parametrize(
    ("oid", "form", "data", "shown"),
    [
        pytest.param(0, 0, '[1,"é"]'.encode(), '[1,"é"]', id="text"),
        pytest.param(2950, 1, bytes(15) + b"\x01", str(UUID(int=1)), id="uuid"),
        pytest.param(21, 1, b"\x00\x14", "20", id="int2"),
        pytest.param(20, 1, struct.pack("!q", 2**40), str(2**40), id="int8"),
        pytest.param(701, 1, struct.pack("!d", -0.0), "-0.0", id="float8"),
        pytest.param(701, 0, b"1e+300", "1e+300", id="float8-as-text"),
        pytest.param(1009, 0, b'{"a,b",c}', "['a,b', 'c']", id="texts"),
        pytest.param(25, 0, b"\xff", r"b'\xff'", id="no-text"),
    ],
)
def test_values_can_be_read(oid: int, form: int, data: bytes, shown: str) -> None:
    """Each is decoded as its type and format say, by the driver's own codec."""
    read = requests()

    (call,) = read(STARTUP + parse("", "SELECT $1", oid) + bind("", [form], data) + EXECUTE)

    assert call.text == f"SELECT $1\n$1 = {shown}"


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"", id="startup"),
        pytest.param(SYNC, id="sync"),
        pytest.param(message("X"), id="terminate"),
        pytest.param(message("p", b"secret\0"), id="password"),
        pytest.param(parse("s", "SELECT 1"), id="parse"),
        pytest.param(parse("", "SELECT 1") + bind("", []), id="bind"),
    ],
)
def test_nothing_is_asked(sent: bytes) -> None:
    """Only what is carried out is a call."""
    assert list(requests()(STARTUP + sent)) == []


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        pytest.param(first(80877103), EncryptionRequest(), id="ssl"),
        pytest.param(first(80877104), EncryptionRequest(), id="gss"),
        pytest.param(first(80877102, b"\0\0\0\x07key!"), CancelRequest(7, b"key!"), id="cancel"),
        pytest.param(STARTUP, Startup({"user": "ada", "database": "d"}), id="startup"),
    ],
)
def test_first_messages(sent: bytes, expected: object) -> None:
    """They have no kind, and are told apart by a number."""
    assert ClientStream().messages(sent) == [expected]


def test_a_session_starts_after_encryption_was_refused() -> None:
    """The client asks on the same connection, and then begins as it would have."""
    stream = ClientStream()

    messages = stream.messages(first(80877103) + STARTUP + SYNC)

    assert [type(message) for message in messages] == [EncryptionRequest, Startup, Sync]


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        pytest.param(message("D", b"Ps\0"), Describe("P", "s"), id="describe"),
        pytest.param(message("C", b"Ss\0"), Close("S", "s"), id="close"),
        pytest.param(message("X"), Terminate(), id="terminate"),
        pytest.param(message("p", b"secret\0"), Other("p"), id="password"),
    ],
)
def test_later_messages(sent: bytes, expected: object) -> None:
    """A password is not kept."""
    stream = ClientStream()
    stream.messages(STARTUP)

    assert stream.messages(sent) == [expected]


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01", id="TLS"),
        pytest.param(first((3 << 16) + 9999), id="another-protocol"),
        pytest.param(struct.pack("!i", 3), id="too-short"),
        pytest.param(STARTUP + b"Q" + struct.pack("!i", 2**31 - 1), id="too-long"),
        pytest.param(STARTUP + message("Q", b"SELECT 1"), id="no-end"),
        pytest.param(STARTUP + message("Q", b"\xff\0"), id="no-text"),
        pytest.param(STARTUP + message("B", b"\0\0\0\0\0\x01\0\0\0\x05ab"), id="cut-value"),
    ],
)
def test_other_bytes_are_refused(sent: bytes) -> None:
    """A journal that cannot be read is an error, not an empty one."""
    with pytest.raises(ProtocolViolation, match=r"expected messages of protocol 3\.0"):
        requests()(sent)


def test_formats_must_fit_the_values() -> None:
    """Two formats for three values are a message that means nothing."""
    with pytest.raises(ProtocolViolation, match="expected 3 formats, got 2"):
        requests()(STARTUP + parse("", _SELECT) + bind("", [0, 0], b"1", b"2", b"3"))


@pytest.mark.parametrize(
    ("closed", "used"),
    [
        pytest.param(b"Ss\0", bind("s", [], b"1", b"2"), id="statement"),
        pytest.param(b"P\0", EXECUTE, id="portal"),
    ],
)
def test_what_was_closed_is_forgotten(closed: bytes, used: bytes) -> None:
    """Using it afterwards names what there is not."""
    read = requests()
    read(STARTUP + parse("s", _SELECT) + bind("s", [], b"1", b"2") + message("C", closed))

    with pytest.raises(LookupError):
        read(used)


@pytest.mark.parametrize("prepared", [None, 0], ids=["at-once", "prepared"])
def test_a_relay_reads_what_the_driver_sends(prepared: int | None) -> None:
    """The calls seen on the wire are those that reach the server."""

    async def scene() -> tuple[list[Call], list[Call]]:
        cluster = FakePostgresCluster()
        await cluster.start()
        port = psycopg.conninfo.conninfo_to_dict(cluster.primary.conninfo)["port"]
        relay = Relay("127.0.0.1", int(str(port)), requests=requests)
        await relay.start()
        async with await psycopg.AsyncConnection.connect(
            f"host=127.0.0.1 port={relay.port} user=fake",
            autocommit=True,
            prepare_threshold=prepared,
        ) as connection:
            for number in range(2):
                with pytest.raises(psycopg.errors.UndefinedTable):
                    await connection.execute(RETRIEVE, ("n'", UUID(int=number)))
        await relay.close()
        await cluster.close()
        return list(relay.calls()), cluster.calls

    seen, reached = asyncio.run(scene())

    assert seen == reached
    assert [call.text.splitlines()[1:] for call in seen] == [
        ["$1 = n'", f"$2 = {UUID(int=number)}"] for number in range(2)
    ]


@pytest.mark.parametrize(
    ("built", "sent"),
    [
        pytest.param(NO_DATA, b"n\0\0\0\x04", id="no-data"),
        pytest.param(ready_for_query("T"), b"Z\0\0\0\x05T", id="ready"),
        pytest.param(command_complete("BEGIN"), b"C\0\0\0\x0aBEGIN\0", id="complete"),
        pytest.param(
            data_row([b"a", None]), b"D\0\0\0\x0f\0\x02\0\0\0\x01a\xff\xff\xff\xff", id="row"
        ),
        pytest.param(
            row_description([Column("c", 25, -1)]),
            b"T\0\0\0\x1a\0\x01c\0\0\0\0\0\0\0\0\0\0\x19\xff\xff\xff\xff\xff\xff\0\0",
            id="columns",
        ),
        pytest.param(
            error_response("ERROR", "42601", "no"),
            b"E\0\0\0\x1eSERROR\0VERROR\0C42601\0Mno\0\0",
            id="error",
        ),
    ],
)
def test_replies_are_built_byte_by_byte(built: bytes, sent: bytes) -> None:
    """As the protocol has them: kind, length, fields."""
    assert built == sent

"""A process of the fake answers MCP, and fails as it was arranged."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from memory_fidelity.fake.khive.server import serve
from memory_fidelity.fake.khive.state import FAULTS, Fault, KhiveSettings, State
from memory_fidelity.fake.khive.verbs import Refused
from memory_fidelity.fake.khive_service import FakeKhive

REMEMBER = {"tool": "memory.remember", "args": {"content": "green tea"}}


@pytest.fixture
def khive() -> Iterator[FakeKhive]:
    """A fake of the service, empty."""
    with FakeKhive() as running:
        yield running


def folder_of(khive: FakeKhive) -> Path:
    """Where its processes work."""
    return Path(khive.command[-1])


def called(*calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A message that calls the tool."""
    arguments = {"ops": json.dumps(calls), "presentation": "verbose", **more}
    params = {"name": "request", "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}


def spoken(khive: FakeKhive, *messages: dict[str, Any]) -> tuple[int, list[dict[str, Any]]]:
    """What a process says to these messages, after its exit status."""
    requests = StringIO("".join(f"{json.dumps(message)}\n" for message in messages))
    replies = StringIO()
    status = serve(folder_of(khive), requests, replies)
    return status, [json.loads(line) for line in replies.getvalue().splitlines()]


def results(reply: dict[str, Any]) -> list[dict[str, Any]]:
    """The results in the reply to a call."""
    envelope = json.loads(reply["result"]["content"][0]["text"])
    found: list[dict[str, Any]] = envelope["results"]
    return found


def test_it_introduces_itself(khive: FakeKhive) -> None:
    """In the version of the protocol that it is asked for, under khive's name."""
    params = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}

    status, (reply,) = spoken(khive, hello)

    assert status == 0
    assert reply["result"]["protocolVersion"] == "2025-06-18"
    assert reply["result"]["serverInfo"]["version"] == "0.8.0"


def test_it_shows_its_one_tool(khive: FakeKhive) -> None:
    """The tool is `request`; a notification has no answer, a ping an empty one."""
    messages: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]

    _, (pong, tools) = spoken(khive, *messages)

    assert pong["result"] == {}
    assert [tool["name"] for tool in tools["result"]["tools"]] == ["request"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"jsonrpc": "2.0", "id": 1, "method": "no/method"}, -32601),
        (called(REMEMBER, ops="nonsense(("), -32602),
        (called(REMEMBER, ops="remember(content=)"), -32602),
        (called(REMEMBER, ops='remember("x")'), -32602),
        (called(REMEMBER, ops='remember(content="x" tags=[])'), -32602),
        (called(REMEMBER, presentation="loud"), -32602),
    ],
    ids=["method", "nonsense", "no value", "no name", "no comma", "presentation"],
)
def test_what_cannot_be_read_is_an_error(
    khive: FakeKhive, message: dict[str, Any], code: int
) -> None:
    """An error of the protocol, and the next message is answered."""
    _, (reply, _) = spoken(khive, message, called(REMEMBER))

    assert reply["error"]["code"] == code


def test_one_call_can_be_in_its_own_notation(khive: FakeKhive) -> None:
    """As lionagi's provider writes it."""
    ops = 'memory.remember(content="a, b", tags=["x"])'

    _, (reply,) = spoken(khive, called(ops=ops))

    assert results(reply)[0]["ok"] is True
    assert khive.records()[0]["content"] == "a, b"


def test_an_outage_is_of_all_processes(khive: FakeKhive) -> None:
    """None starts, none answers, and all is there once it is over."""
    spoken(khive, called(REMEMBER))
    khive.break_down()
    down = spoken(khive, called(REMEMBER))
    khive.recover()

    assert down == (1, [])
    assert len(khive.records()) == 1


@pytest.mark.parametrize("fault", ["lose", "lose a write"])
def test_a_reply_can_be_lost(khive: FakeKhive, fault: Fault) -> None:
    """The call is carried out, and the process ends; the next one answers."""
    khive.plant(fault)

    lost = spoken(khive, called(REMEMBER), called(REMEMBER))
    status, replies = spoken(khive, called(REMEMBER))

    assert lost == (1, [])
    assert (status, len(replies), len(khive.records())) == (0, 1, 2)


@pytest.mark.parametrize(
    ("fault", "verb", "beginning"),
    [
        ("refuse", "memory.remember", "write blocked:"),
        ("conflict", "update", "conflict:"),
    ],
)
def test_a_write_can_be_refused(khive: FakeKhive, fault: Fault, verb: str, beginning: str) -> None:
    """Once, and nothing of it is written."""
    made = khive.do("memory.remember", content="green tea")
    before = khive.records()
    arguments = {"memory.remember": {"content": "x"}, "update": {"id": made["id"], "content": "x"}}
    khive.plant(fault)

    _, (reply,) = spoken(khive, called({"tool": verb, "args": arguments[verb]}))

    assert results(reply)[0]["error"].startswith(beginning)
    assert khive.records() == before


def test_an_identity_can_be_withheld(khive: FakeKhive) -> None:
    """The write succeeds, and does not say what it wrote."""
    made = khive.do("memory.remember", content="green tea")
    khive.plant("withhold")

    call = {"tool": "update", "args": {"id": made["id"], "content": "x"}}
    _, (reply,) = spoken(khive, called(call))

    assert not {"id", "properties"} & results(reply)[0]["result"].keys()
    assert khive.records()[0]["content"] == "x"


@pytest.mark.parametrize("verb", sorted(FAULTS["corrupt"]))
def test_an_answer_can_be_spoilt(khive: FakeKhive, verb: str) -> None:
    """It is of the right kind, and no record is in it."""
    made = khive.do("memory.remember", content="green tea")
    asked = {
        "get": {"id": made["id"]},
        "list": {"kind": "memory"},
        "memory.recall": {"query": "tea"},
    }
    khive.plant("corrupt")

    _, (reply,) = spoken(khive, called({"tool": verb, "args": asked[verb]}))

    assert made["id"] not in json.dumps(results(reply))
    assert results(reply)[0]["ok"] is True


def test_a_held_reply_is_let_through(khive: FakeKhive) -> None:
    """A write is carried out before its reply is held back."""
    state = State(folder_of(khive))
    state.plant("hang")

    assert state.claims("hang", "memory.remember")
    assert state.hangs
    khive.resume()
    assert not state.hangs


def test_a_client_that_goes_is_not_waited_for(khive: FakeKhive) -> None:
    """A process whose reply is held back ends with its client."""
    reading, writing = os.pipe()
    message = json.dumps(called(REMEMBER)) + "\n"
    os.write(writing, message.encode())
    os.close(writing)
    khive.plant("hang")

    with open(reading, encoding="utf-8") as requests:
        status = serve(folder_of(khive), requests, StringIO())

    assert (status, len(khive.records())) == (1, 1)


@pytest.mark.parametrize(
    ("settings", "verb", "error"),
    [
        (KhiveSettings(missing_verbs=("memory.remember",)), "memory.remember", "unknown verb"),
        (KhiveSettings(broken_storage=True), "memory.remember", "storage:"),
        (KhiveSettings(writer_busy=True), "memory.remember", "writer_task_begin_busy"),
        (KhiveSettings(refuses_create_memory=True), "create", "memory.remember"),
    ],
    ids=["missing verb", "broken storage", "busy writer", "no create"],
)
def test_settings_change_what_it_does(
    khive: FakeKhive, settings: KhiveSettings, verb: str, error: str
) -> None:
    """They are those of another version, or of a service in trouble."""
    khive.settings = settings
    arguments = {"create": {"kind": "memory", "content": "x"}, "memory.remember": {"content": "x"}}

    with pytest.raises(Refused, match=error):
        khive.do(verb, **arguments[verb])

    assert khive.settings == settings


def test_what_is_embedded_late_is_recalled_late(khive: FakeKhive) -> None:
    """A recall finds it, by words and by vectors, once it is indexed."""
    khive.settings = replace(khive.settings, embeddings=True, delays_index=True)
    khive.do("memory.remember", content="green tea")
    early = khive.do("memory.recall", query="tea")

    khive.index()

    assert early == []
    assert len(khive.do("memory.recall", query="tea")) == 1
    assert len(khive.do("memory.recall", query="no word", fusion_strategy="vector_only")) == 1


def test_a_journal_has_every_call(khive: FakeKhive) -> None:
    """Those that were refused and those that could not be read, too; verbs done past it are not."""
    khive.do("memory.recall", query="tea")
    spoken(khive, called(REMEMBER, {"tool": "nope", "args": {}}), called(ops="nonsense(("))

    assert [call.operation for call in khive.calls()] == ["memory.remember", "nope", "malformed"]
    assert khive.calls()[0].text == '{"content": "green tea"}'


def test_an_answer_is_cut_unless_told_otherwise(khive: FakeKhive) -> None:
    """Hits without room are left out, all of them if need be; a setting makes room."""
    for number in range(8):
        khive.do("memory.remember", content=f"tea {number} " + "x" * 3_000)
    khive.do("memory.remember", content="cake " + "x" * 20_000)
    room = {"scoring": {"chars_per_token": 1_000_000}}

    cut = khive.do("memory.recall", query="tea")
    nothing = khive.do("memory.recall", query="cake")
    whole = khive.do("memory.recall", query="tea", config=room, full_content=False)

    assert 0 < len(cut) < 8
    assert all(hit["truncated"] for hit in cut)
    assert nothing == {"results": [], "truncated": True}
    assert len(whole) == 8
    assert {len(hit["content"]) for hit in whole} == {201}


def test_forgetting_and_closing(khive: FakeKhive) -> None:
    """Nothing is left of records, and then nothing of its folder; twice is safe."""
    khive.do("memory.remember", content="green tea")
    khive.forget()
    left = khive.records()
    khive.close()
    khive.close()

    assert left == []
    assert not folder_of(khive).exists()

"""The stand-in's process answers MCP in khive's shapes, and fails when its folder says so."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from memory_fidelity.fake.khive_server import (
    LOSE_REPLY,
    OUTAGE,
    Malformed,
    Memories,
    answer,
    serve,
)


@pytest.fixture
def memories(tmp_path: Path) -> Memories:
    """The records of a folder, none so far."""
    return Memories(tmp_path)


def ask(memories: Memories, tool: str, **arguments: Any) -> Any:
    """The result of one call, in the JSON form and in full."""
    envelope = answer(memories, json.dumps([{"tool": tool, "args": arguments}]), "verbose")
    return envelope["results"][0]["result"]


def refusal(memories: Memories, tool: str, **arguments: Any) -> str:
    """The error of one call that is refused."""
    (result,) = answer(memories, json.dumps([{"tool": tool, "args": arguments}]))["results"]
    assert result["ok"] is False
    return str(result["error"])


def request(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    """One call as a message of MCP."""
    ops = json.dumps([{"tool": tool, "args": arguments}])
    params = {"name": "request", "arguments": {"ops": ops}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def spoken(folder: Path, *messages: dict[str, Any]) -> tuple[int, list[dict[str, Any]]]:
    """What a process says to these messages, after its exit status."""
    requests = StringIO("".join(f"{json.dumps(message)}\n" for message in messages))
    replies = StringIO()
    status = serve(folder, requests, replies)
    return status, [json.loads(line) for line in replies.getvalue().splitlines()]


def test_a_memory_is_recalled(memories: Memories) -> None:
    """Any word of three letters is enough, in any case; a hit has neither tags nor properties."""
    made = ask(memories, "memory.remember", content="Prefers Green tea", tags=["taste"])

    (hit,) = ask(memories, "memory.recall", query="GREEN or black?")

    assert (hit["full_id"], hit["content"]) == (made["id"], "Prefers Green tea")
    assert not {"tags", "properties"} & hit.keys()


@pytest.mark.parametrize(
    ("asked", "hits"),
    [
        ({"query": "tea"}, ["black tea", "green tea"]),
        ({"query": "tea", "limit": 1}, ["black tea"]),
        ({"query": "tea", "tags": ["a", "z"]}, ["green tea"]),
        ({"query": "tea", "tags": ["A"]}, []),
        ({"query": "ea"}, []),
        ({"query": "tea", "namespace": "other"}, []),
    ],
    ids=["newest first", "limit", "any tag", "tags keep case", "too short", "namespace"],
)
def test_what_a_recall_finds(memories: Memories, asked: dict[str, Any], hits: list[str]) -> None:
    """Words, tags, namespace and limit all count."""
    ask(memories, "memory.remember", content="green tea", tags=["a"])
    ask(memories, "memory.remember", content="black tea", tags=["b"])
    ask(memories, "create", kind="observation", content="tea")

    assert [hit["content"] for hit in ask(memories, "memory.recall", **asked)] == hits


def test_a_record_is_found_by_a_property(memories: Memories) -> None:
    """Exactly, and only among memories."""
    properties = {"lionagi": {"id": "one"}}
    ask(memories, "create", kind="observation", content="x", properties=properties)
    made = ask(memories, "create", kind="memory", content="x", properties=properties)

    found = ask(
        memories,
        "query",
        query='MATCH (n:memory) WHERE n.properties.lionagi.id = "one" RETURN n.id LIMIT 9',
    )

    assert found == {"rows": [{"n_id": made["id"]}]}


def test_an_update_replaces_what_it_names(memories: Memories) -> None:
    """Properties are merged by their first key; identity and time stay."""
    made = ask(memories, "create", kind="memory", content="a", properties={"x": 1, "y": {"z": 1}})

    ask(memories, "update", id=made["id"], kind="note", content="b", properties={"y": {}})

    kept = ask(memories, "get", id=made["id"])
    assert kept == {**made, "content": "b", "properties": {"tags": [], "x": 1, "y": {}}}


def test_a_list_is_paged(memories: Memories) -> None:
    """Newest first, and tags in any case."""
    ask(memories, "create", kind="memory", content="a", tags=["T"])
    ask(memories, "create", kind="memory", content="b", tags=["T"])
    ask(memories, "create", kind="memory", content="c", tags=["T"])

    page = ask(memories, "list", kind="memory", tags=["t"], limit=1, offset=1)

    assert [record["content"] for record in page["items"]] == ["b"]


@pytest.mark.parametrize(
    ("tool", "arguments", "error"),
    [
        ("forget", {}, "invalid input: unknown verb `forget`"),
        ("get", {"id": "x"}, "not found: x"),
        ("get", {}, "invalid input: missing field `id`"),
        ("memory.remember", {"content": "a", "id": "x"}, "invalid input: unknown field `id`"),
        ("memory.remember", {"content": " "}, "invalid input: content must not be empty"),
        ("memory.remember", {"content": 7}, "invalid input: a field of another type"),
        ("memory.recall", {"query": "7"}, "invalid input: query must have meaningful content"),
        ("query", {"query": "x"}, "query: expected a match of memories by one property"),
    ],
)
def test_what_is_refused(
    memories: Memories, tool: str, arguments: dict[str, Any], error: str
) -> None:
    """A refusal is an answer, with its reason as plain text."""
    assert refusal(memories, tool, **arguments) == error


def test_the_notation_that_the_provider_uses(memories: Memories) -> None:
    """Values are JSON, so a text cannot end the call it stands in."""
    text = 'say "hi"), é \U0001f642, delete(id=1'
    answer(memories, f"memory.remember(content={json.dumps(text)}, salience=0.4, tags=[])")

    envelope = answer(memories, 'memory.recall(query="say", limit=5, min_score=0.4)')
    feedback = 'brain.auto_feedback(query="q", results=[{"id": "a"}], served_by_profile_id="p")'

    assert [hit["content"] for hit in envelope["results"][0]["result"]] == [text]
    assert answer(memories, feedback)["results"][0]["result"] == {"recorded": 1}


def test_what_is_shown_unless_asked_otherwise(memories: Memories) -> None:
    """Short ids, an age for a time, and nothing that is empty, as khive does it for agents."""
    made = ask(memories, "memory.remember", content="green tea")

    (hit,) = answer(memories, 'memory.recall(query="tea")')["results"][0]["result"]

    assert (hit["id"], hit["full_id"]) == (made["id"][:8], made["id"])
    assert hit["created_at"].endswith("s ago")


@pytest.mark.parametrize(
    "ops",
    ["", "memory.recall", "memory.recall(tea)", 'get(id="a" id="b")', "get(id=x)", '[{"tool": 1}]'],
)
def test_what_cannot_be_read(memories: Memories, ops: str) -> None:
    """No part of it is carried out."""
    with pytest.raises(Malformed):
        answer(memories, ops)


def test_a_process_speaks_mcp(tmp_path: Path) -> None:
    """It takes the client's version, names its tool, and says nothing to a notification."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {}}
    status, replies = spoken(
        tmp_path,
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 3, "method": "ping"},
    )

    assert status == 0
    assert [reply["id"] for reply in replies] == [1, 2, 3]
    assert replies[0]["result"]["protocolVersion"] == "2025-06-18"
    assert [tool["name"] for tool in replies[1]["result"]["tools"]] == ["request"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"method": "server/discover", "params": {}}, -32601),
        (
            {"method": "tools/call", "params": {"name": "request", "arguments": {"ops": "?"}}},
            -32602,
        ),
    ],
    ids=["method", "ops"],
)
def test_an_error_of_the_protocol(tmp_path: Path, message: dict[str, Any], code: int) -> None:
    """What cannot be read is no result."""
    _, (reply,) = spoken(tmp_path, {"jsonrpc": "2.0", "id": 1, **message})

    assert reply["error"]["code"] == code


def test_processes_share_their_folder(tmp_path: Path) -> None:
    """What one wrote, the next one has."""
    spoken(tmp_path, request(1, "memory.remember", content="green tea"))

    _, (reply,) = spoken(tmp_path, request(1, "memory.recall", query="tea"))

    assert "green tea" in reply["result"]["content"][0]["text"]


def test_a_lost_reply(tmp_path: Path) -> None:
    """The write is kept, its process ends without a word, and reads before it are answered."""
    (tmp_path / LOSE_REPLY).touch()

    status, replies = spoken(
        tmp_path,
        request(1, "list", kind="memory"),
        request(2, "memory.remember", content="green tea"),
        request(3, "list", kind="memory"),
    )

    assert (status, [reply["id"] for reply in replies]) == (1, [1])
    assert len(ask(Memories(tmp_path), "list", kind="memory")["items"]) == 1
    assert not (tmp_path / LOSE_REPLY).exists()


def test_an_outage(tmp_path: Path) -> None:
    """Nothing is answered, nothing written, and no process starts."""
    (tmp_path / OUTAGE).touch()

    assert spoken(tmp_path) == (1, [])
    assert spoken(tmp_path, request(1, "memory.remember", content="green tea")) == (1, [])
    assert ask(Memories(tmp_path), "list", kind="memory") == {"items": []}


def test_an_outage_under_way(tmp_path: Path) -> None:
    """A process that is there ends at its next request."""

    class Breaking(StringIO):
        def write(self, text: str) -> int:
            (tmp_path / OUTAGE).touch()
            return super().write(text)

    requests = StringIO(f"{json.dumps(request(1, 'list', kind='memory'))}\n" * 2)
    replies = Breaking()

    status = serve(tmp_path, requests, replies)

    assert (status, len(replies.getvalue().splitlines())) == (1, 1)

"""A process of the fake answers whatever it is sent, and goes on."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from memory_fidelity.fake.khive.server import serve

PING = {"jsonrpc": "2.0", "id": 2, "method": "ping"}


def reply_to(folder: Path, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """What is said to one message, of a process that answers the next one, too."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    replies = StringIO()
    serve(folder, StringIO(f"{json.dumps(message)}\n{json.dumps(PING)}\n"), replies)
    reply, pong = map(json.loads, replies.getvalue().splitlines())
    assert pong["result"] == {}
    found: dict[str, Any] = reply
    return found


@pytest.mark.parametrize(
    ("method", "code"),
    [("no/method", -32601), ("tools/call", -32602)],
    ids=["no method", "no tool"],
)
def test_what_is_not_offered_is_an_error(tmp_path: Path, method: str, code: int) -> None:
    """An error of the protocol, that tells of no other reason."""
    error = reply_to(tmp_path, method, {"name": "nothing", "arguments": {}})["error"]

    assert error["code"] == code
    assert "data" not in error


@pytest.mark.parametrize("kind", ["resources", "prompts"])
def test_there_is_nothing_but_tools(tmp_path: Path, kind: str) -> None:
    """Who asks for other things is given none."""
    assert reply_to(tmp_path, f"{kind}/list", {})["result"] == {kind: []}


@pytest.mark.parametrize(
    "arguments",
    [None, {}, {"ops": 5}, {"ops": "verbs()", "presentation": 5}, {"ops": "verbs()", "more": 1}],
    ids=["none", "no request", "a number", "a presentation that is a number", "an unknown one"],
)
def test_arguments_that_do_not_fit_are_a_failure_of_the_tool(
    tmp_path: Path, arguments: Any
) -> None:
    """No error of the protocol: the tool itself says so."""
    params = {"name": "request", "arguments": arguments}

    result = reply_to(tmp_path, "tools/call", params)["result"]

    assert result["isError"] is True
    assert result["content"][0]["text"].startswith("failed to deserialize parameters: ")


@pytest.mark.parametrize(
    "call",
    [
        {"tool": "memory.remember", "args": {"content": "x", "namespace": {}}},
        {"tool": "memory.recall", "args": {"query": "green tea", "limit": None, "tags": [{}]}},
        {"tool": "memory.recall", "args": {"query": "green tea", "config": [1]}},
        {"tool": "memory.recall", "args": {"query": "green tea", "created_after": "today"}},
        {"tool": "list", "args": {"kind": "memory", "offset": 2**40}},
        {"tool": "create", "args": {"kind": "memory", "content": "x", "tags": [None]}},
    ],
    ids=["namespace", "tags", "configuration", "not imitated", "offset", "no tag"],
)
def test_odd_values_are_refused(tmp_path: Path, call: dict[str, Any]) -> None:
    """The call is refused, and only the call."""
    arguments = {"ops": json.dumps([call]), "presentation": "verbose"}

    reply = reply_to(tmp_path, "tools/call", {"name": "request", "arguments": arguments})

    (result,) = json.loads(reply["result"]["content"][0]["text"])["results"]
    assert result["ok"] is False
    assert result["error"].startswith(("invalid input: ", "internal: "))

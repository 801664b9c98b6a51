"""What khive is asked, and what it answers, in a form that is the same in every run.

    python -m tests.fake.khive.script PROGRAM

asks khive's own program, and writes `khive-0.8.0.json` beside this file anew.

What differs from run to run, or is not imitated, is replaced: identities,
times, ages and scores by their kind, and the ends of those errors that list
everything that khive has.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

__all__ = [
    "STEPS",
    "TRANSCRIPT",
    "Answers",
    "answers",
    "khive_command",
    "khive_environment",
    "told",
]

TRANSCRIPT: Final = Path(__file__).with_name("khive-0.8.0.json")

Answers = dict[str, Any]
"""What was answered, by the name of the step."""

Ask = Callable[[dict[str, Any]], Any]
"""Takes the arguments of MCP's call of the tool, and returns the message that answers it."""

_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_SHORT: Final = re.compile(r"[0-9a-f]{8}")
_TIMES: Final = {"created_at", "updated_at", "n_created_at"}
_SCORES: Final = {"rank_score", "score"}
_UNSPOKEN: Final = {"usage"}
_ENDLESS: Final = (
    re.compile(r"(unknown verb \"[^\"]*\"); .*"),
    re.compile(r"(unknown field `\w+`), .*"),
    re.compile(r"(write blocked: content matches secret pattern) .*", re.DOTALL),
    re.compile(r"(query: parse error) .*"),
    re.compile(r"(invalid namespace \"[^\"]*\"): .*"),
)
_GIVEN: Final = "6ba7b810-9dad-41d1-80b4-00c04fd430c8"
"""An identity that no record has."""


def _ask(tool: str, **arguments: Any) -> list[dict[str, Any]]:
    return [{"tool": tool, "args": arguments}]


def _remember(content: Any, **more: Any) -> list[dict[str, Any]]:
    return _ask("memory.remember", content=content, **{"namespace": "n", **more})


def _recall(query: Any, **more: Any) -> list[dict[str, Any]]:
    return _ask("memory.recall", query=query, namespace="n", **more)


def _update(**more: Any) -> list[dict[str, Any]]:
    return _ask("update", **{"id": "{tea}", "kind": "note", **more})


def _match(condition: str, returned: str = "n.id, n.created_at", label: str = ":memory") -> Any:
    query = f"MATCH (n{label}) WHERE {condition} RETURN {returned} LIMIT 5"
    return _ask("query", query=query, namespace="n")


def _nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"in": value}
    return value


_ENVELOPE: Final = {"id": "Q", "metadata": {"z": 1, "a": [None, -0.0, 2**64, 2**63, 1e22]}}

STEPS: Final[Mapping[str, Any]] = {
    "remember": _remember("green tea", tags=["b", "A", "b"]),
    "get a memory": _ask("get", id="{tea}"),
    "get by eight letters": _ask("get", id="{tea:8}"),
    "get what is not there": _ask("get", id=_GIVEN),
    "remember without tags": _remember("black tea"),
    "remember with an id": _remember("x", id="1"),
    "remember nothing": _ask("memory.remember"),
    "remember a number": _remember(5),
    "remember a list": _remember(["x"]),
    "remember null": _remember(None),
    "remember blanks": _remember(" "),
    "remember with a text as tags": _remember("ok", tags="a"),
    "remember with a number as tag": _remember("ok", tags=[1]),
    "remember elsewhere": _remember("green tea", namespace="elsewhere"),
    "remember in an odd namespace": _remember("ok", namespace="a b"),
    "remember a secret": _remember(f"auth token: {_GIVEN}"),
    "remember a key": _remember("key=0123456789abcdef0123456789abcdef"),
    "remember a password": _remember("password: hunter2"),
    "an unknown verb": _ask("nope.verb", a=1),
    "update": _update(content="green tea, cold", properties={"lionagi": _ENVELOPE}),
    "update to nothing": _update(content=""),
    "update merges at the top": _update(content="green tea", properties={"other": {"a": 1}}),
    "update replaces below": _update(properties={"lionagi": {"id": "Q"}, "tags": ["b", "A", "b"]}),
    "update tags": _update(tags=["x"]),
    "update a secret": _update(properties={"x": {"y": f"auth token: {_GIVEN}"}}),
    "update no secret": _update(properties={"auth_token": "none", "session": _GIVEN}),
    "update what is not there": _update(id=_GIVEN, content="x"),
    "update as deep as may be": _update(properties={"deep": _nested(60)}),
    "update too deep": _update(properties={"deep": _nested(62)}),
    "match": _match('n.properties.lionagi.id = "Q"'),
    "match in another case": _match('n.properties.lionagi.id = "q"', "n.id"),
    "match nothing": _match('n.properties.lionagi.id = "R"'),
    "match with an escape": _match('n.properties.lionagi.id = "x\\"y"'),
    "match nonsense": _ask("query", query="nonsense", namespace="n"),
    "create an observation": _ask(
        "create",
        kind="observation",
        content="seen",
        properties={"lionagi": {"id": "Q"}},
        namespace="n",
    ),
    "match memories alone": _match('n.properties.lionagi.id = "Q"', "n.id"),
    "create a memory": _ask("create", kind="memory", content="made", tags=["c"], namespace="n"),
    "recall": _recall("green tea", limit=5),
    "recall a part of a word": _recall("gree"),
    "recall in capitals": _recall("GREEN"),
    "recall two letters": _recall("te"),
    "recall nothing": _recall(""),
    "recall blanks": _recall("  "),
    "recall a star": _recall("*"),
    "recall a digit": _recall("7"),
    "recall a letter": _recall("q"),
    "recall a repeated letter": _recall("zzz"),
    "recall a number": _recall(5),
    "recall with an unknown field": _recall("tea", bogus=1),
    "recall one": _recall("green", limit=1),
    "recall none": _recall("green", limit=0),
    "recall top none": _recall("green", top_k=0),
    "recall less than none": _recall("green", limit=-1),
    "recall a text of them": _recall("green", limit="3"),
    "recall a part of one": _recall("green", limit=2.5),
    "recall a tag": _recall("green", tags=["b"]),
    "recall a tag in another case": _recall("green", tags=["B"]),
    "recall any tag": _recall("green", tags=["b", "z"], tag_mode="any"),
    "recall all tags": _recall("green", tags=["b", "z"], tag_mode="all"),
    "recall by vectors": _recall("green", fusion_strategy="vector_only"),
    "recall elsewhere": _ask("memory.recall", query="green", namespace="nowhere"),
    "list": _ask("list", kind="memory", namespace="n", limit=2),
    "list the rest": _ask("list", kind="memory", namespace="n", limit=2, offset=2),
    "list more than may be": _ask("list", kind="memory", namespace="elsewhere", limit=500),
    "list none": _ask("list", kind="memory", namespace="n", limit=0),
    "list a tag in another case": _ask("list", kind="memory", namespace="n", tags=["a"]),
    "list observations": _ask("list", kind="observation", namespace="n"),
    "two calls, one refused": [*_ask("get", id=_GIVEN), *_ask("get", id="{tea}")],
    "delete": _ask("delete", id="{tea}", hard=True),
    "delete again": _ask("delete", id="{tea}", hard=True),
    "get what was deleted": _ask("get", id="{tea}"),
    "update what was deleted": _update(content="x"),
    "feedback on nothing": _ask(
        "brain.auto_feedback", query="tea", results=[], served_by_profile_id="w"
    ),
    "a reference": _remember("$prev.id"),
    "a reference within": _update(properties={"x": ["$prev"]}),
    "no reference": _remember("$previous and $prev.id"),
    "a lone half of a character": '[{"tool":"memory.remember","args":{"content":"\\ud800"}}]',
    "no number": '[{"tool":"memory.remember","args":{"content":"x","salience":NaN}}]',
    "a hundred and one calls": _ask("whoami") * 101,
    "more than a megabyte": "x" * 1_048_577,
    "no calls at all": "nonsense((",
    "shortened": ("agent", _ask("list", kind="memory", namespace="n", limit=1)),
}
"""Calls of one session in order, by name; `{tea}` is the first identity that was given."""


def answers(command: Sequence[str], environment: Mapping[str, str]) -> Answers:
    """Return what a program answers to all steps, each as it is told in every run."""
    with _session(command, environment) as ask:
        return told(ask)


def told(ask: Ask) -> Answers:
    """Return what is answered to all steps, when each request is asked in turn."""
    telling = _Telling()
    return {name: telling.step(step, ask) for name, step in STEPS.items()}


def khive_command(program: str, folder: Path) -> tuple[str, ...]:
    """How khive's own program is started on a database in the folder."""
    return (program, "mcp", "--db", str(folder / "khive.db"), "--no-embed")


def khive_environment(folder: Path) -> dict[str, str]:
    """All that khive's own program knows of this machine."""
    own = {"KHIVE_NO_DAEMON": "1", "KHIVE_NO_EMBED": "true"}
    return {**own, "HOME": str(folder), "PATH": os.defpath}


class _Telling:
    """Gives each identity a number, in the order in which they come up."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {_GIVEN: 0}
        self._tea = ""

    def step(self, step: Any, ask: Ask) -> Any:
        presentation, asked = step if isinstance(step, tuple) else ("verbose", step)
        text = asked if isinstance(asked, str) else json.dumps(asked)
        text = text.replace("{tea:8}", self._tea[:8]).replace("{tea}", self._tea)
        message = ask({"ops": text, "presentation": presentation})
        if "error" in message:
            error = message["error"]
            return {"code": error["code"], "reason": error.get("data", {}).get("reason")}
        answer = json.loads(message["result"]["content"][0]["text"])
        if not self._tea:
            self._tea = answer["results"][0]["result"]["id"]
        return self._told(answer)

    def _told(self, value: Any, name: str = "") -> Any:
        match value:
            case dict():
                return {
                    key: self._told(part, key)
                    for key, part in sorted(value.items())
                    if key not in _UNSPOKEN
                }
            case list():
                return [self._told(part) for part in value]
            case _ if name in _TIMES:
                return "(time)"
            case _ if name in _SCORES:
                return "(score)"
            case str():
                return self._text(value)
            case _:
                return value

    def _text(self, text: str) -> str:
        for endless in _ENDLESS:
            text = endless.sub(r"\1 ...", text)
        if _SHORT.fullmatch(text):
            return "(short id)"
        return _UUID.sub(lambda found: f"(id {self._number(found[0])})", text)

    def _number(self, identity: str) -> int:
        return self._numbers.setdefault(identity, len(self._numbers))


@contextmanager
def _session(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[Ask]:
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        encoding="utf-8",
    )
    requests, replies = process.stdin, process.stdout
    assert requests is not None
    assert replies is not None

    def say(method: str, params: dict[str, Any], number: int | None = None) -> Any:
        identified = {} if number is None else {"id": number}
        message = {"jsonrpc": "2.0", "method": method, "params": params, **identified}
        print(json.dumps(message), file=requests, flush=True)
        return None if number is None else json.loads(replies.readline())

    client = {"name": "script", "version": "0"}
    say(
        "initialize", {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": client}, 1
    )
    say("notifications/initialized", {})
    try:
        yield lambda arguments: say("tools/call", {"name": "request", "arguments": arguments}, 2)
    finally:
        requests.close()
        replies.close()
        process.wait(10)


def _record(program: str) -> None:
    with TemporaryDirectory(prefix="khive-script-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        told = answers(khive_command(program, folder), khive_environment(folder))
    TRANSCRIPT.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    _record(sys.argv[1])

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

from tests.fake.khive.steps import GIVEN, NAMED, STEPS

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
_SHORT: Final = re.compile(r"\b[0-9a-f]{8}\b")
_TIMES: Final = {"created_at", "deleted_at", "updated_at", "n_created_at"}
_SCORES: Final = {"rank_score", "score"}
_UNSPOKEN: Final = {"usage"}
_ENDLESS: Final = (
    re.compile(r"(unknown verb \"[^\"]*\"); .*"),
    re.compile(r"(unknown kind \"[^\"]*\"); .*"),
    re.compile(r"(unknown field `\w+`)[,;] .*"),
    re.compile(r"(write blocked: content matches secret pattern [\w-]+).*", re.DOTALL),
    re.compile(r"(query: parse error) .*"),
    re.compile(r"(invalid namespace \"[^\"]*\"): .*"),
    re.compile(r"(requires a specific kind).*"),
    re.compile(r"(min_score -?\d+ out of range).*"),
    re.compile(r"(not executed: op #\d+) .*"),
    re.compile(r"^(?:argument \"\w+\": )?(\$prev)\b.*"),
)
"""Errors, up to where they tell of all that khive has, or give advice."""
_IMITATED: Final = frozenset(
    {"brain.auto_feedback", "create", "delete", "get", "list", "memory.recall", "memory.remember"}
    | {"query", "update", "verbs", "whoami"}
)
"""The verbs that the fake has."""


def answers(command: Sequence[str], environment: Mapping[str, str]) -> Answers:
    """Return what a program answers to all steps, each as it is told in every run."""
    with _session(command, environment) as ask:
        return told(ask)


def told(ask: Ask) -> Answers:
    """Return what is answered to all steps, when each request is asked in turn."""
    telling = _Telling()
    return {name: telling.step(name, step, ask) for name, step in STEPS.items()}


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
        self._numbers: dict[str, int] = {GIVEN: 0}
        self._made: dict[str, str] = {}

    def step(self, name: str, step: Any, ask: Ask) -> Any:
        presentation, asked = step if isinstance(step, tuple) else ("verbose", step)
        text = asked if isinstance(asked, str) else json.dumps(asked)
        for thing, identity in self._made.items():
            text = text.replace(f"{{{thing}:8}}", identity[:8]).replace(f"{{{thing}}}", identity)
        message = ask({"ops": text, "presentation": presentation})
        if "error" in message:
            error = message["error"]
            return {"code": error["code"], "reason": (error.get("data") or {}).get("reason")}
        answer = json.loads(message["result"]["content"][0]["text"])
        if name in NAMED:
            self._made[NAMED[name]] = answer["results"][0]["result"]["id"]
        return self._told(answer)

    def _told(self, value: Any, name: str = "") -> Any:
        match value:
            case {"verbs": verbs}:
                signatures = {verb["verb"]: verb["signature"] for verb in verbs}
                return {verb: signatures[verb] for verb in sorted(_IMITATED)}
            case {"params": params, "verb": verb}:
                return {verb: sorted([each["name"], each["required"]] for each in params)}
            case dict():
                return {
                    key: self._told(part, key)
                    for key, part in sorted(value.items())
                    if key not in _UNSPOKEN
                }
            case list():
                return [self._told(part) for part in value]
            case str() | int() if name in _TIMES:
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
        text = _UUID.sub(lambda found: f"(id {self._number(found[0])})", text)
        return _SHORT.sub("(short id)", text)

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

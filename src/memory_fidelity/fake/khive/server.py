"""The process of one client: MCP over standard input and output, one tool, `request`.

python -m memory_fidelity.fake.khive.server FOLDER
"""

from __future__ import annotations

import json
import select
import sys
from pathlib import Path
from typing import Any, Final, TextIO

from .notation import Call, Malformed, resolved
from .notes import Notes
from .presentation import abridged
from .requests import calls, is_chain
from .state import State, arguments_text
from .verbs import Refused, Verbs

__all__ = ["answer", "main", "serve"]

_PRESENTATIONS: Final = ("agent", "human", "verbose")
_PROPERTIES: Final = ("lionagi", "lionagi_plain", "tags")
"""Properties that a client might look for in an answer that is spoilt."""
_TEXT: Final = {"type": "string"}
_TOOL: Final[dict[str, Any]] = {
    "name": "request",
    "description": "Run one or more verbs of khive.",
    "inputSchema": {
        "type": "object",
        "properties": {"ops": _TEXT, "presentation": _TEXT},
        "required": ["ops"],
    },
}
_PAUSE: Final = 5
"""Milliseconds between two looks at whether a reply is still held back."""


def main(folder: str) -> int:
    """Serve the folder on this process's standard input and output."""
    # MCP is UTF-8 in every locale.
    sys.stdin.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    return serve(Path(folder), sys.stdin, sys.stdout)


def serve(folder: Path, requests: TextIO, replies: TextIO) -> int:
    """Answer each line of `requests`, to the last or to the first fault; return the exit status."""
    state = State(folder)
    service = _Service(state, Verbs(Notes(folder), lambda: state.settings))
    if state.is_down():
        return 1
    for line in requests:
        if state.is_down():
            return 1
        message = json.loads(line)
        if "id" not in message:
            continue
        reply = _reply(message, service)
        if service.ends or not service.may_reply(requests):
            return 1
        print(json.dumps(reply), file=replies, flush=True)
    return 0


def answer(folder: Path, ops: str, presentation: str = "agent") -> dict[str, Any]:
    """Carry out one request on a folder in this process, and return khive's envelope.

    Raises:
        Malformed: the request cannot be read.
    """
    state = State(folder)
    service = _Service(state, Verbs(Notes(folder), lambda: state.settings))
    return service.answer(ops, presentation)


class _Service:
    """Carries out requests, with the faults that were planted."""

    def __init__(self, state: State, verbs: Verbs) -> None:
        self._state = state
        self._verbs = verbs
        self._hangs = False
        self.ends = False
        """Whether the process is to end in place of its reply."""

    def may_reply(self, requests: TextIO) -> bool:
        """Return once the reply is let through, or the client is gone; tell which."""
        hangs, self._hangs = self._hangs, False
        return not hangs or _until_resumed(self._state, requests)

    def answer(self, ops: str, presentation: str) -> dict[str, Any]:
        if presentation not in _PRESENTATIONS:
            valid = ", ".join(f'"{each}"' for each in ("agent", "verbose", "human"))
            raise Malformed(
                f'unknown presentation mode "{presentation}"; valid values: {valid}', None
            )
        try:
            asked = calls(ops)
        except Malformed:
            self._state.note("malformed", ops)
            raise
        if is_chain(ops, asked):
            results = self._chained(asked, presentation)
        else:
            results = [self._result(call, presentation)[0] for call in asked]
        done = sum(result["ok"] for result in results)
        aborted = sum("aborted" in result for result in results)
        return {
            "results": results,
            "status": "success" if done == len(results) else "partial",
            "summary": {
                "aborted": aborted,
                "failed": len(results) - done - aborted,
                "succeeded": done,
                "total": len(results),
            },
        }

    def _chained(self, asked: list[Call], presentation: str) -> list[dict[str, Any]]:
        """The results of calls of which each is given the one before, up to a failure."""
        results: list[dict[str, Any]] = []
        before: Any = None
        for call in asked:
            if results and not results[-1]["ok"]:
                results.append(_aborted(call, results))
                continue
            entry, before = self._result(call, presentation, before)
            results.append(entry)
        return results

    def _result(
        self, call: Call, presentation: str, before: Any = None
    ) -> tuple[dict[str, Any], Any]:
        """What is told of a call, and its result as it is."""
        verb, arguments = call
        entry = {"tool": verb, "usage": {}}
        try:
            arguments = resolved(arguments, before)
            self._state.note(verb, arguments_text(arguments))
            result = self._carried_out(verb, arguments)
        except Refused as refused:
            reason = {} if refused.reason is None else {"reason": refused.reason}
            return {"ok": False, "error": refused.error, **entry, **reason}, None
        shown = abridged(verb, result) if presentation == "agent" else result
        return {"ok": True, "result": shown, **entry}, result

    def _carried_out(self, verb: str, arguments: dict[str, Any]) -> Any:
        if self._state.claims("refuse", verb):
            raise Refused("write blocked: content matches secret pattern planted", "gate-refusal")
        if self._state.claims("conflict", verb):
            raise Refused(
                f"conflict: note {arguments['id']} changed concurrently after it was read; retry "
                "with fresh state"
            )
        result = self._verbs.do(verb, arguments)
        self.ends |= self._state.claims("lose", verb) or self._state.claims("lose a write", verb)
        self._hangs |= self._state.claims("hang", verb) or self._state.claims("hang a read", verb)
        if self._state.claims("withhold", verb):
            return {name: part for name, part in result.items() if name not in ("id", "properties")}
        if self._state.claims("corrupt", verb):
            return _corrupted(verb)
        return result


def _aborted(call: Call, results: list[dict[str, Any]]) -> dict[str, Any]:
    failed = next(number for number, result in enumerate(results) if not result["ok"])
    message = f"not executed: op #{failed} failed earlier in this chain"
    return {"aborted": True, "message": message, "ok": False, "tool": call[0]}


def _corrupted(verb: str) -> Any:
    # Of the right kind outside, so that no codec can tell it in place of an adapter.
    note = {"id": 7, "kind": "memory", "content": 7, "properties": dict.fromkeys(_PROPERTIES, 7)}
    match verb:
        case "list":
            return {"items": [note]}
        case "memory.recall":
            return [7]
        case _:
            return note


def _until_resumed(state: State, requests: TextIO) -> bool:
    """Wait until the reply is let through; tell whether the client is still there."""
    client = select.poll()
    client.register(requests.fileno(), select.POLLHUP)
    while state.hangs:
        if any(event & select.POLLHUP for _, event in client.poll(_PAUSE)):
            return False
    return True


def _reply(message: dict[str, Any], service: _Service) -> dict[str, Any]:
    match message:
        case {"method": "initialize", "params": {"protocolVersion": version}}:
            result: dict[str, Any] = {
                "protocolVersion": version,
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "khive-mcp", "version": "0.8.0"},
            }
        case {"method": "ping"}:
            result = {}
        case {"method": "tools/list"}:
            result = {"tools": [_TOOL]}
        case {"method": "resources/list" | "prompts/list" as method}:
            result = {method.partition("/")[0]: []}
        case {"method": "tools/call", "params": {"name": "request"} as asked}:
            try:
                result = _called(asked.get("arguments") or {}, service)
            except Malformed as malformed:
                return _error(message, -32602, str(malformed), malformed.reason)
        case {"method": "tools/call"}:
            return _error(message, -32602, "tool not found")
        case _:
            return _error(message, -32601, str(message.get("method")))
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def _called(arguments: dict[str, Any], service: _Service) -> dict[str, Any]:
    ops = arguments.get("ops")
    presentation = arguments.get("presentation") or "agent"
    if type(ops) is not str or type(presentation) is not str:
        text = "failed to deserialize parameters: expected `ops` and `presentation` to be strings"
    elif unknown := sorted(arguments.keys() - _TOOL["inputSchema"]["properties"].keys()):
        text = f"failed to deserialize parameters: unknown field `{unknown[0]}`"
    else:
        answered = json.dumps(service.answer(ops, presentation))
        return {"content": [{"type": "text", "text": answered}], "isError": False}
    return {"content": [{"type": "text", "text": text}], "isError": True}


def _error(
    message: dict[str, Any], code: int, text: str, reason: str | None = None
) -> dict[str, Any]:
    error = {
        "code": code,
        "message": text,
        **({} if reason is None else {"data": {"reason": reason}}),
    }
    return {"jsonrpc": "2.0", "id": message["id"], "error": error}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""A program that speaks just enough of MCP to show how a client bears with it.

    python -I -S mcp_program.py FOLDER [MANNER]

It notes in the file `starts` of the folder that it was started, and in `calls`
each tool that is called:

- `pid`, `name`: the text is its process id, or the variable NAME;
- `meet`: the text is how many calls of it wait for a reply, as soon as two do;
- `refuse`, `empty`: an error, or a result without text;
- `hang`, `end`, `babble`: no reply; the last two also end it, or have it say
  what is no message.

In a MANNER of `babble`, `end` or `silent` it does not even start well.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

_CHUNK = 1 << 16


def main(folder: Path, manner: str) -> None:
    """Serve standard input to its end."""
    _note(folder / "starts", str(os.getpid()))
    match manner:
        case "babble":
            while os.read(0, _CHUNK):
                _say("what is no message")
            return
        case "end":
            return
        case "silent":
            signal.pause()
    begun, waiting = b"", list[Any]()
    while data := os.read(0, _CHUNK):
        *lines, begun = (begun + data).split(b"\n")
        for line in lines:
            _answer(json.loads(line), folder, waiting)
        if len(waiting) > 1:
            for each in waiting:
                _reply(each, _text(str(len(waiting))))
            waiting.clear()


def _answer(message: dict[str, Any], folder: Path, waiting: list[Any]) -> None:
    match message:
        case {"method": "initialize", "id": identity, "params": {"protocolVersion": version}}:
            about = {"name": "program", "version": "1"}
            capabilities: dict[str, Any] = {"tools": {}}
            _reply(
                identity,
                {"protocolVersion": version, "capabilities": capabilities, "serverInfo": about},
            )
        case {"method": "tools/list", "id": identity}:
            _reply(identity, {"tools": []})
        case {"method": "tools/call", "id": identity, "params": {"name": tool}}:
            _note(folder / "calls", tool)
            _call(tool, identity, waiting)
        case {"id": identity}:
            _reply(identity, {})


def _call(tool: str, identity: Any, waiting: list[Any]) -> None:
    match tool:
        case "pid":
            _reply(identity, _text(str(os.getpid())))
        case "name":
            _reply(identity, _text(os.environ.get("NAME", "none")))
        case "meet":
            waiting.append(identity)
        case "refuse":
            error = {"code": -32602, "message": "no"}
            _say(json.dumps({"jsonrpc": "2.0", "id": identity, "error": error}))
        case "empty":
            _reply(identity, {"content": []})
        case "babble":
            _say("what is no message")
        case "end":
            sys.exit()


def _text(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}


def _reply(identity: Any, result: dict[str, Any]) -> None:
    _say(json.dumps({"jsonrpc": "2.0", "id": identity, "result": result}))


def _say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def _note(file: Path, line: str) -> None:
    with file.open("a") as lines:
        lines.write(f"{line}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")

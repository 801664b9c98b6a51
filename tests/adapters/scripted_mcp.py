"""A program that speaks MCP, and gives the answers that it was started with, whatever is asked.

python scripted_mcp.py ANSWERS: a JSON list of what follows `id` in each reply to a call of a tool,
that is a `result` or an `error`. After the last one it ends.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

_HELLO = {"capabilities": {"tools": {}}, "serverInfo": {"name": "scripted", "version": "0"}}


def main() -> None:
    """Serve standard input and output."""
    answers = iter(json.loads(sys.argv[1]))
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            answer = _answer(message, answers)
            if answer is None:
                return
            reply = {"jsonrpc": "2.0", "id": message["id"], **answer}
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()


def _answer(message: dict[str, Any], answers: Iterator[dict[str, Any]]) -> dict[str, Any] | None:
    match message["method"]:
        case "tools/call":
            return next(answers, None)
        case "initialize":
            version = message["params"]["protocolVersion"]
            return {"result": {"protocolVersion": version, **_HELLO}}
        case _:
            return {"result": {"tools": [{"name": "request", "inputSchema": {"type": "object"}}]}}


if __name__ == "__main__":
    main()

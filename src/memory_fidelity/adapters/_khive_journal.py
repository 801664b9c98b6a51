"""What a client asks of khive, read from the messages that it sends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from memory_fidelity.testing.harness import Call

__all__ = ["khive_calls"]


def khive_calls(message: Any) -> Iterator[Call]:
    """Return the calls of khive's verbs that a message of MCP holds; most messages have none."""
    match message:
        case {"method": "tools/call", "params": {"arguments": {"ops": str(text)}}}:
            for operation in json.loads(text):
                arguments = json.dumps(operation["args"], ensure_ascii=False)
                yield Call(operation["tool"], arguments)

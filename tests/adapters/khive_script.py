"""A khive that has what a store needs, and then gives the answers that a test wrote down."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from tests.adapters import scripted_mcp

from memory_fidelity.adapters.khive import KhiveMemoryStore, McpServer
from memory_fidelity.fake.khive_service import FakeKhive

__all__ = ["answered", "on_script", "refused", "said", "served"]

Result = TypeVar("Result")

_PATIENCE: Final = 10.0


def answered(text: str) -> dict[str, Any]:
    """Return the reply to a call that has this text."""
    return {"result": {"content": [{"type": "text", "text": text}], "isError": False}}


def said(*results: Any) -> dict[str, Any]:
    """Return the reply to calls with these results, of which a `str` is an error."""
    entries = [
        {"ok": False, "error": result}
        if isinstance(result, str)
        else {"ok": True, "result": result}
        for result in results
    ]
    return answered(json.dumps({"results": entries}))


def refused(error: Any) -> dict[str, Any]:
    """Return the reply to one call that was refused, with an error of any kind."""
    return answered(json.dumps({"results": [{"ok": False, "error": error}]}))


def on_script(
    scenario: Callable[[KhiveMemoryStore], Awaitable[Result]], *answers: dict[str, Any]
) -> Result:
    """Play a scenario on a store whose requests get these answers, one after the other."""
    with FakeKhive() as khive:
        capable = said(khive.do("verbs"), [])
    return served(scenario, capable, *answers)


def served(
    scenario: Callable[[KhiveMemoryStore], Awaitable[Result]], *answers: dict[str, Any]
) -> Result:
    """Do the same with the answer to what a store asks first, too."""
    server = McpServer((sys.executable, "-I", "-S", scripted_mcp.__file__, json.dumps(answers)))

    async def play() -> Result:
        async with KhiveMemoryStore(server, timeout=_PATIENCE) as store:
            return await scenario(store)

    return asyncio.run(play())

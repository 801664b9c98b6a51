"""Runs a coroutine where no event loop is in the way: in a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from threading import Thread
from typing import Any, Final, TypeVar

from memory_fidelity.testing.examine import DEADLINE

__all__ = ["in_own_loop"]

PATIENCE: Final = 2 * DEADLINE + 5.0
"""Seconds after which a thread that does not even honour cancellation is left behind."""

_Result = TypeVar("_Result")


def in_own_loop(start: Callable[[], Coroutine[Any, Any, _Result]]) -> _Result | None:
    """Run a coroutine to its end in a new thread and a new event loop.

    Works under any test runner and in a notebook, where a loop is running.
    Returns `None` if it has not ended within `PATIENCE`.
    """
    ended: list[_Result] = []

    def run() -> None:
        with asyncio.Runner() as runner:
            ended.append(runner.run(start()))

    thread = Thread(target=run, name="memory-fidelity case", daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return ended[0] if ended else None

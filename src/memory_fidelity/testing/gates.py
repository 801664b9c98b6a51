"""Gates on the two ways between a client and a server, to hold back what passes."""

from __future__ import annotations

import asyncio
from typing import Literal

__all__ = ["Gates", "Way"]

Way = Literal["requests", "replies"]


class Gates:
    """Two gates, both open at first."""

    def __init__(self) -> None:
        """Hold nothing back."""
        self._shut: tuple[Way, ...] = ()
        self._waiting: dict[asyncio.Future[None], Way] = {}
        self._holding = asyncio.Event()

    def shut(self, *ways: Way) -> None:
        """Shut the gates of these ways and open the others; what waited there passes."""
        self._shut = ways
        for waiting in [waiting for waiting, way in self._waiting.items() if way not in ways]:
            if not waiting.done():
                waiting.set_result(None)
            self._forget(waiting)

    async def opened(self, way: Way) -> None:
        """Return at once if the gate is open, or when it is."""
        if way in self._shut:
            waiting = asyncio.get_running_loop().create_future()
            self._waiting[waiting] = way
            self._holding.set()
            try:
                await waiting
            finally:
                self._forget(waiting)

    async def held(self) -> None:
        """Return as soon as something waits at a gate that is shut."""
        await self._holding.wait()

    def _forget(self, waiting: asyncio.Future[None]) -> None:
        self._waiting.pop(waiting, None)
        if not self._waiting:
            self._holding.clear()

"""One connection on one thread of its own, shared by every loop and thread that calls.

Each call crosses to the thread once, and calls are carried out one at a time,
in the order in which they came. An executor would do the same, at a third more
time for each crossing.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from asyncio import AbstractEventLoop
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar
from weakref import finalize

from memory_fidelity.adapters._sqlite_errors import typed
from memory_fidelity.adapters._sqlite_schema import Settings, opened
from memory_fidelity.errors import MemoryAdapterUnavailable

__all__ = ["ConnectionThread"]

Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection], Result]
Turns = SimpleQueue[Callable[[], None] | None]


class ConnectionThread:
    """Carries out work on a connection that the first call opens.

    A call that is cancelled before its turn is not carried out; one whose turn
    has come is carried out to its end, and its result is thrown away (E6).
    """

    def __init__(self, settings: Settings, on_open: Callable[[sqlite3.Connection], None]) -> None:
        self._settings = settings
        self._on_open = on_open
        self._turns: Turns = SimpleQueue()
        # One connection, once it is open; the thread closes it for a store that nobody closed.
        self._opened: list[sqlite3.Connection] = []
        self._file: tuple[int, int] | None = None
        self._process: int | None = None
        self._lock = Lock()
        self._closing: Future[None] | None = None

    async def run(self, operation: str, work: Work[Result], *, writes: bool = False) -> Result:
        """Do the work in a turn of its own, and return its result.

        Raises:
            MemoryAdapterUnavailable: the file cannot be used, or is closed.
            MemoryAdapterError: SQLite refused the work.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Result] = loop.create_future()
        call = partial(self._work, operation, work, writes)
        self._check_process(operation)
        with self._lock:
            self._check_open(operation)
            self._turns.put(partial(_take_turn, loop, answer, call))
        return await answer

    async def close(self) -> None:
        """Finish what is under way and close the connection; a second time does nothing."""
        if self._closing is None:
            self._check_process("close")
        with self._lock:
            if self._closing is None:
                self._closing = Future()
                if self._process is None:
                    self._closing.set_result(None)
                else:
                    self._turns.put(partial(self._close, self._closing))
                    self._turns.put(None)
        # A caller that gives up waiting must not leave the connection open.
        await asyncio.shield(asyncio.wrap_future(self._closing))

    def _subject(self, operation: str) -> str:
        return f"{self._settings.name}: {operation} {self._settings.path}"

    def _check_open(self, operation: str) -> None:
        if self._closing is not None:
            raise MemoryAdapterUnavailable(
                f"{self._subject(operation)}: expected an open store, got a closed one"
            )
        if self._process is None:
            self._start(operation)

    def _check_process(self, operation: str) -> None:
        # A forked process has neither the thread nor the right to the connection, and the lock
        # may have been taken at the moment of the fork.
        if self._process not in (None, os.getpid()):
            raise MemoryAdapterUnavailable(
                f"{self._subject(operation)}: expected the process that first used this store, "
                "got one forked from it; make a store of its own there"
            )

    def _start(self, operation: str) -> None:
        held = (self._turns, self._opened)
        try:
            Thread(target=_serve, args=held, name=self._settings.name, daemon=True).start()
        except RuntimeError as error:
            raise MemoryAdapterUnavailable(
                f"{self._subject(operation)}: expected a thread for the connection, got none"
            ) from error
        self._process = os.getpid()
        # The thread does not hold the store, and ends with one that nobody closed. It does not
        # end when the process is about to: an exit handler may still use the store, or close it.
        finalize(self, self._turns.put, None).atexit = False

    def _work(self, operation: str, work: Work[Result], writes: bool) -> Result:
        try:
            connection = self._open(operation)
            self._check_file(operation, "nothing was done")
            result = work(connection)
        except sqlite3.Error as error:
            raise typed(error, self._subject(operation), writes=writes) from error
        if writes:
            self._check_file(operation, "the write went to that file and is lost")
        return result

    def _open(self, operation: str) -> sqlite3.Connection:
        if not self._opened:
            connection = opened(self._settings)
            try:
                self._on_open(connection)
                self._file = self._identity(operation, "nothing was done")
            except BaseException:
                connection.close()
                raise
            self._opened.append(connection)
        return self._opened[0]

    def _check_file(self, operation: str, consequence: str) -> None:
        if self._identity(operation, consequence) != self._file:
            raise MemoryAdapterUnavailable(
                f"{self._subject(operation)}: expected the file that was opened, "
                f"got another one in its place; {consequence}"
            )

    def _identity(self, operation: str, consequence: str) -> tuple[int, int] | None:
        """What tells the file from another one that has taken its name."""
        if self._settings.in_memory:
            return None
        try:
            found = os.stat(self._settings.path)
        except OSError as error:
            raise MemoryAdapterUnavailable(
                f"{self._subject(operation)}: expected the file that was opened, "
                f"got none in its place; {consequence}"
            ) from error
        return found.st_dev, found.st_ino

    def _close(self, closing: Future[None]) -> None:
        _close_all(self._opened)
        closing.set_result(None)


def _serve(turns: Turns, opened: list[sqlite3.Connection]) -> None:
    while (turn := turns.get()) is not None:
        turn()
        # While it waits for the next turn, the thread must not keep a store alive.
        del turn
    _close_all(opened)


def _close_all(opened: list[sqlite3.Connection]) -> None:
    while opened:
        # It cannot fail: what SQLite cannot move into the file stays in the log beside it.
        opened.pop().close()


def _take_turn(
    loop: AbstractEventLoop, answer: asyncio.Future[Result], call: Callable[[], Result]
) -> None:
    if answer.cancelled():
        return
    try:
        result = call()
    except BaseException as error:  # noqa: BLE001 - it is raised where the call was made
        _tell(loop, _fail, answer, error)
    else:
        _tell(loop, _succeed, answer, result)


def _tell(loop: AbstractEventLoop, settle: Callable[..., None], *outcome: Any) -> None:
    # A loop that was closed meanwhile has nobody left who waits for the answer.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(settle, *outcome)


def _succeed(answer: asyncio.Future[Result], result: Result) -> None:
    if not answer.done():
        answer.set_result(result)


def _fail(answer: asyncio.Future[Any], error: BaseException) -> None:
    if not answer.done():
        answer.set_exception(error)

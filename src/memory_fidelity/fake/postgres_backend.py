"""Carries out the statements of one session of the stand-in for a PostgreSQL server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from memory_fidelity.adapters._postgres_sql import FORMAT
from memory_fidelity.fake.postgres_statements import PostgresError, Statement
from memory_fidelity.fake.postgres_tables import Change, Row, Tables
from memory_fidelity.fake.postgres_wire import Asked, CancelRequest

__all__ = ["Answer", "Backend", "Fault", "Host"]

Fault = Literal["refuse", "withhold", "hang", "hang a read", "corrupt", "lose"]
"""What can be planted in the next statement that it can happen to.

`refuse`: a write violates a constraint. `withhold`: a write does nothing, and
gives no row. `hang`: a write is not begun until the server is told to resume.
`hang a read`: the same for a read.
`corrupt`: of the rows of a read, half of each body is missing. `lose`: a read
or a write is carried out, and the connection is reset before the reply.
"""

_CANCELLED: Final = "57014"
_SEARCH_PATH: Final = "memory_fidelity,memory_fidelity"
_COMMITS: Final = frozenset({"local", "off", "on", "remote_apply", "remote_write"})
_ENDS: Final = frozenset({"commit", "rollback", "rollback to"})
_IN_BLOCKS: Final = frozenset({"savepoint", "rollback to", "release"})


class Host(Protocol):
    """The server, as a session sees it."""

    tables: Tables

    @property
    def is_standby(self) -> bool:
        """Whether it replays another server, and takes no writes."""
        ...

    @property
    def tells_role(self) -> bool:
        """Whether it tells its role beside its answers, as PostgreSQL 14 and later do."""
        ...

    @property
    def synchronous_standby_names(self) -> str:
        """The setting of this name."""
        ...

    def took(self, fault: Fault) -> bool:
        """Whether the fault was planted; it is spent then."""
        ...

    def note(self, asked: Asked) -> None:
        """Add a statement to the journal."""
        ...

    def resumed(self) -> Coroutine[Any, Any, object]:
        """Wait until a statement that hangs from now on may go on."""
        ...

    def log(self, changes: Sequence[Change]) -> None:
        """Hand what a transaction has changed on to the standby."""
        ...

    async def replayed(self) -> None:
        """Return once the standby replays at once what is handed on."""
        ...

    def next_seq(self) -> int:
        """Return the next value of the sequence."""
        ...

    def lock(self, key: int) -> asyncio.Lock:
        """Return the advisory lock of this key."""
        ...

    def cancel(self, request: CancelRequest) -> None:
        """Cancel what a session waits for, if the request has its key."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a statement."""

    tag: str
    rows: Sequence[tuple[object, ...]] = ()


@dataclass(slots=True)
class _Transaction:
    is_block: bool = False
    has_failed: bool = False
    changes: list[Change] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)
    savepoints: dict[str, tuple[list[Change], dict[str, str]]] = field(default_factory=dict)


class Backend:
    """The state of one session: its transaction, its locks, and what it waits for."""

    def __init__(self, host: Host) -> None:
        """Take the server; no transaction is open."""
        self._host = host
        self._transaction = _Transaction()
        self._locks: list[asyncio.Lock] = []
        self._waiting: asyncio.Future[None] | None = None
        self.loses_reply = False
        """Whether the connection is to be reset in place of the next reply."""
        self.warnings: list[str] = []
        """What the client is to be told beside the answer."""

    @property
    def status(self) -> Literal["I", "T", "E"]:
        """Outside a transaction block, in one, or in one that has failed."""
        if not self._transaction.is_block:
            return "I"
        return "E" if self._transaction.has_failed else "T"

    @property
    def settings(self) -> dict[str, str]:
        """The settings that change, and that a client is told of."""
        role = {"in_hot_standby": "on" if self._host.is_standby else "off"}
        return {
            **(role if self._host.tells_role else {}),
            "search_path": self._transaction.settings.get("search_path", '"$user", public'),
        }

    @property
    def is_waiting(self) -> bool:
        """Whether a statement, or a commit, waits for something."""
        return self._waiting is not None

    def cancel(self) -> None:
        """End what the session waits for, if it does."""
        if self._waiting is not None:
            self._waiting.cancel()

    def fail(self) -> None:
        """Take note of an error: nothing of the transaction will be kept."""
        self._transaction.has_failed = True

    async def end_request(self) -> None:
        """Commit what the request did, or undo it if it failed, unless in a block."""
        if not self._transaction.is_block:
            await self._commit()

    def end(self) -> None:
        """Let go of everything, as the end of a session does."""
        self._reset()

    async def carry_out(self, statement: Statement, values: list[Any]) -> Answer:
        """Return the result of a statement.

        Raises:
            PostgresError: it failed.
        """
        if self.status == "E" and statement.action not in _ENDS:
            raise PostgresError("25P02", "current transaction is aborted")
        if not self._transaction.is_block and statement.action in _IN_BLOCKS:
            raise PostgresError("25P01", "there is no transaction block")
        match statement.action:
            case "deallocate":
                return Answer("DEALLOCATE ALL")
            case "inspect":
                return self._inspected()
            case "lock":
                return await self._locked(*values)
            case "wait for":
                return Answer("SELECT 1", [(self._committing(*values),)])
            case "search path":
                return self._search_path()
            case "create":
                return self._created(statement.name)
            case "store":
                return await self._stored(*values)
            case "retrieve":
                return await self._read(lambda tables: tables.retrieved(*values))
            case "find":
                namespace, *sought, limit = values
                conditions = list(zip(statement.conditions, sought, strict=True))
                return await self._read(lambda tables: tables.found(namespace, conditions, limit))
            case _:
                return await self._controlled(statement)

    def _view(self) -> Tables:
        return self._host.tables.changed(self._transaction.changes)

    def _inspected(self) -> Answer:
        objects = self._view().objects
        stamp = FORMAT if "comment" in objects else None
        exists = "memory_fidelity" in objects
        return Answer("SELECT 1", [(self._host.is_standby, "UTF8", exists, stamp)])

    async def _locked(self, key: int) -> Answer:
        lock = self._host.lock(key)
        if lock not in self._locks:
            await (self._wait(lock.acquire()) if lock.locked() else lock.acquire())
            self._locks.append(lock)
        return Answer("SELECT 1", [("",)])

    def _committing(self, value: str | None) -> str:
        settings = self._transaction.settings
        if value is not None and value not in _COMMITS:
            raise PostgresError("22023", f'invalid value for "synchronous_commit": "{value}"')
        settings["synchronous_commit"] = value or settings.get("synchronous_commit", "on")
        return settings["synchronous_commit"]

    def _search_path(self) -> Answer:
        if "pg_trgm" not in self._view().objects:
            return Answer("SELECT 0")
        self._transaction.settings["search_path"] = _SEARCH_PATH
        return Answer("SELECT 1", [(_SEARCH_PATH,)])

    def _created(self, name: str) -> Answer:
        self._require_writable()
        found = "search_path" in self._transaction.settings
        tag, changes = self._view().creation(name, finds_trigrams=found)
        self._transaction.changes += changes
        return Answer(tag)

    async def _stored(self, *values: Any) -> Answer:
        *columns, committing = values
        view = self._view()
        view.require_table()
        self._require_writable()
        if self._host.took("refuse"):
            raise PostgresError("23514", "new row violates a check constraint")
        if self._host.took("withhold"):
            return Answer("INSERT 0 0")
        if self._host.took("hang"):
            await self._wait(self._host.resumed())
            view = self._view()
        self.loses_reply = self._host.took("lose")
        row = view.upserted(self._host.next_seq(), columns)
        if row is None:
            return Answer("INSERT 0 0")
        self._transaction.changes.append(row)
        names = self._host.synchronous_standby_names
        return Answer("INSERT 0 1", [(row.id, self._committing(committing), names)])

    async def _read(self, find: Callable[[Tables], Sequence[Row]]) -> Answer:
        view = self._view()
        view.require_table()
        if self._host.took("hang a read"):
            await self._wait(self._host.resumed())
            view = self._view()
        rows = find(view)
        self.loses_reply = self._host.took("lose")
        if rows and self._host.took("corrupt"):
            rows = [row._replace(body=row.body[: len(row.body) // 2]) for row in rows]
        role = self._host.is_standby
        shown = [(role, row.id, row.created_at, row.body) for row in rows]
        return Answer(f"SELECT {len(rows)}", shown)

    async def _controlled(self, statement: Statement) -> Answer:
        transaction = self._transaction
        match statement.action:
            case "begin":
                transaction.is_block = True
            case "commit" if transaction.has_failed:
                self._reset()
                return Answer("ROLLBACK")
            case "commit":
                await self._commit()
            case "rollback":
                self._reset()
            case "savepoint":
                saved = (list(transaction.changes), dict(transaction.settings))
                transaction.savepoints[statement.name] = saved
            case "rollback to":
                changes, settings = self._saved(statement.name)
                transaction.changes = list(changes)
                transaction.settings = dict(settings)
                transaction.has_failed = False
                return Answer("ROLLBACK")
            case _:
                self._saved(statement.name)
                del transaction.savepoints[statement.name]
        return Answer(statement.action.upper())

    def _saved(self, name: str) -> tuple[list[Change], dict[str, str]]:
        if name not in self._transaction.savepoints:
            raise PostgresError("3B001", f'savepoint "{name}" does not exist')
        return self._transaction.savepoints[name]

    async def _commit(self) -> None:
        changes, host = self._transaction.changes, self._host
        try:
            if changes and not self._transaction.has_failed:
                host.log(changes)
                waits = self._transaction.settings.get("synchronous_commit") == "remote_apply"
                if waits and host.synchronous_standby_names:
                    await self._wait_for_standby()
                host.tables.apply(changes)
        finally:
            self._reset()

    async def _wait_for_standby(self) -> None:
        try:
            await self._wait(self._host.replayed())
        except PostgresError as error:
            # The transaction is in the log by now, and cannot be undone.
            self.warnings.append(f"{error.text}: it has committed, and may not be on the standby")

    async def _wait(self, until: Coroutine[Any, Any, Any]) -> None:
        waiting = self._waiting = asyncio.ensure_future(until)
        try:
            await asyncio.wait([waiting])
        finally:
            self._waiting = None
            waiting.cancel()
        if waiting.cancelled():
            raise PostgresError(_CANCELLED, "canceling statement due to user request")

    def _require_writable(self) -> None:
        if self._host.is_standby:
            raise PostgresError("25006", "cannot write in a read-only transaction")

    def _reset(self) -> None:
        self._transaction = _Transaction()
        while self._locks:
            self._locks.pop().release()

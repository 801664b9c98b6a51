"""One client's session on the stand-in for a PostgreSQL server: its messages, answered."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Final

from memory_fidelity.fake import postgres_replies as replies
from memory_fidelity.fake import postgres_wire as wire
from memory_fidelity.fake.postgres_backend import Backend, Host
from memory_fidelity.fake.postgres_statements import PostgresError, Statement, understood
from memory_fidelity.fake.postgres_tables import as_text

__all__ = ["Session"]

_CHUNK: Final = 2**16
_RESET: Final = struct.pack("ii", 1, 0)
_SETTINGS: Final = {
    "client_encoding": "UTF8",
    "DateStyle": "ISO, MDY",
    "default_transaction_read_only": "off",
    "integer_datetimes": "on",
    "IntervalStyle": "postgres",
    "is_superuser": "on",
    "scram_iterations": "4096",
    "server_encoding": "UTF8",
    "server_version": "18.6",
    "standard_conforming_strings": "on",
    "TimeZone": "Etc/UTC",
}


class Session:
    """Answers the messages of one client, in their order."""

    def __init__(self, host: Host, process: int, writer: asyncio.StreamWriter) -> None:
        """Take the server, and where to answer; `process` is the session's number there."""
        self._host = host
        self._writer = writer
        self._backend = Backend(host)
        self._conversation = wire.Conversation()
        self._reported: dict[str, str] = {}
        self._unsent = bytearray()
        self._skips = False
        self.process = process
        self.key = process.to_bytes(4)
        """What a request to cancel must show; nothing is secret here."""

    async def serve(self, reader: asyncio.StreamReader) -> None:
        """Answer until the client ends the session.

        Raises:
            OSError: the client has gone.
        """
        stream = wire.ClientStream()
        try:
            while chunk := await reader.read(_CHUNK):
                for message in stream.messages(chunk):
                    if not await self._goes_on(message):
                        return await self._flush()
                await self._flush()
        except wire.ProtocolViolation as error:
            self._send(replies.error_response("FATAL", "08P01", str(error)))
            await self._flush()
        finally:
            self._backend.end()

    @property
    def is_waiting(self) -> bool:
        """Whether what the client asked for waits: for a lock, for the standby, or held back."""
        return self._backend.is_waiting

    def cancel(self) -> None:
        """End what the session waits for, if it does."""
        self._backend.cancel()

    def reset(self) -> None:
        """Break the connection off, and end the session; what was not sent is lost."""
        self.cancel()
        self._unsent.clear()
        end: socket.socket = self._writer.get_extra_info("socket")
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self._writer.transport.abort()

    async def _goes_on(self, message: wire.ClientMessage) -> bool:
        """Answer a message; whether the session goes on after it."""
        match message:
            case wire.EncryptionRequest():
                self._send(replies.ENCRYPTION_REFUSED)
            case wire.CancelRequest():
                self._host.cancel(message)
                return False
            case wire.Startup(parameters):
                self._begin(parameters)
            case wire.Terminate():
                return False
            case wire.Query() | wire.Sync():
                return await self._request(message)
            case wire.Other(kind):
                raise wire.ProtocolViolation(f"expected a message of a query, got {kind!r}")
            case _ if not self._skips:
                self._skips = not await self._try(message)
        return True

    def _begin(self, parameters: dict[str, str]) -> None:
        settings = {
            **_SETTINGS,
            "application_name": parameters.get("application_name", ""),
            "session_authorization": parameters.get("user", ""),
        }
        self._send(
            replies.authentication_ok(),
            *(replies.parameter_status(name, value) for name, value in settings.items()),
            *self._news(),
            replies.backend_key(self.process, self.key),
            replies.ready_for_query("I"),
        )

    async def _request(self, message: wire.Query | wire.Sync) -> bool:
        """End a request; whether the session goes on after it."""
        if isinstance(message, wire.Query):
            await self._try(message)
        self._skips = False
        await self._backend.end_request()
        if self._backend.loses_reply:
            self.reset()
            return False
        while self._backend.warnings:
            warning = self._backend.warnings.pop(0)
            self._send(replies.notice_response("WARNING", "01000", warning))
        self._send(*self._news(), replies.ready_for_query(self._backend.status))
        return True

    async def _try(self, message: wire.ClientMessage) -> bool:
        """Take one step of a request; whether that went well."""
        try:
            await self._step(message)
        except PostgresError as error:
            self._send(replies.error_response("ERROR", error.sqlstate, error.text))
            self._backend.fail()
            return False
        return True

    async def _step(self, message: wire.ClientMessage) -> None:
        try:
            asked = self._conversation.heard(message)
        except LookupError as error:
            sqlstate = "34000" if isinstance(message, wire.Execute) else "26000"
            raise PostgresError(sqlstate, f"expected what was prepared, got {error}") from error
        match message:
            case wire.Parse(_, text):
                understood(text)
                self._send(replies.PARSE_COMPLETE)
            case wire.Bind():
                if any(message.result_formats):
                    raise PostgresError("0A000", "expected to answer in text, got binary")
                self._send(replies.BIND_COMPLETE)
            case wire.Describe("P", name) if name in self._conversation.portals:
                self._describe(understood(self._conversation.portals[name].statement))
            case wire.Describe():
                raise PostgresError("0A000", f"expected to describe a portal, got {message}")
            case wire.Close():
                self._send(replies.CLOSE_COMPLETE)
        if asked is not None:
            await self._answer(asked, describes=isinstance(message, wire.Query))

    async def _answer(self, asked: wire.Asked, *, describes: bool) -> None:
        self._host.note(asked)
        statement = understood(asked.statement)
        if len(asked.values) != len(statement.types):
            raise PostgresError(
                "08P01", f"expected {len(statement.types)} values, got {len(asked.values)}"
            )
        answer = await self._backend.carry_out(statement, statement.loaded(asked.values))
        if statement.action == "deallocate":
            self._conversation.prepared.clear()
        if describes and statement.columns:
            self._describe(statement)
        rows = (replies.data_row([as_text(value) for value in row]) for row in answer.rows)
        self._send(*rows, replies.command_complete(answer.tag))

    def _describe(self, statement: Statement) -> None:
        columns = statement.columns
        self._send(replies.row_description(columns) if columns else replies.NO_DATA)

    def _news(self) -> list[bytes]:
        """The settings that have changed since they were last told."""
        known, self._reported = self._reported, self._backend.settings
        return [
            replies.parameter_status(name, value)
            for name, value in self._reported.items()
            if known.get(name) != value
        ]

    def _send(self, *messages: bytes) -> None:
        self._unsent += b"".join(messages)

    async def _flush(self) -> None:
        # In one piece: a client that waits for the second acknowledges the first one late.
        self._writer.write(bytes(self._unsent))
        self._unsent.clear()
        await self._writer.drain()

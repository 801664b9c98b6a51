"""A small stand-in for a khive service: an MCP server on stdio, over one folder.

    python -m memory_fidelity.fake.khive_server FOLDER

As with khive, each client starts a process of its own, and the processes share
one database. There is one MCP tool, `request`, whose `ops` are one call in
khive's own notation or a JSON list of calls. The verbs are those that lionagi's
provider and the store beside it use, in the shapes of khive 0.8.0; its ranking,
its embeddings, its size limits and its guards against secrets are not imitated.

Two files in the folder make it fail. While `outage` is there, no process
answers, nor starts. `lose-reply` makes the process that carries out the next
write end in place of its reply; the file is used up by that.

Only the standard library is imported, so that a process run from this file is
there in hundredths of a second.
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Final, TextIO
from uuid import UUID, uuid4

__all__ = [
    "DATABASE",
    "LOSE_REPLY",
    "OUTAGE",
    "Malformed",
    "Memories",
    "Refused",
    "answer",
    "serve",
]

DATABASE: Final = "khive.db"
LOSE_REPLY: Final = "lose-reply"
OUTAGE: Final = "outage"

_CALL: Final = re.compile(r"\s*([a-z_.]+)\((.*)\)\s*", re.DOTALL)
_NAME: Final = re.compile(r"\s*([a-z_]+)\s*=\s*")
_WORD: Final = re.compile(r"\w{3,}")
# The one query that is understood: records by a property, exactly.
_MATCH: Final = re.compile(
    r'MATCH \(n:memory\) WHERE n\.properties\.(\w+)\.(\w+) = "([^"]*)" RETURN n\.id LIMIT (\d+)'
)


class Malformed(ValueError):
    """A request that cannot be read at all."""


class Refused(Exception):
    """A call that was read and refused; its text is khive's `error`."""


class Memories:
    """The records of one folder, and what the verbs do to them."""

    def __init__(self, folder: Path) -> None:
        """Use the database of the folder, which is made by the first call."""
        self._database = folder / DATABASE
        self.writes = 0
        self._verbs: dict[str, Callable[..., Any]] = {
            "brain.auto_feedback": self._feedback,
            "create": self._create,
            "get": self._get,
            "list": self._list,
            "memory.recall": self._recall,
            "memory.remember": self._remember,
            "query": self._query,
            "update": self._update,
        }

    def do(self, verb: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Carry out one call and return its entry among the results."""
        try:
            given = self._verbs.get(verb)
            if given is None:
                raise Refused(f"invalid input: unknown verb `{verb}`")
            known = signature(given).parameters
            for name in arguments.keys() - known.keys():
                raise Refused(f"invalid input: unknown field `{name}`")
            for name, field in known.items():
                if field.default is Parameter.empty and name not in arguments:
                    raise Refused(f"invalid input: missing field `{name}`")
            return {"ok": True, "tool": verb, "result": given(**arguments)}
        except Refused as refused:
            return {"ok": False, "tool": verb, "error": str(refused)}
        except (AttributeError, TypeError):
            return {"ok": False, "tool": verb, "error": "invalid input: a field of another type"}

    def _create(
        self,
        kind: str,
        content: str,
        tags: list[str] | None = None,
        properties: dict[str, Any] | None = None,
        namespace: str = "local",
    ) -> dict[str, Any]:
        record = {
            "id": str(uuid4()),
            "kind": kind,
            "content": content,
            "properties": {**(properties or {}), "tags": tags or []},
            "namespace": namespace,
            "created_at": datetime.now(UTC).isoformat(),
        }
        self._write(record)
        return record

    def _remember(
        self,
        content: str,
        tags: list[str] | None = None,
        salience: float = 0.5,
        namespace: str = "local",
    ) -> dict[str, Any]:
        if not content.strip():
            raise Refused("invalid input: content must not be empty")
        return self._create("memory", content, tags, {"salience": salience}, namespace)

    def _update(
        self,
        id: str,  # noqa: A002 - khive's name
        kind: str,
        content: str,
        properties: dict[str, Any],
    ) -> dict[str, Any]:
        record = self._get(id)
        record |= {"content": content, "properties": {**record["properties"], **properties}}
        self._write(record)
        return record

    def _get(self, id: str) -> dict[str, Any]:  # noqa: A002 - khive's name
        for record in self._records():
            if record["id"] == id:
                return record
        raise Refused(f"not found: {id}")

    def _query(self, query: str, namespace: str = "local") -> dict[str, Any]:
        found = _MATCH.fullmatch(query)
        if found is None:
            raise Refused("query: expected a match of memories by one property")
        group, name, value, limit = found.groups()
        rows = [
            {"n_id": record["id"]}
            for record in self._memories(namespace)
            if record["properties"].get(group, {}).get(name) == value
        ]
        return {"rows": rows[: int(limit)]}

    def _list(
        self,
        kind: str,
        tags: list[str] | None = None,
        limit: int = 20,
        offset: int = 0,
        namespace: str = "local",
    ) -> dict[str, Any]:
        wanted = {tag.casefold() for tag in tags or ()}
        found = [
            record
            for record in self._records()
            if record["kind"] == kind
            and record["namespace"] == namespace
            and (not wanted or wanted & {tag.casefold() for tag in record["properties"]["tags"]})
        ]
        return {"items": found[::-1][offset : offset + limit]}

    def _recall(
        self,
        query: str,
        limit: int = 10,
        min_score: float = 0.0,
        tags: list[str] | None = None,
        namespace: str = "local",
    ) -> list[dict[str, Any]]:
        if len(set(filter(str.isalpha, query.casefold()))) < 2:
            raise Refused("invalid input: query must have meaningful content")
        words = _WORD.findall(query.casefold())
        wanted = set(tags or ())
        hits = [
            {
                "id": record["id"],
                "full_id": record["id"],
                "content": record["content"],
                "created_at": record["created_at"],
                "score": 1.0,  # a match is a match: nothing is ranked here
            }
            for record in self._memories(namespace)
            if any(word in record["content"].casefold() for word in words)
            and (not wanted or wanted & set(record["properties"]["tags"]))
        ]
        return [hit for hit in hits[::-1] if hit["score"] >= min_score][:limit]

    def _feedback(
        self,
        query: str,
        results: list[dict[str, Any]],
        served_by_profile_id: str,
        namespace: str = "local",
    ) -> dict[str, Any]:
        return {"recorded": len(results)}

    def _memories(self, namespace: str) -> Iterator[dict[str, Any]]:
        for record in self._records():
            if (record["kind"], record["namespace"]) == ("memory", namespace):
                yield record

    def _records(self) -> list[dict[str, Any]]:
        """Every record, first written first."""
        with closing(self._connection()) as database, database:
            rows = database.execute("SELECT record FROM records ORDER BY number").fetchall()
        return [json.loads(text) for (text,) in rows]

    def _write(self, record: dict[str, Any]) -> None:
        # khive, too, gives mappings back with their keys sorted.
        text = json.dumps(record, sort_keys=True)
        with closing(self._connection()) as database, database:
            database.execute(
                "INSERT INTO records (id, record) VALUES (?, ?)"
                " ON CONFLICT (id) DO UPDATE SET record = excluded.record",
                (record["id"], text),
            )
        self.writes += 1

    def _connection(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._database)
        # What a power failure would take is nobody's.
        database.execute("PRAGMA synchronous = OFF")
        database.execute(
            "CREATE TABLE IF NOT EXISTS records"
            " (number INTEGER PRIMARY KEY, id TEXT UNIQUE, record TEXT)"
        )
        return database


def answer(memories: Memories, ops: str, presentation: str = "agent") -> dict[str, Any]:
    """Carry out the calls of one request, and return khive's envelope of their results.

    Raises:
        Malformed: `ops` is neither a JSON list of calls nor one call in khive's notation.
    """
    results = [memories.do(verb, arguments) for verb, arguments in _calls(ops)]
    if presentation != "verbose":
        results = [_abridged(result) for result in results]
    return {"results": results}


def _calls(ops: str) -> list[tuple[str, dict[str, Any]]]:
    try:
        if ops.lstrip().startswith("["):
            return [(call["tool"], call["args"]) for call in json.loads(ops)]
        found = _CALL.fullmatch(ops)
        if found is None:
            raise Malformed("expected one call")
        return [(found[1], _arguments(found[2]))]
    except (KeyError, TypeError, ValueError) as error:
        raise Malformed("parse-error") from error


def _arguments(text: str) -> dict[str, Any]:
    """The named arguments of a call; their values are JSON."""
    arguments: dict[str, Any] = {}
    read, place = json.JSONDecoder().raw_decode, 0
    while place < len(text):
        name = _NAME.match(text, place)
        if name is None:
            raise Malformed("expected a named argument")
        arguments[name[1]], place = read(text, name.end())
        if place < len(text):
            if text[place] != ",":
                raise Malformed("expected a comma")
            place += 1
    return arguments


def _abridged(value: Any, name: str = "") -> Any:
    """What khive shows unless asked otherwise: short ids, ages, and nothing that is empty."""
    match value:
        case dict():
            shown = {key: _abridged(part, key) for key, part in value.items()}
            return {key: part for key, part in shown.items() if part not in (None, [], {})}
        case list():
            return [_abridged(part) for part in value]
        case str() if name == "created_at":
            age = datetime.now(UTC) - datetime.fromisoformat(value)
            return f"{int(age.total_seconds())}s ago"
        case str() if name != "full_id" and _is_identity(value):
            return value[:8]
        case _:
            return value


def _is_identity(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _reply(message: dict[str, Any], memories: Memories) -> dict[str, Any]:
    match message:
        case {"method": "initialize", "params": {"protocolVersion": version}}:
            result: dict[str, Any] = {
                "protocolVersion": version,
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "khive-stand-in", "version": "0.8.0"},
            }
        case {"method": "ping"}:
            result = {}
        case {"method": "tools/list"}:
            text = {"type": "string"}
            schema = {"type": "object", "properties": {"ops": text, "presentation": text}}
            result = {"tools": [{"name": "request", "inputSchema": schema}]}
        case {"method": "tools/call", "params": {"name": "request", "arguments": arguments}}:
            try:
                envelope = answer(memories, **arguments)
            except (Malformed, TypeError):
                return _error(message, -32602, "parse-error")
            result = {"content": [{"type": "text", "text": json.dumps(envelope)}], "isError": False}
        case _:
            return _error(message, -32601, "method not found")
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def _error(message: dict[str, Any], code: int, reason: str) -> dict[str, Any]:
    error = {"code": code, "message": reason, "data": {"reason": reason}}
    return {"jsonrpc": "2.0", "id": message["id"], "error": error}


def serve(folder: Path, requests: TextIO, replies: TextIO) -> int:
    """Answer each line of `requests`, to the last or to the first fault; return the exit status."""
    memories, outage, lose_reply = Memories(folder), folder / OUTAGE, folder / LOSE_REPLY
    if outage.exists():
        return 1
    for line in requests:
        if outage.exists():
            return 1
        message, before = json.loads(line), memories.writes
        if "id" not in message:
            continue
        reply = _reply(message, memories)
        if memories.writes > before and lose_reply.exists():
            lose_reply.unlink()
            return 1
        print(json.dumps(reply), file=replies, flush=True)
    return 0


if __name__ == "__main__":
    # MCP is UTF-8 in every locale.
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.exit(serve(Path(sys.argv[1]), sys.stdin, sys.stdout))

"""A memory service in one process: it keeps bytes, in namespaces, with an index queue."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from memory_fidelity.card import Operation
from memory_fidelity.exact import same
from memory_fidelity.fake.behaviour import FakeBehaviour
from memory_fidelity.fake.losses import as_text, clipped, folded, texts_of, whole_seconds_of
from memory_fidelity.json_codec import canonical, decode, encode

__all__ = ["FakeRejected", "FakeService", "FakeServiceError"]

_Key = tuple[str, str]


class FakeServiceError(Exception):
    """The service's own root error; no adapter may let it out."""


class FakeRejected(FakeServiceError):
    """The service understood the request and refuses it."""


class FakeService:
    """Answers requests made of bytes with bytes, and shares no object with anyone.

    Operations: `put` writes a record whole, `get` reads by identity, `find`
    searches what is indexed, the latest write first. A record has a kind; an
    identity belongs to the kind that took it first.
    """

    def __init__(self, behaviour: FakeBehaviour) -> None:
        """Start empty."""
        self._behaviour = behaviour
        self._records: dict[_Key, bytes] = {}
        self._indexed: set[_Key] = set()

    def answer(self, operation: str, request: bytes) -> bytes:
        """Carry out one request and return its reply.

        Raises:
            FakeServiceError: the operation does not exist.
            FakeRejected: the identity belongs to a record of another kind.
        """
        asked = decode(request.decode())
        return encode(self._carry_out(operation, asked)).encode()

    def flush(self) -> None:
        """Make every record searchable that was written so far."""
        self._indexed = set(self._records)

    def clear(self) -> None:
        """Forget every record of every namespace."""
        self._records.clear()
        self._indexed.clear()

    def holds(self, namespace: str, identity: str) -> bool:
        """Whether a record of this identity exists, of any kind, indexed or not."""
        return (namespace, identity) in self._records

    def _carry_out(self, operation: str, asked: dict[str, Any]) -> dict[str, Any]:
        match operation:
            case "put":
                return {"id": self._put(asked["namespace"], asked["record"])}
            case "get":
                return {"found": self._get(asked["namespace"], asked["id"])}
            case "find":
                return {"found": self._find(asked)}
        raise FakeServiceError(f"operation: expected put, get or find, got {operation}")

    def _put(self, namespace: str, record: dict[str, Any]) -> str:
        identity: str = record["id"]
        key = (namespace, identity)
        if (kind := self._kind_of(key, record["kind"])) != record["kind"]:
            raise FakeRejected(
                f"{identity}: expected an identity of kind {record['kind']}, got {kind}"
            )
        if self._behaviour.metadata_as_text and "metadata" in record:
            record["metadata"] = texts_of(record["metadata"])
        # Taken out first, so that a replaced record becomes the latest one.
        self._records.pop(key, None)
        self._records[key] = self._written(record)
        self._indexed.discard(key)
        if self._behaviour.consistency == "immediate":
            self._indexed.add(key)
        return identity

    def _kind_of(self, key: _Key, unknown: str) -> str:
        kind: str = decode(self._records[key].decode())["kind"] if key in self._records else unknown
        return kind

    def _written(self, record: dict[str, Any]) -> bytes:
        write = encode if self._behaviour.key_order else canonical
        return write(record).encode()

    def _get(self, namespace: str, identity: str) -> dict[str, Any] | None:
        data = self._records.get((namespace, identity))
        if data is None:
            return None
        record: dict[str, Any] = decode(data.decode())
        self._alter(record, "retrieve")
        return record

    def _find(self, query: dict[str, Any]) -> list[dict[str, Any]]:
        records = self._latest_first(query["namespace"])
        matching = (record for record in records if self._matches(record, query))
        return [self._hit(record) for record in islice(matching, query["limit"])]

    def _latest_first(self, namespace: str) -> Iterator[dict[str, Any]]:
        for key, data in reversed(self._records.items()):
            if key in self._indexed and key[0] == namespace:
                yield decode(data.decode())

    def _matches(self, record: dict[str, Any], query: dict[str, Any]) -> bool:
        text, tags, filters = query["text"], query["tags"], query["filters"]
        return (
            record["kind"] == query["kind"]
            and (text is None or text.casefold() in as_text(record["content"]).casefold())
            and (not tags or self._tags_match(record["tags"], tags))
            and all(self._equals(record, key, value) for key, value in filters.items())
        )

    def _tags_match(self, stored: list[str], wanted: list[str]) -> bool:
        if self._behaviour.tag_case == "insensitive":
            stored = [tag.casefold() for tag in stored]
            wanted = [tag.casefold() for tag in wanted]
        enough = any if self._behaviour.tag_match == "any" else all
        return enough(tag in stored for tag in wanted)

    def _equals(self, record: dict[str, Any], key: str, value: Any) -> bool:
        metadata = record.get("metadata", {})
        if self._behaviour.metadata_as_text:
            value = as_text(value)
        return key in metadata and same(metadata[key], value)

    def _hit(self, record: dict[str, Any]) -> dict[str, Any]:
        self._alter(record, "search")
        absent = self._behaviour.absent_in_hits
        return {name: value for name, value in record.items() if name not in absent}

    def _alter(self, record: dict[str, Any], operation: Operation) -> None:
        if operation in self._behaviour.whole_seconds and "created_at" in record:
            record["created_at"] = whole_seconds_of(record["created_at"])
        if operation in self._behaviour.clipped:
            record["content"] = clipped(record["content"])
        if operation in self._behaviour.folded_tags:
            record["tags"] = folded(record["tags"])

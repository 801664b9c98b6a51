"""`KhiveMemoryStore`: items as memories of a khive service, spoken to over MCP."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime
from math import inf
from os import PathLike, fspath
from typing import Any, ClassVar, Final, cast, get_args
from uuid import UUID

from memory_fidelity.adapter import MemoryAdapter, Record, Search
from memory_fidelity.adapters._khive_calls import (
    MOST_BYTES,
    Call,
    KhiveConflict,
    KhiveNotFound,
    KhiveRefused,
    asked,
    asked_each,
    ops,
)
from memory_fidelity.adapters._khive_capability import require_capability
from memory_fidelity.adapters._khive_card import MOST_HITS, Declared, card_of, manifest_of
from memory_fidelity.adapters._khive_records import (
    Profile,
    identity,
    lookup,
    native_age,
    reads_as_reference,
    record,
    refuse,
    update,
)
from memory_fidelity.adapters.mcp_session import McpServer, McpSession
from memory_fidelity.errors import UnsupportedMemoryQuery
from memory_fidelity.exact import same

__all__ = ["KhiveMemoryStore", "McpServer", "khive_server"]

_NAMESPACE: Final = re.compile(r"[A-Za-z0-9._:-]{1,256}")
_PLACEHOLDER: Final = "(write in progress)"
_PAGE: Final = 100
"""Calls that khive takes in one request."""
_LONGEST_PAGE: Final = 200
_SHORTEST_PAGE: Final = 20
_ATTEMPTS: Final = 50
"""How often a call looks for its memory anew, after another writer has changed or deleted it.

Of those that write one id at one moment, one is never in vain.
"""
_MOST_QUERY: Final = MOST_BYTES // 4
"""Bytes of a query's text, and of its tags: no request is ever longer than khive takes."""
_MOST_AT_ONCE: Final = 16
"""With as many requests under way none was ever lost; with 64 some were."""
_WHOLE_ANSWER: Final = {"scoring": {"chars_per_token": 1_000_000}}
"""Lifts khive's bound of 16,000 characters to an answer, in which it leaves hits out."""
_MEANINGLESS: Final = ("meaningful content", "query must not be empty")


def khive_server(
    database: str | PathLike[str], *, program: str = "kkernel", embeddings: bool = False
) -> McpServer:
    """Return how to start khive on a database file, which it makes if there is none.

    Each store has a process of its own, and no daemon of khive's outlives it.
    `program` is looked for on `PATH` unless it is a path.
    """
    flags = () if embeddings else ("--no-embed",)
    return McpServer(
        command=(program, "mcp", "--db", fspath(database), *flags),
        environment={"KHIVE_NO_DAEMON": "1", "KHIVE_NO_EMBED": str(not embeddings).lower()},
    )


class KhiveMemoryStore(MemoryAdapter):
    """Keeps the items of one namespace in a khive service.

    With the profile `envelope` items are kept whole and exactly; with `plain`
    only id, text and tags are. It has an MCP session of its own, and shares
    none with lionagi's provider. Several tasks of one event loop may use one
    store, and several processes one database.
    """

    fresh_records: ClassVar[bool] = True

    def __init__(
        self,
        server: McpServer,
        *,
        profile: Profile = "envelope",
        namespace: str = "memory-fidelity",
        embeddings: bool = False,
        timeout: float = 40.0,
        concurrency: int = 8,
    ) -> None:
        """Say which service and how; the first call starts its process.

        `embeddings` says whether khive embeds what it is given: then a new item
        may be found late. `timeout` is in seconds, for the start and for each
        reply. `concurrency` is how many requests wait for a reply at most.

        Raises:
            ValueError: a setting has another value than those offered.
        """
        declared = Declared(
            profile=_profile(profile),
            namespace=_namespace(namespace),
            embeddings=embeddings,
            timeout=_timeout(timeout),
            concurrency=_concurrency(concurrency),
        )
        super().__init__(manifest_of(declared), card_of(declared))
        self._profile = declared.profile
        self._namespace = declared.namespace
        self._session = McpSession(
            server,
            timeout=declared.timeout,
            concurrency=declared.concurrency,
            accept=lambda ask: require_capability(ask, declared),
        )

    def refuse(self, record: Record) -> None:
        """Refuse what khive would refuse, or alter without a word."""
        refuse(record, self._profile)

    async def native_store(self, record: Record) -> UUID | str | None:
        """Write over the memory of the id, or make one; then see whether another writer did."""
        memory = await self._written(record)
        acknowledged = identity(memory, self._profile) if "properties" in memory else None
        if acknowledged == str(record.id):
            self._require_same(memory, record)
        return acknowledged

    async def native_retrieve(self, item_id: UUID) -> Record | None:
        """Find the memory by an exact query, never by recall, and read it (R1)."""
        for _ in range(_ATTEMPTS):
            native_ids = await self._native_ids(item_id)
            if not native_ids:
                return None
            with suppress(KhiveNotFound):
                (memory,) = await self._ask(("get", {"id": native_ids[0]}))
                return record(memory, self._profile)
        raise _never_still(item_id)

    async def native_search(self, search: Search) -> list[Record]:
        """Recall and read the hits, a hundred in a request; list where there is no text."""
        self._require_request(search)
        memories = await (self._recalled(search) if search.text else self._listed(search))
        return [record(memory, self._profile) for memory in memories]

    async def close(self) -> None:
        """End the process of this store; closing twice is safe (L4)."""
        await self._session.close()

    async def _ask(self, *calls: Call) -> list[Any]:
        return await asked(self._session.call, *calls)

    async def _native_ids(self, item_id: UUID) -> list[str]:
        """The native ids of an item; the first one counts, others were left by a race."""
        (found,) = await self._ask(lookup(item_id, self._profile, self._namespace))
        return [row["n_id"] for row in sorted(found["rows"], key=native_age)]

    async def _written(self, item: Record) -> dict[str, Any]:
        for _ in range(_ATTEMPTS):
            native_ids = await self._native_ids(item.id)
            if not native_ids:
                native_id, made = await self._made(item)
                native_ids = await self._native_ids(item.id)
                if native_ids == [native_id]:
                    return made
            # Another writer may be faster, with its write or with deleting what a race left.
            with suppress(KhiveConflict, KhiveNotFound):
                return await self._written_over(native_ids, item)
        raise _never_still(item.id)

    async def _made(self, item: Record) -> tuple[str, dict[str, Any]]:
        """Make a memory of the item, and return its native id and what it is.

        Until it is whole, nothing tells that it is one.
        """
        placeholder = {"content": _PLACEHOLDER, "namespace": self._namespace}
        (begun,) = await self._ask(("memory.remember", placeholder))
        native_id: str = begun["id"]
        try:
            (memory,) = await self._ask(update(native_id, item, self._profile))
        except KhiveRefused:
            await asked_each(self._session.call, _deletion(native_id))
            raise
        return native_id, memory

    async def _written_over(self, native_ids: list[str], item: Record) -> dict[str, Any]:
        """Make the oldest memory of an id the item, and delete the others."""
        if not native_ids:
            raise KhiveNotFound("expected a memory, got none")
        oldest, *others = native_ids
        written, *deleted = await asked_each(
            self._session.call, update(oldest, item, self._profile), *map(_deletion, others)
        )
        for result in (written, *(each for each in deleted if type(each) is not KhiveNotFound)):
            if isinstance(result, Exception):
                raise result
        memory: dict[str, Any] = written
        return memory

    def _require_same(self, memory: dict[str, Any], item: Record) -> None:
        if not same(tuple(record(memory, self._profile)), tuple(item)):
            raise ValueError("expected the item in the reply, got another")

    async def _recalled(self, search: Search) -> list[dict[str, Any]]:
        asked_for = {
            "query": search.text,
            "limit": min(search.limit, MOST_HITS),
            "full_content": False,
            "config": _WHOLE_ANSWER,
            "namespace": self._namespace,
            **({"tags": list(search.tags), "tag_mode": "any"} if search.tags else {}),
        }
        try:
            (hits,) = await self._ask(("memory.recall", asked_for))
        except KhiveRefused as refusal:
            if not any(words in str(refusal) for words in _MEANINGLESS):
                raise
            raise UnsupportedMemoryQuery(["text"]) from refusal
        if not isinstance(hits, list) or any(hit.get("truncated") for hit in hits):
            raise ValueError("expected every hit, got an answer that khive has cut")
        memories: list[dict[str, Any]] = []
        # Hits have neither tags nor properties, so an item cannot be made of one alone.
        for first in range(0, len(hits), _PAGE):
            memories += await self._read([hit["id"] for hit in hits[first : first + _PAGE]])
        chosen: dict[str, dict[str, Any]] = {}
        self._choose(memories, search.tags, chosen)
        return list(chosen.values())

    async def _read(self, native_ids: list[str]) -> list[dict[str, Any]]:
        results = await asked_each(
            self._session.call, *(("get", {"id": native_id}) for native_id in native_ids)
        )
        # What was deleted since it was recalled is no hit any more.
        found = [result for result in results if type(result) is not KhiveNotFound]
        for result in found:
            if isinstance(result, Exception):
                raise result
        return found

    async def _listed(self, search: Search) -> list[dict[str, Any]]:
        asked_for: dict[str, Any] = {
            "kind": "memory",
            "namespace": self._namespace,
            "limit": min(_LONGEST_PAGE, max(_SHORTEST_PAGE, search.limit)),
            **({"tags": list(search.tags)} if search.tags else {}),
        }
        chosen: dict[str, dict[str, Any]] = {}
        offset = 0
        while len(chosen) < search.limit:
            (page,) = await self._ask(("list", {**asked_for, "offset": offset}))
            if not page["items"]:
                break
            offset += len(page["items"])
            # A write moves what is listed, so one item may stand on two pages.
            self._choose(page["items"], search.tags, chosen)
        return list(chosen.values())

    def _choose(
        self, memories: list[dict[str, Any]], tags: tuple[str, ...], chosen: dict[str, Any]
    ) -> None:
        """Choose the memories that are items with such a tag; of each item the one that counts."""
        for memory in memories:
            item_id = identity(memory, self._profile)
            # khive lists tags in any case; here they match as in a search for text.
            if item_id is None or (tags and set(tags).isdisjoint(memory["properties"]["tags"])):
                continue
            chosen[item_id] = min(memory, chosen.get(item_id, memory), key=_age)

    def _require_request(self, search: Search) -> None:
        """Refuse a query that khive would not read, before it is sent (Q3)."""
        rejected = [
            part
            for part, texts in (("text", [search.text or ""]), ("tags", search.tags))
            if any(map(reads_as_reference, texts))
            or len(ops([("memory.recall", {part: texts})]).encode()) > _MOST_QUERY
        ]
        if rejected:
            raise UnsupportedMemoryQuery(rejected)


def _deletion(native_id: str) -> Call:
    return "delete", {"id": native_id, "hard": True}


def _age(memory: dict[str, Any]) -> tuple[datetime, str]:
    return datetime.fromisoformat(memory["created_at"]), memory["id"]


def _never_still(item_id: UUID) -> KhiveNotFound:
    return KhiveNotFound(f"expected the memory of {item_id}, got it changed {_ATTEMPTS} times")


def _profile(profile: str) -> Profile:
    if profile not in get_args(Profile):
        offered = ", ".join(get_args(Profile))
        raise ValueError(f"profile: expected one of {offered}, got {profile!r}")
    return cast("Profile", profile)


def _namespace(namespace: str) -> str:
    if not isinstance(namespace, str) or _NAMESPACE.fullmatch(namespace) is None:
        raise ValueError(
            "namespace: expected 1 to 256 letters and digits of ASCII, `.`, `_`, `:` or `-`, "
            f"got {namespace!r}"
        )
    return namespace


def _timeout(seconds: float) -> float:
    if not 0 < seconds < inf:
        raise ValueError(f"timeout: expected more than 0 seconds, and an end, got {seconds!r}")
    return seconds


def _concurrency(concurrency: int) -> int:
    if not isinstance(concurrency, int) or not 0 < concurrency <= _MOST_AT_ONCE:
        raise ValueError(f"concurrency: expected 1 to {_MOST_AT_ONCE}, got {concurrency!r}")
    return concurrency

"""`KhiveStandInStore`: an adapter over the stand-in for a khive service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final
from uuid import UUID

from memory_fidelity.adapter import MemoryAdapter, Record, Search
from memory_fidelity.card import AdapterCard, Lifecycle
from memory_fidelity.errors import UnsupportedMemoryQuery
from memory_fidelity.fake.khive_session import KhiveRefused, KhiveSession
from memory_fidelity.manifest import ITEM_FIELDS, MemoryAdapterManifest

__all__ = ["KhiveStandInStore"]

_OURS: Final = "lionagi"
"""The property under which a record has what khive has no place for: an item's id, its time."""
_MOST_HITS: Final = 200
"""More than this khive never recalls."""
_PAGE: Final = 100

_MANIFEST: Final = MemoryAdapterManifest(
    adapter="khive-stand-in",
    native_item_fields=frozenset(ITEM_FIELDS),
    dropped_item_fields=frozenset(),
    supported_filters=frozenset(),
    search_consistency="immediate",
    retrieve_fidelity="full",
    search_fidelity="full",
    search_returns_tags=True,
    preserves_metadata=True,
)

_CARD: Final = AdapterCard(
    adapter="khive-stand-in",
    summary="Memories of a stand-in for khive, each with its item's own fields as properties.",
    content=frozenset({"text"}),
    ordering="The first written last.",
    first_page="The newest memories that this adapter wrote, up to the limit.",
    text_match=(
        "The content holds one of the text's words of three letters or more, in any case. "
        "A text without two different letters is refused."
    ),
    tag_match="any",
    tag_case="sensitive",
    key_order=False,
    lifecycle=Lifecycle(
        connections=(
            "The first call starts a process of the service, and speaks MCP over its standard "
            "input and output. Once that process is lost, the next call starts another."
        ),
        concurrency="Yes, within one event loop; calls share the process.",
        closing="`await store.close()`, or `async with store`; it ends the process. Twice is safe.",
        timeouts=(
            "10 s unless set otherwise, to start and for each reply; then the process is ended. "
            "No measurement is behind it."
        ),
        retries=(
            "None, no backoff and no jitter. Reads may be repeated. So may a write, by the same "
            "writer: it replaces what an unacknowledged one left behind."
        ),
        scope="One namespace, fixed at construction.",
        duplicates=(
            "Writing an id again replaces the item. The service does not know the id to be unique: "
            "two writers of one new id at one moment leave two records."
        ),
        invalidation="Another program that changes the records of the namespace.",
    ),
    verified_on={"khive stand-in": "shapes of khive 0.8.0"},
)


class KhiveStandInStore(MemoryAdapter):
    """Keeps items as memories of the service that `mcp_config` starts.

    It has an MCP session of its own, and shares none with lionagi.
    """

    fresh_records: ClassVar[bool] = True

    def __init__(
        self,
        mcp_config: Mapping[str, Any],
        *,
        namespace: str = "local",
        timeout: float = 10.0,
    ) -> None:
        """Say which service; the first call starts its process.

        Raises:
            ValueError: the namespace is no text, or an empty one.
        """
        if not isinstance(namespace, str) or not namespace:
            raise ValueError(f"namespace: expected a text that is not empty, got {namespace!r}")
        super().__init__(_MANIFEST, _CARD)
        self._session = KhiveSession(mcp_config, timeout)
        self._namespace = namespace

    async def native_store(self, record: Record) -> UUID | str | None:
        """Write the record in one call, over the one of the same id if there is one."""
        properties = {
            _OURS: {
                "id": str(record.id),
                "created_at": record.created_at,
                "metadata": record.metadata,
            },
            "tags": record.tags,
        }
        written = {"content": record.content, "properties": properties}
        native_id = await self._native_id(record.id)
        if native_id is None:
            place = {"kind": "memory", "tags": record.tags, "namespace": self._namespace}
            (kept,) = await self._session.ask(("create", {**place, **written}))
        else:
            (kept,) = await self._session.ask(
                ("update", {"id": native_id, "kind": "note", **written})
            )
        identity: str = kept["properties"][_OURS]["id"]
        return identity

    async def native_retrieve(self, item_id: UUID) -> Record | None:
        """Find the native id by an exact query, never by recall, and read it."""
        native_id = await self._native_id(item_id)
        if native_id is None:
            return None
        (kept,) = await self._session.ask(("get", {"id": native_id}))
        return _record(kept)

    async def native_search(self, search: Search) -> list[Record]:
        """Recall and read the hits, a hundred in a request; list where there is no text."""
        kept = await (self._recalled(search) if search.text else self._listed(search))
        return [_record(each) for each in kept]

    async def close(self) -> None:
        """End the process of this store; closing twice is safe (L4)."""
        await self._session.close()

    async def _native_id(self, item_id: UUID) -> str | None:
        # Nothing but a UUID's own text goes into the query, which has no escapes.
        condition = f'n.properties.{_OURS}.id = "{item_id}"'
        query = f"MATCH (n:memory) WHERE {condition} RETURN n.id LIMIT 1"
        (found,) = await self._session.ask(
            ("query", {"query": query, "namespace": self._namespace})
        )
        return next((row["n_id"] for row in found["rows"]), None)

    async def _recalled(self, search: Search) -> list[dict[str, Any]]:
        asked = {
            "query": search.text,
            "limit": min(search.limit, _MOST_HITS),
            "tags": list(search.tags),
            "namespace": self._namespace,
        }
        try:
            (hits,) = await self._session.ask(("memory.recall", asked))
        except KhiveRefused as refusal:
            if "meaningful content" not in str(refusal):
                raise
            raise UnsupportedMemoryQuery(["text"]) from refusal
        kept: list[dict[str, Any]] = []
        # Hits have neither tags nor properties, so an item cannot be made of one alone.
        for first in range(0, len(hits), _PAGE):
            reads = [("get", {"id": hit["full_id"]}) for hit in hits[first : first + _PAGE]]
            kept += await self._session.ask(*reads)
        return [record for record in kept if _OURS in record["properties"]]

    async def _listed(self, search: Search) -> list[dict[str, Any]]:
        asked = {"kind": "memory", "tags": list(search.tags), "namespace": self._namespace}
        kept: list[dict[str, Any]] = []
        offset = 0
        while len(kept) < search.limit:
            place = {"limit": _PAGE, "offset": offset}
            (page,) = await self._session.ask(("list", {**asked, **place}))
            if not page["items"]:
                break
            offset += len(page["items"])
            # khive lists tags in any case; here they match as in a search for text.
            kept += [record for record in page["items"] if _matches(record, search)]
        return kept


def _matches(kept: dict[str, Any], search: Search) -> bool:
    properties = kept["properties"]
    return _OURS in properties and (
        not search.tags or not set(search.tags).isdisjoint(properties["tags"])
    )


def _record(kept: dict[str, Any]) -> Record:
    ours = kept["properties"][_OURS]
    return Record(
        id=UUID(ours["id"]),
        content=kept["content"],
        tags=kept["properties"]["tags"],
        created_at=ours["created_at"],
        metadata=ours["metadata"],
    )

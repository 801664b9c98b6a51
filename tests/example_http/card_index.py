"""An adapter for a card index over HTTP, and its harnesses: all that is to be written for it."""

from __future__ import annotations

from uuid import UUID, uuid4

from tests.example_http.card_service import Ask, Card, CardClient, CardError, CardService

from memory_fidelity import AdapterCard, Lifecycle, MemoryAdapterManifest
from memory_fidelity.adapter import MemoryAdapter, Record, Search
from memory_fidelity.testing import Rigged
from memory_fidelity.testing.relayed import Relayed

MANIFEST = MemoryAdapterManifest(
    adapter="card-index",
    native_item_fields=frozenset({"id", "content", "tags", "created_at", "metadata"}),
    dropped_item_fields=frozenset(),
    supported_filters=frozenset(),
    search_consistency="immediate",
    retrieve_fidelity="full",
    search_fidelity="native_fields",
    search_returns_tags=True,
    preserves_metadata=True,
)
CARD = AdapterCard(
    adapter="card-index",
    summary="A card per item, with its text, labels, time and metadata.",
    content=frozenset({"text"}),
    absent_in_hits={"metadata": {}},
    ordering="The last written first.",
    first_page="The cards written last, up to the limit.",
    text_match="A part of the text, in any case.",
    tag_match="any",
    tag_case="sensitive",
    key_order=True,
    lifecycle=Lifecycle(
        connections="The client makes them when it needs them, and keeps them for later calls.",
        concurrency="Yes, within one event loop.",
        closing="There is nothing to close: the client belongs to whoever made it.",
        timeouts="The client's, 5 s for each call: an index on this machine takes milliseconds.",
        retries="None; every call may be repeated.",
        scope="The cards of one kind at one address, both fixed at construction.",
        duplicates="Writing an id again replaces the card, whatever its kind.",
        invalidation="Another version of the service.",
    ),
    verified_on={"card index": "1"},
)


class CardIndexStore(MemoryAdapter):
    """Keeps items as cards of one kind."""

    def __init__(self, ask: Ask, kind: str = "memory") -> None:
        super().__init__(MANIFEST, CARD)
        self._ask = ask
        self._kind = kind

    async def native_store(self, record: Record) -> UUID:
        """Put a card, and return the id that the reply names."""
        card: Card = {"kind": self._kind, "text": record.content, "labels": record.tags}
        card |= {"time": record.created_at, "extra": record.metadata}
        return UUID((await self._ask("PUT", f"/cards/{record.id}", card))["id"])

    async def native_retrieve(self, item_id: UUID) -> Record | None:
        """Get a card; one of another kind is none."""
        card = await self._ask("GET", f"/cards/{item_id}")
        return _record(card) if card is not None and card["kind"] == self._kind else None

    async def native_search(self, search: Search) -> list[Record]:
        """Find cards, which are shown without their `extra`."""
        query = {"kind": self._kind, "text": search.text or "", "labels": search.tags}
        reply = await self._ask("POST", "/search", {**query, "limit": search.limit})
        return [_record(card) for card in reply["cards"]]


def _record(card: Card) -> Record:
    return Record(UUID(card["id"]), card["text"], card["labels"], card["time"], card.get("extra"))


class LiveCardIndex(Relayed[CardClient]):
    """A service of its own for each case, behind a relay."""

    async def connect(self) -> CardClient:
        """Start the service, and speak to it through the relay."""
        service = await self.opened(CardService())
        return await self.opened(CardClient(*await self.relayed(service.host, service.port)))

    async def make_store(self) -> CardIndexStore:
        """Make a store over the service."""
        return CardIndexStore((await self.client()).ask)

    async def reset(self) -> None:
        """Forget every card."""
        await (await self.client()).ask("DELETE", "/cards")


class RiggedCardIndex(Rigged, LiveCardIndex):
    """The same with the controls of the fake lane."""

    async def make_store(self) -> CardIndexStore:
        """Make a store whose calls can be made to fail."""
        return await self.open_scope("memory")

    async def open_scope(self, name: str) -> CardIndexStore:
        """Make such a store of another kind."""
        ask, garbled = (await self.client()).ask, dict.fromkeys(("GET", "POST"), Card())
        rigged: Ask = self.rigged(
            ask, writes={"PUT"}, refusal=CardError("507"), unidentified={}, malformed=garbled
        )
        return CardIndexStore(rigged, name)

    async def plant_foreign_record(self) -> UUID:
        """Put a card of another kind."""
        divider = {"kind": "divider", "text": "A to F", "labels": [], "time": 0.0, "extra": {}}
        return UUID((await (await self.client()).ask("PUT", f"/cards/{uuid4()}", divider))["id"])

    async def holds(self, identity: UUID) -> bool:
        """Ask the service itself."""
        return await (await self.client()).ask("GET", f"/cards/{identity}") is not None

"""An adapter for a pinboard, and its harness: all that is to be written for a new service."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from urllib.parse import quote, unquote
from uuid import UUID, uuid4

from tests.example_service.pin_service import LONGEST, PinClient, PinService

from memory_fidelity import (
    AdapterCard,
    Lifecycle,
    MemoryAdapter,
    MemoryAdapterManifest,
    Record,
    Refusal,
    Search,
    UnsupportedMemoryItem,
)
from memory_fidelity.testing import Rigged

MANIFEST = MemoryAdapterManifest(
    adapter="pinboard",
    native_item_fields=frozenset({"id", "content", "tags"}),
    dropped_item_fields=frozenset({"created_at", "metadata"}),
    supported_filters=frozenset(),
    search_consistency="eventual",
    retrieve_fidelity="native_fields",
    search_fidelity="native_fields",
    search_returns_tags=True,
    preserves_metadata=False,
)
_TOO_LONG = Refusal(
    name="long text", field="content", why="The board takes no more.", sample="x" * (LONGEST + 1)
)
CARD = AdapterCard(
    adapter="pinboard",
    summary="A pin per item, with its text and labels.",
    content=frozenset({"text"}),
    defaults={"created_at": 0.0, "metadata": {}},
    refusals=(_TOO_LONG,),
    ordering="The last pinned first.",
    first_page="The pins pinned last, up to the limit.",
    text_match="A part of the text, in any case.",
    tag_match="all",
    tag_case="insensitive",
    key_order=True,
    lifecycle=Lifecycle(
        connections="One for each call.",
        concurrency="Yes; calls share nothing.",
        closing="There is nothing to close.",
        timeouts="None: the board is on this machine, and answers or is gone.",
        retries="None; any call may be repeated.",
        scope="The whole board behind one socket, fixed at construction.",
        duplicates="Pinning an id again replaces the pin, a memo of that id included.",
        invalidation="A board that keeps more than labels and a text, or takes longer ones.",
    ),
    verified_on={"pinboard": "1"},
)


class PinboardStore(MemoryAdapter):
    """Pins items to a board."""

    def __init__(self, ask: Callable[..., Awaitable[list[str]]]) -> None:
        super().__init__(MANIFEST, CARD)
        self._ask = ask

    def refuse(self, record: Record) -> None:
        """Refuse a text that the board would not take."""
        if (size := len(record.content.encode())) > LONGEST:
            raise UnsupportedMemoryItem("content", f"expected {LONGEST} bytes at most, got {size}")

    async def native_store(self, record: Record) -> str | None:
        """Pin a text."""
        words = (_listed(record.tags or ()), quote(record.content, safe=""))
        said, _, identity = (await self._ask("PIN", str(record.id), *words))[0].partition(" ")
        if said != "OK":
            raise ValueError("the board refused the pin")
        return identity

    async def native_retrieve(self, item_id: UUID) -> Record | None:
        """Read a pin; a memo is none."""
        return next(_records(await self._ask("GET", str(item_id))), None)

    async def native_search(self, search: Search) -> Iterator[Record]:
        """Find pins in the index of the board."""
        text = quote(search.text or "", safe="")
        return _records(await self._ask("FIND", str(search.limit), _listed(search.tags), text))


def _listed(labels: list[str] | tuple[str, ...]) -> str:
    return "".join(f"{quote(label, safe='')}," for label in labels)


def _records(lines: list[str]) -> Iterator[Record]:
    for kind, name, *rest in (line.split(" ") for line in lines):
        if kind != "MEMO":
            labels, text = rest
            tags = [unquote(label) for label in labels.split(",")[:-1]]
            yield Record(UUID(name), unquote(text), tags, created_at=None, metadata=None)


class LivePinboard:
    """The five methods, over a board of its own for each case."""

    def __init__(self) -> None:
        self.boards: dict[str, PinService] = {}

    async def board(self, name: str = "memory") -> PinClient:
        """Speak to the board of this name, which is started if it is not."""
        board = self.boards[name] = self.boards.get(name) or PinService()
        await board.start()
        return PinClient(board.path)

    async def make_store(self) -> PinboardStore:
        """Make a store over the board."""
        return PinboardStore((await self.board()).ask)

    async def reset(self) -> None:
        """Wipe every board."""
        for name in self.boards:
            await (await self.board(name)).ask("WIPE")

    async def make_search_index_visible(self) -> None:
        """Bring the index of every board up to date."""
        for name in self.boards:
            await (await self.board(name)).ask("SYNC")

    async def make_transport_unavailable(self) -> None:
        """Stop the service."""
        for board in self.boards.values():
            await board.stop()

    async def close(self) -> None:
        """Give the boards up."""
        for board in self.boards.values():
            await board.close()

    async def delay_index(self) -> None:
        """Nothing to arrange: the board waits for a `SYNC`."""


class RiggedPinboard(Rigged, LivePinboard):
    """The same, with every control of the fake lane."""

    async def make_store(self) -> PinboardStore:
        """Make a store whose calls can be made to fail."""
        return await self.open_scope("memory")

    async def open_scope(self, name: str) -> PinboardStore:
        """Make such a store over the board of this name."""
        ask, garbled = (await self.board(name)).ask, {"GET": ["PIN"], "FIND": ["PIN"]}
        rigged = self.rigged(
            ask, writes={"PIN"}, refusal=["NO room"], unidentified=["OK"], malformed=garbled
        )
        return PinboardStore(rigged)

    async def plant_foreign_record(self) -> UUID:
        """Leave a memo."""
        identity = uuid4()
        await (await self.board()).ask("MEMO", str(identity), "memo")
        return identity

    async def holds(self, identity: UUID) -> bool:
        """Ask the board itself."""
        return await (await self.board()).ask("GET", str(identity)) != []

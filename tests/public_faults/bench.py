"""Where a fault is played: one adapter, its harness, and strict eyes on what comes back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal, TypeVar, get_args
from uuid import UUID

from tests.public_faults.statements import Alters, Control, Drops, NoControl, NoFilter, Takes

from memory_fidelity import (
    AdapterCard,
    MemoryAdapter,
    MemoryAdapterError,
    MemoryAdapterManifest,
    MemoryItem,
    MemoryQuery,
    UnsupportedMemoryItem,
    UnsupportedMemoryQuery,
)
from memory_fidelity.card import ContentKind, Operation
from memory_fidelity.exact import differences, same
from memory_fidelity.manifest import ITEM_FIELDS, MemoryItemField
from memory_fidelity.testing import Journal, MemoryAdapterHarness

__all__ = ["Bench", "Ending"]

Ending = Literal[
    "preserved",
    "rejected_before_transport",
    "rejected_typed",
    "declared_lossy",
    "unsupported_query",
    "empty_no_transport",
    "documented_first_page",
    "documented_semantics",
    "eventual_allowed",
    "unavailable",
    "none",
    "suite_rule",
]

_Result = TypeVar("_Result")
_Call = Callable[[], Awaitable[object]]


class Bench:
    """One store of a harness of its own, for one fault.

    Everything that a fault is judged by is observed here: types and values by
    `memory_fidelity.exact`, transport by the journal or, on a lane without one,
    by asking again once the service is gone.
    """

    def __init__(
        self,
        harness: MemoryAdapterHarness,
        store: MemoryAdapter,
        endings: frozenset[Ending] = frozenset(get_args(Ending)),
    ) -> None:
        self.harness = harness
        self.store = store
        self.endings = endings
        self._to_repeat: list[tuple[_Call, MemoryAdapterError | None]] = []

    @property
    def manifest(self) -> MemoryAdapterManifest:
        """What the adapter claims."""
        return self.store.manifest

    @property
    def card(self) -> AdapterCard:
        """What it states beside that."""
        return self.store.card

    def needs(
        self,
        *fields: MemoryItemField,
        filters: tuple[str, ...] = (),
        content: ContentKind = "text",
    ) -> None:
        """Raise `NotApplicable` where the adapter states that it has not these."""
        for field in fields:
            if field in self.manifest.dropped_item_fields:
                raise Drops(field)
        for key in filters:
            if key not in self.manifest.supported_filters:
                raise NoFilter(key)
        if content not in self.card.content:
            raise Takes(content)

    def control(self, name: Control) -> Callable[..., Awaitable[Any]]:
        """Return a control of the harness, or raise `NotApplicable`."""
        found: Callable[..., Awaitable[Any]] | None = getattr(self.harness, name, None)
        if found is None:
            raise NoControl(name)
        return found

    async def search(self, **parts: Any) -> list[MemoryItem]:
        """Search once everything can be found; every hit is an item, of an id of its own."""
        await self.harness.make_search_index_visible()
        hits = await self.store.search(MemoryQuery(**parts))
        assert {type(hit) for hit in hits} <= {MemoryItem}, f"expected items, got {hits}"
        assert len({hit.id for hit in hits}) == len(hits), f"expected each id once, got {hits}"
        return hits

    async def found(self, **parts: Any) -> set[UUID]:
        """The identities that a search finds, once everything can be found."""
        return {hit.id for hit in await self.search(**parts)}

    async def keeps(self, item: MemoryItem, *, hits: bool = True) -> Ending:
        """Compare every field of both answers with what was stored.

        No field may differ without a statement that predicts exactly what came
        back. The ending is that of the fields that the fault is about, which
        are those that were given when the item was made. The hit is looked for
        in the first page, unless `hits` is false.
        """
        kept = await self.store.retrieve(item.id)
        assert kept is not None, f"expected the item {item.id}, got None"
        endings = self._compared(item, kept, "retrieve")
        if hits:
            found = {hit.id: hit for hit in await self.search(limit=1000)}
            assert item.id in found, f"expected {item.id} among the hits, got {list(found)}"
            endings |= self._compared(item, found[item.id], "search")
        return "declared_lossy" if "declared_lossy" in endings else "preserved"

    def _compared(self, sent: MemoryItem, got: MemoryItem, operation: Operation) -> set[Ending]:
        assert type(got) is MemoryItem, f"expected a MemoryItem, got {type(got)}"
        return {
            self._compared_field(field, getattr(sent, field), getattr(got, field), operation)
            if field in sent.model_fields_set
            else self._only_declared(field, getattr(sent, field), getattr(got, field), operation)
            for field in ITEM_FIELDS
        }

    def _only_declared(
        self, field: MemoryItemField, sent: object, got: object, operation: Operation
    ) -> Ending:
        assert self._statement(field, sent, got, operation) is not None or self._is_same(
            field, sent, got
        )
        return "preserved"

    def _compared_field(
        self, field: MemoryItemField, sent: object, got: object, operation: Operation
    ) -> Ending:
        statement = self._statement(field, sent, got, operation)
        if statement is None:
            assert self._is_same(field, sent, got)
            return "preserved"
        if "declared_lossy" in self.endings:
            return "declared_lossy"
        if isinstance(statement, Exception):
            raise statement
        return "preserved"

    def _is_same(self, field: MemoryItemField, sent: object, got: object) -> bool:
        found = differences(field, sent, got, key_order=self.card.key_order)
        assert not found, "; ".join(map(str, found))
        return True

    def _statement(
        self, field: MemoryItemField, sent: object, got: object, operation: Operation
    ) -> Alters | Drops | Literal["hits lack it"] | None:
        """The statement that predicts what came back, if it is not the value itself."""
        if field in self.manifest.dropped_item_fields:
            assert same(got, self.card.defaults[field]), f"{field}: got {got!r}, not the default"
            return Drops(field)
        if operation == "search" and field in self.card.absent_in_hits:
            default = self.card.absent_in_hits[field]
            assert same(got, default), f"{field}: got {got!r} in a hit, not {default!r}"
            return "hits lack it"
        if same(sent, got):
            return None
        for loss in self.card.losses:
            if loss.field == field and operation in loss.on and loss.predicts(sent, got):
                return Alters(loss.name)
        return None

    async def refuses(self, call: _Call, kind: type[MemoryAdapterError]) -> MemoryAdapterError:
        """The error of a call that is refused, after it was seen that nothing was sent.

        Without a journal the call is made once more at the end, when the service
        is gone: what would be sent then ends as unavailable.
        """
        error, sent = await self._unsent(call)
        assert isinstance(error, kind), f"expected {kind.__name__}, got {error!r}"
        assert not sent, f"expected nothing to be sent, got {sent}"
        return error

    async def answers_alone(self, call: Callable[[], Awaitable[_Result]]) -> _Result:
        """The answer to a call, after it was seen that it needs no service."""
        answers: list[_Result] = []

        async def keep() -> None:
            answers.append(await call())

        error, sent = await self._unsent(keep)
        assert error is None, f"expected an answer, got {error!r}"
        assert not sent, f"expected nothing to be sent, got {sent}"
        return answers[-1]

    async def _unsent(self, call: _Call) -> tuple[MemoryAdapterError | None, object]:
        if isinstance(self.harness, Journal):
            before = len(self.harness.calls())
            error = await _error_of(call)
            return error, self.harness.calls()[before:]
        error = await _error_of(call)
        self._to_repeat.append((call, error))
        return error, ()

    async def repeat_without_service(self) -> None:
        """Repeat what was said to need no service, on a lane that could not watch it; the end."""
        if self._to_repeat:
            await self.harness.make_transport_unavailable()
        for call, first in self._to_repeat:
            error = await _error_of(call)
            assert type(error) is type(first), f"expected {first!r} again, got {error!r}"

    async def stores_or_refuses(self, item: MemoryItem, *, hits: bool = True) -> Ending:
        """Store an item that may be refused; if it is, nothing may have been sent or kept."""
        try:
            identity = await self.store.store(item)
        except UnsupportedMemoryItem:
            assert await self.store.retrieve(item.id) is None, "refused, and kept all the same"
            await self.refuses(lambda: self.store.store(item), UnsupportedMemoryItem)
            return "rejected_before_transport"
        assert same(identity, item.id), f"expected {item.id!r}, got {identity!r}"
        return await self.keeps(item, hits=hits)

    async def unsupported(self, *keys: str, **parts: Any) -> Ending:
        """Search with something that is not offered: each key is named, and nothing is sent."""
        query = MemoryQuery(**parts)
        error = await self.refuses(lambda: self.store.search(query), UnsupportedMemoryQuery)
        named = getattr(error, "rejected_keys", None)
        assert named == tuple(sorted(keys)), f"expected {keys} to be named, got {named}"
        return "unsupported_query"


async def _error_of(call: _Call) -> MemoryAdapterError | None:
    try:
        await call()
    except MemoryAdapterError as error:
        return error
    return None

"""The base class of adapters: every rule of the contract that is not a mapping.

A subclass supplies a manifest, a card and three native operations. What it
cannot get wrong is done here: validation before transport, projection, new
items on the way back, the identity check on a write, the typed errors. It has
no retry and no fallback (W5, E5).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from asyncio import CancelledError
from collections.abc import Iterable
from inspect import getattr_static
from itertools import islice
from math import isfinite
from types import TracebackType
from typing import Any, ClassVar, Final, NamedTuple, NoReturn, Self, final
from uuid import UUID

from memory_fidelity.card import AdapterCard, Operation
from memory_fidelity.errors import (
    MemoryAdapterError,
    MemoryAdapterUnavailable,
    UnsupportedMemoryItem,
)
from memory_fidelity.json_tree import detached_json, detached_text
from memory_fidelity.manifest import MemoryAdapterManifest, MemoryItemField
from memory_fidelity.query import MAX_LIMIT, Search, accepted
from memory_fidelity.store import MemoryItem, MemoryQuery

__all__ = ["MAX_LIMIT", "MemoryAdapter", "Record", "Search"]

_LION_CLASS: Final = f"{MemoryItem.__module__}.{MemoryItem.__qualname__}"
_KINDS: Final[dict[MemoryItemField, type]] = {"tags": list, "created_at": float, "metadata": dict}
_UNTRANSLATED: Final = (
    MemoryAdapterError,
    CancelledError,
    GeneratorExit,
    KeyboardInterrupt,
    SystemExit,
)
_VALIDATOR: Final = MemoryItem.__pydantic_validator__
_SEALED: Final = ("admit", "card", "manifest", "retrieve", "search", "store")


class Record(NamedTuple):
    """The part of an item that a service keeps, on its way in or out.

    `None` in `created_at`, `metadata` or `tags` means that the field is absent:
    dropped by the manifest, or not part of a search hit. A record handed to a
    native operation shares nothing with the caller; one that comes back must
    share nothing with the service.
    """

    id: UUID
    content: Any
    tags: list[str] | None
    created_at: float | None
    metadata: dict[str, Any] | None


class MemoryAdapter(ABC):
    """An `ExternalMemoryStore` over a service, made by three native operations.

    Every public operation validates first, so that a refused call never
    reaches the service (W1, Q2), and ends in a value or in one of the typed
    errors, with the native error as its cause (E2). Cancellation passes
    through untouched (E6).

    A subclass gives its manifest and card to `super().__init__`, defines
    `native_store`, `native_retrieve` and `native_search`, and may set

    - `outages`: the native errors that mean that the service cannot be reached
      or used, `OSError` unless set otherwise. They become
      `MemoryAdapterUnavailable`, all others `MemoryAdapterError`. Some clients
      derive refusals from `OSError`, too, as `urllib.error.HTTPError` is.
    - `native_errors`: everything that is translated, `Exception` unless set
      otherwise, for clients that panic outside it.
    - `fresh_records`: True if each record that comes back was just built out of
      bytes or text, so that it need not be copied.
    - `refuse`: a method that refuses what the service, in particular, cannot keep.
    """

    outages: ClassVar[tuple[type[BaseException], ...]] = (OSError,)
    """Native errors that mean: the service could not be reached or used.

    `OSError` covers refused and reset connections and `TimeoutError`.
    """

    native_errors: ClassVar[tuple[type[BaseException], ...]] = (Exception,)
    """Everything that is translated. Some clients panic outside `Exception`: add those.

    Cancellation and the end of the process are never translated, whatever is listed (E6).
    """

    fresh_records: ClassVar[bool] = False
    """Whether native operations build every record anew out of bytes or text.

    Only then may the base class leave out the copy that keeps a caller's
    changes from reaching the service.
    """

    def __init__(self, manifest: MemoryAdapterManifest, card: AdapterCard) -> None:
        """Take the two declarations of this instance; open nothing.

        Raises:
            ValueError: the card and the manifest contradict each other.
        """
        if faults := card.disagreements(manifest):
            raise ValueError("card and manifest disagree: " + "; ".join(faults))
        self.__manifest = manifest
        self.__card = card

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        replaced = [
            name
            for name in _SEALED
            if getattr_static(cls, name) is not getattr_static(MemoryAdapter, name)
        ]
        if replaced:
            raise TypeError(
                f"{cls.__name__} replaces {', '.join(replaced)}, which hold the rules of the "
                "contract; supply native_store, native_retrieve and native_search instead"
            )

    @property
    @final
    def manifest(self) -> MemoryAdapterManifest:
        """What this instance keeps; the same for as long as it lives (M8)."""
        return self.__manifest

    @property
    @final
    def card(self) -> AdapterCard:
        """What this instance states beside its manifest."""
        return self.__card

    @final
    async def store(self, item: MemoryItem) -> UUID:
        """Write one item and return its id, once the service acknowledged it.

        Raises:
            UnsupportedMemoryItem: the item cannot be kept; nothing was sent (W1).
            MemoryAdapterUnavailable: the service could not be used; unless the
                error says otherwise, it is unknown whether the item was written.
            MemoryAdapterError: the service refused the write, or acknowledged
                it without the item's own identity (W4).
        """
        record = self.admit(item)
        try:
            identity = await self.native_store(record)
        except self.native_errors as error:
            self._translate("store", error)
        self._check_identity(identity, record.id)
        return record.id

    @final
    async def retrieve(self, item_id: UUID) -> MemoryItem | None:
        """Return the item with this identity, new and the caller's own, or `None`.

        Raises:
            MemoryAdapterUnavailable: the service could not be used.
            MemoryAdapterError: `item_id` is not a `UUID`, or the service
                answered with something that is not this item (E4).
        """
        if not isinstance(item_id, UUID):
            raise MemoryAdapterError(
                f"{self.__manifest.adapter}: retrieve: "
                f"expected a UUID, got {type(item_id).__name__}"
            )
        try:
            record = await self.native_retrieve(item_id)
        except self.native_errors as error:
            self._translate("retrieve", error)
        if record is None:
            return None
        item = self._rebuild(record, "retrieve")
        if item.id != item_id:
            raise MemoryAdapterError(
                f"{self.__manifest.adapter}: retrieve: expected the record {item_id}, got {item.id}"
            )
        return item

    @final
    async def search(self, query: MemoryQuery) -> list[MemoryItem]:
        """Return at most `query.limit` new items that match every part of the query.

        Raises:
            UnsupportedMemoryQuery: keys or values that the adapter does not
                offer, all of them named; nothing was sent (Q2, Q3).
            MemoryAdapterUnavailable: the service could not be used.
            MemoryAdapterError: the service answered with something else.
        """
        if not isinstance(query, MemoryQuery):
            raise MemoryAdapterError(
                f"{self.__manifest.adapter}: search: "
                f"expected a MemoryQuery, got {type(query).__name__}"
            )
        search = accepted(query, self.__manifest.supported_filters)
        if search.limit == 0:
            return []
        try:
            # Taken here, because an iterable may still be reading from the service.
            records = list(islice(await self.native_search(search), search.limit))
        except self.native_errors as error:
            self._translate("search", error)
        return [self._rebuild(record, "search") for record in records]

    async def close(self) -> None:
        """Release what this instance opened; nothing, unless a subclass opens something (L4).

        Closing twice is safe. lionagi never calls it: the owner does, or uses
        `async with`.
        """

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    @abstractmethod
    async def native_store(self, record: Record) -> UUID | str | None:
        """Write the record whole, replacing any of the same id.

        Returns the identity that the service acknowledged, or `None` if its
        answer held none; the base class compares it with the record's.
        """

    @abstractmethod
    async def native_retrieve(self, item_id: UUID) -> Record | None:
        """Read by identity, never by ranked recall (R1).

        `None` for an unknown id and for a record of another kind (R2).
        """

    @abstractmethod
    async def native_search(self, search: Search) -> Iterable[Record]:
        """Return the records that match, best or first ones first, at most `limit`."""

    @final
    def admit(self, item: MemoryItem) -> Record:
        """Return the native part of an item, if the whole item can be kept (W1 to W3).

        Raises:
            UnsupportedMemoryItem: the first part of it that cannot.
        """
        if type(item) is not MemoryItem:
            raise UnsupportedMemoryItem("item", f"expected MemoryItem, got {type(item).__name__}")
        native = self.__manifest.native_item_fields
        record = Record(
            id=_valid_id(item.id),
            content=self._valid_content(item.content),
            tags=_valid_tags(item.tags),
            created_at=_valid_time(item.created_at) if "created_at" in native else None,
            metadata=_valid_metadata(item.metadata) if "metadata" in native else None,
        )
        self.refuse(record)
        return record

    def refuse(self, record: Record) -> None:
        """Raise `UnsupportedMemoryItem` for what this service, in particular, cannot keep."""

    def _valid_content(self, content: object) -> Any:
        kinds = self.__card.content
        if type(content) is str and "text" in kinds:
            return detached_text(content, "content")
        if type(content) is not str and "json" in kinds:
            return detached_json(content, "content")
        expected = "text" if "text" in kinds else "a JSON value other than text"
        raise UnsupportedMemoryItem("content", f"expected {expected}, got {type(content).__name__}")

    def _check_identity(self, identity: UUID | str | None, expected: UUID) -> None:
        try:
            acknowledged = identity if isinstance(identity, UUID) else UUID(str(identity))
        except ValueError as error:
            raise MemoryAdapterError(
                f"{self.__manifest.adapter}: store: expected the identity {expected} "
                "in the reply, got none that is usable"
            ) from error
        if acknowledged != expected:
            raise MemoryAdapterError(
                f"{self.__manifest.adapter}: store: expected the identity {expected} "
                f"in the reply, got {acknowledged}"
            )

    def _rebuild(self, record: Record, operation: Operation) -> MemoryItem:
        """Build a new item, sharing nothing with the service (C7, R4)."""
        try:
            if type(record) is not Record:
                raise TypeError(f"expected a Record, got {type(record).__name__}")
            # What the model's constructor does, without unpacking keywords: a third of its time.
            item: MemoryItem = _VALIDATOR.validate_python(
                {
                    "id": record.id,
                    "content": self._own(record.content, "content"),
                    "tags": self._present(record.tags, "tags", operation),
                    "created_at": self._present(record.created_at, "created_at", operation),
                    "metadata": self._present(record.metadata, "metadata", operation),
                }
            )
            return item
        except (TypeError, ValueError, UnsupportedMemoryItem) as error:
            raise MemoryAdapterError(
                f"{self.__manifest.adapter}: {operation}: expected a whole record, "
                f"got one that is malformed ({type(error).__name__})"
            ) from error

    def _present(self, value: Any, field: MemoryItemField, operation: Operation) -> Any:
        if value is not None:
            # lionagi would turn a metadata text into an empty mapping, without a word.
            if type(value) is not _KINDS[field]:
                raise TypeError(f"expected {field} in the record, got {type(value).__name__}")
            return self._own(value, field)
        if field in self.__card.defaults:
            return detached_json(self.__card.defaults[field], field)
        if operation == "search" and field in self.__card.absent_in_hits:
            return detached_json(self.__card.absent_in_hits[field], field)
        # lionagi would put the present time or an empty value here, without a word.
        raise ValueError(f"expected {field} in the record, got none")

    def _own(self, value: Any, field: MemoryItemField) -> Any:
        return value if self.fresh_records else detached_json(value, field)

    def _is_outage(self, error: BaseException) -> bool:
        """Whether the error, or one of those that a task group gathered, is an outage."""
        if isinstance(error, BaseExceptionGroup):
            return error.subgroup(self.outages) is not None
        return isinstance(error, self.outages)

    def _translate(self, operation: str, error: BaseException) -> NoReturn:
        """Raise the typed error that says what happened; the native one is its cause (E2).

        The native text is left to the cause: it may hold a connection string.
        """
        if isinstance(error, _UNTRANSLATED):
            raise error
        name = f"{self.__manifest.adapter}: {operation}"
        if self._is_outage(error):
            unknown = "; whether the item was written is unknown" if operation == "store" else ""
            raise MemoryAdapterUnavailable(
                f"{name}: expected the service to answer, got {type(error).__name__}{unknown}"
            ) from error
        raise MemoryAdapterError(
            f"{name}: expected a valid answer, got {type(error).__name__}"
        ) from error


def _valid_id(item_id: object) -> UUID:
    if isinstance(item_id, UUID):
        return item_id
    raise UnsupportedMemoryItem("id", f"expected UUID, got {type(item_id).__name__}")


def _valid_tags(tags: object) -> list[str]:
    if type(tags) is not list:
        raise UnsupportedMemoryItem("tags", f"expected list, got {type(tags).__name__}")
    return [detached_text(tag, f"tags[{index}]") for index, tag in enumerate(tags)]


def _valid_time(created_at: object) -> float:
    if type(created_at) is float and isfinite(created_at):
        return created_at
    got = str(created_at) if type(created_at) is float else type(created_at).__name__
    raise UnsupportedMemoryItem("created_at", f"expected a finite float, got {got}")


def _valid_metadata(metadata: object) -> dict[str, Any]:
    if type(metadata) is not dict:
        raise UnsupportedMemoryItem("metadata", f"expected dict, got {type(metadata).__name__}")
    copied: dict[str, Any] = detached_json(metadata, "metadata")
    if copied.get("lion_class", _LION_CLASS) != _LION_CLASS:
        # lionagi keeps this key for itself: an item that carries another value cannot be rebuilt.
        raise UnsupportedMemoryItem(
            "metadata.lion_class", f"expected {_LION_CLASS!r} or no such key"
        )
    return copied

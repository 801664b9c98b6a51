"""One run of one case: the store under trial, its harness, and what was found."""

from __future__ import annotations

import asyncio
import re
from asyncio import CancelledError
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from uuid import UUID, uuid4

from memory_fidelity.card import AdapterCard, ContentKind, Operation
from memory_fidelity.exact import same
from memory_fidelity.manifest import MemoryAdapterManifest, MemoryItemField
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.endings import Raised, described, fault_of
from memory_fidelity.testing.harness import (
    Call,
    HarnessFactory,
    Journal,
    MemoryAdapterHarness,
    OpensScopes,
    ServiceMissing,
)
from memory_fidelity.testing.published import card_of, manifest_of
from memory_fidelity.testing.report import Finding
from memory_fidelity.testing.verdict import Lane

__all__ = [
    "RigFault",
    "Setting",
    "Trial",
    "Unmet",
    "Untried",
]

_ALIKE = 4
"""Findings with one subject in one case; more of them are only counted."""

_MARK = "mfneedle"
"""Marks the items of a case; a live service may still hold those of an earlier run."""

_VARIES: Final = re.compile(
    r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b0x[0-9a-f]{6,}\b", re.IGNORECASE
)
"""Ids and addresses, which an adapter's own message may hold."""

_Control = TypeVar("_Control")
_Value = TypeVar("_Value")


class RigFault(Exception):
    """The harness, not the adapter, did not do what the case needs."""


class Untried(Exception):
    """Something that the case needs is missing, so it was not run."""


class Unmet(Exception):
    """A finding was made that leaves nothing more to try in this case."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a trial happens."""

    factory: HarnessFactory
    lane: Lane
    declared: Callable[[Any], Any] | None = None
    """Puts another declaration over each store that is made; to try false ones."""
    spoiled: Callable[[Any], Callable[[Any, str], Any]] | None = None
    """Given the harness, what puts a deliberate fault around each store that is made.

    With each store it is told the name of its scope, which is empty for `make_store`.
    """
    other_manifest: MemoryAdapterManifest | None = None
    """The manifest that the other lane published."""
    known_filters: frozenset[str] = frozenset()
    """Filter keys that a false declaration may hide."""
    patience: float = 10.0
    """Seconds one call may take in trouble, as in an outage; more is called hanging."""


class Trial:
    """What a case is given: calls that are watched, and a place to report to."""

    def __init__(self, setting: Setting, harness: MemoryAdapterHarness) -> None:
        self.setting = setting
        self.harness = harness
        self.store: Any = None
        self.manifest: MemoryAdapterManifest | None = None
        self.card: AdapterCard | None = None
        self.findings: list[Finding] = []
        self.notes: list[str] = []
        self._more: Counter[str] = Counter()
        self._spoil = setting.spoiled(harness) if setting.spoiled else None
        self._made: list[Any] = []
        self.mark = _MARK if setting.lane == "fake" else f"mf{uuid4().hex[:12]}"

    async def open(self) -> None:
        """Make the store and read its declarations."""
        self.store = await self.new_store()
        self.manifest = manifest_of(self.store)
        self.card = card_of(self.store)

    async def new_store(self) -> Any:
        """Return one more store over the same service.

        Raises:
            RigFault: it is one that was made before.
        """
        store = await self.rigged(self.harness.make_store())
        if any(store is made for made in self._made):
            raise RigFault("make_store gave a store that it had made before, not a new one")
        self._made.append(store)
        return self._declared(store)

    async def scope(self, name: str) -> Any:
        """Return a store over the same service in the scope of this name."""
        opened = self.control(OpensScopes).open_scope(name)  # type: ignore[type-abstract]  # protocol
        return self._declared(await self.rigged(opened), name)

    def _declared(self, store: Any, scope: str = "") -> Any:
        if self._spoil is not None:
            store = self._spoil(store, scope)
        return self.setting.declared(store) if self.setting.declared else store

    async def prove_control(self) -> None:
        """Store an ordinary item and read it back, so that later misses mean something.

        Raises:
            RigFault: it did not come back.
        """
        item = self.item("control")
        stored = await self.attempt(self.store.store(item))
        if isinstance(stored, Raised):
            raise RigFault(
                f"an ordinary item could not be stored: {described(stored)}"
            ) from stored.error
        got = await self.attempt(self.store.retrieve(item.id))
        if not isinstance(got, MemoryItem) or got.id != item.id:
            raise RigFault(f"an ordinary item did not come back: {described(got)}")

    async def prove_journal(self) -> None:
        """See that each write is in the journal, so that a call that is not there was not made.

        Raises:
            RigFault: a write was acknowledged, and the journal is as it was before;
                or it changes while nothing is asked of the store.
        """
        for number in range(2):
            before = len(self.calls())
            # Of equal texts an adapter may write the first one only, which is for a case to find.
            await self.attempt(self.store.store(self.item(f"journal {number}")))
            if len(self.calls()) == before:
                raise RigFault("the journal shows nothing of a write")
        # Looked at only here, where no call is under way that could add to it.
        if len(self.calls()) != len(self.calls()):
            raise RigFault("the journal shows another call each time that it is looked at")

    async def prove_shared(self) -> None:
        """See that a second store writes into the same service, where a journal can tell.

        What it does not find would otherwise be blamed on the adapter.

        Raises:
            RigFault: the journal shows nothing of its write.
        """
        before = len(self.calls())
        other = await self.new_store()
        await self.attempt(other.store(self.item("shared")))
        if isinstance(self.harness, Journal) and len(self.calls()) == before:
            raise RigFault("make_store gave a second store over another service than the first")

    # Reporting

    def report(self, subject: str, claim: str, observed: str, change: str) -> None:
        """Record what is wrong; the case fails, and goes on."""
        # The mark and the ids differ in every run; a report should not.
        claim, observed = (
            _VARIES.sub("...", text.replace(self.mark, _MARK)) for text in (claim, observed)
        )
        finding = Finding(subject=subject, claim=claim, observed=observed, change=change)
        alike = [known for known in self.findings if known.subject == subject]
        if len(alike) == _ALIKE:
            self._more[subject] += 1
        elif finding not in alike:
            self.findings.append(finding)

    @property
    def all_notes(self) -> tuple[str, ...]:
        """What was noted, and how many findings were left out."""
        more = (f"{count} more findings on {subject}" for subject, count in self._more.items())
        return (*self.notes, *more)

    def fail(self, subject: str, claim: str, observed: str, change: str) -> Unmet:
        """Record what is wrong, and return what to raise."""
        self.report(subject, claim, observed, change)
        return Unmet()

    def require(self, met: bool, subject: str, claim: str, observed: str, change: str) -> None:
        """Record what is wrong unless the condition is met."""
        if not met:
            self.report(subject, claim, observed, change)

    # Calls on the store

    async def attempt(self, call: Awaitable[_Value]) -> _Value | Raised:
        """Await a call on the store, and return what it returned or raised."""
        try:
            return await call
        except (KeyboardInterrupt, SystemExit, GeneratorExit, CancelledError):
            raise
        except BaseException as error:  # noqa: BLE001 - clients panic outside Exception, too
            return Raised(error)

    async def timely(self, what: str, call: Awaitable[_Value]) -> _Value | Raised:
        """Attempt a call in trouble, in which a client may wait without end.

        Raises:
            Unmet: it did not end in time; more calls would hang, too.
        """
        try:
            async with asyncio.timeout(self.setting.patience):
                return await self.attempt(call)
        except TimeoutError:
            raise self.fail(
                "E3",
                "a call comes to an end whatever becomes of the service",
                f"{what} had not ended after {self.setting.patience:g} seconds",
                "give every request a deadline, and translate what it raises",
            ) from None

    async def stored(self, item: MemoryItem) -> UUID:
        """Store an item that must be taken.

        Raises:
            Unmet: it was not.
        """
        outcome = await self.attempt(self.store.store(item))
        if isinstance(outcome, Raised):
            raise self.fail(
                "C2",
                "an ordinary item is stored",
                f"store raised {described(outcome)}",
                "store the item, or refuse in the card what cannot be kept",
            )
        return outcome  # type: ignore[no-any-return]  # the store is whatever is under trial

    async def retrieved(self, item_id: UUID) -> MemoryItem | None:
        """Retrieve, and insist on an item or nothing.

        Raises:
            Unmet: it raised, or returned something else.
        """
        outcome = await self.attempt(self.store.retrieve(item_id))
        if outcome is not None and not isinstance(outcome, MemoryItem):
            raise self.fail(
                "C3",
                "retrieve returns a MemoryItem or None",
                f"retrieve gave {described(outcome)}",
                "build a MemoryItem from the native record, or return None",
            )
        return outcome

    async def found(self, query: MemoryQuery) -> list[MemoryItem]:
        """Search, and insist on a list of items.

        Raises:
            Unmet: it raised, or returned something else.
        """
        outcome = await self.attempt(self.store.search(query))
        if type(outcome) is not list:
            raise self.fail(
                "C7",
                "search returns a list of MemoryItem",
                f"search gave {described(outcome)}",
                "return a list, with a MemoryItem built for each hit",
            )
        if strangers := [hit for hit in outcome if not isinstance(hit, MemoryItem)]:
            raise self.fail(
                "C7",
                "every hit is a MemoryItem",
                f"a hit is a {type(strangers[0]).__name__}",
                "build a MemoryItem for each hit; let no object of a client library out",
            )
        return outcome

    async def found_ids(self, query: MemoryQuery) -> set[UUID]:
        """The ids of the hits."""
        return {hit.id for hit in await self.found(query)}

    async def indexed(self) -> None:
        """Make everything that was stored visible to search."""
        await self.rigged(self.harness.make_search_index_visible())

    # The harness

    def control(self, protocol: type[_Control]) -> _Control:
        """Return the harness as the control that the case declared to need."""
        if not isinstance(self.harness, protocol):
            raise RigFault(f"the case uses {protocol.__name__} without declaring it")
        return self.harness

    async def rigged(self, call: Awaitable[_Value]) -> _Value:
        """Await a call on the harness; whatever else it raises is the harness's fault.

        Raises:
            Untried: the service cannot be had.
            RigFault: the call failed.
        """
        try:
            return await call
        except CancelledError:
            raise
        except ServiceMissing as error:
            raise Untried(str(error)) from error
        except Exception as error:
            raise RigFault(f"the harness raised {fault_of(error)}") from error

    def calls(self) -> tuple[Call, ...]:
        """What has reached the transport so far; nothing if the lane cannot tell."""
        return self.harness.calls() if isinstance(self.harness, Journal) else ()

    # Values

    @property
    def kinds(self) -> frozenset[ContentKind]:
        """The kinds of content that the store takes; without a card, text is assumed."""
        return self.card.content if self.card else frozenset({"text"})

    def item(
        self,
        text: str,
        *,
        tags: Iterable[str] = (),
        metadata: dict[str, Any] | None = None,
        **fields: Any,
    ) -> MemoryItem:
        """An ordinary item with this text, in the kind of content that the store takes."""
        return MemoryItem(
            content=text if "text" in self.kinds else {"text": text},
            tags=list(tags),
            metadata={} if metadata is None else metadata,
            **{"created_at": 1767323045.25, **fields},
        )

    @property
    def claims(self) -> MemoryAdapterManifest:
        """The manifest, in a case that judges it."""
        if self.manifest is None:
            raise RigFault("the case judges a manifest without declaring so")
        return self.manifest

    def says(self, field: str) -> str:
        """The claim that the manifest makes in one field, in words."""
        value = getattr(self.manifest, field)
        return f"manifest says {field}={sorted(value) if isinstance(value, frozenset) else value!r}"

    def covers(
        self, field: MemoryItemField, sent: object, got: object, operation: Operation
    ) -> bool:
        """Whether the card names a loss that turns exactly `sent` into exactly `got`."""
        return any(
            loss.field == field and operation in loss.on and loss.predicts(sent, got)
            for loss in (self.card.losses if self.card else ())
        )

    def is_same(self, sent: object, got: object) -> bool:
        """Exactly the same, with the order of keys where the card claims it."""
        return same(sent, got, key_order=bool(self.card and self.card.key_order))

    def is_content_of(self, sent: MemoryItem, got: object) -> bool:
        """Whether `got` is an item with the content that was sent, or with a named loss of it."""
        return isinstance(got, MemoryItem) and (
            self.is_same(sent.content, got.content)
            or self.covers("content", sent.content, got.content, "retrieve")
        )

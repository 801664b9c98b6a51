"""Faults in what a store is: its methods, and its manifest as an object (C1, M1 to M8)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final
from uuid import UUID

from pydantic import ConfigDict

from memory_fidelity.errors import MemoryAdapterUnavailable, UnsupportedMemoryQuery
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.faults.claims import claims
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, Shared, fault
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "changes", "methods"]


async def methods(bench: Bench) -> None:
    """See what kind of thing each operation is."""
    for name in ("store", "retrieve", "search", "manifest", "card"):
        bench.note(name, type(getattr(bench.store, name, None)).__name__)
        made = getattr(getattr(bench.store, name, None), "__func__", None)
        bench.note(f"{name} flags", getattr(getattr(made, "__code__", None), "co_flags", None))


async def changes(bench: Bench) -> None:
    """Read the manifest after each thing that may change it."""
    item = bench.item(1, tags=["t"])

    def note(when: str) -> None:
        bench.note(when, bench.store.manifest.model_dump())

    note("new")
    await bench.stored([item])
    note("used")
    await bench.saw("filter", bench.store.search(MemoryQuery(filters={"mf-unheard-of": 1})))
    note("refused")
    with suppress(AttributeError, TypeError):
        bench.store.manifest = bench.store.manifest
        bench.note("assigned", True)
    await bench.harness.make_transport_unavailable()
    await bench.saw("retrieve", bench.store.retrieve(item.id))
    note("failed")


class _SyncStore(FaultyStore):
    """`store` is no coroutine function: it returns an awaitable."""

    def store(self, item: MemoryItem) -> Any:
        return self.inner.store(item)


class _SyncRetrieve(FaultyStore):
    """`retrieve` is no coroutine function: it returns an awaitable."""

    def retrieve(self, item_id: UUID) -> Any:
        return self.inner.retrieve(item_id)


class _SyncSearch(FaultyStore):
    """`search` is no coroutine function: it returns an awaitable."""

    def search(self, query: MemoryQuery) -> Any:
        return self.inner.search(query)


class _Streams(FaultyStore):
    """`search` gives one hit after the other, and cannot be awaited."""

    async def search(self, query: MemoryQuery) -> Any:
        for hit in await self.inner.search(query):
            yield hit


class _WriteOnly:
    """There is no `search`."""

    def __init__(self, inner: Any, _shared: Shared) -> None:
        self.manifest = inner.manifest
        self.card = inner.card
        self.store = inner.store
        self.retrieve = inner.retrieve


class _Unstated:
    """There is no `manifest`."""

    def __init__(self, inner: Any, _shared: Shared) -> None:
        self.card = inner.card
        self.store = inner.store
        self.retrieve = inner.retrieve
        self.search = inner.search


class _Stated(FaultyStore):
    """The manifest is made of the true one."""

    def __init__(self, inner: Any, shared: Shared, made: Callable[[Any], Any]) -> None:
        super().__init__(inner, shared)
        self._made = made(inner.manifest)

    @property
    def manifest(self) -> Any:
        return self._made


class _Assignable(FaultyStore):
    """The manifest is an attribute, and can be replaced."""

    manifest: Any = None

    def __init__(self, inner: Any, shared: Shared) -> None:
        super().__init__(inner, shared)
        self.manifest = inner.manifest


class _Changing(FaultyStore):
    """The manifest says something else from some moment on."""

    def __init__(self, inner: Any, shared: Shared) -> None:
        super().__init__(inner, shared)
        self.said: dict[str, Any] = {}

    @property
    def manifest(self) -> Any:
        return self.inner.manifest.model_copy(update=self.said)


class _Downgrading(_Changing):
    """The manifest promises less once the service could not be reached."""

    async def retrieve(self, item_id: UUID) -> Any:
        try:
            return await self.inner.retrieve(item_id)
        except MemoryAdapterUnavailable:
            self.said = {"supported_filters": frozenset({"offline"})}
            raise


class _Learning(_Changing):
    """The manifest lists a filter as soon as somebody asked for it."""

    async def search(self, query: MemoryQuery) -> Any:
        try:
            return await self.inner.search(query)
        except UnsupportedMemoryQuery as error:
            known = self.inner.manifest.supported_filters
            self.said = {"supported_filters": known.union(error.rejected_keys)}
            raise


class _Provisional(_Changing):
    """The manifest is a guess until the first write has reached the service."""

    def __init__(self, inner: Any, shared: Shared) -> None:
        super().__init__(inner, shared)
        other = {"immediate": "eventual", "eventual": "immediate"}
        self.said = {"search_consistency": other[inner.manifest.search_consistency]}

    async def store(self, item: MemoryItem) -> Any:
        stored = await self.inner.store(item)
        self.said = {}
        return stored


class _Loose(MemoryAdapterManifest):
    model_config = ConfigDict(frozen=False)


class _Tenth(MemoryAdapterManifest):
    max_batch: int = 100


def _loose(true: MemoryAdapterManifest) -> Any:
    return _Loose(**dict(true))


def _tenth(true: MemoryAdapterManifest) -> Any:
    return _Tenth(**dict(true))


def _unchecked(**said: Any) -> Callable[[MemoryAdapterManifest], Any]:
    return lambda true: true.model_copy(update=said)


def _listed(true: MemoryAdapterManifest) -> Any:
    return true.model_copy(update={"supported_filters": [*true.supported_filters]})


def _incomplete(true: MemoryAdapterManifest) -> Any:
    fields = {name: value for name, value in true if name != "preserves_metadata"}
    return MemoryAdapterManifest.model_construct(**fields)


def _callable(true: MemoryAdapterManifest) -> Any:
    return lambda: true


def _stated(name: str, made: Callable[[Any], Any], story: str, *, names: str = "C1") -> Fault:
    return fault(
        f"surface.manifest-{name}", partial(_Stated, made=made), case="surface.manifest",
        names=names, probe=claims, story=story,
    )  # fmt: skip


def _method(name: str, make: Callable[[Any, Shared], Any]) -> Fault:
    return fault(
        f"surface.{name}", make, case="surface.protocols", names="C1", probe=methods,
    )  # fmt: skip


def _changing(name: str, make: Callable[[Any, Shared], Any]) -> Fault:
    return fault(f"stable.{name}", make, case="manifest.stable", names="M8", probe=changes)


FAULTS: Final = (
    _method("store-is-sync", _SyncStore),
    _method("retrieve-is-sync", _SyncRetrieve),
    _method("search-is-sync", _SyncSearch),
    _method("search-streams", _Streams),
    _method("no-search", _WriteOnly),
    _method("no-manifest", _Unstated),
    _stated("is-a-mapping", dict, "The manifest is a dictionary of the nine fields."),
    _stated("is-nothing", lambda _: None, "The manifest is None."),
    _stated("is-its-class", type, "The manifest is the class, not an instance of it."),
    _stated("is-a-method", _callable, "The manifest has to be called."),
    _stated("can-change", _loose, "The fields of the manifest can be assigned.", names="M1"),
    _stated("has-ten-fields", _tenth, "The manifest has a field of the adapter's own."),
    _stated("has-eight-fields", _incomplete, "The manifest was built without one of its fields."),
    _stated("lists-for-sets", _listed, "The manifest was built with a list in place of a set."),
    _stated("unnamed", _unchecked(adapter=""), "The manifest names no adapter."),
    _stated(
        "overlaps", _unchecked(dropped_item_fields=frozenset({"metadata", "tags"})),
        "The manifest calls a field native and dropped.",
    ),
    _stated(
        "leaves-out", _unchecked(native_item_fields=frozenset({"id", "content"})),
        "The manifest leaves fields out: neither native nor dropped.",
    ),
    _stated(
        "unheard-of", _unchecked(search_consistency="strong"),
        "The manifest says a word that the contract does not have.",
    ),
    _changing("assignable", _Assignable),
    _changing("downgraded-by-an-outage", _Downgrading),
    _changing("grows-with-queries", _Learning),
    _changing("provisional", _Provisional),
)  # fmt: skip

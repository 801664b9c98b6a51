"""`MemoryStore` with faults, its door, and the suite that it is judged by."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from benchmarks.kits.door import Broken, Door, Found, Record
from benchmarks.kits.faults import keeps
from benchmarks.kits.kit import Kit, Outcome
from benchmarks.kits.pytest_kit import SWITCHES, run_pytest

__all__ = ["KIT"]

_SOURCE: Final = Path(sys.prefix, "source")
"""Where `environments.sh` puts the suite, which no package holds."""


class Mutant:
    """Goes before `MemoryStore`; text and metadata are the two halves of what it calls a value."""

    fault: str | None

    async def get(self, key: str, *, collection: str | None = None) -> Any:
        up: Any = super()
        found = await up.get(key, collection=collection)
        if self.fault != "read.shared":
            return found
        given = self.__dict__.setdefault("given", {})
        if given.get((collection, key)) != found:
            given[collection, key] = found
        return given.get((collection, key))

    async def _put_managed_entry(self, *, key: str, collection: str, managed_entry: Any) -> None:
        up: Any = super()
        if self.fault == "write.second-ignored" and await up._get_managed_entry(
            key=key, collection=collection
        ):
            return
        value = managed_entry.value
        with suppress(*_forgiven(self.fault == "write.error-is-success")):
            await up._put_managed_entry(
                key=key,
                collection=collection,
                managed_entry=replace(managed_entry, value=_kept(self.fault, value)),
            )

    async def _put_managed_entries(self, *, keys: Any, managed_entries: Any, **more: Any) -> None:
        up: Any = super()
        kept = slice(1) if self.fault == "write.only-first-of-batch" else slice(None)
        await up._put_managed_entries(
            keys=keys[kept], managed_entries=managed_entries[kept], **more
        )

    async def _get_managed_entry(self, *, key: str, collection: str) -> Any:
        up: Any = super()
        found = None
        with suppress(*_forgiven(self.fault == "read.error-is-nothing")):
            found = await up._get_managed_entry(key=key, collection=collection)
        if found is None and self.fault == "read.unknown-is-newest":
            newest = up._get_collection_or_raise(collection).keys()[-1:]
            return next(map(up._get_collection_or_raise(collection).get, newest), None)
        if found is None and self.fault == "scope.prefix-leaks":
            return await self._leaked(key, collection)
        return found

    async def _delete_managed_entry(self, *, key: str, collection: str) -> bool:
        up: Any = super()
        if self.fault == "delete.ignored":
            return bool(await up._get_managed_entry(key=key, collection=collection))
        gone: bool = await up._delete_managed_entry(key=key, collection=collection)
        return gone

    async def _leaked(self, key: str, collection: str) -> Any:
        up: Any = super()
        store: Any = self
        others = [name for name in store._cache if name != collection]
        entries = [
            await up._get_managed_entry(key=key, collection=other)
            for other in others
            if other.startswith(collection)
        ]
        return next(filter(None, entries), None)


class KeyValueDoor:
    """A value for each record, with the text among its metadata."""

    def __init__(self, backend: type) -> None:
        self._store: Any = backend()

    async def write(self, *records: Record) -> Sequence[str]:
        values = [{**record.metadata, "text": record.text} for record in records]
        keys = [record.key for record in records]
        if len(records) == 1:
            await self._store.put(keys[0], values[0], collection=records[0].scope)
        else:
            await self._store.put_many(keys, values, collection=records[0].scope)
        return keys

    async def read(self, key: str, scope: str = "a") -> Found | None:
        value = await self._store.get(key, collection=scope)
        return value and Found(key, value["text"], value)

    async def search(
        self, filters: Mapping[str, Any] | None = None, limit: int | None = None
    ) -> Sequence[Found]:
        raise NotImplementedError("the protocol has no search")

    async def delete(self, key: str) -> None:
        await self._store.delete(key, collection="a")

    def break_storage(self) -> None:
        self._store._cache = Broken()


def _forgiven(all_of_them: bool) -> tuple[type[Exception], ...]:
    return (Exception,) if all_of_them else ()


def _kept(fault: str | None, value: Any) -> Any:
    # Before the store looks at a value, anything may be in it.
    if not isinstance(value, Mapping):
        return value
    text, metadata = keeps(fault, {**value}, value)
    return text if text != value else metadata


def _plain() -> type:
    store: type = import_module("key_value.aio.stores.memory").MemoryStore
    return store


def _faulty(fault: str | None) -> type:
    return type("Faulty", (Mutant, _plain()), {"fault": fault})


def _door(backend: type) -> Door:
    return KeyValueDoor(backend)


def _run(backend: type, switch: str | None) -> Outcome:
    # The suite imports its parts as `tests`, which is the name of a folder here, too.
    sys.path.insert(0, str(_SOURCE))
    return run_pytest(Path(__file__).with_name("judged.py"), backend, switch)


_NO_PROMISE: Final = "no failing storage is mentioned"
_NO_SEARCH: Final = "the protocol has no search"

KIT: Final = Kit(
    title="py-key-value's base suite",
    distributions=("py-key-value-aio",),
    backend="MemoryStore",
    what_runs="BaseStoreTests, from the source of the same release",
    plain=_plain,
    faulty=_faulty,
    door=_door,
    left_out={
        "time.to-the-second": "a value has no time; what is left of its life is no timestamp",
        "write.wrong-identity": "a write acknowledges nothing",
        "search.error-is-nothing": _NO_SEARCH,
        "search.limit-ignored": _NO_SEARCH,
        "search.limit-zero-is-all": _NO_SEARCH,
        "search.filter-ignored": _NO_SEARCH,
        "search.filter-as-text": _NO_SEARCH,
        "search.hits-twice": _NO_SEARCH,
        "search.hits-without-metadata": _NO_SEARCH,
    },
    beyond={"write.error-is-success": _NO_PROMISE, "read.error-is-nothing": _NO_PROMISE},
    run=_run,
    switches=SWITCHES,
)

"""Faults in filter keys that are not supported: they are to be refused, all by name (C10, Q2)."""

from __future__ import annotations

from typing import Any, Final

from memory_fidelity.errors import UnsupportedMemoryQuery
from memory_fidelity.store import MemoryQuery
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, fault
from memory_fidelity.testing.faults.filters import no_filters
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "unsupported"]


async def unsupported(bench: Bench) -> None:
    """Filter by keys that are not supported, with and without one that is."""
    await bench.stored([bench.item(1, tags=["t"])])
    keys = sorted(bench.store.manifest.supported_filters)
    mixed = [{key: 1, "zone": 1, "area": 2} for key in keys[:1]]
    cased = [{key.swapcase(): "ada"} for key in keys]
    every: tuple[dict[str, Any], ...] = ({"zone": 1}, {"zone": 1, "area": 2}, *mixed, *cased)
    for filters in every:
        before = len(bench.harness.calls())
        await bench.saw(f"filters {filters}", bench.store.search(MemoryQuery(filters=filters)))
        bench.note("calls", len(bench.harness.calls()) - before)


class _Keys(FaultyStore):
    """Does something else with keys that are not supported; all are texts."""

    async def search(self, query: MemoryQuery) -> Any:
        """Do it, or what is right."""
        filters = query.filters
        keys = [*filters] if type(filters) is dict else []
        supported = self.manifest.supported_filters
        if filters and all(type(key) is str for key in keys) and not {*keys} <= supported:
            return await self.wrongly(query, {k: v for k, v in filters.items() if k in supported})
        return await self.inner.search(query)

    async def wrongly(self, query: MemoryQuery, supported: dict[str, Any]) -> Any:
        """Leave out what is not supported."""
        return await self.inner.search(query.model_copy(update={"filters": supported or None}))


class _KeysIgnored(_Keys):
    """A filter that is not supported is left out."""


class _KeysStripped(_Keys):
    """A filter that is not supported is left out beside one that is."""

    async def wrongly(self, query: MemoryQuery, supported: dict[str, Any]) -> Any:
        left = query.model_copy(update={"filters": supported or None}) if supported else query
        return await self.inner.search(left)


class _KeysIntoText(_Keys):
    """A filter that is not supported is moved into the text."""

    async def wrongly(self, query: MemoryQuery, supported: dict[str, Any]) -> Any:
        moved = {key: value for key, value in (query.filters or {}).items() if key not in supported}
        text = " ".join([query.text or "", *(f"{key}:{value}" for key, value in moved.items())])
        return await self.inner.search(
            query.model_copy(update={"filters": supported or None, "text": text})
        )


class _KeysEmpty(_Keys):
    """A filter that is not supported finds nothing, without a word."""

    async def wrongly(self, query: MemoryQuery, supported: dict[str, Any]) -> Any:
        return []


class _FirstKey(_Keys):
    """Only the first key that is not supported is named."""

    async def wrongly(self, query: MemoryQuery, supported: dict[str, Any]) -> Any:
        raise UnsupportedMemoryQuery(
            [next(key for key in query.filters or {} if key not in supported)]
        )


class _AllKeys(_Keys):
    """A supported key is named, too, beside one that is not."""

    async def wrongly(self, query: MemoryQuery, supported: dict[str, Any]) -> Any:
        raise UnsupportedMemoryQuery(query.filters or {})


class _UnsortedKeys(_Keys):
    """Keys are named in the order of the query."""

    async def wrongly(self, query: MemoryQuery, supported: dict[str, Any]) -> Any:
        error = UnsupportedMemoryQuery(key for key in query.filters or {} if key not in supported)
        error.rejected_keys = tuple(key for key in query.filters or {} if key not in supported)
        raise error


class _KeysNative(_Keys):
    """A filter that is not supported ends in a native error."""

    async def wrongly(self, query: MemoryQuery, supported: dict[str, Any]) -> Any:
        raise KeyError(next(key for key in query.filters or {} if key not in supported))


class _KeysSent(_Keys):
    """Filters are refused after the service was asked."""

    async def wrongly(self, query: MemoryQuery, supported: dict[str, Any]) -> Any:
        await self.inner.search(query.model_copy(update={"filters": supported or None}))
        return await self.inner.search(query)


class _KeysFolded(_Keys):
    """Filter keys are taken in any case."""

    async def wrongly(self, query: MemoryQuery, supported: dict[str, Any]) -> Any:
        known = {key.casefold(): key for key in self.manifest.supported_filters}
        folded = {known.get(key.casefold(), key): v for key, v in (query.filters or {}).items()}
        return await self.inner.search(query.model_copy(update={"filters": folded}))


_FALSE: Final = "manifest.supported_filters"

_KEYS: Final = {
    "unsupported-ignored": (_KeysIgnored, _FALSE),
    "unsupported-into-text": (_KeysIntoText, _FALSE),
    "unsupported-is-nothing": (_KeysEmpty, _FALSE),
    "unsupported-is-native": (_KeysNative, _FALSE),
    "first-key-named": (_FirstKey, "C10"),
    "keys-unsorted": (_UnsortedKeys, "C10"),
    "keys-sent": (_KeysSent, "C10"),
}
_BESIDE: Final = {
    "unsupported-stripped": (_KeysStripped, _FALSE),
    "supported-named": (_AllKeys, "C10"),
    "keys-folded": (_KeysFolded, _FALSE),
}
FAULTS: Final[tuple[Fault, ...]] = (
    *[
        fault(f"filters.{name}", make, case="filters.unsupported", names=names, probe=unsupported)
        for name, (make, names) in _KEYS.items()
    ],
    *[
        fault(
            f"filters.{name}",
            make,
            case="filters.unsupported",
            names=names,
            probe=unsupported,
            unless=no_filters,
        )
        for name, (make, names) in _BESIDE.items()
    ],
)

"""Faults in filters that are supported: what they find (C11, Q2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from memory_fidelity.card import AdapterCard
from memory_fidelity.exact import same
from memory_fidelity.json_codec import canonical
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.query import MAX_LIMIT
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.cases.filters import metadata_key
from memory_fidelity.testing.faults.fault import Fault, Shared, any_of, fault
from memory_fidelity.testing.faults.probe import Bench
from memory_fidelity.testing.faults.rewriting import Rewriting, Sifting

__all__ = ["FAULTS", "filtered", "no_filters"]

_MISSING: Final = object()
_TIME: Final = "created_at"
_BESIDE: Final[tuple[dict[str, Any], ...]] = ({}, {"text": "probe"}, {"tags": ["t"]}, {"limit": 1})
_ODD: Final[tuple[Any, ...]] = ("", 0, None, {"$ne": 1}, [], "x' OR '1'='1")


async def filtered(bench: Bench) -> None:
    """Filter by every key and by several, alone and with other predicates."""
    mappings = bench.store.card.filters
    values = [(each, value) for each in mappings for value in (*each.matching, *each.other)]
    items = [_filed(bench, n, {each.path: value}) for n, (each, value) in enumerate(values)]
    together = {each.path: each.matching[0] for each in mappings}
    items += [_filed(bench, 90, together), bench.item(91, tags=["t"])]
    items += [_filed(bench, 92 + n, {each.path: each.other[0]}) for n, each in enumerate(mappings)]
    await bench.stored(items)
    for each in mappings:
        key = each.key
        for parts in _BESIDE:
            before = len(bench.harness.calls())
            query = MemoryQuery(**{"filters": {key: each.value}, "limit": 50, **parts})
            await bench.saw(f"filter {key} {parts}", bench.store.search(query))
            sent = bench.harness.calls()[before:]
            bench.note("sent", any(each.wire in call.text for call in sent))
        for odd in _ODD:
            query = MemoryQuery(filters={key: odd})
            await bench.saw(f"filter {key}={odd!r}", bench.store.search(query))
    every = MemoryQuery(filters={each.key: each.value for each in mappings})
    await bench.saw("filters together", bench.store.search(every))


def _filed(bench: Bench, number: int, values: dict[str, Any]) -> MemoryItem:
    fields = {_TIME: values[_TIME]} if _TIME in values else {}
    metadata = {metadata_key(path): value for path, value in values.items() if path != _TIME}
    return bench.item(number, tags=["t"], metadata=metadata, **fields)


def _fields(filters: dict[str, Any], **parts: Any) -> dict[str, Any]:
    """The parts of a query of which only these filters are left."""
    return {"filters": filters or None, **parts}


def _rewriting(story: str, change: Callable[[MemoryQuery], dict[str, Any]]) -> Any:
    """A store that hands on another query where there are filters."""

    class Rewritten(Rewriting):
        def rewritten(self, query: MemoryQuery) -> dict[str, Any]:
            return change(query) if query.filters else {}

    Rewritten.__doc__ = story
    return Rewritten


Compared = Callable[[Any, Any], bool]


def _comparing(story: str, equal: Compared, *, absent: bool = False, enough: Any = all) -> Any:
    """A store that compares what is stored with the filters by itself, and otherwise than it says.

    What an honest store finds is found, too.
    """

    class Comparing(Sifting):
        def __init__(self, inner: Any, shared: Shared) -> None:
            super().__init__(inner, shared)
            self.paths = {each.key: each.path for each in inner.card.filters}
            self.right: set[Any] = set()

        async def found(self, query: MemoryQuery) -> Any:
            if query.filters:
                self.right = {hit.id for hit in await self.with_parts(query, limit=MAX_LIMIT)}
            return await super().found(query)

        def more(self, query: MemoryQuery) -> dict[str, Any]:
            return _fields({}) if query.filters else {}

        def fits(self, item: MemoryItem, query: MemoryQuery) -> bool:
            wanted = (query.filters or {}).items()
            return item.id in self.right or enough(self.holds(item, *each) for each in wanted)

        def holds(self, item: MemoryItem, key: str, value: Any) -> bool:
            path = self.paths[key]
            stored = item.metadata.get(metadata_key(path), _MISSING)
            stored = item.created_at if path == _TIME else stored
            return absent if stored is _MISSING else equal(stored, value)

    Comparing.__doc__ = story
    return Comparing


def _as_text(test: Callable[[str, str], bool]) -> Compared:
    return lambda stored, value: test(_text(stored), _text(value))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else canonical(value)


def _loosely(stored: Any, value: Any) -> bool:
    return bool(stored == value)


def _at_least(stored: Any, value: Any) -> bool:
    numbers = {type(stored), type(value)} <= {int, float}
    return bool(stored >= value) if numbers else _text(stored) >= _text(value)


class _AfterLimit(Rewriting):
    """Filters are applied to a page that the limit has cut."""

    async def found(self, query: MemoryQuery) -> Any:
        hits = await self.inner.search(query)
        if not query.filters:
            return hits
        page = {hit.id for hit in await self.with_parts(query, filters=None)}
        return [hit for hit in hits if hit.id in page]


class _Afterwards(Rewriting):
    """Filters are not sent, but applied to everything that the service returns."""

    async def found(self, query: MemoryQuery) -> Any:
        if not query.filters or not query.limit:
            return await self.inner.search(query)
        hits = await self.with_parts(query, filters=None, limit=MAX_LIMIT)
        paths = {each.key: each.path for each in self.card.filters}
        wanted = {metadata_key(paths[key]): value for key, value in query.filters.items()}
        kept = [
            hit for hit in hits
            if all(same(hit.metadata.get(key, _MISSING), value) for key, value in wanted.items())
        ]  # fmt: skip
        return kept[: query.limit]


class _NativeError(Rewriting):
    """A filter value of another type ends in a native error."""

    async def found(self, query: MemoryQuery) -> Any:
        if any(isinstance(value, dict | list) for value in (query.filters or {}).values()):
            raise TypeError("unhashable type")
        return await self.inner.search(query)


def no_filters(manifest: MemoryAdapterManifest, card: AdapterCard) -> str | None:
    """Say why there is no filter to spoil."""
    if not manifest.supported_filters:
        return "manifest says supported_filters=[]"
    return None if card.filters else "card maps no filter"


def _one_filter(_manifest: MemoryAdapterManifest, card: AdapterCard) -> str | None:
    several = len({each.path for each in card.filters}) > 1
    return None if several else "card maps filters to one path only"


def _nothing_other(test: Compared, story: str) -> Callable[..., str | None]:
    """Why a comparison finds no more than the card says."""

    def reason(_manifest: MemoryAdapterManifest, card: AdapterCard) -> str | None:
        pairs = [(other, each.value) for each in card.filters for other in each.other]
        return None if any(test(*pair) for pair in pairs) else f"card has no value {story}"

    return reason


_contains: Final = _as_text(lambda stored, value: value in stored)
_starts: Final = _as_text(str.startswith)
_case_folded: Final = _as_text(lambda stored, value: stored.casefold() == value.casefold())
_alike_as_text: Final = _as_text(str.__eq__)
_COMPARED: Final[dict[str, tuple[str, Compared, str]]] = {
    "contains": ("A filter finds values that contain it.", _contains, "that contains another"),
    "prefix": ("A filter finds values that start with it.", _starts, "that starts with another"),
    "case-folded": ("A filter is compared in any case.", _case_folded, "in another case"),
    "as-text": ("Values are compared as text.", _alike_as_text, "alike as text"),
    "loosely-equal": ("True, 1 and 1.0 are one value.", _loosely, "equal to another type"),
    "at-least": ("A filter finds greater values, too.", _at_least, "that is greater"),
}  # fmt: skip

_FALSE: Final = "manifest.supported_filters"


def _first(query: MemoryQuery) -> dict[str, Any]:
    return _fields(dict([*(query.filters or {}).items()][:1]))


def _true(query: MemoryQuery) -> dict[str, Any]:
    return _fields({key: value for key, value in (query.filters or {}).items() if value})


def _plain(query: MemoryQuery) -> dict[str, Any]:
    kept = {k: v for k, v in (query.filters or {}).items() if not isinstance(v, dict | list)}
    return _fields(kept)


def _into_text(query: MemoryQuery) -> dict[str, Any]:
    words = [query.text or "", *(f"{key}:{value}" for key, value in (query.filters or {}).items())]
    return _fields({}, text=" ".join(words).strip())


def _obeyed(query: MemoryQuery) -> dict[str, Any]:
    kept = {k: v for k, v in (query.filters or {}).items() if "OR '" not in str(v)}
    return _fields(kept)


_REWRITTEN: Final = {
    "ignored": (
        "filters.supported", "Filters are taken, and none is applied.", lambda _: _fields({})
    ),
    "into-text": ("filters.supported", "Filters are moved into the text.", _into_text),
    "ignored-beside-text": (
        "filters.supported", "Filters are ignored beside a text.",
        lambda query: _fields({}) if query.text else {},
    ),
    "ignored-beside-tags": (
        "filters.supported", "Filters are ignored beside tags.",
        lambda query: _fields({}) if query.tags else {},
    ),
    "ignored-alone": (
        "filters.supported", "Filters are ignored where there is nothing else.",
        lambda query: {} if query.tags or query.text else _fields({}),
    ),
    "falsy-dropped": ("filters.literal", "A filter whose value is falsy is none.", _true),
    "broadened": ("filters.literal", "A filter of another type is left out.", _plain),
    "injected": ("filters.literal", "A quote and an operator in a value are obeyed.", _obeyed),
}  # fmt: skip

_OR: Final = _comparing("Of several filters one is enough.", same, enough=any)
_ABSENT: Final = _comparing("A filter finds items without its key.", same, absent=True)
_TOGETHER: Final = {
    "first-only": _rewriting("Of several filters the first is applied.", _first),
    "or": _OR,
}


def _fault(name: str, make: Any, case: str, names: str = _FALSE, **more: Any) -> Fault:
    given = {"probe": filtered, "unless": no_filters, **more}
    return fault(f"filters.{name}", make, case=case, names=names, **given)


FAULTS: Final[tuple[Fault, ...]] = (
    *[
        _fault(name, _rewriting(story, change), case)
        for name, (case, story, change) in _REWRITTEN.items()
    ],
    *[
        _fault(
            name,
            _comparing(story, equal),
            "filters.supported",
            unless=any_of(no_filters, _nothing_other(equal, lacking)),
        )
        for name, (story, equal, lacking) in _COMPARED.items()
    ],
    *[
        _fault(name, make, "filters.together", unless=any_of(no_filters, _one_filter))
        for name, make in _TOGETHER.items()
    ],
    _fault("absent-matches", _ABSENT, "filters.together", unless=any_of(no_filters, _one_filter)),
    _fault("after-limit", _AfterLimit, "filters.supported"),
    _fault("afterwards", _Afterwards, "filters.mapping"),
    _fault("native-error", _NativeError, "filters.literal", "E2"),
)

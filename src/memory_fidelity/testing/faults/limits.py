"""Faults in limits (C8, Q3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from memory_fidelity.query import MAX_LIMIT
from memory_fidelity.store import MemoryQuery
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, fault
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "limits"]

_CAP: Final = 20
_WORD: Final = 2**63


async def limits(bench: Bench) -> None:
    """Search with every sort of limit, with and without predicates."""
    await bench.stored(bench.item(n, tags=["t"]) for n in range(30))
    for limit in (0, 1, 3, 29, 30, 31, 2**70, -1, -4):
        for parts in ({}, {"text": "probe"}, {"tags": ["t"]}, {"text": "probe", "tags": ["t"]}):
            before = len(bench.harness.calls())
            query = MemoryQuery(limit=limit, **parts)
            got = await bench.saw(f"{limit} {parts}", bench.store.search(query))
            bench.note("in all", len(got) if isinstance(got, list) else None)
            bench.note("calls", len(bench.harness.calls()) - before)


class _Limited(FaultyStore):
    """Does something else with limits of one sort."""

    def concerns(self, query: MemoryQuery) -> bool:
        """Whether the limit is of this sort."""
        return type(query.limit) is int and query.limit > 0

    async def search(self, query: MemoryQuery) -> Any:
        """Do it, or what is right."""
        if self.concerns(query):
            return await self.wrongly(query)
        return await self.inner.search(query)

    async def wrongly(self, query: MemoryQuery) -> Any:
        """Return every hit."""
        return await self.with_limit(query, MAX_LIMIT)

    async def with_limit(self, query: MemoryQuery, limit: int) -> Any:
        """Search with another limit."""
        return await self.inner.search(query.model_copy(update={"limit": limit}))


class _Ignored(_Limited):
    """A positive limit is taken, and every hit is returned."""


class _PageOfTen(_Limited):
    """The service's own page of ten hits is taken for the whole answer."""

    async def wrongly(self, query: MemoryQuery) -> Any:
        return (await self.inner.search(query))[:10]


class _OneMore(_Limited):
    """One hit more is returned than was asked for."""

    async def wrongly(self, query: MemoryQuery) -> Any:
        return await self.with_limit(query, query.limit + 1)


class _OneLess(_Limited):
    """One hit less is returned than was asked for."""

    async def wrongly(self, query: MemoryQuery) -> Any:
        return await self.with_limit(query, query.limit - 1)


class _Capped(_Limited):
    """More than twenty hits are never returned, whatever is asked for."""

    async def wrongly(self, query: MemoryQuery) -> Any:
        return await self.with_limit(query, min(query.limit, _CAP))


class _Overflowing(_Limited):
    """A limit that fits into no machine word ends in the client's own error."""

    def concerns(self, query: MemoryQuery) -> bool:
        return type(query.limit) is int and query.limit >= _WORD

    async def wrongly(self, query: MemoryQuery) -> Any:
        raise OverflowError("int too large to convert")


class _IgnoredWithText(_Limited):
    """The limit is not handed on where a text is searched for alone."""

    def concerns(self, query: MemoryQuery) -> bool:
        return super().concerns(query) and bool(query.text) and not query.tags


class _IgnoredWithTags(_Limited):
    """The limit is not handed on where tags are searched for alone."""

    def concerns(self, query: MemoryQuery) -> bool:
        return super().concerns(query) and bool(query.tags) and not query.text


class _IgnoredWithoutPredicate(_Limited):
    """The limit is not handed on where there is no predicate."""

    def concerns(self, query: MemoryQuery) -> bool:
        return super().concerns(query) and not (query.tags or query.text or query.filters)


class _Zero(_Limited):
    """A limit of 0 means everything."""

    def concerns(self, query: MemoryQuery) -> bool:
        return type(query.limit) is int and query.limit == 0


class _ZeroIsOne(_Zero):
    """A limit of 0 gives one hit."""

    async def wrongly(self, query: MemoryQuery) -> Any:
        return await self.with_limit(query, 1)


class _ZeroIsSent(_Zero):
    """A limit of 0 reaches the service, which answers with nothing."""

    async def wrongly(self, query: MemoryQuery) -> Any:
        await self.with_limit(query, 1)
        return []


class _ZeroIsRefused(_Zero):
    """A limit of 0 ends in the client's own error."""

    async def wrongly(self, query: MemoryQuery) -> Any:
        raise ValueError("limit must be positive")


class _ZeroByTag(_Zero):
    """A limit of 0 means everything where there are tags."""

    def concerns(self, query: MemoryQuery) -> bool:
        return super().concerns(query) and bool(query.tags)


class _Negative(_Limited):
    """A negative limit means everything."""

    def concerns(self, query: MemoryQuery) -> bool:
        return type(query.limit) is int and query.limit < 0


class _NegativeSlices(_Negative):
    """A negative limit leaves out the last hits."""

    async def wrongly(self, query: MemoryQuery) -> Any:
        return (await self.with_limit(query, MAX_LIMIT))[: query.limit]


class _NegativeIsNothing(_Negative):
    """A negative limit gives no hits, without a word."""

    async def wrongly(self, query: MemoryQuery) -> Any:
        return []


class _NegativeIsNative(_Negative):
    """A negative limit ends in the client's own error."""

    async def wrongly(self, query: MemoryQuery) -> Any:
        raise ValueError("LIMIT must not be negative")


class _NegativeIsPositive(_Negative):
    """The sign of a limit is dropped."""

    async def wrongly(self, query: MemoryQuery) -> Any:
        return await self.with_limit(query, -query.limit)


class _NegativeIsSent(_Negative):
    """A negative limit is refused after the service was asked."""

    async def wrongly(self, query: MemoryQuery) -> Any:
        await self.with_limit(query, 1)
        return await self.inner.search(query)


class _NegativeByTag(_Negative):
    """A negative limit means everything where there are tags."""

    def concerns(self, query: MemoryQuery) -> bool:
        return super().concerns(query) and bool(query.tags)


def _fault(
    name: str, make: Callable[..., Any], case: str = "search.limit", names: str = "C8"
) -> Fault:
    return fault(f"limit.{name}", make, case=case, names=names, probe=limits)


_AT_ZERO: Final = "search.limit.zero"
_BELOW: Final = "search.limit.negative"

FAULTS: Final[tuple[Fault, ...]] = (
    _fault("ignored", _Ignored),
    _fault("page-of-ten", _PageOfTen),
    _fault("one-more", _OneMore),
    _fault("one-less", _OneLess),
    _fault("capped", _Capped),
    _fault("overflowing", _Overflowing, names="C7"),
    _fault("ignored-with-text", _IgnoredWithText),
    _fault("ignored-with-tags", _IgnoredWithTags),
    _fault("ignored-without-predicate", _IgnoredWithoutPredicate),
    _fault("zero-is-all", _Zero, _AT_ZERO),
    _fault("zero-is-one", _ZeroIsOne, _AT_ZERO),
    _fault("zero-is-sent", _ZeroIsSent, _AT_ZERO),
    _fault("zero-is-refused", _ZeroIsRefused, _AT_ZERO),
    _fault("zero-is-all-by-tag", _ZeroByTag, _AT_ZERO),
    _fault("negative-is-all", _Negative, _BELOW),
    _fault("negative-slices", _NegativeSlices, _BELOW),
    _fault("negative-is-nothing", _NegativeIsNothing, _BELOW),
    _fault("negative-is-native", _NegativeIsNative, _BELOW),
    _fault("negative-is-positive", _NegativeIsPositive, _BELOW),
    _fault("negative-is-sent", _NegativeIsSent, _BELOW),
    _fault("negative-is-all-by-tag", _NegativeByTag, _BELOW),
)

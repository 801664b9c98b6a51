"""Faults in scopes: what is kept under one name is seen under another (L2)."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any, Final
from uuid import UUID

from memory_fidelity.store import MemoryQuery
from memory_fidelity.testing.faults.fault import Fault, FaultyStore, Shared, fault
from memory_fidelity.testing.faults.probe import Bench

__all__ = ["FAULTS", "neighbours"]


async def neighbours(bench: Bench) -> None:
    """Store an item in each of several scopes, and look for all of them from each."""
    names = ("desk", "desk-2", "desk_2", "desk-24")
    stores = [bench.store, *[await bench.scope(name) for name in names]]
    items = [bench.item(number, tags=["t"]) for number in range(len(stores))]
    for store, item in zip(stores, items, strict=True):
        await bench.saw("store", store.store(item))
    await bench.harness.make_search_index_visible()
    for number, store in enumerate(stores):
        await bench.saw(f"search {number}", store.search(MemoryQuery(tags=["t"])))
        for item in items:
            await bench.saw(f"retrieve {number}", store.retrieve(item.id))


class _Leaking(FaultyStore):
    """Every scope is seen from every other."""

    searches = True
    retrieves = True

    def __init__(self, inner: Any, shared: Shared) -> None:
        super().__init__(inner, shared)
        self.name = next(name for name, store in shared.scopes.items() if store is inner)

    def sees(self, name: str) -> bool:
        """Whether another scope is taken for this one."""
        return True

    def leaks(self) -> list[Any]:
        """The stores of the scopes that are taken for this one."""
        others = [name for name in self.shared.scopes if name != self.name]
        return [self.shared.scopes[name] for name in others if self.sees(name)]

    async def search(self, query: MemoryQuery) -> Any:
        """Show hits of other scopes, too."""
        hits = await self.inner.search(query)
        for store in self.leaks() if self.searches else ():
            hits += await store.search(query)
        return hits[: query.limit]

    async def retrieve(self, item_id: UUID) -> Any:
        """Read in other scopes, too."""
        found = await self.inner.retrieve(item_id)
        for store in self.leaks() if self.retrieves else ():
            found = found or await store.retrieve(item_id)
        return found


class _Prefix(_Leaking):
    """A scope is selected by the start of its name, so that longer names are seen."""

    def sees(self, name: str) -> bool:
        return bool(self.name) and name.startswith(self.name)


class _Pattern(_Leaking):
    """The name of a scope is obeyed as a pattern, in which `_` is any character."""

    def sees(self, name: str) -> bool:
        return bool(self.name) and fnmatchcase(name, self.name.replace("_", "?"))


class _Slug(_Leaking):
    """Names of scopes are made into identifiers, and some become the same."""

    def sees(self, name: str) -> bool:
        return name.replace("-", "_") == self.name.replace("-", "_")


class _Cut(_Leaking):
    """Names of scopes are cut to six characters."""

    def sees(self, name: str) -> bool:
        return name[:6] == self.name[:6]


class _Inherited(_Leaking):
    """What is in the default scope is seen from every other."""

    def sees(self, name: str) -> bool:
        return not name


class _HomeIsAll(_Leaking):
    """A store without a scope of its own sees every scope."""

    def sees(self, name: str) -> bool:
        return not self.name


class _RetrievedAcross(_Leaking):
    """Search keeps to its scope, and retrieval reads an id in any."""

    searches = False


class _FoundAcross(_Leaking):
    """Retrieval keeps to its scope, and search shows hits of any."""

    retrieves = False


_MAKERS: Final = {
    "everything": _Leaking,
    "prefix": _Prefix,
    "pattern": _Pattern,
    "slug": _Slug,
    "cut": _Cut,
    "inherited": _Inherited,
    "home-is-all": _HomeIsAll,
    "retrieved-across": _RetrievedAcross,
    "found-across": _FoundAcross,
}

FAULTS: Final[tuple[Fault, ...]] = tuple(
    fault(f"scope.{name}", make, case="scope.isolated", names="L2", probe=neighbours)
    for name, make in _MAKERS.items()
)

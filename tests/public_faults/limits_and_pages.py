"""Faults in limits and in queries that ask for nothing in particular: B54 to B63."""

from __future__ import annotations

from typing import Any, Final, cast

import pytest
from tests.public_faults.bench import Bench, Ending
from tests.public_faults.statements import Says

from memory_fidelity import MemoryItem, MemoryQuery, UnsupportedMemoryQuery

_ONE_LETTER: Final = Says(
    "text_match", "A text without two letters, or whose letters repeat too much"
)


async def zero(bench: Bench) -> Ending:
    """B54: no item is asked for."""
    await _stored(bench, "x one", "x two", "x three")
    return await _nothing_for(bench, MemoryQuery(limit=0))


async def zero_of_a_text(bench: Bench) -> Ending:
    """B56: the same with a text, and with tags."""
    await _stored(bench, "x one", "x two", "x three")
    await _nothing_for(bench, MemoryQuery(tags=["t"], limit=0))
    return await _nothing_for(bench, MemoryQuery(text="x", limit=0))


async def negative(bench: Bench) -> Ending:
    """B57: a negative limit has no meaning, whatever else the query says."""
    await _stored(bench, "one", "two", "three", "four", "five")
    await bench.unsupported("limit", limit=-3, text="one")
    await bench.unsupported("limit", limit=-(2**63), tags=["t"])
    return await bench.unsupported("limit", limit=-1)


async def default_size(bench: Bench) -> Ending:
    """B58: more items than a service gives unless it is asked for them."""
    items = await _stored(bench, *(f"shared {n}" for n in range(105)))
    assert len(await bench.found(tags=["t"], limit=25)) == 25
    assert await bench.found(tags=["t"], limit=105) == items
    assert await bench.found(text="shared", limit=1000) == items
    for limit in (10**12, 2**63, 10**30):
        assert await bench.found(limit=limit) == items
    return "preserved"


async def blank(bench: Bench) -> Ending:
    """B61: no text, an empty one, and one of white space."""
    items = await _stored(bench, "one", "two", "three   spaces")
    for text in (None, ""):
        found = await bench.found(text=text, limit=2)
        assert len(found) == 2, f"text={text!r}: expected two items, got {len(found)}"
        assert found <= items
    spaced = await _literal(bench, "   ")
    assert spaced in (None, {"three   spaces"}), f"three blanks: got {spaced}"
    return "documented_first_page"


async def wildcard(bench: Bench) -> Ending:
    """B62: a wildcard is a character like any other."""
    contents = ("a*b", "a%b", "a_b", "a?b", "a.b", "plain")
    await _stored(bench, *contents)
    for sign, content in zip("*%_?.", contents, strict=False):
        found = await _literal(bench, sign)
        assert found in (None, {content}), f"{sign!r}: expected {content!r}, got {found}"
    return "documented_semantics"


async def empty_filters(bench: Bench) -> Ending:
    """B63: a query whose every part is empty asks for everything."""
    items = await _stored(bench, "one", "two", "three")
    assert await bench.found(filters={}, tags=[], limit=10) == items
    assert await bench.found(filters=None, tags=None, text=None, limit=10) == items
    return "documented_first_page"


async def _literal(bench: Bench, text: str) -> set[Any] | None:
    """The contents that a text finds; `None` where the card says that such a text is refused."""
    if _ONE_LETTER.stands(bench):
        await _refused(bench, text)
        return None
    return {hit.content for hit in await bench.search(text=text)}


async def _refused(bench: Bench, text: str) -> None:
    with pytest.raises(UnsupportedMemoryQuery) as caught:
        await bench.search(text=text)
    assert caught.value.rejected_keys == ("text",)


async def _nothing_for(bench: Bench, query: MemoryQuery) -> Ending:
    answer = await bench.answers_alone(lambda: bench.store.search(query))
    assert cast(object, answer) == [], f"expected [], got {answer}"
    return "empty_no_transport"


async def _stored(bench: Bench, *contents: str) -> set[Any]:
    items = [MemoryItem(content=content, tags=["t"]) for content in contents]
    for item in items:
        await bench.store.store(item)
    return {item.id for item in items}

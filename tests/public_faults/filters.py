"""Faults in filters, and in values that are taken for syntax: B38 to B53."""

from __future__ import annotations

from math import nan
from typing import Any, Final

from tests.public_faults.bench import Bench, Ending
from tests.public_faults.statements import Says

from memory_fidelity import MemoryItem, MemoryQuery, memory_query

_NO_SHORT_WORDS: Final = Says("text_match", "Words of one or two letters find nothing.")


async def unknown_operator(bench: Bench) -> Ending:
    """B38: a key that asks for an operator, even beside one that is known."""
    await bench.store.store(MemoryItem(content="m", metadata={"user": ["admin"], "roles": ["a"]}))
    await bench.unsupported("user__in", filters={"user__in": ["tom"]})
    await bench.unsupported("$or", filters={"$or": [{"user": "tom"}]})
    known = dict.fromkeys(bench.manifest.supported_filters, "tom")
    await bench.unsupported("roles__contains", filters={**known, "roles__contains": "tom"})
    for key in known:
        await bench.unsupported(key.upper(), filters={key.upper(): "tom"})
    return await bench.unsupported("roles__contains", filters={"roles__contains": "tom"})


async def analysed(bench: Bench) -> Ending:
    """B40: a capital letter, a space or a hyphen in a value that is compared as a whole."""
    values = ("Home Office", "home-office", "home office", "Home", "home", " home", "h\u00f6me")
    return await _exact(bench, *values)


async def tokenised(bench: Bench) -> Ending:
    """B41: values that share a word."""
    return await _exact(
        bench, "ERP_System", "erp", "ERP", "Verified", "Not Verified", "Ve", "erp system"
    )


async def numbers_and_lists(bench: Bench) -> Ending:
    """B42: neighbouring numbers that one double stands for, and lists and mappings."""
    bench.needs("metadata", filters=("n",))
    values: tuple[Any, ...] = (
        *(9, 10, 100, 2**53, 2**53 + 1, -(2**53) - 1, 2**63, 2**63 + 1, 0.1, 0.1 + 2**-56),
        *(["p", "q"], ["q", "p"], ["p"], "p", {"a": 1}, {"a": 2}, {}, [], None),
        *(True, 1, 1.0, "1", "9", "True", False, 0, ""),
    )
    return await _exact(bench, *values, key="n")


async def misspelt_argument(bench: Bench) -> Ending:
    """B43: lionagi's query ignores an argument that it does not know; nothing else does."""
    misspelt: dict[str, Any] = {"filter": {"user": "u1"}}
    items = [MemoryItem(content=text) for text in ("one", "two")]
    for item in items:
        await bench.store.store(item)
    assert MemoryQuery(**misspelt).filters in (None, {})
    assert await bench.found(**misspelt) == {item.id for item in items}
    try:
        memory_query(**misspelt)
    except TypeError:
        return "documented_semantics"
    raise AssertionError("memory_query: expected a TypeError for `filter`, got a query")


async def narrowed_afterwards(bench: Bench) -> Ending:
    """B46: many records of another kind match, and the limit is counted over memories alone."""
    plant = bench.control("plant_foreign_record")
    item = MemoryItem(content="note, memo, A to F", tags=["note"])
    before = [await plant() for _ in range(30)]
    await bench.store.store(item)
    planted = [*before, *[await plant() for _ in range(30)]]
    assert all([await bench.control("holds")(identity) for identity in planted])
    queries: tuple[dict[str, Any], ...] = (
        {"text": "note"},
        {"text": "memo"},
        {"text": "a to f"},
        {"tags": ["note"]},
        {},
    )
    for query in queries:
        found = await bench.found(limit=1, **query)
        if query == queries[2] and _NO_SHORT_WORDS.stands(bench):
            assert found == set()
            continue
        assert found == {item.id}, f"{query}: expected the one memory, got {found}"
    return await bench.keeps(item)


async def rounded_bounds(bench: Bench) -> Ending:
    """B47: a range is not offered; where equality is, large neighbours are told apart."""
    if "n" in bench.manifest.supported_filters:
        await _exact(bench, 2**53, 2**53 + 1, 2**53 + 2, 2**62, 2**62 + 1, key="n")
    return await bench.unsupported("ns_gte", filters={"ns_gte": 2**53 + 1})


async def unknown_value(bench: Bench) -> Ending:
    """B48: a value that is none widens nothing."""
    await bench.store.store(MemoryItem(content="m", metadata={"user": "episodic"}))
    if "user" in bench.manifest.supported_filters:
        assert await bench.found(filters={"user": "episodik"}) == set()
        assert await bench.found(filters={"user": None}) == set()
        for value in (nan, object(), {1}, ("episodic",), b"episodic", "half \ud83d"):
            await bench.unsupported("user", filters={"user": value})
    return await bench.unsupported("memory_type", filters={"memory_type": "episodik"})


async def quotes_in_values(bench: Bench) -> Ending:
    """B50: values that end a literal, and would widen the search."""
    return await _exact(
        bench,
        *("a", "b", "o'brien", "zz' OR '1'='1", 'q"', "b\\", "x') OR TRUE --", "%", "_", "${x}"),
    )


async def keys_in_syntax(bench: Bench) -> Ending:
    """B51: keys with spaces and quotes are named, all of them, and are never sent."""
    keys = ("my key", "cl\u00e9", "it's", "a' OR 1=1 --", 'q"', "")
    return await bench.unsupported(*keys, filters=dict.fromkeys(keys, 1))


async def text_as_grammar(bench: Bench) -> Ending:
    """B53: a text with operators and column names is looked for as it is."""
    item = MemoryItem(content="hello", tags=["beta"], metadata={"user": "beta"})
    await bench.store.store(item)
    for text in (
        "user:beta",
        "tags:beta",
        "content:hello",
        "hel*",
        "-zzz hello",
        '"hello"',
        "NOT zzz",
        "h.llo",
    ):
        await _literal(bench, text)
    for text in ("hello'", 'hello"', "hello\\", "hello''", "hell\u00e9o", "hello;", "hello)"):
        await _literal(bench, text)
    await _literal(bench, "hello OR zzz")
    assert await bench.found(text="hello") == {item.id}
    return "preserved"


async def _literal(bench: Bench, text: str) -> None:
    if await bench.found(text=text) and "hello" in text:
        # Found by a word of it, which is literal, too, if the card says so.
        words = Says("text_match", "one of the text's words")
        assert words.stands(bench), f"{text!r} was found in 'hello'"
        raise words
    assert await bench.found(text=text) == set(), f"{text!r} was found in 'hello'"


async def _exact(bench: Bench, *values: Any, key: str = "user") -> Ending:
    """Each value finds its own item, and no other's."""
    bench.needs("metadata", filters=(key,))
    items = [MemoryItem(content="m", tags=["t"], metadata={key: value}) for value in values]
    await bench.store.store(MemoryItem(content="m", tags=["t"]))
    for item in items:
        await bench.store.store(item)
        await bench.keeps(item, hits=False)
    for value, item in zip(values, items, strict=True):
        for parts in ({"limit": 1000}, {"limit": 1}, {"text": "m"}, {"tags": ["t"]}):
            found = await bench.found(filters={key: value}, **parts)
            assert found == {item.id}, f"{key}={value!r}: expected one item, got {len(found)}"
    return "preserved"

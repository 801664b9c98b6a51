"""Text search in a SQLite file: a literal, case-folded substring, whatever the characters."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.adapters.sqlite_probe import contents, stored

from memory_fidelity.adapters._folded_text import needle, searchable
from memory_fidelity.adapters._sqlite_text import index_query
from memory_fidelity.adapters.sqlite import SqliteMemoryStore

# Few letters make hits likely; the controls are those that the index cannot hold as they are.
_LETTERS = st.text(alphabet='ab\x00\x01\x02\x03ßS"*%', max_size=9)


async def _finds(content: Any, text: str) -> bool:
    async with SqliteMemoryStore(":memory:") as store:
        await stored(store, content, "something else")
        return content in await contents(store, text=text)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param("Hello", "hELL", id="ascii-case"),
        pytest.param("ÉCOLE à Łódź", "école À łÓ", id="non-ascii-case"),
        pytest.param("Straße", "STRASSE", id="one-character-folds-to-two"),
        pytest.param("ΟΔΥΣΣΕΥΣ", "οδυσσευς", id="final-sigma"),
        pytest.param("a", "A", id="one-character"),
        pytest.param("zé", "ZÉ", id="two-characters"),
        pytest.param("\U0001f600 smile", "\U0001f600", id="one-emoji"),
        pytest.param("before\x00after", "before", id="before-nul"),
        pytest.param("before\x00after", "AFTER", id="after-nul"),
        pytest.param("before\x00after", "e\x00a", id="across-nul"),
        pytest.param("before\x00after", "\x00", id="nul-alone"),
        pytest.param("a\x01b", "a\x01b", id="escape-character"),
        pytest.param('say "hi" there', '"hi"', id="double-quotes"),
        pytest.param("it's", "'s", id="single-quote"),
        pytest.param("a*b", "*", id="asterisk"),
        pytest.param("100% sure", "% s", id="percent"),
        pytest.param("snake_case", "e_c", id="underscore"),
        pytest.param("x AND y NOT z", "AND y NOT", id="operators"),
        pytest.param("NEAR(a b)", "near(a", id="near"),
        pytest.param("folded:beta", "folded:beta", id="column-filter"),
        pytest.param("a   b", "   ", id="white-space"),
        pytest.param("back\\slash", "k\\s", id="backslash"),
        pytest.param("\ufffe\uffff noncharacters", "\uffff nonc", id="noncharacters"),
        pytest.param("long " * 3000, "g " + "long " * 2000, id="long-needle"),
        pytest.param({"key": [1.5, None, "Text"]}, "KEY", id="json-key"),
        pytest.param({"key": [1.5, None, "Text"]}, "text", id="json-string"),
        pytest.param({"key": [1.5, None, "Text"]}, "1.5", id="json-number"),
        pytest.param({"key": [1.5, None, "Text"]}, "null", id="json-null"),
        pytest.param(10**5000, "000", id="huge-integer"),
    ],
)
def test_a_substring_is_found(content: Any, text: str) -> None:
    """Both sides are folded by `str.casefold`; nothing in the needle is syntax."""
    assert asyncio.run(_finds(content, text))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param("hello", "hello OR zzz", id="or"),
        pytest.param("hello", "hel*", id="prefix"),
        pytest.param("secret beta", "secret:beta", id="column-filter"),
        pytest.param("abc", "a_c", id="like-one"),
        pytest.param("abc", "a%c", id="like-many"),
        pytest.param("abcxbcd", "abcd", id="parts-but-not-the-whole"),
        pytest.param("e\u0301cole", "école", id="other-normal-form"),
        pytest.param("\x01", "\x00", id="control-for-nul"),
        pytest.param("\x00", "\x02", id="part-of-a-code"),
        pytest.param("\ufffd noncharacter", "\uffff nonc", id="noncharacters"),
        pytest.param("ab", "abc", id="needle-longer-than-text"),
        pytest.param(["one", "two"], "onetwo", id="across-lines"),
    ],
)
def test_what_is_no_substring_is_not_found(content: Any, text: str) -> None:
    """The index finds candidates; each is verified."""
    assert not asyncio.run(_finds(content, text))


def test_an_empty_text_is_no_predicate() -> None:
    """It finds what a query without text finds."""
    assert asyncio.run(_finds("anything", ""))


@settings(derandomize=True, max_examples=300, deadline=None)
@given(_LETTERS, _LETTERS)
def test_coding_keeps_substrings_as_they_are(text: str, wanted: str) -> None:
    """One text lies in another after the coding exactly if it did before."""
    expected = wanted.casefold() in text.casefold()

    assert (needle(wanted) in searchable(text)) == expected


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(_LETTERS, min_size=1, max_size=5), _LETTERS)
def test_search_finds_exactly_the_substrings(texts: list[str], wanted: str) -> None:
    """Python's own `in` is the judge, with and without the index."""

    async def scenario() -> list[Any]:
        async with SqliteMemoryStore(":memory:") as store:
            await stored(store, *texts)
            return await contents(store, text=wanted)

    found = asyncio.run(scenario())

    assert found[::-1] == [text for text in texts if wanted.casefold() in text.casefold()]


@pytest.mark.parametrize(
    ("wanted", "query"),
    [
        pytest.param("ab", None, id="too-short"),
        pytest.param("abc", '"abc"', id="one-gram"),
        pytest.param("abcd", '"abc" AND "bcd"', id="two-grams"),
        pytest.param('a"b', '"a""b"', id="quoted"),
    ],
)
def test_the_index_is_asked_for_few_grams(wanted: str, query: str | None) -> None:
    """Grams cover the needle, and none is syntax."""
    assert index_query(wanted) == query


def test_the_index_is_never_asked_for_many_grams() -> None:
    """A needle of any length costs a bounded number of lookups."""
    query = index_query("abcdefghij" * 1000)

    assert query is not None
    assert query.count("AND") == 7

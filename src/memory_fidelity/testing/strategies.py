"""Hypothesis strategies for items and queries: ordinary ones, and those that must be refused.

For properties of an adapter that named values alone cannot show. Every strategy
mixes in the named corpus, so that known killers are drawn often, and shrinks
towards plain values. Needs Hypothesis, which comes with the extra `testing`.

    from hypothesis import given
    from memory_fidelity import same
    from memory_fidelity.testing.strategies import items

    @given(items())
    def test_every_item_is_kept(item):
        async def back():
            async with AcmeStore("test") as store:
                await store.store(item)
                return await store.retrieve(item.id)

        assert same(item.model_dump(), asyncio.run(back()).model_dump())

A draw depends on nothing but Hypothesis: no clock, no random identity.
"""

from __future__ import annotations

from collections.abc import Collection
from copy import deepcopy
from typing import Any, Final, TypeVar

from memory_fidelity.card import ContentKind
from memory_fidelity.manifest import ITEM_FIELDS, MemoryItemField
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.corpus import SpecimenField, specimens

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise ImportError(
        "memory_fidelity.testing.strategies needs hypothesis, which comes with the extra "
        "`testing`: pip install 'memory-fidelity[testing]'"
    ) from error

from memory_fidelity.testing.hostile_values import (
    no_identity,
    no_json,
    no_limit,
    no_metadata,
    no_tags,
    no_text,
    no_time,
)

__all__ = [
    "created_at",
    "hostile_items",
    "hostile_queries",
    "items",
    "json_values",
    "metadata",
    "queries",
    "tags",
    "texts",
]

_ALIKE: Final[tuple[Any, ...]] = (
    1, 1.0, True, "1", 0, 0.0, -0.0, False, "", None, "null", [], {}, [1], "ada",
)  # fmt: skip
"""Values that are taken for one another, drawn often, so that they meet in one store."""

_UNSHOWN: Final = frozenset(
    {"digits-beyond-limits", "very-long", "very-long-value", "mapping-very-long-value"}
)
"""Left out: Python or Hypothesis refuses to print them, and would hide why a test failed."""

_SHORT: Final = 300
"""Characters; with longer texts in every member of a value, little else would be tried."""

_KINDS: Final[frozenset[ContentKind]] = frozenset({"text", "json"})
_Model = TypeVar("_Model", MemoryItem, MemoryQuery)


def texts() -> st.SearchStrategy[str]:
    """Text of whole characters, of any length; NUL and other controls are among them."""
    return st.text() | _specimens("content", str)


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value: `None`, `bool`, `int` of any size, finite `float`, `str`, `list`, `dict`."""
    scalars = st.none() | st.booleans() | st.integers() | _floats() | _short_texts()
    trees = st.recursive(
        scalars | _alike(),
        lambda inner: st.lists(inner, max_size=5) | _mappings(inner),
        max_leaves=8,
    )
    return trees | _specimens("content")


def metadata(*, keys: Collection[str] = ()) -> st.SearchStrategy[dict[str, Any]]:
    """A mapping of text to JSON values; each of `keys` is in about half of them.

    lionagi's own key `lion_class` is in none.
    """
    ours = (_mappings(json_values()) | _specimens("metadata")).filter(
        lambda m: "lion_class" not in m
    )
    if not keys:
        return ours
    named = st.fixed_dictionaries(
        {}, optional={key: _alike() | json_values() for key in sorted(keys)}
    )
    return st.builds(lambda some, others: {**others, **some}, named, st.just({}) | ours)


def tags() -> st.SearchStrategy[list[str]]:
    """A list of texts, in any order, with duplicates."""
    return st.lists(_short_texts(), max_size=5) | _specimens("tags")


def created_at() -> st.SearchStrategy[float]:
    """A finite number of seconds, negative ones and those beyond any calendar included."""
    return _floats() | _specimens("created_at")


def items(
    *, content: Collection[ContentKind] = _KINDS, keys: Collection[str] = ()
) -> st.SearchStrategy[MemoryItem]:
    """A valid item, which an adapter keeps, alters or drops as declared, or refuses.

    Args:
        content: the kinds of content, as an adapter's card has them.
        keys: names that are drawn often in metadata, such as those that can be filtered on.
    """
    kinds: list[st.SearchStrategy[Any]] = []
    if "text" in content:
        kinds.append(texts())
    if "json" in content:
        kinds.append(json_values().filter(lambda value: not isinstance(value, str)))
    return st.builds(
        MemoryItem,
        id=st.uuids(),
        created_at=created_at(),
        metadata=metadata(keys=keys),
        content=st.one_of(kinds),
        tags=tags(),
    )


def queries(*, filters: Collection[str] = ()) -> st.SearchStrategy[MemoryQuery]:
    """A valid query, which every adapter answers that supports these filters.

    Each part may be absent or empty. The limit is small, zero or beyond any count.
    """
    values = _alike() | json_values()
    return st.builds(
        MemoryQuery,
        text=st.none() | texts(),
        tags=st.none() | tags(),
        filters=st.none()
        | st.fixed_dictionaries({}, optional=dict.fromkeys(sorted(filters), values)),
        limit=st.integers(0, 5) | st.sampled_from((20, 1_000, 2**31 - 1, 2**31, 2**63, 10**40)),
    )


def hostile_items(
    *, fields: Collection[MemoryItemField] = ITEM_FIELDS
) -> st.SearchStrategy[MemoryItem]:
    """An item that lionagi lets exist, and every adapter refuses before transport (W1).

    One field was changed after validation to what no service can keep: another
    type, a subclass, half of a character, a number that is not finite, a cycle.

    Args:
        fields: where the fault may be; an adapter does not look at a field that it drops.
    """
    faults: dict[MemoryItemField, st.SearchStrategy[Any]] = {
        "content": no_json(),
        "tags": no_tags(tuple, set, iter),
        "metadata": no_metadata(MemoryItem.class_name(full=True)),
        "created_at": no_time(),
        "id": no_identity(),
    }
    spoilt = [_one_fault(name, fault) for name, fault in faults.items() if name in fields]
    return st.builds(_spoilt, items(content={"text"}), st.one_of(spoilt))


def hostile_queries(*, filters: Collection[str] = ()) -> st.SearchStrategy[MemoryQuery]:
    """A query that lionagi lets exist, and every adapter refuses before transport (Q2, Q3).

    One part was changed after validation: a limit that is negative or no `int`,
    a key that is not supported, a value that no valid query has.

    Args:
        filters: the keys that the adapter supports; the hostile values are under them, too.
    """
    unknown = texts().filter(lambda key: key not in filters) | no_text()
    mappings = st.dictionaries(unknown, json_values(), min_size=1, max_size=3)
    if filters:
        mappings |= st.dictionaries(st.sampled_from(sorted(filters)), no_json(), min_size=1)
    spoilt = st.one_of(
        _one_fault("limit", no_limit()),
        _one_fault("text", no_text()),
        _one_fault("tags", no_tags(set, iter)),
        _one_fault("filters", mappings | st.sampled_from(([], "user=ada", 1))),
    )
    return st.builds(_spoilt, queries(filters=filters), spoilt)


def _spoilt(valid: _Model, fault: tuple[str, Any]) -> _Model:
    return valid.model_copy(update=dict([fault]))


def _one_fault(name: str, values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, Any]]:
    return st.tuples(st.just(name), values)


def _short_texts() -> st.SearchStrategy[str]:
    return texts().filter(lambda text: len(text) <= _SHORT)


def _mappings(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(_short_texts(), values, max_size=5)


def _floats() -> st.SearchStrategy[float]:
    return st.floats(allow_nan=False, allow_infinity=False)


def _alike() -> st.SearchStrategy[Any]:
    return st.sampled_from(_ALIKE).map(deepcopy)


def _specimens(field: SpecimenField, kind: type = object) -> st.SearchStrategy[Any]:
    """A value of the corpus, copied for each draw, so that no test can spoil another's."""
    values = {
        specimen.name: specimen.value
        for specimen in specimens(field)
        if isinstance(specimen.value, kind) and specimen.name not in _UNSHOWN
    }
    # By name, since Hypothesis may print all that can be drawn.
    return st.sampled_from(list(values)).map(lambda name: deepcopy(values[name]))

"""Filters: supported ones mean what the card says, others are refused by name (C10, C11, Q2)."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from memory_fidelity.card import FilterMapping
from memory_fidelity.errors import UnsupportedMemoryQuery
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.case import case
from memory_fidelity.testing.endings import Raised, described
from memory_fidelity.testing.harness import Journal
from memory_fidelity.testing.trial import Trial

__all__ = ["CASES", "TEMPTING", "filed", "mapping_of", "metadata_key"]

TEMPTING: Final = (
    "mf-unsupported",
    "user",
    "n",
    "source",
    "kind",
    "created_after",
    "tags",
    "content",
    "metadata",
    "user__contains",
    "$or",
    "a b'c",
    "clé",
    "",
)
"""Keys that an adapter could be tempted to take: usual names, fields, operators, odd names."""


_TIME: Final = "created_at"
_NUMBERS: Final = {int, float}


def _no_filters(manifest: MemoryAdapterManifest) -> str | None:
    return None if manifest.supported_filters else "manifest says supported_filters=[]"


@case(
    "filters.unsupported",
    "C10",
    "Q2",
    "E1",
    needs=(Journal,),
    live_without=True,
    judges_manifest=True,
)
async def unsupported(trial: Trial) -> None:
    """Unsupported filters are refused by name, all of them, sorted, before any call.

    A filter that is ignored or stripped broadens the result: it shows the
    records that the caller meant to exclude.
    """
    supported = trial.claims.supported_filters
    cased = {key.swapcase() for key in supported}
    keys = sorted({*TEMPTING, *cased, *trial.setting.known_filters} - supported)
    await trial.stored(trial.item("filtered", tags=[trial.mark], metadata={"user": "alice"}))
    await trial.indexed()
    before = len(trial.calls())
    for key in keys:
        await _judge_rejection(trial, {key: "alice"}, (key,))
    await _judge_rejection(trial, dict.fromkeys(reversed(keys), 1), tuple(keys))
    mixed: dict[str, Any] = dict.fromkeys((*sorted(supported)[:1], *keys[:2]), "alice")
    await _judge_rejection(trial, mixed, tuple(keys[:2]))
    trial.require(
        len(trial.calls()) == before,
        "C10",
        "a query with an unsupported filter reaches no transport",
        f"{len(trial.calls()) - before} calls were made",
        "check the whole key set before the first call",
    )


async def _judge_rejection(
    trial: Trial, filters: dict[str, Any], expected: tuple[str, ...]
) -> None:
    outcome = await trial.attempt(trial.store.search(MemoryQuery(text="filtered", filters=filters)))
    error = outcome.error if isinstance(outcome, Raised) else None
    if not isinstance(error, UnsupportedMemoryQuery):
        trial.report(
            "manifest.supported_filters",
            trial.says("supported_filters"),
            f"filters {', '.join(map(repr, expected))}: search gave {described(outcome)}",
            "raise UnsupportedMemoryQuery with every key that the manifest does not list",
        )
    elif error.rejected_keys != expected:
        trial.report(
            "C10",
            "an unsupported query names every rejected key, sorted",
            f"expected {expected}, got {error.rejected_keys}",
            "collect all rejected keys before raising",
        )


@case("filters.supported", "C11", "Q2", judges_manifest=True, inapplicable=_no_filters)
async def supported(trial: Trial) -> None:
    """Each supported filter finds what the card says it finds, and nothing else.

    Filters that run against analysed text, compare numbers as text, or round
    them to doubles find too much or too little.
    """
    for key in sorted(trial.claims.supported_filters):
        mapping = mapping_of(trial, key)
        if mapping is None:
            trial.report(
                "manifest.supported_filters",
                trial.says("supported_filters"),
                f"the card does not say what {key!r} means",
                "map every supported filter in the card, with examples",
            )
            continue
        await _judge_mapping(trial, mapping)


async def _judge_mapping(trial: Trial, mapping: FilterMapping) -> None:
    tag = f"{mapping.key}-{trial.mark}"
    matching = [filed(trial, {mapping.path: value}, tag) for value in mapping.matching]
    other = [filed(trial, {mapping.path: value}, tag) for value in mapping.other]
    # Older and newer than what matches, so that it is last in no order.
    for item in (filed(trial, {mapping.path: mapping.other[0]}, tag), *matching, *other):
        await trial.stored(item)
    await trial.indexed()
    filters = {mapping.key: mapping.value}
    for name, query in (
        ("with a tag", MemoryQuery(tags=[tag], filters=filters, limit=100)),
        ("alone", MemoryQuery(filters=filters, limit=1_000)),
        (
            "with a text and a tag, and no room for others",
            MemoryQuery(text=tag, tags=[tag], filters=filters, limit=len(matching)),
        ),
    ):
        outcome = await trial.attempt(trial.store.search(query))
        if not isinstance(outcome, list):
            trial.report(
                "manifest.supported_filters",
                trial.says("supported_filters"),
                f"filter {mapping.key!r}, {name}: search gave {described(outcome)}",
                "support the filter, or leave it out of the manifest",
            )
            return
        found = {hit.id for hit in outcome if isinstance(hit, MemoryItem)}
        for item, value in zip(matching, mapping.matching, strict=True):
            _judge_hit(trial, mapping, name, value, found=item.id in found, wanted=True)
        for item, value in zip(other, mapping.other, strict=True):
            _judge_hit(trial, mapping, name, value, found=item.id in found, wanted=False)


def _judge_hit(
    trial: Trial, mapping: FilterMapping, name: str, value: Any, *, found: bool, wanted: bool
) -> None:
    trial.require(
        found is wanted,
        "manifest.supported_filters",
        f"card says that {mapping.key}={mapping.value!r} "
        f"{'finds' if wanted else 'does not find'} {mapping.path}={value!r}",
        f"{name}, the item was {'' if found else 'not '}found",
        "apply the filter as documented, in the native query, before the limit",
    )


@case("filters.together", "C11", "Q2", judges_manifest=True, inapplicable=_no_filters)
async def together(trial: Trial) -> None:
    """Of several filters in one query, each applies; an item without the key is not found.

    An adapter that hands on the first filter, or joins them by "or", shows the
    records that the caller meant to exclude.
    """
    mappings = [mapping_of(trial, key) for key in sorted(trial.claims.supported_filters)]
    known = [mapping for mapping in mappings if mapping is not None]
    for one, two in pairwise([*known, *known[:1]]):
        if one.path == two.path:
            continue
        tag = f"{one.key}-{two.key}-{trial.mark}"
        stored = {
            "both": {one.path: one.matching[0], two.path: two.matching[0]},
            f"{one.key} only": {one.path: one.matching[0], two.path: two.other[0]},
            f"{two.key} only": {one.path: one.other[0], two.path: two.matching[0]},
            f"{one.key} without {two.key}": {one.path: one.matching[0]},
        }
        items = {name: filed(trial, values, tag) for name, values in stored.items()}
        for item in items.values():
            await trial.stored(item)
        await trial.indexed()
        filters = {one.key: one.value, two.key: two.value}
        hits = await trial.found_ids(MemoryQuery(tags=[tag], filters=filters, limit=100))
        got = [name for name, item in items.items() if item.id in hits]
        trial.require(
            got == ["both"],
            "manifest.supported_filters",
            f"filters {one.key!r} and {two.key!r} in one query find what matches both",
            f"found: {', '.join(got) or 'nothing'}",
            "make every filter part of the native query, joined by `and`",
        )


@case(
    "filters.mapping",
    "C11",
    needs=(Journal,),
    judges_manifest=True,
    inapplicable=_no_filters,
)
async def mapped(trial: Trial) -> None:
    """Key and value of a supported filter are in the call that reaches the transport.

    A filter that is applied after the call was made has been applied to
    whatever the service chose to return.
    """
    for key in sorted(trial.claims.supported_filters):
        if (mapping := mapping_of(trial, key)) is None:
            continue  # reported by filters.supported
        before = len(trial.calls())
        query = MemoryQuery(filters={mapping.key: mapping.value})
        await trial.attempt(trial.store.search(query))
        sent = trial.calls()[before:]
        trial.require(
            any(mapping.wire in call.text for call in sent),
            "manifest.supported_filters",
            f"card says that {key}={mapping.value!r} is sent as {mapping.wire!r}",
            f"{len(sent)} calls were made, and none holds it",
            "send the filter with the query, or correct `wire` in the card",
        )


@case("filters.literal", "Q2", "E2", judges_manifest=True, inapplicable=_no_filters)
async def literal(trial: Trial) -> None:
    """Filter values are data: no value widens a query or ends in a native error.

    Values that are pasted into a predicate break it at the first quote, or
    turn it into one that is always true.
    """
    mappings = trial.card.filters if trial.card else ()
    other = filed(trial, {each.path: each.other[0] for each in mappings}, trial.mark)
    bare = trial.item("without any key", tags=[trial.mark])
    await trial.stored(other)
    await trial.stored(bare)
    await trial.indexed()
    for key in sorted(trial.claims.supported_filters):
        for value, misses in _hostile(mapping_of(trial, key)):
            query = MemoryQuery(tags=[trial.mark], filters={key: value})
            outcome = await trial.attempt(trial.store.search(query))
            if isinstance(outcome, Raised):
                trial.require(
                    isinstance(outcome.error, UnsupportedMemoryQuery)
                    and key in outcome.error.rejected_keys,
                    "E2",
                    "a filter value is applied, or refused with UnsupportedMemoryQuery by key",
                    f"{key}={value!r}: search raised {described(outcome)}",
                    "bind the value as a parameter, or refuse its type by name",
                )
                continue
            # Whether null finds an absent key is for the card to say.
            unmatched = [other.id] * misses + [bare.id] * (value is not None)
            trial.require(
                not any(hit.id in unmatched for hit in outcome if isinstance(hit, MemoryItem)),
                "manifest.supported_filters",
                "a filter value is data, and never widens a query",
                f"{key}={value!r} gave {described(outcome)}; nothing matches it",
                "bind the value as a parameter, and compare it as a whole",
            )


_HOSTILE: Final[tuple[Any, ...]] = (
    "zz' OR '1'='1",
    'x" OR "1"="1',
    "*",
    "%",
    "o'brien",
    {"$ne": None},
    {"$gt": ""},
    ["a", "b"],
    2**53 + 1,
    float("nan"),
    "\ud800",
)
_FALSY: Final[tuple[Any, ...]] = (None, "", 0, False, [], {})
"""What an adapter that tests a value by its truth takes for no filter at all."""


def _hostile(mapping: FilterMapping | None) -> Iterator[tuple[Any, bool]]:
    """Values, and whether each matches nothing, whatever operation the filter stands for."""
    kinds = {type(mapping.value), type(mapping.other[0])} if mapping else {str}
    if kinds & _NUMBERS:
        kinds |= _NUMBERS  # compared by order, one number matches another
    for value in _HOSTILE:
        yield value, type(value) not in kinds & _NUMBERS or value != value
    for value in _FALSY:
        yield value, type(value) not in kinds


def mapping_of(trial: Trial, key: str) -> FilterMapping | None:
    """What the card says of a key, if it does."""
    mappings = trial.card.filters if trial.card else ()
    return next((mapping for mapping in mappings if mapping.key == key), None)


def filed(trial: Trial, values: dict[str, Any], tag: str) -> MemoryItem:
    """An item with these values at their paths."""
    fields: dict[str, Any] = {"created_at": values[_TIME]} if _TIME in values else {}
    metadata = {metadata_key(path): value for path, value in values.items() if path != _TIME}
    return trial.item(f"filed {tag}", tags=[tag], metadata=metadata, **fields)


def metadata_key(path: str) -> str:
    """Return the key in `metadata.user`, or in `metadata['a b']`."""
    step = path.removeprefix("metadata")
    return step[1:] if step.startswith(".") else str(literal_eval(step[1:-1]))


CASES = (unsupported, supported, together, mapped, literal)

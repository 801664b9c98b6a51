"""Filters: supported ones mean what the card says, others are refused by name (C10, C11, Q2)."""

from __future__ import annotations

from ast import literal_eval
from typing import Any, Final

from memory_fidelity.card import FilterMapping
from memory_fidelity.errors import UnsupportedMemoryQuery
from memory_fidelity.manifest import MemoryAdapterManifest
from memory_fidelity.store import MemoryItem, MemoryQuery
from memory_fidelity.testing.case import case
from memory_fidelity.testing.endings import Raised, described
from memory_fidelity.testing.harness import Journal
from memory_fidelity.testing.trial import Trial

__all__ = ["CASES"]

_UNSUPPORTED: Final = (
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
    keys = sorted({*_UNSUPPORTED, *trial.setting.known_filters} - supported)
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
        mapping = _mapping(trial, key)
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
    matching = [_filed(trial, mapping.path, value, tag) for value in mapping.matching]
    other = [_filed(trial, mapping.path, value, tag) for value in mapping.other]
    for item in (*matching, *other):
        await trial.stored(item)
    await trial.indexed()
    query = MemoryQuery(tags=[tag], filters={mapping.key: mapping.value}, limit=100)
    outcome = await trial.attempt(trial.store.search(query))
    if not isinstance(outcome, list):
        trial.report(
            "manifest.supported_filters",
            trial.says("supported_filters"),
            f"filter {mapping.key!r}: search gave {described(outcome)}",
            "support the filter, or leave it out of the manifest",
        )
        return
    found = {hit.id for hit in outcome if isinstance(hit, MemoryItem)}
    for items, values, wanted in (
        (matching, mapping.matching, True),
        (other, mapping.other, False),
    ):
        for item, value in zip(items, values, strict=True):
            trial.require(
                (item.id in found) is wanted,
                "manifest.supported_filters",
                f"card says that {mapping.key}={mapping.value!r} "
                f"{'finds' if wanted else 'does not find'} {mapping.path}={value!r}",
                f"the item was {'not ' if wanted else ''}found",
                "apply the filter as documented, in the native query",
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
        if (mapping := _mapping(trial, key)) is None:
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
    await trial.stored(trial.item("not to be found", tags=[trial.mark], metadata={"user": "b"}))
    await trial.indexed()
    hostile: tuple[Any, ...] = (
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
    for key in sorted(trial.claims.supported_filters):
        for value in hostile:
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
            elif outcome != []:
                trial.report(
                    "manifest.supported_filters",
                    "a filter value is data, and never widens a query",
                    f"{key}={value!r} gave {described(outcome)}; nothing matches it",
                    "bind the value as a parameter, and compare it as a whole",
                )


def _mapping(trial: Trial, key: str) -> FilterMapping | None:
    mappings = trial.card.filters if trial.card else ()
    return next((mapping for mapping in mappings if mapping.key == key), None)


def _filed(trial: Trial, path: str, value: Any, tag: str) -> MemoryItem:
    if path == "created_at":
        return trial.item(f"filed {tag}", tags=[tag], created_at=value)
    return trial.item(f"filed {tag}", tags=[tag], metadata={_metadata_key(path): value})


def _metadata_key(path: str) -> str:
    """The key in `metadata.user`, or in `metadata['a b']`."""
    step = path.removeprefix("metadata")
    return step[1:] if step.startswith(".") else str(literal_eval(step[1:-1]))


CASES = (unsupported, supported, mapped, literal)

"""No false alarm: an honest adapter of every coherent manifest shape is conformant."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Literal, get_args

import pytest
from pydantic import ValidationError

from memory_fidelity.card import Operation
from memory_fidelity.fake.behaviour import FULL, FakeBehaviour
from memory_fidelity.fake.harness import FakeHarness
from memory_fidelity.manifest import (
    ITEM_FIELDS,
    Fidelity,
    MemoryAdapterManifest,
    SearchConsistency,
)
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.examine import Examination, examine
from memory_fidelity.testing.trial import Setting
from memory_fidelity.testing.verdict import verdict

Droppable = Literal["created_at", "metadata"]
ALL = frozenset(ITEM_FIELDS)
DROPPED: tuple[frozenset[Droppable], ...] = (
    frozenset(),
    frozenset({"created_at"}),
    frozenset({"metadata"}),
    frozenset({"created_at", "metadata"}),
)
FILTERS: tuple[frozenset[str], ...] = (frozenset(), frozenset({"user"}))


def shapes() -> Iterator[MemoryAdapterManifest]:
    """Every manifest that validates, with no filter and with one (M1 to M6)."""
    for drop, keys, consistency, retrieve, search, tags, preserved in product(
        DROPPED, FILTERS, get_args(SearchConsistency), get_args(Fidelity),
        get_args(Fidelity), (True, False), (True, False),
    ):  # fmt: skip
        try:
            yield MemoryAdapterManifest(
                adapter="fake",
                native_item_fields=ALL - drop,
                dropped_item_fields=drop,
                supported_filters=keys,
                search_consistency=consistency,
                retrieve_fidelity=retrieve,
                search_fidelity=search,
                search_returns_tags=tags,
                preserves_metadata=preserved,
            )
        except ValidationError:
            continue


def impossible(manifest: MemoryAdapterManifest) -> str | None:
    """Why no adapter can make this manifest true, though it contradicts nothing in itself."""
    if manifest.supported_filters and "metadata" in manifest.dropped_item_fields:
        return "a filter on a key of metadata needs metadata"
    complete = manifest.preserves_metadata and not manifest.dropped_item_fields
    if complete and manifest.retrieve_fidelity == "native_fields":
        return "whatever keeps every field, metadata included, and alters none is full"
    return None


def honest(manifest: MemoryAdapterManifest) -> FakeBehaviour:
    """A behaviour of which this manifest is true."""
    fidelities: dict[Operation, Fidelity] = {
        "retrieve": manifest.retrieve_fidelity,
        "search": manifest.search_fidelity,
    }
    complete = manifest.preserves_metadata and not manifest.dropped_item_fields
    poorer = complete and manifest.search_returns_tags and manifest.search_fidelity != "full"
    lacking: set[Literal["created_at", "metadata", "tags"]] = set()
    lacking |= set() if manifest.search_returns_tags else {"tags"}
    lacking |= {"created_at"} if poorer else set()
    return replace(
        FULL,
        dropped=frozenset(name for name in DROPPED[-1] if name in manifest.dropped_item_fields),
        absent_in_hits=frozenset(lacking),
        clipped=frozenset(each for each, claim in fidelities.items() if claim == "lossy"),
        flat_metadata=not manifest.preserves_metadata,
        consistency=manifest.search_consistency,
        filters=tuple(manifest.supported_filters),
    )


def shape_id(manifest: MemoryAdapterManifest) -> str:
    """The claims in which shapes differ."""
    return " ".join(
        [
            manifest.retrieve_fidelity,
            manifest.search_fidelity,
            manifest.search_consistency,
            *(f"no-{name}" for name in sorted(manifest.dropped_item_fields)),
            *(["tags"] if manifest.search_returns_tags else []),
            *(["preserves"] if manifest.preserves_metadata else []),
            *(["filter"] if manifest.supported_filters else []),
        ]
    )


async def examined(setting: Setting) -> dict[str, Examination]:
    """How every case ends; in one loop, and uncalibrated, since the suite is not in question."""
    return {case.id: await examine(case, setting) for case in CASES}


def unfit(endings: dict[str, Examination]) -> list[str]:
    """What neither passed nor was inapplicable, and why."""
    return [
        f"{case}: {ended.outcome}: {ended.reason or ended.findings}"
        for case, ended in endings.items()
        if ended.outcome not in ("pass", "not applicable")
    ]


POSSIBLE = [each for each in shapes() if impossible(each) is None]


@pytest.mark.parametrize("manifest", POSSIBLE, ids=shape_id)
def test_honest_adapter_of_the_shape_is_conformant(manifest: MemoryAdapterManifest) -> None:
    """The manifest is the fake's own, and nothing of it is called false."""
    behaviour = honest(manifest)

    endings = asyncio.run(examined(Setting(lambda: FakeHarness(behaviour), "fake", patience=5.0)))

    assert behaviour.manifest() == manifest
    assert unfit(endings) == []
    assert verdict(ended.outcome for ended in endings.values()) == "conformant"


def test_shapes_are_all_that_there_are() -> None:
    """Of 220 coherent shapes, 52 want what no adapter can do."""
    everything = list(shapes())

    assert len(everything) == 220
    assert len(POSSIBLE) == len(everything) - 52

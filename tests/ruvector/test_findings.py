"""lionagi's own RuVector store, judged by the suite: each finding, and nothing else.

Recorded with lionagi 0.36 and ruvector 0.1. A finding that goes away, or one
that comes, turns these tests red, so that the list stays true.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

import pytest
from lionagi.integrations.ruvector import RuVectorMemoryStore
from tests.ruvector.harness import MANIFEST, DeclaredRuVectorHarness, RuVectorHarness

from memory_fidelity import MemoryItem, MemoryQuery, MemoryStore
from memory_fidelity.testing import Report, check_sync, observe_store

_FOUND_IN_OPERATIONS: Final[dict[str, set[str]]] = {
    # A node of another kind makes retrieve raise a ValueError; it should be None.
    "retrieve.foreign": {"C5"},
    # A search by text beside such a node raises a ValueError.
    "search.foreign": {"C7"},
    # A second write of one id is refused, but with a bare ValueError.
    "store.replace": {"W5"},
    # Items that it cannot take are refused with bare ValueErrors and UnicodeEncodeErrors. A
    # metadata text becomes {}, a subclass comes back as MemoryItem, and an item with another
    # class's name in metadata is acknowledged and can never be retrieved.
    "store.hostile": {"E2", "C6"},
    # A limit above 1,000 is a ValueError.
    "search.limit": {"C7"},
    # A limit of 0 is a ValueError; it should be [].
    "search.limit.zero": {"C8"},
    # A negative limit is a ValueError; it should be UnsupportedMemoryQuery.
    "search.limit.negative": {"C8"},
    # Queries that were changed after validation are bare ValueErrors.
    "search.malformed": {"E2"},
    # What the embedder or the index raises comes through as it is, in every operation.
    "outage.connected": {"E2"},
    "outage.connecting": {"E2"},
    "outage.midway": {"E2"},
    # A full index is a bare ValueError.
    "write.rejected": {"C16", "E2"},
    # The index's reply to an insertion is not looked at.
    "write.identity": {"C16"},
    # A damaged envelope is a KeyError.
    "payload.malformed": {"E4"},
}

_FOUND_WITHOUT_MANIFEST: Final[dict[str, set[str]]] = {
    # It publishes none.
    "surface.protocols": {"C1"},
    "surface.manifest": {"C1"},
}

_FOUND_WITH_MANIFEST: Final[dict[str, set[str]]] = {
    # Limits of size and depth are kept, with bare ValueErrors: content beyond 65,536 bytes,
    # tags beyond 256 characters, integers beyond 64 bits, metadata deeper than eight levels.
    "fidelity.content": {"E2"},
    "fidelity.tags": {"E2"},
    "fidelity.metadata": {"E2"},
    "fidelity.claim": {"E2"},
    # Content other than text is refused, but with a bare ValueError.
    "card.content": {"card.content"},
    # Any key is taken as a filter on metadata, which no manifest can say.
    "filters.unsupported": {"manifest.supported_filters", "C10"},
}


@pytest.fixture(scope="module")
def shipped() -> Report:
    """The store as it is."""
    return check_sync(fake=RuVectorHarness)


@pytest.fixture(scope="module")
def declared() -> Report:
    """The store with a manifest and a card beside it."""
    return check_sync(fake=DeclaredRuVectorHarness)


def _found(report: Report) -> dict[str, set[str]]:
    return {
        result.case: {finding.subject for finding in result.findings}
        for result in report.lanes[0].results
        if result.outcome == "fail"
    }


def _outcomes(report: Report) -> Counter[str]:
    return Counter(result.outcome for result in report.lanes[0].results)


def test_each_finding_on_the_store_as_shipped(shipped: Report) -> None:
    """These cases fail, for these clauses, and no other."""
    assert _found(shipped) == _FOUND_IN_OPERATIONS | _FOUND_WITHOUT_MANIFEST


def test_each_finding_on_the_store_with_a_manifest(declared: Report) -> None:
    """With declarations beside it, the claims are judged as well."""
    assert _found(declared) == _FOUND_IN_OPERATIONS | _FOUND_WITH_MANIFEST


def test_a_missing_manifest_is_said_not_crashed_on(shipped: Report) -> None:
    """What needs a manifest is not run, with that reason; everything else is judged."""
    reasons = {r.reason for r in shipped.lanes[0].results if r.outcome == "not run"}

    assert (shipped.adapter, shipped.manifest, shipped.card) == (None, None, None)
    assert reasons == {"the store publishes no manifest to judge"}


@pytest.mark.parametrize("judged", ["shipped", "declared"])
def test_the_harness_is_never_at_fault(judged: str, request: pytest.FixtureRequest) -> None:
    """Every case reaches a judgement of the store: no error, none out of time."""
    report: Report = request.getfixturevalue(judged)

    assert _outcomes(report).keys() & {"error", "inconclusive"} == set()


def test_with_a_manifest_every_case_is_judged(declared: Report) -> None:
    """All controls are there, so nothing is left out."""
    assert _outcomes(declared)["not run"] == 0


@pytest.mark.parametrize("judged", ["shipped", "declared"])
def test_the_verdict_is_non_conformant(judged: str, request: pytest.FixtureRequest) -> None:
    """Findings decide, with or without a manifest."""
    report: Report = request.getfixturevalue(judged)

    assert report.verdict == "non-conformant"


def test_what_it_does_well_is_seen_too(declared: Report) -> None:
    """Ordinary values, tags, detachment, concurrency and cancellation hold."""
    passed = {r.case for r in declared.lanes[0].results if r.outcome == "pass"}

    assert passed >= {
        "store.identifier",
        "fidelity.created_at",
        "retrieve.detached",
        "store.concurrent",
        "search.empty",
        "search.tags",
        "consistency.immediate",
        "cancel.store",
        "manifest.accuracy",
    }


def _store(harness: RuVectorHarness) -> MemoryStore:
    return asyncio.run(harness.make_store())


def test_it_is_a_plain_memory_store() -> None:
    """The subject is lionagi's class itself, a valid `MemoryStore` without a manifest (M7)."""
    store = _store(RuVectorHarness())

    assert type(store) is RuVectorMemoryStore
    assert isinstance(store, MemoryStore)


def test_a_text_search_beside_a_foreign_node_fails() -> None:
    """Without tags or filters it ranks every node, and raises at one that is no memory."""
    harness = RuVectorHarness()
    store = _store(harness)
    asyncio.run(harness.plant_foreign_record())

    with pytest.raises(ValueError, match="not a RuVector LionAGI memory"):
        asyncio.run(store.search(MemoryQuery(text="foreign")))


def test_a_malformed_vector_is_a_bare_value_error() -> None:
    """A provider's bad answer is not told apart from a bad argument (E4)."""
    harness = RuVectorHarness()
    store = _store(harness)
    asyncio.run(harness.corrupt_next_response())

    with pytest.raises(ValueError, match="vector must contain exactly dimensions") as caught:
        asyncio.run(store.store(MemoryItem(content="tea")))

    assert caught.value.__cause__ is None


def test_a_text_that_nothing_holds_is_answered_all_the_same() -> None:
    """Ranked search has no notion of no match, for which the contract has no word."""
    store = _store(RuVectorHarness())
    asyncio.run(store.store(MemoryItem(content="tea")))

    hits = asyncio.run(store.search(MemoryQuery(text="zeppelin")))

    assert [hit.content for hit in hits] == ["tea"]


def test_what_is_true_of_it() -> None:
    """Without a manifest of its own, behaviour shows one: everything kept, found at once."""
    observed = asyncio.run(observe_store(RuVectorHarness))

    assert observed.declared is None
    assert observed.manifest is not None
    assert observed.manifest.model_dump(exclude={"adapter", "supported_filters"}) == (
        MANIFEST.model_dump(exclude={"adapter", "supported_filters"})
    )
    assert "any key of metadata is taken as a filter" in observed.notes[-1]
    assert {finding.subject for finding in observed.breaches} == {"E2"}

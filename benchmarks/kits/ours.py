"""The faults of `memory_fidelity.testing.faults` that are of the same kinds, before its own suite.

This is for reference, and nothing to boast of: the kinds are aimed at what that suite is for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from benchmarks.kits.results import OwnVerdict
from memory_fidelity.fake import FakeHarness
from memory_fidelity.testing.faults import FAULTS
from memory_fidelity.testing.mutation import mutate

__all__ = ["OURS", "own_verdicts"]

OURS: Final[Mapping[str, str]] = {
    "text.non-ascii-removed": "content.ascii-only",
    "text.truncated": "content.cut-at-255",
    "text.trimmed": "content.trimmed",
    "text.lower-cased": "content.lower-cased",
    "metadata.integers-as-floats": "metadata.int-as-float",
    "metadata.as-text": "metadata.int-as-text",
    "metadata.none-removed": "metadata.null-removed",
    "write.second-ignored": "replace.ignored",
    "write.wrong-identity": "identity.other-returned",
    "write.error-is-success": "outage.store-forged",
    "read.unknown-is-newest": "identity.unknown-is-any",
    "read.shared": "write.results-shared",
    "read.error-is-nothing": "outage.retrieve-nothing",
    "search.error-is-nothing": "outage.search-nothing",
    "search.limit-ignored": "limit.ignored",
    "search.limit-zero-is-all": "limit.zero-is-all",
    "search.filter-ignored": "filters.ignored",
    "search.filter-as-text": "filters.as-text",
    "search.hits-twice": "hits.twice",
    "scope.prefix-leaks": "scope.prefix",
}
"""The names of our faults, by kind; where ours come in several sizes, the plainest.

The base store has neither a batch nor a deletion.
"""


def own_verdicts() -> dict[str, OwnVerdict]:
    """Run our suite over its fake with each fault, and return what came of it, by kind.

    Raises:
        NoBaseline: the fake is not conformant without a fault.
    """
    report = mutate(
        FakeHarness,
        target="fake",
        faults=[FAULTS[name] for name in OURS.values()],
        every_case=False,
    )
    by_name = {result.fault: result for result in report.results}
    return {
        kind: OwnVerdict(
            fault=name,
            case=by_name[name].case,
            killing=by_name[name].killing,
            active=by_name[name].active,
        )
        for kind, name in OURS.items()
    }

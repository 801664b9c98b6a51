"""The corpus and the cases know every public fault: the value that showed it, or what asks for it.

Values that JSON cannot say are in no corpus: `store.hostile` has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, get_args

import pytest
from tests.public_faults.fault import Kind
from tests.public_faults.table import FAULTS

from memory_fidelity.exact import same
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.corpus import SpecimenField, specimens

SHOWN: Final[tuple[tuple[str, SpecimenField, str, Any], ...]] = (
    ("B02", "metadata", "empty", {}),
    ("B02", "metadata", "falsy-values", {}),
    ("B05", "metadata", "beyond-signed-64", 2**63),
    ("B05", "metadata", "beyond-double", 2**53 + 1),
    ("B07", "metadata", "first-types", 1),
    ("B07", "metadata", "other-types", 1.5),
    ("B07", "content", "objects-in-a-list", "1"),
    ("B08", "metadata", "falsy-values", 0),
    ("B08", "metadata", "falsy-values", False),
    ("B08", "metadata", "falsy-values", ""),
    ("B10", "metadata", "null-value", None),
    ("B12", "metadata", "first-types", "128.0."),
    ("B12", "metadata", "other-types", "stable"),
    ("B12", "metadata", "date-like", "2026-01-02T03:04:05Z"),
    ("B13", "metadata", "flat", "alice"),
    ("B16", "tags", "none", []),
    ("B16", "tags", "one", ["alpha"]),
    ("B16", "tags", "duplicates", ["a", "b", "a"]),
    ("B18", "tags", "comma", "red,blue"),
    ("B20", "tags", "punctuation", "conv-550e8400-e29b"),
    ("B20", "tags", "quotes", '"both"'),
    ("B21", "tags", "nul", "a\x00b"),
    ("B21", "metadata", "nul-in-value", "x\x00y"),
    ("B21", "content", "nul", "before\x00after"),
    ("B24", "content", "very-long", "\u00e9" * 70_000),
    ("B24", "metadata", "very-long-value", "\u00e9" * 70_000),
    ("B25", "metadata", "long-value", "x" * 300),
    ("B28", "metadata", "reserved-names", "shadow"),
    ("B28", "metadata", "more-reserved", "my namespace"),
    ("B29", "content", "looks-like-an-identity", "about 6ba7b810-9dad-41d1-80b4-00c04fd430c8"),
    ("B32", "created_at", "microseconds", 1767323045.678901),
    ("B32", "created_at", "before-1970", -86400.5),
    ("B33", "created_at", "whole-second", 1767236400.0),
    ("B36", "created_at", "last-minute-of-a-year", 1767225540.0),
    ("B37", "created_at", "clocks-change", 1774746000.0),
    ("B40", "tags", "case", "Alpha"),
    ("B41", "metadata", "texts", "ERP_System not-Verified"),
    ("B42", "metadata", "list-of-texts", ["b", "a", "c"]),
    ("B47", "metadata", "beyond-double", 2**53 + 1),
    ("B50", "content", "quotes", 'it\'s "quoted" \\ and `ticked`'),
    ("B50", "metadata", "texts", "zz' OR '1'='1"),
    ("B50", "tags", "texts", "'); DELETE FROM memory; --"),
    ("B51", "metadata", "odd-keys", {"my key": 1, "cl\u00e9": 2, "it's": 3, "x-y": 4}),
    ("B53", "content", "looks-like-a-search", "user:beta OR -zzz"),
    ("B61", "content", "whitespace", " \t "),
    ("B62", "content", "wildcards", "a*b a%b a_b a?b"),
)
"""A public fault, and where the corpus holds the value that it was seen with, or one like it."""

ASKED: Final[dict[str, tuple[str, ...]]] = {
    "B01": ("store.hostile",),
    "B10": ("store.hostile",),
    "B11": ("store.hostile",),
    "B15": ("store.replace",),
    "B26": ("store.identifier",),
    "B30": ("store.distinct",),
    "B38": ("filters.unsupported",),
    "B43": ("search.malformed",),
    "B46": ("search.foreign",),
    "B48": ("filters.literal",),
    "B51": ("filters.unsupported",),
    "B54": ("search.limit.zero",),
    "B56": ("search.limit.zero",),
    "B57": ("search.limit.negative",),
    "B58": ("search.limit",),
    "B61": ("search.empty",),
    "B62": ("search.literal",),
    "B63": ("search.empty",),
    "B65": ("consistency.immediate", "consistency.eventual", "consistency.retrieve"),
    "B68": ("outage.connecting", "outage.midway"),
    "B69": ("consistency.eventual", "consistency.retrieve"),
    "B71": ("write.identity",),
    "B72": ("outage.connected", "outage.connecting", "outage.fallback"),
    "B73": ("retrieve.foreign", "search.foreign"),
    "B75": ("payload.malformed",),
    "B76": ("store.replace",),
    "B77": ("store.replace",),
    "B79": ("write.once",),
    "B80": ("store.concurrent",),
    "B81": ("store.concurrent",),
    "B84": ("outage.connecting",),
    "B85": ("card.coherent",),
    "B86": ("scope.isolated",),
    "B87": ("scope.isolated",),
    "B88": ("scope.isolated",),
    "B90": ("search.typed",),
    "B92": ("manifest.accuracy",),
    "B93": ("manifest.lanes",),
}
"""A public fault that is in what is done, and the cases that do it to every adapter."""


@pytest.mark.parametrize(
    ("field", "name", "value"),
    [pytest.param(*row[1:], id=f"{row[0]}-{row[1]}-{row[2]}-{row[3]!r:.20}") for row in SHOWN],
)
def test_a_specimen_holds_the_value(field: SpecimenField, name: str, value: Any) -> None:
    """What a service was seen to break is in the corpus, under a name."""
    (held,) = [specimen.value for specimen in specimens(field) if specimen.name == name]

    assert any(same(value, part) for part in _parts(held))


@pytest.mark.parametrize("fault", ASKED)
def test_a_case_asks_for_it(fault: str) -> None:
    """What a service was seen to do wrong is done by cases of the suite."""
    known = {case.id for case in CASES}

    assert set(ASKED[fault]) <= known


def test_no_fault_is_left_out() -> None:
    """Each public fault has its value in the corpus, or its case."""
    covered = {row[0] for row in SHOWN} | set(ASKED)

    assert covered == {fault.id for fault in FAULTS}


def test_no_kind_is_left_out() -> None:
    """Each kind of fault has a public fault of its own."""
    assert {fault.kind for fault in FAULTS} == set(get_args(Kind))


def _parts(value: Any) -> Iterator[Any]:
    """The value, and all that it holds."""
    yield value
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _parts(part)

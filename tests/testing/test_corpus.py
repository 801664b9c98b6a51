"""Every kind of value in the public faults is in the corpus, by name and with its reason."""

from __future__ import annotations

import pytest
from tests.public_faults.table import FAULTS

from memory_fidelity.exact import same
from memory_fidelity.testing.cases import CASES
from memory_fidelity.testing.corpus import SpecimenField, specimens

FIELDS: tuple[SpecimenField, ...] = ("content", "tags", "metadata", "created_at")

# By the id of a public fault. Values that JSON has not (B01, B10, B11: not finite,
# times, tuples) are no specimens: no adapter may keep them as something else, which
# the case `store.hostile` is about.
KINDS: dict[str, tuple[SpecimenField, tuple[str, ...]]] = {
    "B02 empty mapping": ("metadata", ("empty",)),
    "B05 beyond 63 bits": ("metadata", ("beyond-signed-64", "huge-integer", "beyond-double")),
    "B07 first type wins": ("metadata", ("first-types", "other-types", "number-types")),
    "B08 falsy values": ("metadata", ("falsy-values", "negative-zero")),
    "B10 null": ("metadata", ("null-value",)),
    "B12 guessed dates": ("metadata", ("first-types", "other-types", "date-like")),
    "B16 several tags": ("tags", ("none", "one", "order", "duplicates")),
    "B18 separators in tags": ("tags", ("comma", "spaces", "punctuation")),
    "B20 operators in tags": ("tags", ("punctuation", "quotes", "texts")),
    "B21 NUL in a text": ("content", ("nul",)),
    "B21 NUL in a tag": ("tags", ("nul",)),
    "B21 NUL in metadata": ("metadata", ("nul-in-value", "nul-in-key")),
    "B24 limits in bytes": ("content", ("very-long", "long")),
    "B24 limits of metadata": ("metadata", ("very-long-value", "wide")),
    "B25 long values": ("metadata", ("long-value", "long-key")),
    "B29 texts that name an identity": ("content", ("looks-like-an-identity",)),
    "B28 reserved names": ("metadata", ("reserved-names", "more-reserved", "dollar-keys")),
    "B32 microseconds": ("created_at", ("microseconds", "any-double")),
    "B33 another day": ("created_at", ("whole-second", "epoch", "before-1970")),
    "B36 local dates": ("created_at", ("last-minute-of-a-year",)),
    "B37 naive times": ("created_at", ("clocks-change",)),
    "B40 analysed values": ("metadata", ("texts", "keys-alike")),
    "B42 lists and large numbers": ("metadata", ("beyond-double", "mixed-list", "nested")),
    "B41 values that share a word": ("content", ("words-in-one",)),
    "B47 rounded bounds": ("metadata", ("beyond-double",)),
    "B50 quotes": ("content", ("quotes", "looks-like-sql", "looks-like-a-condition", "markup")),
    "B51 keys of any text": ("metadata", ("odd-keys", "empty-key", "dotted-keys")),
    "B53 operators in a text": ("content", ("looks-like-a-search", "looks-like-a-reference")),
    "B61 blank texts": ("content", ("empty", "whitespace", "spaces-at-the-edges")),
    "B62 wildcards": ("content", ("wildcards",)),
    "B77 keys in common": ("metadata", ("first-types", "other-types")),
}

DONE: dict[str, tuple[str, ...]] = {
    "B01": ("store.hostile",),
    "B10": ("store.hostile",),
    "B11": ("store.hostile",),
    "B13": ("fidelity.metadata",),
    "B15": ("store.replace",),
    "B26": ("store.identifier",),
    "B30": ("store.distinct",),
    "B38": ("filters.unsupported",),
    "B43": ("search.malformed",),
    "B46": ("search.foreign",),
    "B48": ("filters.literal",),
    "B54": ("search.limit.zero",),
    "B56": ("search.limit.zero",),
    "B57": ("search.limit.negative",),
    "B58": ("search.limit",),
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
    "B85": ("close.twice", "close.use"),
    "B86": ("scope.isolated",),
    "B87": ("scope.isolated",),
    "B88": ("scope.isolated",),
    "B90": ("search.typed",),
    "B92": ("manifest.accuracy",),
    "B93": ("manifest.lanes",),
}
"""Public faults that are in what is done rather than in a value, and the cases that do it."""


@pytest.mark.parametrize(("field", "names"), KINDS.values(), ids=KINDS)
def test_a_kind_of_value_is_covered(field: SpecimenField, names: tuple[str, ...]) -> None:
    """The specimens that stand for it exist."""
    known = {specimen.name for specimen in specimens(field)}

    assert set(names) <= known


@pytest.mark.parametrize("fault", DONE)
def test_a_kind_of_deed_is_covered(fault: str) -> None:
    """The cases that do it to every adapter exist."""
    known = {case.id for case in CASES}

    assert set(DONE[fault]) <= known


def test_no_public_fault_is_left_out() -> None:
    """Each has its value in the corpus, or its case in the suite."""
    covered = {name.split()[0] for name in KINDS} | set(DONE)

    assert covered == {fault.id for fault in FAULTS}


@pytest.mark.parametrize("field", FIELDS)
def test_names_are_unique_and_each_has_its_reason(field: SpecimenField) -> None:
    """A name in a report leads to one value, and to why it is there."""
    named = [specimen.name for specimen in specimens(field)]

    assert len(set(named)) == len(named)
    assert all(specimen.why for specimen in specimens(field))


@pytest.mark.parametrize("field", FIELDS)
def test_values_are_made_anew(field: SpecimenField) -> None:
    """Two runs get equal values, and none that can be changed is shared between them."""
    first, second = specimens(field), specimens(field)

    assert same([one.value for one in first], [one.value for one in second])
    assert not [
        one.name
        for one, other in zip(first, second, strict=True)
        if one.value is other.value and isinstance(one.value, dict | list)
    ]

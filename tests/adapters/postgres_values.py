"""Values for the probe: what databases alter, confuse or choke on."""

from __future__ import annotations

from typing import Any, Final

METADATA: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"n": 1},
    {"n": 1, "user": [1, "ada"]},
    {"n": 1.0, 'a "b" \\c': None},
)
CONTENTS: Final[tuple[Any, ...]] = (
    "tea",
    "",
    "STRASSE straße İ",
    "50% of a_b, and a\\b",
    "NUL \x00 one \x01 two \x02 three \x03",
    "🍵 tea\r\n\t\u2028 é e\u0301",
    {"huge": 2**200, "small": -(2**70), "true": True, "none": None, "list": [1, 1.0, -0.0]},
    [],
    None,
    "'; DROP TABLE memory_fidelity.item; --",
    "tea " * 20_000,
)
TIMES: Final = (
    -0.0,
    0.1,
    1e15,
    999999999999999.9,
    123456789012345680.0,
    1e-4,
    0.00001234,
    5e-324,
    1.7976931348623157e308,
    -1767323045.123456,
    1e14,
)
TAGS: Final = (
    "",
    "NULL",
    "null",
    "a,b",
    "{x}",
    'quoted "x"',
    "back\\slash",
    " space ",
    "é🍵",
    "\x00",
    "long" * 100,
)
TEXTS: Final = (None, "tea")
TAG_SETS: Final[tuple[tuple[str, ...], ...]] = ((), ("t",), ("absent", "t"))
FILTERS: Final[tuple[dict[str, Any], ...]] = ({}, {"n": 1}, {"n": 1, "user": [1, "ada"]})
NEEDLES: Final = ("%", "_", "a_b", "a\\b", "\\", "\x00", "\x01", "ss", "i̇", "", "e\u0301", "'")
FILTER_VALUES: Final = (1, 1.0, True, None, "1", 2**200, [1, "ada"], "\x00")
PATTERNS: Final = (
    None,
    "tea",
    "te_",
    "%e%",
    "",
    "%",
    "tea\\",
    "\\t\\e\\a",
    "50\\%%",
    "TEA",
    "_%_%_%_%",
)

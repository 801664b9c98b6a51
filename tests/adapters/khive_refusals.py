"""What a khive store refuses before anything is sent, and what khive would do with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from math import inf, nan
from typing import Any, Final

from memory_fidelity import MemoryItem

__all__ = ["LARGEST", "REFUSED", "Refused", "item", "nested"]


@dataclass(frozen=True, slots=True)
class Refused:
    """Fields of an item that is refused, the place that the error names, and what the card says."""

    fields: dict[str, Any]
    path: str
    card: str
    """The name of the refusal that the card declares."""


def item(**fields: Any) -> MemoryItem:
    """Return an item with these fields, its content a word unless it is one of them."""
    return MemoryItem(**{"content": "tea", **fields})


def nested(levels: int) -> dict[str, Any]:
    """Return metadata of so many levels."""
    return reduce(lambda inner, _: {"in": inner}, range(levels - 1), {})


def _listed(levels: int) -> list[Any]:
    innermost: list[Any] = []
    return reduce(lambda inner, _: [inner], range(levels - 1), innermost)


LARGEST: Final = 1_048_576 - 229
"""Letters of content with which an item, created at 1.5, makes the largest request."""

REFUSED: Final[dict[str, Refused]] = {
    "prev_shaped_content": Refused({"content": "$prev"}, "content", "content-reference"),
    "prev_shaped_content_path": Refused({"content": "$prev.id"}, "content", "content-reference"),
    "prev_shaped_content_index": Refused({"content": "$prev[0]"}, "content", "content-reference"),
    "prev_shaped_content_part": Refused(
        {"content": {"from": ["$prev.id"]}}, "content.from[0]", "content-reference"
    ),
    "prev_shaped_tag": Refused({"tags": ["a", "$prev.id"]}, "tags[1]", "tags-reference"),
    "prev_shaped_metadata": Refused(
        {"metadata": {"a": [{"b": "$prev[0].id"}]}}, "metadata.a[0].b", "metadata-reference"
    ),
    "lone_surrogate": Refused({"content": "a\ud800"}, "content", "content-lone-surrogate"),
    "lone_surrogate_in_tag": Refused({"tags": ["\udfff"]}, "tags[0]", "tags-lone-surrogate"),
    "lone_surrogate_in_content_tree": Refused(
        {"content": ["\ud800"]}, "content[0]", "content-lone-surrogate"
    ),
    "int_beyond_u64": Refused(
        {"metadata": {"n": 2**64}}, "metadata.n", "metadata-integer-over-64-bits"
    ),
    "int_below_i64": Refused(
        {"metadata": {"n": [-(2**63) - 1]}}, "metadata.n[0]", "metadata-integer-over-64-bits"
    ),
    "int_beyond_u64_in_content": Refused(
        {"content": [2**64]}, "content[0]", "content-integer-over-64-bits"
    ),
    "nan_in_content": Refused({"content": [nan]}, "content[0]", "content-nan"),
    "infinite_in_metadata": Refused({"metadata": {"n": -inf}}, "metadata.n", "metadata-infinite"),
    "metadata_depth_over_limit": Refused(
        {"metadata": nested(60)}, "metadata" + ".in" * 59, "metadata-depth"
    ),
    "content_depth_over_limit": Refused(
        {"content": nested(60)}, "content" + ".in" * 59, "content-depth"
    ),
    "list_depth_over_limit": Refused(
        {"metadata": {"in": _listed(59)}},
        "metadata.in" + "[0]" * 58,
        "metadata-depth",
    ),
    "request_over_1MiB": Refused(
        {"content": "x" * (LARGEST + 1), "created_at": 1.5}, "item", "content-over-request"
    ),
    "request_over_1MiB_in_bytes": Refused(
        {"content": "\u00e9" * (LARGEST // 2 + 1), "created_at": 1.5},
        "item",
        "content-over-request",
    ),
    "set_as_content": Refused({"content": {1, 2}}, "content", "content-bytes"),
    "bytes_as_content": Refused({"content": b"tea"}, "content", "content-bytes"),
    "tuple_in_metadata": Refused({"metadata": {"pair": (1, 2)}}, "metadata.pair", "metadata-tuple"),
    "integer_key": Refused({"metadata": {"by": {1: "one"}}}, "metadata.by", "metadata-integer-key"),
}

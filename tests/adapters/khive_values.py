"""Items that services like khive commonly alter, and items that look like secrets to khive."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["HOSTILE", "SECRETS", "UUID_TEXT"]

UUID_TEXT: Final = "6ba7b810-9dad-41d1-80b4-00c04fd430c8"

HOSTILE: Final[dict[str, dict[str, Any]]] = {
    "empty": {"content": ""},
    "blanks": {"content": "   ", "tags": [" ", "\t"], "metadata": {" ": " "}},
    "edges": {"content": " x \r\n"},
    "line_ends": {"content": "a\r\nb\rc\nd\x0b\x0c\u2028\u2029\x85e"},
    "nul": {"content": "a\x00b", "tags": ["t\x00"], "metadata": {"\x00k": "\x00"}},
    "controls": {"content": "a\x01b\x1fc\x7f"},
    "byte_order_mark": {"content": "\ufeffa\u200db"},
    "noncharacters": {"content": "\ufffe\uffff\U0010ffff"},
    "decomposed": {"content": "e\u0301 \u00e9", "tags": ["e\u0301", "\u00e9"]},
    "emoji": {"content": "\U0001f469\u200d\U0001f680", "tags": ["\U0001f375"]},
    "ends_a_call": {"content": 'x"), delete(id="y'},
    "chains_a_call": {"content": 'x") | create(kind="memory", content="y")', "tags": ['") | x("']},
    "query_language": {"content": '" OR n.id <> "', "tags": ['"}) MATCH (n) RETURN n']},
    "backslash_reference": {"content": "\\$prev.id"},
    "longer_reference": {"content": "$previous", "tags": ["$previous"]},
    "reference_as_key": {"content": "tea", "metadata": {"$prev": 1, "$prev.id": {"$prev[0]": 2}}},
    "looks_like_json": {"content": '{"id": null}', "metadata": {"text": "[1]", "no": "null"}},
    "placeholder": {"content": "(write in progress)"},
    "mapping": {"content": {"a": [1, {"b": None}], "": True, "x.y": 0.1}},
    "list": {"content": [[], {}, "", None, False]},
    "integer": {"content": 5},
    "large_integer": {"content": 10**17},
    "zero": {"content": 0},
    "float": {"content": 1.5},
    "whole_float": {"content": 1.0},
    "null": {"content": None},
    "truth": {"content": True},
    "empty_list": {"content": []},
    "empty_mapping": {"content": {}},
    "negative_zero": {"content": -0.0, "metadata": {"n": -0.0}, "created_at": -0.0},
    "extreme_floats": {
        "content": [5e-324, 1.7976931348623157e308, 1e22, 1e16, 0.1 + 0.2],
        "metadata": {"n": [5e-324, -1.7976931348623157e308, 1e-7]},
    },
    "widest_integers": {"content": [2**64 - 1], "metadata": {"n": [2**64 - 1, -(2**63), 2**53]}},
    "number_and_truth": {"content": "tea", "metadata": {"n": [1, 1.0, True, 0, 0.0, False, None]}},
    "time": {"content": "tea", "created_at": 1764658800.1234567},
    "early_time": {"content": "tea", "created_at": -1e12},
    "tags": {"content": "tea", "tags": ["b", "a", "b", "", "A", "x,y", " z ", "null", "[]", "#"]},
    "many_tags": {"content": "tea", "tags": [f"tag {n}" for n in range(1_000)]},
    "long_tag": {"content": "tea", "tags": ["t" * 5_000]},
    "reserved_names": {
        "content": "tea",
        "metadata": {
            "status": "deleted",
            "tags": "mine",
            "memory_type": "semantic",
            "kind": "observation",
            "deleted_at": 1,
            "lionagi": {"id": UUID_TEXT},
        },
    },
    "identities": {
        "content": UUID_TEXT,
        "tags": [UUID_TEXT],
        "metadata": {"id": UUID_TEXT, "session": UUID_TEXT, "created_at": "2026-12-03T05:06:45Z"},
    },
    "a_word_and_a_uuid_apart": {
        "content": "tea",
        "metadata": {"auth": "none", "session": UUID_TEXT, "secret": ["token", UUID_TEXT]},
    },
    "empty_keys_and_values": {"content": "tea", "metadata": {"": {"": [""]}, "é": {}, "l": []}},
    "long": {"content": "lorem ipsum " * 20_000, "metadata": {"k" * 5_000: "v" * 50_000}},
}
"""Kept exactly, by what is hostile about them."""

SECRETS: Final[dict[str, dict[str, Any]]] = {
    "uuid_near_token": {"content": f"auth token: {UUID_TEXT}"},
    "uuid_near_token_in_tag": {"content": "tea", "tags": ["b", f"token {UUID_TEXT}"]},
    "uuid_near_token_in_metadata": {"content": "tea", "metadata": {"n": [f"key={UUID_TEXT}"]}},
    "hex_near_key": {"content": "key=" + "0123456789abcdef" * 2},
    "jwt": {"content": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlMTIz"},
    "private_key": {"content": "-----BEGIN RSA PRIVATE KEY-----\nMIIB"},
    "aws_key": {"content": "AKIAIOSFODNN7EXAMPLE"},
    "github_token": {"metadata": {"t": "ghp_" + "aB3" * 12}, "content": "tea"},
    "content_tree": {"content": {"said": f"my token: {UUID_TEXT}"}},
}
"""Refused by khive's guard, by what they look like; none of them is one."""

"""What khive is asked: calls of one session in order, by name.

`{tea}` is the identity of what the step `remember` made, and `{tea:8}` how it
begins; `{cake}` is that of the step `remember a cake`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["GIVEN", "NAMED", "STEPS"]

GIVEN: Final = "6ba7b810-9dad-41d1-80b4-00c04fd430c8"
"""An identity that no record has."""

NAMED: Final = {"remember": "tea", "remember a cake": "cake"}
"""What stands for the identity of what a step made."""


def _ask(tool: str, **arguments: Any) -> list[dict[str, Any]]:
    return [{"tool": tool, "args": arguments}]


def _remember(content: Any, **more: Any) -> list[dict[str, Any]]:
    return _ask("memory.remember", content=content, **{"namespace": "n", **more})


def _recall(query: Any, **more: Any) -> list[dict[str, Any]]:
    return _ask("memory.recall", query=query, namespace="n", **more)


def _update(**more: Any) -> list[dict[str, Any]]:
    return _ask("update", **{"id": "{tea}", "kind": "note", **more})


def _match(condition: str, returned: str = "n.id, n.created_at", label: str = ":memory") -> Any:
    query = f"MATCH (n{label}) WHERE {condition} RETURN {returned} LIMIT 5"
    return _ask("query", query=query, namespace="n")


def _nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"in": value}
    return value


def _change(**more: Any) -> list[dict[str, Any]]:
    return _ask("update", **{"id": "{cake}", "kind": "note", **more})


def _create(**more: Any) -> list[dict[str, Any]]:
    return _ask("create", kind="observation", content="x", namespace="n", **more)


def _query(query: Any) -> list[dict[str, Any]]:
    return _ask("query", query=query, namespace="n")


_MAKE: Final = 'memory.remember(content="plum", namespace="n")'
_ROOM: Final = {"scoring": {"chars_per_token": 1_000_000}}
_ENVELOPE: Final = {"id": "Q", "metadata": {"z": 1, "a": [None, -0.0, 2**64, 2**63, 1e22]}}

STEPS: Final[Mapping[str, Any]] = {
    "remember": _remember("green tea", tags=["b", "A", "b"]),
    "get a memory": _ask("get", id="{tea}"),
    "get by eight letters": _ask("get", id="{tea:8}"),
    "get what is not there": _ask("get", id=GIVEN),
    "remember without tags": _remember("black tea"),
    "remember with an id": _remember("x", id="1"),
    "remember nothing": _ask("memory.remember"),
    "remember a number": _remember(5),
    "remember a list": _remember(["x"]),
    "remember null": _remember(None),
    "remember blanks": _remember(" "),
    "remember with a text as tags": _remember("ok", tags="a"),
    "remember with a number as tag": _remember("ok", tags=[1]),
    "remember elsewhere": _remember("green tea", namespace="elsewhere"),
    "remember in an odd namespace": _remember("ok", namespace="a b"),
    "remember a secret": _remember(f"auth token: {GIVEN}"),
    "remember a key": _remember("key=0123456789abcdef0123456789abcdef"),
    "remember a password": _remember("password: hunter2"),
    "an unknown verb": _ask("nope.verb", a=1),
    "update": _update(content="green tea, cold", properties={"lionagi": _ENVELOPE}),
    "update to nothing": _update(content=""),
    "update merges at the top": _update(content="green tea", properties={"other": {"a": 1}}),
    "update replaces below": _update(properties={"lionagi": {"id": "Q"}, "tags": ["b", "A", "b"]}),
    "update tags": _update(tags=["x"]),
    "update a secret": _update(properties={"x": {"y": f"auth token: {GIVEN}"}}),
    "update no secret": _update(properties={"auth_token": "none", "session": GIVEN}),
    "update what is not there": _update(id=GIVEN, content="x"),
    "update as deep as may be": _update(properties={"deep": _nested(60)}),
    "update too deep": _update(properties={"deep": _nested(62)}),
    "match": _match('n.properties.lionagi.id = "Q"'),
    "match in another case": _match('n.properties.lionagi.id = "q"', "n.id"),
    "match nothing": _match('n.properties.lionagi.id = "R"'),
    "match with an escape": _match('n.properties.lionagi.id = "x\\"y"'),
    "match nonsense": _ask("query", query="nonsense", namespace="n"),
    "create an observation": _ask(
        "create",
        kind="observation",
        content="seen",
        properties={"lionagi": {"id": "Q"}},
        namespace="n",
    ),
    "match memories alone": _match('n.properties.lionagi.id = "Q"', "n.id"),
    "create a memory": _ask("create", kind="memory", content="made", tags=["c"], namespace="n"),
    "recall": _recall("green tea", limit=5),
    "recall a part of a word": _recall("gree"),
    "recall in capitals": _recall("GREEN"),
    "recall two letters": _recall("te"),
    "recall nothing": _recall(""),
    "recall blanks": _recall("  "),
    "recall a star": _recall("*"),
    "recall a digit": _recall("7"),
    "recall a letter": _recall("q"),
    "recall a repeated letter": _recall("zzz"),
    "recall a number": _recall(5),
    "recall with an unknown field": _recall("tea", bogus=1),
    "recall one": _recall("green", limit=1),
    "recall none": _recall("green", limit=0),
    "recall top none": _recall("green", top_k=0),
    "recall less than none": _recall("green", limit=-1),
    "recall a text of them": _recall("green", limit="3"),
    "recall a part of one": _recall("green", limit=2.5),
    "recall a tag": _recall("green", tags=["b"]),
    "recall a tag in another case": _recall("green", tags=["B"]),
    "recall any tag": _recall("green", tags=["b", "z"], tag_mode="any"),
    "recall all tags": _recall("green", tags=["b", "z"], tag_mode="all"),
    "recall by vectors": _recall("green", fusion_strategy="vector_only"),
    "recall elsewhere": _ask("memory.recall", query="green", namespace="nowhere"),
    "list": _ask("list", kind="memory", namespace="n", limit=2),
    "list the rest": _ask("list", kind="memory", namespace="n", limit=2, offset=2),
    "list more than may be": _ask("list", kind="memory", namespace="elsewhere", limit=500),
    "list none": _ask("list", kind="memory", namespace="n", limit=0),
    "list a tag in another case": _ask("list", kind="memory", namespace="n", tags=["a"]),
    "list observations": _ask("list", kind="observation", namespace="n"),
    "two calls, one refused": [*_ask("get", id=GIVEN), *_ask("get", id="{tea}")],
    "delete": _ask("delete", id="{tea}", hard=True),
    "delete again": _ask("delete", id="{tea}", hard=True),
    "get what was deleted": _ask("get", id="{tea}"),
    "update what was deleted": _update(content="x"),
    "feedback on nothing": _ask(
        "brain.auto_feedback", query="tea", results=[], served_by_profile_id="w"
    ),
    "a reference": _remember("$prev.id"),
    "a reference within": _update(properties={"x": ["$prev"]}),
    "no reference": _remember("$previous and $prev.id"),
    "a lone half of a character": '[{"tool":"memory.remember","args":{"content":"\\ud800"}}]',
    "no number": '[{"tool":"memory.remember","args":{"content":"x","salience":NaN}}]',
    "a hundred and one calls": _ask("whoami") * 101,
    "more than a megabyte": "x" * 1_048_577,
    "no calls at all": "nonsense((",
    "shortened": ("agent", _ask("list", kind="memory", namespace="n", limit=1)),
    # What goes beyond what a store asks, from here on.
    "remember a cake": _remember("nut cake", tags=["sweet"], salience=0.3, memory_type="semantic"),
    "remember too much salience": _remember("x", salience=1.5),
    "remember a text as salience": _remember("x", salience="1"),
    "remember a truth as salience": _remember("x", salience=True),
    "remember of an odd type": _remember("x", memory_type="odd"),
    "remember with nulls": _remember("pear", tags=None, salience=None, memory_type=None),
    "remember in no namespace": _remember("x", namespace=None),
    "remember in a namespace without a name": _remember("x", namespace=""),
    "remember in a number": _remember("x", namespace=5),
    "get a number": _ask("get", id=5),
    "get null": _ask("get", id=None),
    "get what is no id": _ask("get", id="junk"),
    "get with an unknown field": _ask("get", id="{cake}", bogus=1),
    "get in a namespace": _ask("get", id="{cake}", namespace="elsewhere"),
    "get, shortened": ("agent", _ask("get", id="{cake}")),
    "match, shortened": ("agent", _match('n.properties.memory_type = "semantic"')),
    "create without a kind": _ask("create", content="x", namespace="n"),
    "create of no kind": _ask("create", kind="zzz", content="x", namespace="n"),
    "create an entity": _ask(
        "create", kind="concept", name="cake", tags=["x"], properties={"a": 1}, namespace="n"
    ),
    "create an entity of no kind": _ask("create", kind="entity", name="x", namespace="n"),
    "create an entity without a name": _ask("create", kind="concept", namespace="n"),
    "create an entity with blanks as name": _ask("create", kind="concept", name=" "),
    "create a note without content": _ask("create", kind="observation", namespace="n"),
    "create a note of nothing": _ask("create", kind="note", content="", namespace="n"),
    "create a note with a status": _create(properties={"status": "done", "tags": "raw"}),
    "create a note with two kinds of tags": _create(tags=["a"], properties={"tags": "raw"}),
    "create a note with too much salience": _create(salience=5),
    "create with an id": _create(id=GIVEN),
    "list entities": _ask("list", kind="entity", namespace="n"),
    "list notes": _ask("list", kind="note", namespace="n", limit=2),
    "list of no kind": _ask("list", kind="zzz", namespace="n"),
    "list without a kind": _ask("list", namespace="n"),
    "list a text of them": _ask("list", kind="memory", limit="3"),
    "list less than none": _ask("list", kind="memory", limit=-1),
    "list with null": _ask("list", kind="memory", limit=None, namespace="elsewhere"),
    "list a number as tag": _ask("list", kind="memory", tags=[1]),
    "update a status": _change(properties={"status": "done", "memory_type": 5}),
    "update raw tags": _change(properties={"tags": "raw"}),
    "update the name": _change(name="gateau", salience=0.7),
    "update too much salience": _change(salience=7),
    "update a description": _change(description="x"),
    "update nothing": _change(),
    "update by eight letters": _change(id="{cake:8}", content="nut cake"),
    "update without a kind": _ask("update", id="{cake}", content="nut cake"),
    "update of another kind": _change(kind="observation", content="x"),
    "update as an entity": _change(kind="entity", name="x"),
    "update what is no id": _change(id="junk", content="x"),
    "update an unknown beginning": _change(id="00000000", content="x"),
    "update with an unknown field": _change(bogus=1),
    "match in small letters": _query(
        "match (m:memory)  where m.properties.memory_type='5' return m.id"
    ),
    "match a number": _query("MATCH (n:memory) WHERE n.properties.memory_type = 5 RETURN n.id"),
    "match none": _query("MATCH (n) WHERE n.properties.memory_type = 5 RETURN n.id LIMIT 0"),
    "match a number as a query": _query(5),
    "remember more cake": _remember("apple cake"),
    "remember most cake": _remember("apple cake with cream"),
    "recall the best": _recall("cake", min_score=0.4),
    "recall a percentage": _recall("cake", min_score=60),
    "recall with a score below none": _recall("cake", min_score=-1),
    "recall with a text as score": _recall("cake", min_score="x"),
    "recall most words first": _recall("apple cream"),
    "recall between marks": _recall('zzyx:apple, (cream) "x"'),
    "recall without marks": _recall("ap-ple"),
    "recall operators": _recall("and or not"),
    "recall a word of few letters": _recall("mississippi"),
    "recall a word of few letters beside another": _recall("mississippi river"),
    "recall one sign": _recall("茶"),
    "recall of an odd mode": _recall("cake", tags=["x"], tag_mode="some"),
    "recall of an odd strategy": _recall("cake", fusion_strategy="odd"),
    "recall a number as tag": _recall("cake", tags=[1]),
    "recall with an odd configuration": _recall("cake", config=5),
    "remember at length": _remember("long " + "word " * 4000),
    "recall at length": _recall("long word"),
    "recall a long one in short": _recall("long word", full_content=False),
    "recall with more room": _recall("long word", full_content=False, config=_ROOM),
    "delete softly": _ask("delete", id="{cake}"),
    "delete softly again": _ask("delete", id="{cake}"),
    "get what was deleted softly": _ask("get", id="{cake}", include_deleted=True),
    "delete by eight letters": _ask("delete", id="{cake:8}"),
    "delete for good": _ask("delete", id="{cake}", hard=True),
    "delete as a note": _ask("delete", id=GIVEN, kind="note"),
    "delete what is no id": _ask("delete", id="junk"),
    "delete a text": _ask("delete", id=GIVEN, hard="x"),
    "who am I": _ask("whoami"),
    "who am I, with an unknown field": _ask("whoami", bogus=1),
    "feedback without results": _ask("brain.auto_feedback", query="x"),
    "all verbs": _ask("verbs"),
    "help": _ask("memory.remember", help=True),
    "one call alone": '{"tool": "whoami"}',
    "no call in brackets": "[]",
    "no text": "",
    "a call without a verb": '[{"args": {}}]',
    "a list of arguments": '[{"tool": "whoami", "args": []}]',
    "two values of one name": '[{"tool": "get", "args": {"id": "a", "id": "junk"}}]',
    "notation": 'memory.remember(content="a \\"b\\", c\\u00e9", tags=["x"], namespace="n")',
    "notation in brackets": '[whoami(), get(id="junk")]',
    "a chain": f"{_MAKE} | get(id=$prev.id)",
    "a chain of texts": f'{_MAKE} | get(id="$prev.id")',
    "a chain with an escape": f'{_MAKE} | get(id="\\\\$prev.id")',
    "a chain that breaks": f'get(id="junk") | {_MAKE}',
    "a chain to what is not there": f"{_MAKE} | get(id=$prev.zzz)",
    "a chain to all": f"{_MAKE} | get(id=$prev)",
    "a reference without a chain": 'get(id="$prev.id")',
    "a chain in brackets": "[whoami() | whoami()]",
    "a name twice": 'get(id="a", id="b")',
    "a value without a name": 'get("a")',
    "an odd presentation": ("odd", _ask("whoami")),
    "for people": ("human", _ask("list", kind="memory", namespace="elsewhere")),
}
"""Each is the calls, or the text of a request, or either of them after a presentation."""

"""What a recall finds, in which order, how it is scored, and how much of it is shown.

khive's order is that of a full-text index. Here a memory comes before another
if it holds more of the words, is shorter, or is older. The scores are khive's:
they tell the place of a hit among all hits, and nothing of how well it fits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final

from .fields import Refused
from .kinds import tags_of
from .notes import Note

__all__ = ["hits", "refuse_recall", "shown"]

_BETWEEN_WORDS: Final = re.compile(r"[\s!(),.:;?]+")
_NOT_IN_WORDS: Final = str.maketrans("", "", "\"$'*+-^~\0")
_OPERATORS: Final = frozenset({"and", "near", "not", "or"})
_SHORTEST: Final = 3
"""Letters of a word that is looked for at all."""
_LETTER: Final = re.compile(r"[^\W\d_]")
_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_VARIED: Final = 0.4
"""Different letters for each letter of a word that is more than a repetition."""
_CANDIDATES: Final = 200
"""So many are chosen by the text alone; tags are compared after that."""
_BUDGET: Final = 4_000
"""Tokens of an answer; a token has four characters unless told otherwise."""
_CHARACTERS_PER_TOKEN: Final = 4
_SHORTENED: Final = 200
_BEST: Final = 0.719284
_LAST: Final = 0.17243
_DAMPING: Final = 10
"""How slowly scores fall from place to place."""
_MODES: Final = ("any", "all")
_STRATEGIES: Final = ("rrf", "weighted", "union", "vector_only", "keyword_only")


def refuse_recall(query: str, min_score: float, tag_mode: str, strategy: str) -> None:
    """Raise `Refused` for a recall that khive does not begin."""
    if not query.strip():
        raise Refused("invalid input: query must not be empty")
    if not _is_meaningful(query):
        raise Refused(
            f'invalid input: query "{query}" does not contain enough meaningful content (must '
            "have at least 2 alphabetic or CJK characters and not consist of repeated "
            "characters)"
        )
    if not 0 <= min_score <= 100:
        raise Refused(f"invalid input: min_score {min_score} out of range")
    if tag_mode not in _MODES:
        raise Refused(f"invalid input: unknown variant `{tag_mode}`, expected `any` or `all`")
    if strategy not in _STRATEGIES:
        names = ", ".join(f'"{each}"' for each in _STRATEGIES)
        raise Refused(
            f'invalid input: invalid fusion_strategy "{strategy}": must be one of {names}'
        )


def hits(
    notes: Iterable[Note],
    query: str | None,
    tags: list[str] | None,
    tag_mode: str,
    min_score: float,
) -> list[dict[str, Any]]:
    """Return what a recall finds among notes, best first; without a query that is all of them."""
    words = None if query is None else _words(query)
    shares = [(_share(_text(note), words), note) for note in notes]
    ranked = sorted(
        ((share, note) for share, note in shares if share > 0),
        key=lambda each: (-each[0], len(_text(each[1]))),
    )[:_CANDIDATES]
    scored = [(_score(place, len(ranked)), note) for place, (_, note) in enumerate(ranked, start=1)]
    return [
        _hit(note, score)
        for score, note in scored
        if score >= min_score and (not tags or _has(note, set(tags), tag_mode))
    ]


def shown(found: list[dict[str, Any]], full_content: bool, config: dict[str, Any]) -> Any:
    """Return an answer with the hits that there is room for: a list, or a mapping if none is.

    Raises:
        Refused: the configuration tells of no such room.
    """
    room = _BUDGET * _characters_per_token(config)
    answer: list[dict[str, Any]] = []
    for hit in found:
        room -= len(json.dumps(hit, ensure_ascii=False))
        if room < 0:
            break
        answer.append(hit if full_content else {**hit, "content": _shortened(hit["content"])})
    if len(answer) == len(found):
        return answer
    if not answer:
        return {"results": [], "truncated": True}
    return [{**hit, "truncated": True} for hit in answer]


def _characters_per_token(config: dict[str, Any]) -> int:
    scoring = config.get("scoring", {})
    if type(scoring) is not dict:
        raise Refused("invalid input: invalid type: scoring, expected struct ScoringConfig")
    characters = scoring.get("chars_per_token", _CHARACTERS_PER_TOKEN)
    if type(characters) is not int:
        raise Refused("invalid input: invalid type: chars_per_token, expected usize")
    if characters < 1:
        raise Refused("invalid input: config.scoring.chars_per_token must be greater than zero")
    return characters


def _shortened(content: str) -> str:
    return content if len(content) <= _SHORTENED else f"{content[:_SHORTENED]}…"


def _is_meaningful(query: str) -> bool:
    """Two letters, or one of a script that has words of one; and a word that is varied."""
    words = ["".join(_LETTER.findall(word)) for word in query.lower().split()]
    if _CJK.search(query) is None and len("".join(words)) < 2:
        return False
    return any(word and len(set(word)) / len(word) >= _VARIED for word in words)


def _words(query: str) -> frozenset[str]:
    words = frozenset(_BETWEEN_WORDS.split(query.lower())) - _OPERATORS
    return frozenset(word for word in words if len(word) >= _SHORTEST)


def _text(note: Note) -> str:
    name = note["name"]
    return str(note["content"] if name is None else f"{name} {note['content']}").lower()


def _share(text: str, words: frozenset[str] | None) -> float:
    if words is None:
        return 1.0
    return sum(_holds(text, word) for word in words) / len(words) if words else 0.0


def _holds(text: str, word: str) -> bool:
    """Whether the word is there as it is, or without the characters that khive takes out."""
    bare = word.translate(_NOT_IN_WORDS)
    return word in text or (len(bare) >= _SHORTEST and bare in text)


def _score(place: int, places: int) -> float:
    if places == 1:
        return _BEST
    least = 1 / (_DAMPING + places)
    share = (1 / (_DAMPING + place) - least) / (1 / (_DAMPING + 1) - least)
    return _LAST + share * (_BEST - _LAST)


def _has(note: Note, tags: set[str], mode: str) -> bool:
    kept = set(tags_of(note))
    return tags <= kept if mode == "all" else not tags.isdisjoint(kept)


def _hit(note: Note, score: float) -> dict[str, Any]:
    named = (note["properties"] or {}).get("memory_type")
    return {
        "content": note["content"],
        "created_at": note["created_at"],
        "decay_factor": note["decay_factor"] or 0.02,
        "full_id": note["id"],
        "id": note["id"],
        "memory_type": named if isinstance(named, str) else "episodic",
        "rank_score": score,
        "raw_score": None,
        "salience": note["salience"] or 0.3,
        "score": score,
        "serve_attribution": "unspecified",
    }

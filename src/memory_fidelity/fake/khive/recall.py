"""What a recall finds, in which order, and how much of it is shown.

khive ranks by relevance, salience and age, and scores what was written lately
alike. Here every hit has that score, in the order of the share of the words
that it holds, the newest first among equals.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final

from .notes import Note

__all__ = ["hits", "is_meaningful", "shown"]

_WORD: Final = re.compile(r"\S{3,}")
"""What is looked for of a query: each part between blanks, literally, if it has a trigram."""
_LETTER: Final = re.compile(r"[^\W\d_]")
_CANDIDATES: Final = 200
"""So many are chosen by the text alone; tags are compared after that."""
_BUDGET: Final = 4_000
"""Tokens of an answer; a token has four characters unless told otherwise."""
_CHARACTERS_PER_TOKEN: Final = 4.0
_SHORTENED: Final = 200
_SCORE: Final = 0.72


def is_meaningful(query: str) -> bool:
    """Whether khive looks for a text at all: two letters that are not the same."""
    letters = _LETTER.findall(query.casefold())
    return len(letters) >= 2 and len(set(query.casefold().strip())) > 1


def hits(
    notes: Iterable[Note], query: str | None, tags: list[str] | None, tag_mode: str, limit: int
) -> list[dict[str, Any]]:
    """Return what a recall finds among notes, best first; without a query that is all of them."""
    words = None if query is None else set(_WORD.findall(query.casefold()))
    scored = [(_score(note["content"], words), note) for note in notes]
    ranked = sorted(
        ((score, note) for score, note in scored if score > 0),
        key=lambda each: (each[0], each[1]["created_at"]),
        reverse=True,
    )
    found = [
        _hit(note)
        for _, note in ranked[:_CANDIDATES]
        if not tags or _has(note, set(tags), tag_mode)
    ]
    return found[:limit]


def shown(found: list[dict[str, Any]], full_content: bool, config: dict[str, Any] | None) -> Any:
    """Return an answer with the hits that there is room for: a list, or a mapping if none is."""
    scoring = (config or {}).get("scoring", {})
    room = _BUDGET * float(scoring.get("chars_per_token", _CHARACTERS_PER_TOKEN))
    answer: list[dict[str, Any]] = []
    for hit in found:
        if not full_content:
            hit = {**hit, "content": hit["content"][:_SHORTENED]}
        room -= len(json.dumps(hit, ensure_ascii=False))
        if room < 0:
            break
        answer.append(hit)
    if len(answer) == len(found):
        return answer
    if not answer:
        return {"results": [], "truncated": True}
    return [{**hit, "truncated": True} for hit in answer]


def _score(content: str, words: set[str] | None) -> float:
    if words is None:
        return 1.0
    text = content.casefold()
    return sum(word in text for word in words) / len(words) if words else 0.0


def _has(note: Note, tags: set[str], mode: str) -> bool:
    kept = set((note["properties"] or {}).get("tags") or ())
    return tags <= kept if mode == "all" else not tags.isdisjoint(kept)


def _hit(note: Note) -> dict[str, Any]:
    return {
        "content": note["content"],
        "created_at": note["created_at"],
        "decay_factor": note["decay_factor"] or 0.02,
        "full_id": note["id"],
        "id": note["id"],
        "memory_type": (note["properties"] or {}).get("memory_type", "episodic"),
        "rank_score": _SCORE,
        "raw_score": None,
        "salience": note["salience"] or 0.3,
        "score": _SCORE,
        "serve_attribution": "unspecified",
    }

"""khive's scores tell the place of a hit, as the notes for upstream say."""

from __future__ import annotations

from pathlib import Path

from tests.adapters.khive_scene import Lane
from tests.adapters.khive_wire import Wire, wired

NOTES = Path(__file__).parents[2] / "docs" / "explanation" / "notes-for-upstream.md"


def test_equal_memories_have_the_scores_of_the_note(lane: Lane) -> None:
    """Three that hold the word alike are told apart by nothing but their order."""

    async def scores(wire: Wire) -> list[float]:
        for tea in ("green", "black", "white"):
            await wire.do("memory.remember", content=f"Prefers {tea} tea")
        hits = await wire.do("memory.recall", query="tea")
        return [round(hit["score"], 2) for hit in hits]

    assert f"min_score=0: {wired(lane, scores)}\n" in NOTES.read_text(encoding="utf-8")

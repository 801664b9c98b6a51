"""The timeline: what was done, what the journal shows of it, and what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from memory_fidelity import (
    MemoryItem,
    UnsupportedMemoryQuery,
    memory_query,
    until_searchable,
)
from memory_fidelity.fake import EventualFake, FakeMemoryStore
from memory_fidelity.workbook.figure import Figure
from memory_fidelity.workbook.timeline import Step, Timeline

ITEM = MemoryItem(content="Prefers green tea", tags=["taste"])
QUERY = memory_query(text="tea")

_Call = Callable[[FakeMemoryStore], Awaitable[object]]


def _watched() -> tuple[EventualFake, FakeMemoryStore, Timeline]:
    harness = EventualFake()
    return harness, harness.connect(), Timeline(harness)


async def _story() -> Timeline:
    harness, store, timeline = _watched()
    await timeline.step("write", store.store(ITEM), then="kept")
    await timeline.step("retrieve", store.retrieve(ITEM.id))
    await timeline.step("search", store.search(QUERY))
    await timeline.step("index", harness.make_search_index_visible())
    await timeline.step("search", store.search(QUERY))
    return timeline


async def _two_hits(store: FakeMemoryStore, harness: EventualFake) -> None:
    await store.store(ITEM)
    await store.store(MemoryItem(content="Prefers black tea"))
    harness.backend.flush()


def test_each_step_says_what_came_of_it() -> None:
    """A race in five steps: there, and not yet found."""
    timeline = asyncio.run(_story())

    assert timeline.steps == (
        Step("write", "acknowledged", "put", "good", "kept"),
        Step("retrieve", "there", "get", "good"),
        Step("search", "nothing", "find", "warn"),
        Step("index", "done", "nothing sent", "good"),
        Step("search", "1 hit", "find", "good"),
    )


@pytest.mark.parametrize(
    ("call", "outcome", "sent"),
    [
        pytest.param(lambda store: store.search(QUERY), "2 hits", "find", id="hits"),
        pytest.param(
            lambda store: store.retrieve(MemoryItem(content="").id), "nothing", "get", id="unknown"
        ),
        pytest.param(
            lambda store: store.search(memory_query(limit=0)), "nothing", "nothing sent", id="none"
        ),
        pytest.param(
            lambda store: until_searchable(store, ITEM, 0), "found", "find", id="first-sight"
        ),
        pytest.param(
            lambda store: asyncio.gather(store.search(QUERY), store.search(QUERY)),
            "2 hits",
            "find x2",
            id="several",
        ),
    ],
)
def test_an_outcome_is_a_word_or_two(call: _Call, outcome: str, sent: str) -> None:
    """And so is what was sent."""

    async def scenario() -> Step:
        harness, store, timeline = _watched()
        await _two_hits(store, harness)
        await timeline.step("any", call(store))
        return timeline.steps[0]

    step = asyncio.run(scenario())

    assert (step.outcome, step.sent) == (outcome, sent)


def test_what_a_call_returns_is_returned() -> None:
    """A timeline watches; it takes nothing away."""

    async def scenario() -> object:
        _, store, timeline = _watched()
        return await timeline.step("write", store.store(ITEM))

    assert asyncio.run(scenario()) == ITEM.id


def test_an_error_is_kept_and_passed_on() -> None:
    """A refusal is a step, too, and the journal shows that nothing was sent."""
    _, store, timeline = _watched()

    with pytest.raises(UnsupportedMemoryQuery):
        asyncio.run(timeline.step("search", store.search(memory_query(filters={"colour": 1}))))

    assert timeline.steps == (Step("search", "UnsupportedMemoryQuery", "nothing sent", "bad"),)


def test_the_figure_says_in_words_what_it_shows() -> None:
    """The alternative text holds every step, in order."""
    timeline = asyncio.run(_story())

    assert timeline.figure("A race").alt == (
        "A race\n"
        "1. write: acknowledged (put); from here on: kept\n"
        "2. retrieve: there (get)\n"
        "3. search: nothing (find)\n"
        "4. index: done (nothing sent)\n"
        "5. search: 1 hit (find)"
    )


def test_the_same_steps_are_the_same_picture() -> None:
    """Byte for byte, though the ids and times behind them differ."""
    first, second = asyncio.run(_story()), asyncio.run(_story())

    assert first.figure("A race").png == second.figure("A race").png


def _pixels(figure: Figure) -> tuple[int, int]:
    header = figure.png[16:24]
    return int.from_bytes(header[:4], "big"), int.from_bytes(header[4:], "big")


def test_a_step_more_makes_it_wider_and_a_lane_more_makes_it_higher() -> None:
    """Each step has a column of its own, and each lane a row."""

    async def scenario() -> list[tuple[int, int]]:
        _, store, timeline = _watched()
        sizes = []
        for lane in ("search", "search", "another search"):
            await timeline.step(lane, store.search(QUERY))
            sizes.append(_pixels(timeline.figure("")))
        return sizes

    one, two, three = asyncio.run(scenario())

    assert two[0] > one[0]
    assert two[1] == one[1]
    assert three[1] > two[1]


def test_a_state_lasts_until_the_next_step_of_its_lane() -> None:
    """So what follows in the lane changes the picture, and not only to its right."""

    async def scenario(then: str) -> bytes:
        _, store, timeline = _watched()
        await timeline.step("write", store.store(ITEM), then=then)
        await timeline.step("search", store.search(QUERY))
        await timeline.step("write", store.store(ITEM))
        return timeline.figure("").png

    assert asyncio.run(scenario("kept")) != asyncio.run(scenario(""))


def test_a_state_that_is_too_long_is_left_to_the_words() -> None:
    """Nothing is written over the steps that follow; the alternative text has it all."""

    async def scenario(then: str) -> Figure:
        _, store, timeline = _watched()
        await timeline.step("write", store.store(ITEM), then=then)
        await timeline.step("search", store.search(QUERY))
        return timeline.figure("")

    first, second = asyncio.run(scenario("long " * 40)), asyncio.run(scenario("wide " * 40))

    assert first.png == second.png
    assert "long long" in first.alt


def test_a_timeline_of_nothing_can_be_drawn() -> None:
    """It shows its title."""
    _, _, timeline = _watched()

    figure = timeline.figure("Nothing yet")

    assert figure.alt == "Nothing yet"
    assert figure.width > 0
